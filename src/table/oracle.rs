//! The definition of a search with a short-key table, for tests: slots in a
//! map, keys summed square by square, values by recursion without a table.
//!
//! ```text
//! key of {0, 3} = word 0 XOR word 3      address = its top bits, check = the others
//! ```

use std::collections::HashMap;

use super::{Counts, Holds, Rule, Setup};
use crate::board::{Board, squares_of};
use crate::game::domineering::Domineering;
use crate::game::{Game, Mover};

/// The value of a board for the player to move, by what a slot holds, where
/// `value` gives that of a board after a move.
fn value_from(
    holds: Holds,
    board: Board,
    mover: Mover,
    set: u64,
    mut value: impl FnMut(Mover, u64) -> u8,
) -> u8 {
    let moves = |mover| {
        let mut moves = vec![];
        Domineering.moves(board, mover, set, &mut moves);
        moves
    };
    match holds {
        Holds::Verdict => {
            u8::from(moves(mover).into_iter().any(|child| value(mover.other(), child) == 0))
        }
        // A class is of the board: bit 0 that Left wins moving first, bit 1 that Right does.
        Holds::Class => {
            let mut wins = |mover: Mover| {
                let other = mover.other();
                let lost = |class: u8| class >> other as u8 & 1 == 0;
                u8::from(moves(mover).into_iter().any(|child| lost(value(Mover::Left, child))))
            };
            wins(Mover::Left) | wins(Mover::Right) << 1
        }
        Holds::Count => {
            let counts: Vec<u8> =
                moves(mover).into_iter().map(|child| 1 + value(mover.other(), child)).collect();
            let odd = counts.iter().filter(|count| *count % 2 == 1).min();
            *odd.or(counts.iter().max()).unwrap_or(&0)
        }
    }
}

struct Entry {
    check: u64,
    set: u64,
    value: u8,
}

struct Naive<'a> {
    setup: Setup,
    words: &'a [u64],
    slots: HashMap<(Mover, u64), Entry>,
    counts: Counts,
}

impl Naive<'_> {
    fn search(&mut self, mover: Mover, set: u64) -> u8 {
        let Setup { board, holds, split, rule } = self.setup;
        let table = if holds == Holds::Class { Mover::Left } else { mover };
        let key = squares_of(set).fold(0, |key, square| key ^ self.words[square]);
        let address = key >> split.check;
        // The slots of a bucket differ in the address's last bit, which joins the check.
        let (ways, check) = match rule {
            Rule::Bucket => (vec![address & !1, address | 1], key % (2 << split.check)),
            _ => (vec![address], key % (1 << split.check)),
        };
        let met = ways.iter().filter_map(|way| self.slots.get(&(table, *way)));
        let met: Vec<(bool, u64, u8)> =
            met.map(|entry| (entry.check == check, entry.set, entry.value)).collect();
        if let Some(&(_, other, value)) = met.iter().find(|(trusted, ..)| *trusted) {
            self.counts.believed += u64::from(other != set);
            return value;
        }
        self.counts.turned_away += u64::from(!met.is_empty());
        self.counts.searched += 1;
        let value = value_from(holds, board, mover, set, |mover, child| self.search(mover, child));
        let new = Entry { check, set, value };
        let first = (table, ways[0]);
        let squares = |set: u64| set.count_ones();
        let (stays, other) = match self.slots.get(&first) {
            None => (false, false),
            Some(old) => (squares(set) > squares(old.set), old.check != check),
        };
        match rule {
            Rule::Essays if !met.is_empty() => {}
            Rule::Never if self.slots.contains_key(&first) => {}
            Rule::Deeper if stays => {}
            Rule::Bucket if other => {
                let second = (table, ways[1]);
                let moved = if stays { new } else { self.slots.insert(first, new).unwrap() };
                self.write(second, moved);
            }
            _ => self.write(first, new),
        }
        value
    }

    fn write(&mut self, slot: (Mover, u64), new: Entry) {
        let set = new.set;
        let old = self.slots.insert(slot, new);
        self.counts.overwrites += u64::from(old.is_some_and(|old| old.set != set));
    }
}

/// The exact value of a board, by recursion with a table that confuses nothing.
fn exact(
    holds: Holds,
    board: Board,
    mover: Mover,
    set: u64,
    known: &mut HashMap<(Mover, u64), u8>,
) -> u8 {
    let mover = if holds == Holds::Class { Mover::Left } else { mover };
    if let Some(&value) = known.get(&(mover, set)) {
        return value;
    }
    let value = value_from(holds, board, mover, set, |mover, child| {
        exact(holds, board, mover, child, known)
    });
    known.insert((mover, set), value);
    value
}

/// What [`super::run`] counts for one key.
pub(super) fn count(setup: Setup, words: &[u64]) -> Counts {
    let Setup { board, holds, .. } = setup;
    let mut naive = Naive { setup, words, slots: HashMap::new(), counts: Counts::default() };
    let mut known = HashMap::new();
    let mut exact = |mover, set| exact(holds, board, mover, set, &mut known);
    let winner = |value: u8| if holds == Holds::Count { value % 2 } else { value };
    for mover in Mover::BOTH {
        let found = naive.search(mover, 0);
        naive.counts.winner_wrong |= winner(found) != winner(exact(mover, 0));
        if holds == Holds::Class {
            break;
        }
    }
    let mut counts = naive.counts;
    counts.stored = naive.slots.len() as u64;
    for ((mover, _), Entry { set, value, .. }) in naive.slots {
        let right = exact(mover, set);
        counts.wrong += u64::from(value != right);
        counts.wrong_winners += u64::from(winner(value) != winner(right));
    }
    counts
}
