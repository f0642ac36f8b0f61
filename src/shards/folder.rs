//! A folder of shards: what is counted stays counted, whatever stops the counting.
//!
//! ```text
//! plan.json        how the census is cut; the first run writes it, every other obeys
//! shard-0000       a result, written beside its name and renamed when it is whole
//! lock             held by the run that has the folder to itself, or by all parts together
//! lock-2-of-8      held by the run that counts every eighth shard from the second
//! ```
//!
//! Locks are the system's own: they end with the process, however it ends.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::count::Counts;
use super::file;
use super::plan::Plan;
use crate::board::Board;
use crate::error::Error;
use crate::game::Game;
use crate::save;

/// A folder, locked for this process where it was opened to count.
pub struct Folder {
    path: PathBuf,
    plan: Plan,
    _locks: Vec<File>,
}

/// What stands where a shard's result should.
pub enum State {
    /// The result.
    Counted(Box<Counts>),
    /// Nothing.
    Missing,
    /// Something that is not this shard's result, and why.
    Wrong(String),
}

/// Every `of`-th shard from number `part`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl std::str::FromStr for Part {
    /// What would be right: whoever asks knows what was read, and where.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers
            .filter(|part| (1..=part.of).contains(&part.part))
            .ok_or("want I/N with 1 <= I <= N, for example 2/8")
    }
}

impl Folder {
    /// Opens a folder to count in, making it and its plan if there is none. `wanted` makes
    /// the plan; a folder that has one of the same board keeps it.
    ///
    /// # Errors
    /// Another process is counting the same shards, the folder holds another census, or
    /// it cannot be written.
    pub fn open(
        path: &Path,
        part: Option<Part>,
        wanted: impl FnOnce() -> Result<Plan, Error>,
    ) -> Result<Self, Error> {
        let wanted = wanted()?;
        save::prepare_directory(path)?;
        let locks = match part {
            None => vec![locked(&path.join("lock"), false)?],
            Some(Part { part, of }) => vec![
                locked(&path.join("lock"), true)?,
                locked(&path.join(format!("lock-{part}-of-{of}")), false)?,
            ],
        };
        // Parts that begin together agree on the plan of the first.
        let planning = File::create(path.join("lock-plan"));
        let planning = planning.map_err(|source| Error::io(path, source))?;
        planning.lock().map_err(|source| Error::io(path, source))?;
        if !path.join("plan.json").exists() {
            let text = serde_json::to_string_pretty(&wanted).expect("a plan is plain data");
            save::save(&path.join("plan.json"), |file| file.write_all(text.as_bytes()))?;
        }
        drop(planning);
        let folder = Self { _locks: locks, ..Self::read(path)? };
        folder.require(wanted.game(), wanted.board())?;
        Ok(folder)
    }

    /// Opens a folder to read what it has.
    ///
    /// # Errors
    /// There is no plan in it that this version knows.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = path.join("plan.json");
        let text = fs::read_to_string(&file).map_err(|source| Error::io(&file, source))?;
        let plan = Plan::parse(&text).map_err(|problem| Error::file(&file, problem))?;
        Ok(Self { path: path.into(), plan, _locks: Vec::new() })
    }

    /// Refuses a folder of another census.
    ///
    /// # Errors
    /// Another board or game.
    pub fn require(&self, game: &dyn Game, board: Board) -> Result<(), Error> {
        let (of, has) = (self.plan.board(), self.plan.game().name());
        if of == board && has == game.name() {
            return Ok(());
        }
        let problem = format!("holds shards of {of} {has}: want another folder");
        Err(Error::file(&self.path, problem))
    }

    /// How the census is cut.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The file of a shard.
    pub fn file(&self, shard: usize) -> PathBuf {
        self.path.join(format!("shard-{shard:04}"))
    }

    /// What there is of a shard.
    ///
    /// # Errors
    /// The system refuses to read it.
    pub fn state(&self, shard: usize) -> Result<State, Error> {
        let path = self.file(shard);
        let mut bytes = Vec::new();
        match File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(_) => Ok(match file::decode(&bytes, &self.plan, shard) {
                Ok(counts) => State::Counted(Box::new(counts)),
                Err(why) => State::Wrong(format!("{}: {why}", path.display())),
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(State::Missing),
            Err(source) => Err(Error::io(&path, source)),
        }
    }

    /// Writes a shard's result: all of it or none.
    ///
    /// # Errors
    /// The system refuses; what was there before stays.
    pub fn save(&self, shard: usize, counts: &Counts) -> Result<(), Error> {
        self.write(shard, &file::encode(&self.plan, shard, counts))
    }

    /// Likewise, from the bytes of its file as another process encoded them.
    ///
    /// # Errors
    /// As [`Folder::save`], or bytes that are not this shard's.
    pub fn save_encoded(&self, shard: usize, bytes: &[u8]) -> Result<(), Error> {
        let refused = |why| Error::file(&self.file(shard), format!("{why} as it was sent"));
        file::decode(bytes, &self.plan, shard).map_err(refused)?;
        self.write(shard, bytes)
    }

    fn write(&self, shard: usize, bytes: &[u8]) -> Result<(), Error> {
        save::save(&self.file(shard), |file| file.write_all(bytes))
    }

    /// All shards together.
    ///
    /// # Errors
    /// A shard is missing or wrong: it names every one.
    ///
    /// # Panics
    /// If the whole does not add up: a bug of ours, never a result.
    pub fn merge(&self) -> Result<Counts, Error> {
        self.gather()?.map_err(|absent| {
            let whys: Vec<String> = absent.into_iter().map(|(_, why)| why).collect();
            let board = self.plan.board();
            let again = format!("`zlab census {board} --shards` counts what is not there");
            let problem = format!("{} of {}; {again}", whys.join("; "), self.plan.shards());
            Error::file(&self.path, problem)
        })
    }

    /// All shards together, or those that are missing or wrong, and why.
    ///
    /// # Errors
    /// The system refuses to read one.
    ///
    /// # Panics
    /// As [`Folder::merge`].
    pub fn gather(&self) -> Result<Result<Counts, Vec<(usize, String)>>, Error> {
        let mut absent = Vec::new();
        let counts = (0..self.plan.shards()).filter_map(|shard| match self.state(shard) {
            Ok(State::Counted(counts)) => Some(Ok(*counts)),
            Ok(State::Missing) => {
                absent.push((shard, format!("shard {shard} is missing")));
                None
            }
            Ok(State::Wrong(why)) => {
                absent.push((shard, why));
                None
            }
            Err(error) => Some(Err(error)),
        });
        let whole = Counts::sum(&self.plan, counts)?;
        Ok(match whole {
            Some(mut whole) if absent.is_empty() => {
                whole.check(&self.plan);
                Ok(whole)
            }
            _ => Err(absent),
        })
    }
}

/// Takes a lock, shared or not, or says who has it.
fn locked(path: &Path, shared: bool) -> Result<File, Error> {
    let io = |source| Error::io(path, source);
    let options = File::options().create(true).truncate(false).read(true).write(true).clone();
    let mut file = options.open(path).map_err(io)?;
    let lock = if shared { file.try_lock_shared() } else { file.try_lock() };
    match lock {
        Ok(()) => {
            let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
            let holder = format!("process {} on {}\n", std::process::id(), host.trim());
            if !shared {
                file.set_len(0).map_err(io)?;
            }
            file.write_all(holder.as_bytes()).map_err(io)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let holder = fs::read_to_string(path).unwrap_or_default();
            let holder = holder.lines().last().unwrap_or("another process");
            let problem = format!("{holder} is counting these shards: wait for it or stop it");
            Err(Error::file(path, problem))
        }
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}
