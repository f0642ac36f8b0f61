//! The direct census of a board whose cells are spread over `2^p` ranks, each with the
//! memory of its own; how ranks talk is the caller's.
//!
//! Rank `r` has the squares `S_r` of slice `r` of the transform (see [`crate::walsh::Sum`]):
//! its highest `p` stages are the signed sum of slices that a rank reads from the bitmap by
//! itself, so nothing is sent on the way forward. On the way back a rank makes the stages of
//! the lower squares, and one transposition brings together what the highest stages need:
//!
//! ```text
//! 4 ranks, by the cells' highest squares       by the squares next to them
//! rank 0   S_0 of columns  0 1 2 3             0 0 0 0 ┐
//! rank 1   S_1             0 1 2 3   blocks    1 1 1 1 │ each rank: the stages between its
//! rank 2   S_2             0 1 2 3   d ⇄ r     2 2 2 2 │ four rows, then its counts
//! rank 3   S_3             0 1 2 3             3 3 3 3 ┘
//! ```
//!
//! Exact for the reasons of [`crate::walsh`]: values of a slice are at most a mover's
//! positions in size, squares and all that follows are residues modulo `2^q − 1`, and that
//! all counts add up to the number of pairs proves that none passed the modulus
//! ([`Distributed::merge`]).
//!
//! # What it costs a rank
//!
//! With `N = 2^(n−1)` cells and `P` ranks, each
//!
//! ```text
//! sends     4 N/P · (P − 1)/P bytes                   Distributed::sent
//! makes     N/P · (2 (n − 1 − p) + n − 1) cell-stages  Distributed::cost
//! reads     the bitmaps of both movers, N/4 bytes
//! holds     8 N/P bytes of cells and those bitmaps
//! ```
//!
//! and in the end sends its summary: some bytes for every different count and 8 for every
//! free set. The way with transposed forward transforms too would send three times as much.

use super::count::{Counts, divide, modulus};
use super::file;
use super::plan::{Cost, Orbit, Plan};
use super::slices::{Layout, MOST_OUTER, WORD_SQUARES};
use crate::board::{Board, Symmetry};
use crate::error::Error;
use crate::game::Game;
use crate::memory::{self, Zeroed};
use crate::tier::{self, Tier};
use crate::walsh::{self, Modulus, Sum};

/// A census over some ranks.
#[derive(Clone, Debug)]
pub struct Distributed {
    /// Its fixed squares are those that tell ranks and columns apart.
    plan: Plan,
    /// `p`, of `2^p` ranks.
    log: usize,
}

/// What one rank holds.
pub struct Slab {
    of: Distributed,
    rank: usize,
    /// Empty once they are transformed.
    bitmaps: [Vec<u64>; 2],
    positions: [u64; 2],
    modulus: Modulus,
    /// Residues: a block of columns for each rank.
    squares: Zeroed<i32>,
    /// The transform of one mover, and later the blocks of every rank.
    work: Zeroed<i32>,
}

impl Distributed {
    /// A census of `board` over so many ranks.
    ///
    /// # Errors
    /// Ranks that are no power of two up to 128, or too many for the board, or a game
    /// without bitmaps of even sets.
    pub fn new(game: &dyn Game, board: Board, ranks: usize) -> Result<Self, Error> {
        Plan::check_game("--mpi", game)?;
        let most = (board.squares() - 1).saturating_sub(WORD_SQUARES) / 2;
        let refuse = |problem| Err(Error::argument("--mpi", problem));
        if board.squares() <= WORD_SQUARES {
            return refuse(format!("{board} is too small to be spread over ranks"));
        }
        let log = ranks.checked_ilog2().unwrap_or(0) as usize;
        if ranks != 1 << log || log > most.min(MOST_OUTER) {
            return refuse(format!(
                "{ranks} ranks for {board}: want a power of two up to {}, or --shards DIR, which \
                 takes any number",
                1 << most.min(MOST_OUTER)
            ));
        }
        Ok(Self { plan: Plan::highest(game, board, 2 * log), log })
    }

    /// How the cells are cut, for what asks a plan for its board and its game.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        1 << self.log
    }

    /// Cells of one rank.
    fn cells(&self) -> usize {
        1 << (self.plan.bits() - self.log)
    }

    /// Bytes that each rank sends in the transposition.
    pub fn sent(&self) -> u64 {
        4 * (self.cells() - self.cells() / self.ranks()) as u64
    }

    /// What one rank costs, the transposition and the enumeration left aside.
    pub fn cost(&self) -> Cost {
        let (bits, cells) = (self.plan.bits(), self.cells() as f64);
        // As in `Plan::cost`: for each mover a transform written, passed over twice and read
        // for its squares, added to the sums; then two passes back, one between blocks, one
        // for the quotients, and two readings of the counts.
        Cost {
            memory: (2 << (bits - 3)) + 8 * self.cells() as u64,
            cell_stages: cells * (2 * (bits - self.log) + bits) as f64,
            bytes_moved: cells * 4.0 * (2.0 * (6.0 + 2.0) + 4.0 + 2.0 + 2.0 + 2.0),
            words_summed: 2.0 * 2f64.powi((bits - WORD_SQUARES) as i32),
        }
    }

    /// The summaries of all ranks, in their order, as [`Slab::summary`] made them.
    ///
    /// # Errors
    /// Bytes that are no such summary.
    ///
    /// # Panics
    /// If the whole does not add up: a bug of ours, never a result.
    pub fn merge(&self, summaries: &[Vec<u8>]) -> Result<Counts, Error> {
        assert_eq!(summaries.len(), self.ranks(), "a summary of every rank");
        let counts = summaries.iter().enumerate().map(|(rank, bytes)| {
            let counts = file::decode(bytes, &self.plan, rank);
            counts.map_err(|why| Error::argument("--mpi", format!("from rank {rank}: {why}")))
        });
        let mut whole = Counts::sum(&self.plan, counts)?.expect("there is one rank at least");
        whole.check(&self.plan);
        Ok(whole)
    }
}

impl Slab {
    /// Enumerates the positions and takes the memory of one rank, counted from 0.
    ///
    /// # Errors
    /// More memory than is free, or more positions than are counted exactly.
    pub fn new(of: &Distributed, rank: usize) -> Result<Self, Error> {
        assert!(rank < of.ranks(), "rank {rank} of {}", of.ranks());
        let plan = &of.plan;
        let what = format!("a rank of {} of a census of {}", of.ranks(), plan.board());
        memory::require(&what, of.cost().memory, "; more ranks take less each, shards any memory")?;
        let bitmaps = plan.game().even_bitmaps(plan.board()).expect("the game was asked for");
        let count =
            |bitmap: &Vec<u64>| bitmap.iter().map(|word| u64::from(word.count_ones())).sum();
        let positions: [u64; 2] = bitmaps.each_ref().map(count);
        Ok(Self {
            of: of.clone(),
            rank,
            bitmaps,
            positions,
            modulus: modulus("--mpi", positions)?,
            squares: Zeroed::new(of.cells())?,
            work: Zeroed::new(of.cells())?,
        })
    }

    /// From the bitmaps to what is sent.
    ///
    /// # Errors
    /// No kernel under the ceiling.
    pub fn transform(&mut self, ceiling: Tier) -> Result<(), Error> {
        let (_, kernel) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let bits = self.of.plan.bits();
        let highest = (1u64 << bits) - (1 << (bits - self.of.log));
        let layout = Layout::new(bits, 0, highest);
        for bitmap in self.bitmaps.each_mut().map(std::mem::take) {
            layout.signed_sums(&bitmap, self.rank, &mut self.work);
            kernel.forward32(&mut self.work);
            let sum = Sum { slice: 0, negative: false, cells: &mut self.squares };
            kernel.accumulate(&self.work, &mut [sum], self.modulus);
        }
        kernel.back(&mut self.squares, self.modulus);
        Ok(())
    }

    /// The transposition's two sides, in as many equal blocks as there are ranks: block `d`
    /// of the first goes to rank `d`, and what comes from rank `u` to block `u` of the second.
    pub fn blocks(&mut self) -> (&[i32], &mut [i32]) {
        (&self.squares, &mut self.work)
    }

    /// From what was received to the counts of this rank's columns, as bytes.
    ///
    /// # Errors
    /// No kernel under the ceiling.
    ///
    /// # Panics
    /// If an identity fails: a bug of ours, never a result.
    pub fn summary(&mut self, ceiling: Tier) -> Result<Vec<u8>, Error> {
        let (_, kernel) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let (plan, log) = (&self.of.plan, self.of.log);
        let halvings = plan.bits() as u32;
        let columns = self.work.len() >> log;
        kernel.back_between(&mut self.work, columns, self.modulus);
        let zero = (self.rank == 0).then_some(self.positions);
        divide(
            kernel,
            &mut self.work,
            self.modulus,
            halvings,
            zero,
            &format_args!("rank {}", self.rank),
        );
        let cells: &[u32] = bytemuck::must_cast_slice(&self.work);
        let squares = plan.bits() - log;
        let row = |h: usize| Orbit {
            difference: (h << squares | self.rank << (squares - log)) as u64,
            images: vec![Symmetry::Identity],
        };
        let rows: Vec<Orbit> = (0..self.of.ranks()).map(row).collect();
        let counts = Counts::of(plan, self.positions, &rows, cells, ceiling, |_, _| {})?;
        Ok(file::encode(plan, self.rank, &counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::{Census, Road};
    use crate::game::domineering::Domineering;
    use crate::positions::enumerate;

    /// All ranks in turn, their blocks copied.
    fn census(board: &str, ranks: usize, tier: Tier) -> Counts {
        let of = Distributed::new(&Domineering, board.parse().unwrap(), ranks).unwrap();
        let mut slabs: Vec<Slab> = (0..ranks).map(|rank| Slab::new(&of, rank).unwrap()).collect();
        slabs.iter_mut().for_each(|slab| slab.transform(tier).unwrap());
        let sent: Vec<Vec<i32>> = slabs.iter_mut().map(|slab| slab.blocks().0.to_vec()).collect();
        for (rank, slab) in slabs.iter_mut().enumerate() {
            let (_, theirs) = slab.blocks();
            let block = theirs.len() / ranks;
            for (to, from) in theirs.chunks_exact_mut(block).zip(&sent) {
                to.copy_from_slice(&from[rank * block..][..block]);
            }
        }
        let summaries: Vec<_> = slabs.iter_mut().map(|slab| slab.summary(tier).unwrap()).collect();
        of.merge(&summaries).unwrap()
    }

    #[test]
    fn ranks_count_as_the_direct_census() {
        for (board, ranks) in
            [("4x5", 1), ("4x5", 2), ("4x5", 8), ("4x5", 64), ("4x6", 4), ("5x5", 16), ("2x4", 1)]
        {
            let positions = enumerate(&Domineering, board.parse().unwrap()).unwrap();
            for tier in Tier::ALL.into_iter().filter(|tier| tier.available()) {
                if board == "5x5" && tier != Tier::best() || board == "4x6" && tier == Tier::Scalar
                {
                    continue;
                }
                println!("{board} over {ranks} {tier}");
                let road = Road::auto(tier, &positions).unwrap();
                let direct = Census::take(&positions, &road).unwrap();
                let mut counts = census(board, ranks, tier);
                assert_eq!(counts.sizes, direct.price_list(), "{board} over {ranks}");
                crate::census::sort_by_size(&mut counts.free);
                assert_eq!(counts.free, direct.free_sets(), "{board} over {ranks}");
                let shares = [0.0, 0.5, 0.9, 0.99, 1.0];
                let want = direct.percentiles(&direct.price_list(), &shares);
                assert_eq!(counts.percentiles(&shares), want, "{board} over {ranks}");
            }
        }
    }

    #[test]
    fn ranks_that_no_board_is_spread_over_are_refused() {
        for (board, ranks, why) in [
            ("4x5", 3, "--mpi: 3 ranks for 4x5: want a power of two up to 64"),
            ("4x5", 128, "--mpi: 128 ranks for 4x5: want a power of two up to 64"),
            ("6x6", 256, "--mpi: 256 ranks for 6x6: want a power of two up to 128"),
            ("2x3", 1, "--mpi: 2x3 is too small"),
        ] {
            let refused = Distributed::new(&Domineering, board.parse().unwrap(), ranks);
            assert!(refused.unwrap_err().to_string().starts_with(why));
        }
    }
}
