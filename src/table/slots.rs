//! The slots of a table, what a lookup trusts and what a write replaces.
//!
//! A key of `a + c` bits is an address and a check; a slot holds the check
//! and a value. For the bookkeeping it also holds the board itself, which a
//! real table does not have and which decides nothing here:
//!
//! ```text
//! key 1011001110·01101001        slot 1011001110:  check 01101001, value, (board)
//!     address a   check c
//! ```

use super::{Rule, Split};

#[derive(Clone, Copy)]
struct Slot {
    board: u64,
    check: u32,
    value: u8,
    occupied: bool,
}

const EMPTY: Slot = Slot { board: 0, check: 0, value: 0, occupied: false };

/// What a lookup says.
pub(super) enum Found {
    /// Trust this value.
    Value(u8),
    /// Search, and hand this back with the value.
    Nothing(Place),
}

/// Where the value of a position that was not found may go.
#[derive(Clone, Copy)]
pub(super) struct Place {
    table: usize,
    key: u64,
    /// Whether the slot was empty when it was looked up.
    was_empty: bool,
}

/// What happened to a table since it was last cleared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    pub(super) turned_away: u64,
    pub(super) believed: u64,
    pub(super) overwrites: u64,
}

/// One or two tables of equal size.
pub(super) struct Slots {
    split: Split,
    rule: Rule,
    slots: Box<[Slot]>,
    /// Slots that are occupied, for clearing in time proportional to their number.
    log: Vec<usize>,
    pub(super) tally: Tally,
}

/// Bytes that `tables` tables with `address` bits take here.
pub(super) fn bytes(tables: usize, address: u32) -> u64 {
    ((tables * size_of::<Slot>()) as u64) << address
}

impl Slots {
    /// `tables` empty tables; see [`bytes`] for what they take.
    pub(super) fn new(tables: usize, split: Split, rule: Rule) -> Self {
        let slots = vec![EMPTY; tables << split.address].into_boxed_slice();
        Self { split, rule, slots, log: vec![], tally: Tally::default() }
    }

    /// The slots where a key of `table` may stand, first choice first.
    #[inline]
    fn ways(&self, table: usize, key: u64) -> [usize; 2] {
        let slot = table << self.split.address | (key >> self.split.check) as usize;
        match self.rule {
            Rule::Bucket => [slot & !1, slot | 1],
            _ => [slot, slot],
        }
    }

    /// The bits of a key that its slot keeps. A bucket does not say which of
    /// its two slots a key belongs to, so it keeps the last address bit too.
    #[inline]
    fn check_of(&self, key: u64) -> u32 {
        let bits = self.split.check + u32::from(self.rule == Rule::Bucket);
        (key & !(u64::MAX << bits)) as u32
    }

    /// Looks up `board`, whose key is `key`.
    #[inline]
    pub(super) fn find(&mut self, table: usize, key: u64, board: u64) -> Found {
        let check = self.check_of(key);
        let mut met = false;
        for way in self.ways(table, key) {
            let slot = &self.slots[way];
            if slot.occupied && slot.check == check {
                self.tally.believed += u64::from(slot.board != board);
                return Found::Value(slot.value);
            }
            met |= slot.occupied;
        }
        self.tally.turned_away += u64::from(met);
        Found::Nothing(Place { table, key, was_empty: !met })
    }

    /// Writes, where the rule allows it, what a search found for `board`.
    #[inline]
    pub(super) fn put(&mut self, place: Place, board: u64, value: u8) {
        let Place { table, key, was_empty } = place;
        let [first, second] = self.ways(table, key);
        let new = Slot { board, check: self.check_of(key), value, occupied: true };
        let old = self.slots[first];
        // A board with fewer squares covered has more of the game below it.
        let deeper = || board.count_ones() <= old.board.count_ones();
        match self.rule {
            Rule::Essays if !was_empty => {}
            Rule::Never if old.occupied => {}
            Rule::Deeper if old.occupied && !deeper() => {}
            Rule::Bucket if old.occupied && old.check != new.check => {
                if deeper() {
                    self.slots[first] = new;
                    self.write(second, old);
                } else {
                    self.write(second, new);
                }
            }
            _ => self.write(first, new),
        }
    }

    #[inline]
    fn write(&mut self, slot: usize, new: Slot) {
        let old = std::mem::replace(&mut self.slots[slot], new);
        if !old.occupied {
            self.log.push(slot);
        }
        self.tally.overwrites += u64::from(old.occupied && old.board != new.board);
    }

    /// The entries: table, board and value.
    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (usize, u64, u8)> {
        self.log.iter().map(|&index| {
            let slot = self.slots[index];
            (index >> self.split.address, slot.board, slot.value)
        })
    }

    /// Empties every slot and the tally.
    pub(super) fn clear(&mut self) {
        for slot in self.log.drain(..) {
            self.slots[slot] = EMPTY;
        }
        self.tally = Tally::default();
    }
}
