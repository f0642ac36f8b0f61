//! Processes that MPI started together, each a *rank* with memory of its own: what the
//! census over a cluster says to them (feature `mpi`).
//!
//! ```text
//! hand_out       rank 0 ──next job──► whoever asks; the answer brings the result and asks again
//! transpose      rank r ◄──blocks──► rank r ^ 1, then r ^ 2, r ^ 3, …
//! gather         rank 0 ◄──bytes── every rank
//! ```
//!
//! Only the thread that started MPI talks to it (`MPI_THREAD_FUNNELED`), so that ranks and
//! the threads of each rank compose. Every byte sent is counted here, in code.
//!
//! An error or a panic on one rank ends all of them ([`World::fail`]): a rank that waits for
//! a message of another would wait for ever.

use std::cell::Cell;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::point_to_point::{self, MatchedReceiveVec};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};

use crate::error::Error;

/// How long rank 0 looks away from its messages at the most while it works itself.
const LOOK: Duration = Duration::from_millis(1);

/// Cells of a block that are sent at once: 4 MiB. Counts of MPI have 31 bits.
const PIECE: usize = 1 << 20;

/// Stands for a job where there is none left.
const NONE_LEFT: u64 = u64::MAX;

/// All ranks, as one of them sees them.
pub struct World {
    world: SimpleCommunicator,
    sent: Cell<u64>,
    // Last, since dropping it is the end of MPI.
    _universe: Universe,
}

impl World {
    /// Starts MPI; without `mpirun` the world is this process alone.
    ///
    /// # Errors
    /// An MPI library that knows no threads, or that was started before.
    pub fn start() -> Result<Self, Error> {
        let refused = |problem: &str| Error::argument("--mpi", problem);
        let (universe, threading) = mpi::initialize_with_threading(Threading::Funneled)
            .ok_or_else(|| refused("MPI was started before"))?;
        if threading < Threading::Funneled {
            return Err(refused("want an MPI library with MPI_THREAD_FUNNELED"));
        }
        Ok(Self { world: universe.world(), sent: Cell::new(0), _universe: universe })
    }

    /// Which rank this is, from 0.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// How many ranks there are.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Prints an error and ends every rank with exit code 2.
    pub fn fail(&self, error: &Error) -> ! {
        match self.rank() {
            0 => eprintln!("error: {error}"),
            rank => eprintln!("error: rank {rank}: {error}"),
        }
        self.world.abort(2)
    }

    /// What every rank finds alike: an error comes back on rank 0 alone, which is to
    /// [`World::fail`]; the others wait for that.
    ///
    /// # Errors
    /// The one found.
    pub fn agreed<T>(&self, found: Result<T, Error>) -> Result<T, Error> {
        if found.is_err() && self.rank() > 0 {
            self.world.barrier();
        }
        found
    }

    /// What ranks may find differently: the error comes back on the lowest rank that has one,
    /// which is to [`World::fail`]; the others wait for that.
    ///
    /// # Errors
    /// That one.
    pub fn lowest<T>(&self, found: Result<T, Error>) -> Result<T, Error> {
        let rank = self.rank() as u64;
        let lowest = self.least(if found.is_err() { rank } else { u64::MAX });
        if lowest != u64::MAX && lowest != rank {
            self.world.barrier();
        }
        found
    }

    /// Waits until every rank is here.
    pub fn barrier(&self) {
        self.world.barrier();
    }

    /// How many ranks share this machine and its memory.
    pub fn neighbours(&self) -> usize {
        self.world.split_shared(self.world.rank()).size() as usize
    }

    /// The least of the ranks' numbers.
    pub fn least(&self, number: u64) -> u64 {
        let mut least = 0;
        self.world.all_reduce_into(&number, &mut least, SystemOperation::min());
        least
    }

    /// The largest of the ranks' numbers.
    pub fn largest(&self, number: f64) -> f64 {
        let mut largest = 0.0;
        self.world.all_reduce_into(&number, &mut largest, SystemOperation::max());
        largest
    }

    /// Bytes that all ranks have sent so far, sums and barriers not counted.
    pub fn sent(&self) -> u64 {
        let mut sum = 0;
        self.world.all_reduce_into(&self.sent.get(), &mut sum, SystemOperation::sum());
        sum
    }

    fn count(&self, bytes: usize) {
        self.sent.set(self.sent.get() + bytes as u64);
    }

    /// Makes every rank's bytes rank 0's.
    pub fn broadcast(&self, bytes: &mut Vec<u8>) {
        let root = self.world.process_at_rank(0);
        let mut length = bytes.len() as u64;
        root.broadcast_into(&mut length);
        bytes.resize(length as usize, 0);
        root.broadcast_into(&mut bytes[..]);
        if self.rank() == 0 {
            self.count((size_of::<u64>() + bytes.len()) * (self.size() - 1));
        }
    }

    /// The ranks' bytes in their order, on rank 0; nothing on the others.
    pub fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        if self.rank() > 0 {
            self.send(0, &bytes);
            return Vec::new();
        }
        let others = 1..self.world.size();
        let received = others.map(|rank| self.world.process_at_rank(rank).receive_vec().0);
        std::iter::once(bytes).chain(received).collect()
    }

    fn send(&self, rank: i32, bytes: &[u8]) {
        self.world.process_at_rank(rank).send(bytes);
        self.count(bytes.len());
    }

    /// Exchanges blocks, as many as there are ranks: block `d` of `mine` goes to rank `d`,
    /// what comes from rank `u` to block `u` of `theirs`. Ranks are a power of two in
    /// number, and in each of `P − 1` steps they exchange in pairs, so that none waits
    /// behind another.
    pub fn transpose(&self, mine: &[i32], theirs: &mut [i32]) {
        let (rank, size) = (self.rank(), self.size());
        assert!(size.is_power_of_two() && mine.len() == theirs.len(), "{size} ranks");
        let block = mine.len() / size;
        let at = |rank: usize| rank * block..(rank + 1) * block;
        theirs[at(rank)].copy_from_slice(&mine[at(rank)]);
        for partner in (1..size).map(|step| rank ^ step) {
            let process = self.world.process_at_rank(partner as i32);
            let (mine, theirs) = (&mine[at(partner)], &mut theirs[at(partner)]);
            for (mine, theirs) in mine.chunks(PIECE).zip(theirs.chunks_mut(PIECE)) {
                point_to_point::send_receive_into(mine, &process, theirs, &process);
                self.count(size_of_val(mine));
            }
        }
    }

    /// On rank 0: gives `jobs`, one at a time, to whoever is free, this rank included, and
    /// hands each result and the rank that made it to `done`. The others [`World::take`].
    ///
    /// This rank's own jobs run on a thread beside the one that answers messages.
    ///
    /// An error of either function ends every rank.
    pub fn hand_out(
        &self,
        jobs: &[usize],
        work: impl Fn(usize) -> Result<Vec<u8>, Error> + Sync,
        mut done: impl FnMut(usize, usize, Vec<u8>) -> Result<(), Error>,
    ) {
        assert_eq!(self.rank(), 0, "rank 0 hands out");
        let mut jobs = jobs.iter().copied();
        let mut done = |job, rank, result: Result<Vec<u8>, Error>| {
            let saved = result.and_then(|bytes| done(job, rank, bytes));
            saved.unwrap_or_else(|error| self.fail(&error));
        };
        // What each rank is at; ranks that were told that none is left are not waited for.
        let mut given: Vec<Option<usize>> = vec![None; self.size()];
        let mut waiting = self.size() - 1;
        thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            let (bring, brought) = mpsc::channel();
            let work = &work;
            scope.spawn(move || {
                for job in told {
                    // Nobody takes it when the other thread has panicked.
                    let _ = bring.send(work(job));
                }
            });
            let give = |given: &mut Option<usize>, job| {
                *given = job;
                job.map(|job| tell.send(job).expect("it ends after this thread's channel"))
            };
            give(&mut given[0], jobs.next());
            while waiting > 0 || given[0].is_some() {
                while let Some(message) = self.world.any_process().immediate_matched_probe() {
                    let (bytes, status) = message.matched_receive_vec::<u8>();
                    let rank = status.source_rank();
                    let next = jobs.next();
                    self.send(rank, &next.map_or(NONE_LEFT, |job| job as u64).to_le_bytes());
                    waiting -= usize::from(next.is_none());
                    // The first message of a rank only asks.
                    if let Some(job) = std::mem::replace(&mut given[rank as usize], next) {
                        done(job, rank as usize, Ok(bytes));
                    }
                }
                match brought.recv_timeout(LOOK) {
                    Ok(result) => {
                        let job = given[0].take().expect("it was given one");
                        give(&mut given[0], jobs.next());
                        done(job, 0, result);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => panic!("rank 0's own job panicked"),
                }
            }
            drop(tell);
        });
    }

    /// On the other ranks: does jobs until none is left.
    ///
    /// # Errors
    /// The first of `work`.
    pub fn take(&self, work: impl Fn(usize) -> Result<Vec<u8>, Error>) -> Result<(), Error> {
        assert_ne!(self.rank(), 0, "rank 0 hands out");
        let mut result = Vec::new();
        loop {
            self.send(0, &result);
            let (job, _) = self.world.process_at_rank(0).receive_vec::<u8>();
            let job = u64::from_le_bytes(job.try_into().expect("a job is eight bytes"));
            if job == NONE_LEFT {
                return Ok(());
            }
            result = work(job as usize)?;
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Ending MPI in good order waits for every rank, and they may wait for this one.
        if thread::panicking() {
            self.world.abort(101);
        }
    }
}
