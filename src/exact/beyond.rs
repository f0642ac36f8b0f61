//! Exact keys of boards whose cells, or even positions, are too many to hold: from the
//! list of their free sets, and checked on their bitmaps.
//!
//! ```text
//! shards ─► free sets ─► largest space of them ─► words ─► key of every position
//! bitmap ────────────────────────────────────────────────►  a bit each, none set twice
//! ```

use indicatif::ProgressBar;

use super::{Exact, bits_to_tell, largest};
use crate::board::squares_of;
use crate::code::Code;
use crate::error::Error;
use crate::game::domino::highest_free;
use crate::gf2;
use crate::keys;
use crate::memory;
use crate::tier::{self, Tier};

/// The shortest exact key of a board all of whose positions are even, of so many
/// positions with Left and with Right to move, if `free` are the even sets on which no two
/// with the same mover differ.
///
/// # Errors
/// Sets of two squares that are not free and do not span all even sets: then free sets
/// alone do not tell the rank.
pub fn of_free_sets(
    features: usize,
    positions: [u64; 2],
    free: &[u64],
    effort: u64,
    progress: &ProgressBar,
) -> Result<Exact, Error> {
    let mut pairs: Vec<u64> = free.iter().copied().filter(|set| set.count_ones() == 2).collect();
    pairs.sort_unstable();
    let mut span = Vec::new();
    for second in 1..features {
        for pair in (0..second).map(|first| 1u64 << first | 1 << second) {
            if pairs.binary_search(&pair).is_err() {
                gf2::extend(&mut span, pair);
            }
        }
    }
    if span.len() + 1 != features {
        let problem = "differences of two squares do not span all even sets";
        return Err(Error::argument("free sets", problem));
    }
    let mut ascending = free.to_vec();
    ascending.sort_unstable();
    let found = largest(&ascending, effort, progress);
    // With the lowest square for a complement of the even sets.
    let basis: Vec<u64> = found.basis.iter().copied().chain([1]).collect();
    let code = Code::spanned(features, &basis);
    let bits = code.bits();
    Ok(Exact {
        free_sets: free.len() as u64,
        free_dimension: found.basis.len(),
        at_least: if found.proved { bits } else { bits_to_tell(positions).min(bits) },
        weighed: found.weighed,
        lookups: found.lookups,
        code,
    })
}

/// Positions keyed together.
const BATCH: usize = 1 << 12;

/// Checks on bitmaps of even positions (see [`crate::game::Game::even_bitmaps`]) that no two
/// with the same mover share a key of so many bits, and returns how many pairs that is;
/// or a position whose key another has.
///
/// # Errors
/// A bit for each key is more memory than is free.
pub fn verify_bitmaps(
    words: &[u64],
    bits: usize,
    bitmaps: &[Vec<u64>; 2],
    ceiling: Tier,
) -> Result<Result<u128, u64>, Error> {
    let what = format!("a bit for each key of {bits} bits");
    memory::require(&what, (1 << bits.min(60)) / 8, "")?;
    let (_, kernel) = tier::pick(keys::KERNELS, None, ceiling)?;
    let highest = words.len() - 1;
    let mut pairs = 0;
    for bitmap in bitmaps {
        let mut taken = memory::Zeroed::<u64>::new((1usize << bits).div_ceil(64))?;
        let mut batch = Vec::with_capacity(BATCH + 64);
        let mut keys = vec![0; BATCH + 64];
        let mut count = 0u128;
        let mut mark = |batch: &mut Vec<u64>| {
            let keys = &mut keys[..batch.len()];
            kernel.keys(words, batch, keys);
            count += batch.len() as u128;
            let twice = batch.iter().zip(keys).find(|(_, key)| {
                let word = &mut taken[(**key >> 6) as usize];
                let bit = 1 << (**key & 63);
                let met = *word & bit != 0;
                *word |= bit;
                met
            });
            let twice = twice.map(|(position, _)| *position);
            batch.clear();
            twice
        };
        for (index, &word) in bitmap.iter().enumerate().filter(|(_, word)| **word != 0) {
            for (within, more) in [(highest_free(index), 0), (!highest_free(index), 1 << highest)] {
                batch.extend(squares_of(word & within).map(|bit| (index * 64 + bit) as u64 | more));
            }
            if batch.len() >= BATCH
                && let Some(position) = mark(&mut batch)
            {
                return Ok(Err(position));
            }
        }
        if let Some(position) = mark(&mut batch) {
            return Ok(Err(position));
        }
        pairs += count * count.saturating_sub(1) / 2;
    }
    Ok(Ok(pairs))
}

#[cfg(test)]
mod tests {
    use super::super::{EFFORT, shortest};
    use super::*;
    use crate::board::Board;
    use crate::census::{Census, Road};
    use crate::game::Game;
    use crate::game::domineering::Domineering;
    use crate::positions;

    #[test]
    fn free_sets_that_do_not_tell_the_rank_are_refused() {
        let quiet = ProgressBar::hidden();
        // All but {0, 1} and {2, 3}, which do not span {0, 2}.
        let free = [0b0101, 0b0110, 0b1001, 0b1010, 0b1111];
        assert!(of_free_sets(4, [2, 2], &free, EFFORT, &quiet).is_err());
        assert!(of_free_sets(4, [2, 2], &free[1..], EFFORT, &quiet).is_ok());
    }

    #[test]
    fn free_sets_alone_give_the_key_that_positions_give() {
        for name in ["2x7", "3x4", "4x4", "3x6", "4x5", "5x5", "1x6"] {
            let board: Board = name.parse().unwrap();
            let positions = positions::enumerate(&Domineering, board).unwrap();
            let road = Road::auto(Tier::best(), &positions).unwrap();
            let free = Census::take(&positions, &road).unwrap().free_sets();
            let counts = positions.both().map(|list| list.len() as u64);
            let quiet = ProgressBar::hidden();
            let found = of_free_sets(board.squares(), counts, &free, EFFORT, &quiet);
            let (found, want) =
                (found.unwrap(), shortest(&positions, Tier::best(), EFFORT, &quiet).unwrap());
            assert_eq!(found.code.bits(), want.code.bits(), "{name}");
            assert_eq!((found.free_sets, found.proved()), (want.free_sets, true), "{name}");
            let words = found.code.words();
            let bitmaps = Domineering.even_bitmaps(board).unwrap();
            let verified =
                |words: &[u64], bits| verify_bitmaps(words, bits, &bitmaps, Tier::best()).unwrap();
            assert_eq!(verified(&words, want.code.bits()), Ok(positions.pairs()), "{name}");
            // The same key less a bit must be found wanting, by a position that is one.
            let short: Vec<u64> = words.iter().map(|word| word >> 1).collect();
            let twice = verified(&short, want.code.bits() - 1).unwrap_err();
            assert!(positions.both().iter().any(|list| list.binary_search(&twice).is_ok()));
        }
    }
}
