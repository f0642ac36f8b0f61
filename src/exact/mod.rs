//! The shortest exact key of a list of positions, with its certificate.
//!
//! A key is exact when no two positions with the same mover share it: when no
//! pair differs on a codeword. The shortest exact key therefore has the largest
//! code without such a word.
//!
//! ```text
//! 4x5    .#...     {1} is odd, and two positions differ on an even number of
//!        #....     squares; on {1,5} no two differ. Code {1}, {5}, {1,5}:
//!                  18 bits, and the words of squares 1 and 5 are zero
//! ```
//!
//! The differences of positions span a space S of rank r. Sets outside S are
//! free, and a complement of S can be part of any code at no cost, so the
//! question is only for the largest subspace of S whose sets are all free: if
//! its dimension is d, the shortest exact key has r − d bits. On Domineering
//! boards with two or more rows and columns S is all even sets, r one less than
//! the squares.

mod beyond;
pub(crate) mod frame;
mod greedy;
mod members;
mod parities;
mod subspace;
mod weighing;

pub use beyond::{of_free_sets, verify_bitmaps};
pub use subspace::{Largest, largest};
pub use weighing::Weighed;

use std::time::Instant;

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::census::{Census, Road, Sparse};
use crate::code::Code;
use crate::error::Error;
use crate::memory;
use crate::positions::Positions;
use crate::tier::Tier;
use frame::{Frame, Table};

/// Lookups that a proof may spend unless told otherwise: some seconds on two
/// cores. The 21,716,686 free sets of 2×16 take about 1.5·10⁹, those of smaller boards less.
pub const EFFORT: u64 = 2_000_000_000;

/// A shortest exact key, or the shortest found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exact {
    /// The key's code.
    pub code: Code,
    /// Sets on which no pair differs: even ones where all positions are even.
    pub free_sets: u64,
    /// The largest dimension of a space of such sets, or the largest found.
    pub free_dimension: usize,
    /// Bits below which no exact key exists.
    pub at_least: usize,
    /// What the proof rests on if parities made it, and not leading features.
    pub weighed: Option<Weighed>,
    /// Sums of free sets looked up by exhaustion.
    pub lookups: u64,
}

impl Exact {
    /// Whether it is proved that no exact key is shorter.
    pub fn proved(&self) -> bool {
        self.at_least == self.code.bits()
    }
}

/// Finds the shortest exact key of `positions`, by exhaustion unless that takes
/// more than `effort` lookups (see [`largest`]); then, and where more than a
/// million sets are free and exhaustion is hopeless, the key is the shortest of
/// several grown greedily, proved shortest only if it has no more bits than
/// [`information_bits`].
///
/// # Errors
/// Differences of a rank too high for a census, or more memory than is free.
pub fn shortest(
    positions: &Positions,
    ceiling: Tier,
    effort: u64,
    progress: &ProgressBar,
) -> Result<Exact, Error> {
    let even = positions.all_even();
    let frame = Frame::of(positions, even);
    let table = frame.table(positions, ceiling)?;
    let (features, rank) = (positions.features, frame.rank());
    let (found, differences) = match &table {
        Table::Free(free) => {
            (largest(free, effort, progress), (1u128 << rank) - 1 - free.len() as u128)
        }
        Table::Differences(differences) => {
            let basis = greedy::large_space(differences, None).expect("there is an attempt");
            (Largest { basis, proved: false, weighed: None, lookups: 0 }, differences.len() as u128)
        }
    };
    let whole = features - usize::from(even && features > 0);
    let free_sets = (1u128 << whole) - 1 - differences;
    let code = Code::spanned(features, &frame.completed(&found.basis));
    let bits = code.bits();
    assert_eq!(bits, rank - found.basis.len(), "a complement of rank {rank}");
    let at_least = if found.proved { bits } else { information_bits(positions).min(bits) };
    Ok(Exact {
        code,
        free_sets: u64::try_from(free_sets).expect("a set has at most 64 features"),
        free_dimension: whole - bits,
        at_least,
        weighed: found.weighed,
        lookups: found.lookups,
    })
}

/// The code of the shortest exact key that greedy growths end with by `until`, where all
/// pairs fit in memory: nothing is proved of it. None if no growth ends.
///
/// # Errors
/// The differences of all pairs do not fit the memory that is free.
pub fn grown_key(positions: &Positions, until: Instant) -> Result<Option<Code>, Error> {
    if Instant::now() >= until {
        return Ok(None);
    }
    let frame = Frame::of(positions, positions.all_even());
    let differences = Sparse::take(positions)?;
    let space = greedy::large_space(differences.sets(), Some(until));
    Ok(space.map(|basis| Code::spanned(positions.features, &frame.completed(&basis))))
}

/// The positions as one table for both movers meets them: one list, in which
/// those with Right to move have one feature more, the last.
///
/// # Errors
/// No room for a feature more.
pub fn one_table(positions: &Positions) -> Result<Positions, Error> {
    let mover = positions.features;
    if mover == 64 {
        return Err(Error::argument(
            "--one-table",
            "the mover takes a feature, and all 64 are taken",
        ));
    }
    let right = positions.right.iter().map(|position| position | 1 << mover);
    let left = positions.left.iter().copied().chain(right).collect();
    Ok(Positions { features: mover + 1, left, right: vec![] })
}

/// ⌈log₂⌉ of the larger mover's number of positions: bits below which no key
/// of any kind tells them apart.
pub fn information_bits(positions: &Positions) -> usize {
    bits_to_tell(positions.both().map(|list| list.len() as u64))
}

/// [`information_bits`] of two movers with so many positions.
fn bits_to_tell(positions: [u64; 2]) -> usize {
    positions[0].max(positions[1]).next_power_of_two().ilog2() as usize
}

/// Checks on the positions themselves that no two with the same mover share a
/// key, and returns how many pairs that is; or the first two that do.
pub fn verify(words: &[u64], positions: &Positions) -> Result<u128, [u64; 2]> {
    for list in positions.both() {
        let mut keyed: Vec<(u64, u64)> = list
            .par_iter()
            .map(|&position| (crate::gf2::times(words, position), position))
            .collect();
        keyed.par_sort_unstable();
        if let Some(pair) = keyed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err([pair[0].1, pair[1].1]);
        }
    }
    Ok(positions.pairs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, squares_of};
    use crate::game::domineering::Domineering;
    use crate::positions;

    fn search(positions: &Positions) -> Exact {
        let exact = shortest(positions, Tier::best(), u64::MAX, &ProgressBar::hidden()).unwrap();
        assert!(exact.proved());
        let words = exact.code.words();
        assert_eq!(verify(&words, positions), Ok(positions.pairs()), "{words:x?}");
        assert_eq!(exact.code.families_among(positions).unwrap(), []);
        exact
    }

    fn reachable(name: &str) -> Positions {
        positions::enumerate(&Domineering, name.parse().unwrap()).unwrap()
    }

    /// The shortest exact key from its definition: every key of `bits` bits.
    fn some_key_is_exact(positions: &Positions, bits: u32) -> bool {
        let features = positions.features as u32;
        (0..1u64 << (bits * features)).any(|all| {
            let word = |feature: u32| all >> (bits * feature) & ((1 << bits) - 1);
            let words: Vec<u64> = (0..features).map(word).collect();
            verify(&words, positions).is_ok()
        })
    }

    #[test]
    fn the_essays_boards_have_their_lengths() {
        let known = [
            ("2x2", 2, 2),
            ("2x3", 4, 4),
            ("2x4", 6, 8),
            ("2x5", 8, 22),
            ("2x6", 10, 60),
            ("3x4", 10, 32),
            ("3x5", 13, 100),
            ("4x4", 14, 128),
            ("3x6", 16, 264),
            ("4x5", 18, 512),
        ];
        for (name, bits, free_sets) in known {
            let exact = search(&reachable(name));
            assert_eq!((exact.code.bits(), exact.free_sets), (bits, free_sets), "{name}");
            assert_eq!(exact.free_dimension, 1, "{name}");
        }
    }

    /// Where one parity proves all, no effort is as good as any.
    #[test]
    fn with_no_effort_keys_are_as_short() {
        for (name, bits, proved) in
            [("2x6", 10, true), ("2x7", 11, false), ("2x9", 15, false), ("4x5", 18, true)]
        {
            let positions = reachable(name);
            let exact = shortest(&positions, Tier::best(), 1, &ProgressBar::hidden()).unwrap();
            assert_eq!((exact.code.bits(), exact.proved()), (bits, proved), "{name}");
            assert_eq!(verify(&exact.code.words(), &positions), Ok(positions.pairs()));
        }
    }

    /// On two rows the parities are what lies behind a cut between columns, and all are found.
    #[test]
    fn two_rows_are_proved_by_their_cuts() {
        for columns in 10..=12 {
            let exact = search(&reachable(&format!("2x{columns}")));
            let weighed = exact.weighed.expect("a proof by parities");
            let mut parities = weighed.parities.clone();
            parities.sort_unstable();
            let behind = |cut: usize| (cut..columns).map(|column| (1 | 1 << columns) << column);
            let mut cuts: Vec<u64> = (1..columns).map(|cut| behind(cut).sum()).collect();
            cuts.sort_unstable();
            assert_eq!(parities, cuts, "2x{columns}");
            // By half: no set that is odd on an even number is even on a third of the cuts.
            let least = (columns - 1).div_ceil(3);
            let weighed = (weighed.halved, weighed.least, weighed.heavy);
            assert_eq!((exact.free_dimension, weighed), (2, (true, least, 0)));
        }
    }

    /// Where both sides are three or more, every free set has an odd number of squares in
    /// every other row; with four or more, the free sets are those, of one shade and even.
    #[test]
    fn beyond_two_rows_one_parity_is_the_proof() {
        for name in ["3x3", "3x4", "3x5", "3x6", "3x7", "4x4", "4x5", "4x6", "5x5"] {
            let board: Board = name.parse().unwrap();
            let exact = search(&reachable(name));
            assert_eq!(exact.code.bits(), board.squares() - 2, "{name}");
            let weighed = exact.weighed.expect("a proof by a parity");
            let rows = (1..board.rows()).step_by(2);
            let row = (1u64 << board.columns()) - 1;
            let every_other = rows.fold(0, |set, i| set | row << (i * board.columns()));
            assert_eq!(
                weighed,
                Weighed { parities: vec![every_other], halved: false, least: 1, heavy: 0 }
            );
            if board.rows() >= 4 {
                let [dark, light] = [board.squares().div_ceil(2), board.squares() / 2];
                assert_eq!(exact.free_sets, (1 << (dark - 2)) + (1 << (light - 2)), "{name}");
            }
        }
    }

    #[test]
    fn two_by_seven_breaks_the_pattern() {
        let exact = search(&reachable("2x7"));
        assert_eq!((exact.code.bits(), exact.free_sets, exact.free_dimension), (11, 164, 2));
        let turned = search(&reachable("7x2"));
        assert_eq!((turned.code.bits(), turned.free_sets), (11, 164));
    }

    #[test]
    fn the_literal_exact_key_leaves_two_squares_out() {
        let exact = search(&reachable("4x5"));
        assert_eq!(exact.code.basis(), [1 << 1, 1 << 5]);
        let words = exact.code.words();
        let kept: Vec<usize> = (0..20).filter(|&square| words[square] != 0).collect();
        assert!(kept.iter().enumerate().all(|(bit, &square)| words[square] == 1 << bit));
        assert_eq!(kept.len(), 18);
    }

    #[test]
    fn no_shorter_key_exists_where_all_can_be_tried() {
        let two_by_two = reachable("2x2");
        let one_by_five = Positions { features: 5, left: vec![0, 3, 6, 12, 24], right: vec![0] };
        let mixed = Positions { features: 4, left: vec![0, 1, 2, 4, 8, 15], right: vec![7, 14] };
        for positions in [two_by_two, one_by_five, mixed] {
            let bits = search(&positions).code.bits() as u32;
            assert!(some_key_is_exact(&positions, bits));
            assert!(!some_key_is_exact(&positions, bits - 1));
        }
    }

    #[test]
    fn positions_of_mixed_parity_keep_every_square() {
        // All sets of four features: nothing is free.
        let positions = Positions { features: 4, left: (0..16).collect(), right: vec![] };
        let exact = search(&positions);
        assert_eq!((exact.code.bits(), exact.free_sets, exact.free_dimension), (4, 0, 0));
        // Two positions that differ on an odd set: one bit.
        let positions = Positions { features: 6, left: vec![0b000_111, 0b110_111], right: vec![1] };
        assert_eq!(search(&positions).code.bits(), 1);
        let positions = Positions { features: 6, left: vec![0b000_111, 0b100_111], right: vec![] };
        let exact = search(&positions);
        assert_eq!((exact.code.bits(), exact.free_sets, exact.free_dimension), (1, 62, 5));
    }

    #[test]
    fn few_or_no_positions_need_no_key() {
        for left in [vec![], vec![0], vec![5]] {
            let positions = Positions { features: 3, left, right: vec![2] };
            assert_eq!(search(&positions).code.bits(), 0);
        }
        let nothing = Positions { features: 0, left: vec![], right: vec![] };
        assert_eq!(search(&nothing).code.bits(), 0);
    }

    #[test]
    fn differences_of_low_rank_may_lie_among_sixty_four_features() {
        // 3x4's positions, each square become two features.
        let base = reachable("3x4");
        let spread = |list: &[u64]| -> Vec<u64> {
            let wide = |set: &u64| squares_of(*set).map(|square| 0b10001 << (5 * square)).sum();
            list.iter().map(wide).collect()
        };
        let positions =
            Positions { features: 64, left: spread(&base.left), right: spread(&base.right) };
        assert_eq!(search(&positions).code.bits(), 10);
    }

    /// The shortest found without a proof, in time or not at all.
    #[test]
    fn a_key_is_grown_in_time_or_not_at_all() {
        let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
        let mut left: Vec<u64> = (0..100).map(set).collect();
        left.sort_unstable();
        let positions = Positions { features: 40, left, right: vec![1, 2] };
        let later = Instant::now() + std::time::Duration::from_secs(600);
        let code = grown_key(&positions, later).unwrap().expect("there is time");
        let shortest = shortest(&positions, Tier::best(), 1, &ProgressBar::hidden()).unwrap();
        assert_eq!(code, shortest.code);
        assert_eq!(verify(&code.words(), &positions), Ok(positions.pairs()));
        assert_eq!(grown_key(&positions, Instant::now()).unwrap(), None);
        let differences = Sparse::take(&positions).unwrap();
        assert_eq!(greedy::large_space(differences.sets(), Some(Instant::now())), None);
    }

    #[test]
    fn few_positions_among_many_features_get_a_short_key() {
        // Three hundred sets of sixty-four features, by a multiplicative walk.
        let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut left: Vec<u64> = (0..300).map(set).collect();
        left.sort_unstable();
        let positions = Positions { features: 64, left, right: vec![] };
        let exact = shortest(&positions, Tier::best(), 1 << 20, &ProgressBar::hidden()).unwrap();
        let bits = exact.code.bits();
        // Fewer than 2^16 differences: sixteen bits always do, and nine are needed.
        assert!((9..=16).contains(&bits), "{bits} bits");
        assert_eq!(exact.at_least, 9);
        assert_eq!(verify(&exact.code.words(), &positions), Ok(44_850));
    }

    /// On 4x4 the mover's word costs no bit beyond the squares'.
    #[test]
    fn one_table_separates_the_movers() {
        for (name, bits) in [("2x4", 7), ("3x4", 11), ("4x4", 14)] {
            let positions = one_table(&reachable(name)).unwrap();
            let exact = search(&positions);
            assert_eq!(exact.code.bits(), bits, "{name}");
            let board: Board = name.parse().unwrap();
            assert_ne!(exact.code.words()[board.squares()], 0, "the mover has a word");
        }
    }
}
