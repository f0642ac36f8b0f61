//! How a census is cut: which squares are fixed, which differences on them are counted, and
//! how many at a time.
//!
//! Differences that a symmetry of the board maps to one another have the same counts, so
//! one of each orbit is counted:
//!
//! ```text
//! 4x4, the corners fixed    #..#  ....  #...  #...  #..#  #..#
//!                           ....  ....  ....  ....  ....  ....    6 orbits, of
//!                           ....  ....  ....  ....  ....  ....    1 + 4 + 2 + 4 + 4 + 1
//!                           #..#  ....  ....  ...#  ....  #...    differences (the last
//!                                                                 drawn is one of two 4s)
//! ```

use serde::{Deserialize, Serialize};

use super::slices::{MOST_OUTER, WORD_SQUARES, spread, subsets};
use crate::board::{Board, Symmetry, squares_of};
use crate::error::{Error, bytes};
use crate::game::{self, Game};
use crate::tier::Tier;

/// Of the files that a plan describes; raised when their meaning changes.
const VERSION: u32 = 1;

/// The most fixed squares: beyond, the sums of a slice are too short to be worth a pass.
const MOST_FIXED: u32 = 12;

/// How a census is cut. Two plans are equal if their shards may be mixed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    version: u32,
    board: String,
    game: String,
    /// The fixed squares, ascending: a union of orbits.
    fixed: Vec<usize>,
    /// How many of them, the highest, tell apart slices that are in memory together.
    inner: usize,
    /// Differences that one sweep over the slices counts: a shard.
    differences: usize,
}

/// Differences on the fixed squares that symmetries map to one another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    /// The one that is counted: a set of fixed squares.
    pub difference: u64,
    /// A symmetry for each difference of the orbit, the counted one among them.
    pub images: Vec<Symmetry>,
}

/// What a plan costs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Cost {
    /// Bytes of memory at the most.
    pub memory: u64,
    /// Cells times stages of all transforms.
    pub cell_stages: f64,
    /// Bytes read and written beyond the cache.
    pub bytes_moved: f64,
    /// Words of 64 cells that slices are summed from.
    pub words_summed: f64,
}

impl Cost {
    /// Seconds on so many threads of a machine like the one the rates were measured on
    /// (a Zen 5 core); within a factor of 1.5 on that machine.
    pub fn seconds(&self, tier: Tier, threads: usize) -> f64 {
        let [stages, moved, summed] = Self::rates(tier);
        let one = self.cell_stages / stages + self.bytes_moved / moved + self.words_summed / summed;
        one / (0.85 * (threads.max(1) as f64 - 1.0) + 1.0)
    }

    /// Cell-stages, bytes and words that one thread does in a second.
    fn rates(tier: Tier) -> [f64; 3] {
        let stages = match tier {
            Tier::Scalar => 1.0,
            Tier::Portable => 4.0,
            Tier::Avx2 => 14.0,
            Tier::Avx512 => 25.0,
        };
        [stages * 1e9, 12e9, 0.5e9]
    }
}

impl Plan {
    /// The quickest plan for the board within `memory` bytes.
    ///
    /// # Errors
    /// A game without bitmaps of even sets, a board too small to be cut, or more memory
    /// than that even for the smallest shards.
    pub fn new(game: &dyn Game, board: Board, memory: u64, tier: Tier) -> Result<Self, Error> {
        Self::check_game("--shards", game)?;
        let candidates = Self::candidates(game, board);
        let least = candidates.iter().map(|plan| plan.with_differences(1).cost().memory).min();
        let Some(least) = least else {
            let problem = format!("{board} is too small to be cut into shards");
            return Err(Error::argument("--shards", problem));
        };
        let seconds = |plan: &Self| plan.cost().seconds(tier, 1);
        let fitting = candidates.iter().filter_map(|plan| plan.within(memory));
        fitting.min_by(|a, b| seconds(a).total_cmp(&seconds(b))).ok_or_else(|| {
            let problem =
                format!("{}: the smallest shards of {board} need {}", bytes(memory), bytes(least));
            Error::argument("--memory", problem)
        })
    }

    /// A plan with these fixed squares, `inner` of which are in memory together, and so many
    /// differences a shard; for tests and for those who know better.
    ///
    /// # Errors
    /// Squares that are no union of orbits, that choose bits within a word or are the
    /// highest, or numbers out of range.
    pub fn with(
        board: Board,
        fixed: &[usize],
        inner: usize,
        differences: usize,
    ) -> Result<Self, Error> {
        let set = fixed
            .iter()
            .fold(0u64, |set, square| set | 1u64.checked_shl(*square as u32).unwrap_or(0));
        let closed = board.symmetries().iter().all(|&symmetry| board.image(symmetry, set) == set);
        let outer = fixed.len().wrapping_sub(inner);
        if !closed || set & !allowed(board) != 0 || outer > MOST_OUTER || differences == 0 {
            let problem = format!("{fixed:?} cannot be fixed on {board}, {inner} of them within");
            return Err(Error::argument("--shards", problem));
        }
        Ok(Self {
            version: VERSION,
            board: board.to_string(),
            game: "domineering".into(),
            fixed: squares_of(set).collect(),
            inner,
            differences,
        })
    }

    /// The differences on the highest `fixed` squares below the last, each for itself: a
    /// cut that heeds no symmetry.
    pub(super) fn highest(game: &dyn Game, board: Board, fixed: usize) -> Self {
        let bits = board.squares() - 1;
        Self {
            version: VERSION,
            board: board.to_string(),
            game: game.name().into(),
            fixed: (bits - fixed..bits).collect(),
            inner: 0,
            differences: 1 << fixed,
        }
    }

    /// Refuses a game without bitmaps of even sets, as what `argument` asks for.
    pub(super) fn check_game(argument: &str, game: &dyn Game) -> Result<(), Error> {
        if game.name() == "domineering" {
            return Ok(());
        }
        let problem = format!("{} cannot be cut into shards: want domineering", game.name());
        Err(Error::argument(argument, problem))
    }

    /// A plan as its file has it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let plan: Self = serde_json::from_str(text).map_err(|error| format!("no plan: {error}"))?;
        if plan.version != VERSION {
            return Err(format!("a plan of version {}: want {VERSION}", plan.version));
        }
        let board: Board = plan.board.parse().map_err(|error: Error| error.to_string())?;
        let game = game::find(&plan.game).map_err(|error| error.to_string())?;
        let sound = Self::with(board, &plan.fixed, plan.inner, plan.differences);
        let sound = Self { game: game.name().into(), ..sound.map_err(|error| error.to_string())? };
        if sound == plan { Ok(plan) } else { Err("a plan that no version would make".into()) }
    }

    /// The set that a cell of an orbit's difference counts.
    pub fn set(&self, orbit: &Orbit, cell: usize) -> u64 {
        let even = spread(cell as u64, self.low()) | orbit.difference;
        even | u64::from(even.count_ones() % 2) << self.bits()
    }

    /// Every choice of squares and of how many are within, with one difference a shard.
    fn candidates(game: &dyn Game, board: Board) -> Vec<Self> {
        let mut orbits: Vec<u64> = squares_of(allowed(board))
            .map(|square| {
                let images = board.symmetries().iter().map(|&s| board.image(s, 1 << square));
                images.fold(0, |orbit, image| orbit | image)
            })
            .filter(|orbit| orbit & !allowed(board) == 0)
            .collect();
        orbits.sort_unstable();
        orbits.dedup();
        let unions = subsets((1 << orbits.len()) - 1);
        let sets = unions.map(|some| squares_of(some).fold(0, |set, orbit| set | orbits[orbit]));
        let sets = sets.filter(|set| (1..=MOST_FIXED).contains(&set.count_ones()));
        sets.flat_map(|set| {
            let fixed: Vec<usize> = squares_of(set).collect();
            (fixed.len().saturating_sub(MOST_OUTER)..=fixed.len()).map(move |inner| Self {
                version: VERSION,
                board: board.to_string(),
                game: game.name().into(),
                fixed: fixed.clone(),
                inner,
                differences: 1,
            })
        })
        .collect()
    }

    fn with_differences(&self, differences: usize) -> Self {
        Self { differences, ..self.clone() }
    }

    /// This plan with as many differences a shard as fit, evenly over the shards.
    fn within(&self, memory: u64) -> Option<Self> {
        let least = self.with_differences(1).cost().memory;
        let room = memory.checked_sub(least)? / (4 << self.slice_bits());
        let orbits = self.orbit_count();
        let shards = orbits.div_ceil((room as usize + 1).min(orbits));
        Some(self.with_differences(orbits.div_ceil(shards)))
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board.parse().expect("a plan is made for a board")
    }

    /// The game.
    pub fn game(&self) -> &'static dyn Game {
        game::find(&self.game).expect("a plan is made for a game")
    }

    /// The fixed squares, ascending.
    pub fn fixed_squares(&self) -> &[usize] {
        &self.fixed
    }

    /// Differences that a shard counts at the most.
    pub fn differences(&self) -> usize {
        self.differences
    }

    /// The fixed squares as a set.
    pub fn fixed(&self) -> u64 {
        self.fixed.iter().fold(0, |set, square| set | 1 << square)
    }

    /// The fixed squares that tell apart slices in memory together.
    pub fn inner(&self) -> u64 {
        let outer = self.fixed.len() - self.inner;
        self.fixed[outer..].iter().fold(0, |set, square| set | 1 << square)
    }

    /// The squares that choose the cell within a slice: neither fixed nor the highest.
    pub fn low(&self) -> u64 {
        (self.board().all() >> 1) & !self.fixed()
    }

    /// Bits of a bitmap's index: every square but the highest.
    pub fn bits(&self) -> usize {
        self.board().squares() - 1
    }

    fn slice_bits(&self) -> usize {
        self.bits() - self.fixed.len()
    }

    /// The orbits of differences, in the order in which shards take them.
    pub fn orbits(&self) -> Vec<Orbit> {
        let board = self.board();
        let mut orbits: Vec<Orbit> = Vec::new();
        for difference in subsets(self.fixed()) {
            let mut images: Vec<(u64, Symmetry)> = Vec::new();
            for &symmetry in board.symmetries() {
                let image = board.image(symmetry, difference);
                if images.iter().all(|(met, _)| *met != image) {
                    images.push((image, symmetry));
                }
            }
            if images.iter().all(|(image, _)| *image >= difference) {
                let images = images.into_iter().map(|(_, symmetry)| symmetry).collect();
                orbits.push(Orbit { difference, images });
            }
        }
        orbits
    }

    /// How many orbits there are, by Burnside's lemma.
    fn orbit_count(&self) -> usize {
        let board = self.board();
        let unmoved = |&symmetry: &Symmetry| {
            let permutation = board.permutation(symmetry);
            let mut left = self.fixed();
            let mut cycles = 0;
            while left != 0 {
                let mut square = left.trailing_zeros() as usize;
                while left >> square & 1 == 1 {
                    left &= !(1 << square);
                    square = permutation[square];
                }
                cycles += 1;
            }
            1usize << cycles
        };
        board.symmetries().iter().map(unmoved).sum::<usize>() / board.symmetries().len()
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.orbit_count().div_ceil(self.differences)
    }

    /// The orbits of one shard, counted from 0.
    pub fn shard(&self, shard: usize) -> Vec<Orbit> {
        let orbits = self.orbits();
        orbits.chunks(self.differences).nth(shard).expect("the shard is one of them").to_vec()
    }

    /// What all shards together cost, on one thread.
    pub fn cost(&self) -> Cost {
        let (bits, slice) = (self.bits(), self.slice_bits());
        let power = |exponent: usize| 2f64.powi(exponent as i32);
        let (shards, orbits) = (self.shards() as f64, self.orbit_count() as f64);
        let sweeps = 2.0 * shards * power(self.fixed.len() - self.inner);
        let at_once = power(slice + self.inner);
        let sums = self.differences as f64 * power(slice);
        // A large transform reads and writes its cells in two passes, once more from where
        // they are squared, and is written first; a sum is read and written each sweep.
        Cost {
            memory: (2 << (bits - 3))
                + (4 << (slice + self.inner))
                + (self.differences as u64 * (4 << slice)),
            cell_stages: sweeps * at_once * (slice + self.inner) as f64
                + orbits * power(slice) * slice as f64 * 2.0,
            bytes_moved: sweeps * (at_once * 4.0 * 6.0 + sums * 8.0)
                + orbits * power(slice) * 4.0 * 6.0,
            words_summed: sweeps * power(bits - WORD_SQUARES),
        }
    }
}

/// Squares that may be fixed: those that choose a bitmap's word.
fn allowed(board: Board) -> u64 {
    board.all() >> 1 & !((1 << WORD_SQUARES) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::domineering::Domineering;

    fn board(name: &str) -> Board {
        name.parse().unwrap()
    }

    #[test]
    fn orbits_cover_every_difference_once() {
        for (name, fixed) in [("5x5", &[6, 8, 16, 18][..]), ("4x5", &[6, 8, 11, 13])] {
            let board = board(name);
            let plan = Plan::with(board, fixed, 2, 2).unwrap();
            let mut met = Vec::new();
            for orbit in plan.orbits() {
                met.extend(orbit.images.iter().map(|&s| board.image(s, orbit.difference)));
            }
            met.sort_unstable();
            assert_eq!(met, subsets(plan.fixed()).collect::<Vec<_>>(), "{name}");
            assert_eq!(plan.orbits().len(), plan.orbit_count());
            let by_shard: Vec<Orbit> = (0..plan.shards()).flat_map(|i| plan.shard(i)).collect();
            assert_eq!(by_shard, plan.orbits());
            // Burnside: the four corners of a square have 6 orbits, of a rectangle 7.
            assert_eq!(plan.orbits().len(), if name == "5x5" { 6 } else { 7 });
        }
    }

    #[test]
    fn plans_fit_the_memory_or_say_what_would() {
        for (name, memory) in
            [("4x5", 1 << 20), ("5x6", 1 << 30), ("5x7", 12 << 30), ("6x6", 18 << 30)]
        {
            let plan = Plan::new(&Domineering, board(name), memory, Tier::Avx512).unwrap();
            assert!(plan.cost().memory <= memory, "{name}: {plan:?}");
            println!("{name} in {}: {plan:?} {:?}", bytes(memory), plan.cost());
        }
        let refused = Plan::new(&Domineering, board("6x6"), 1 << 30, Tier::Avx512).unwrap_err();
        assert!(
            refused.to_string().starts_with("--memory: 1.0 GiB: the smallest shards of 6x6 need")
        );
        assert!(Plan::new(&Domineering, board("2x3"), 1 << 30, Tier::Avx512).is_err());
        assert!(Plan::with(board("5x5"), &[6, 8], 0, 1).is_err());
    }
}
