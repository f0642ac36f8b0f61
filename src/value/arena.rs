//! Every canonical form met so far, each stored once: the hash-consing.
//!
//! ```text
//! value 3 = { 0, 1 | 0 }    node 3: options [0, 1 | 0], birthday 2
//! ```
//!
//! Equal games have equal numbers, so equality is one comparison. Nodes are
//! only ever added, after their options; a reader holds a number only after
//! its node was written, so reading takes no lock. Finding or adding a node
//! locks one of 64 shards of the index.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use super::Value;
use super::cache::BITS;
use super::signature::Signature;

/// A canonical form.
pub(super) struct Node {
    /// Left's options, then Right's; each ascending by number.
    options: Box<[Value]>,
    lefts: u32,
    /// The number of moves of the longest play.
    pub(super) birthday: u32,
    pub(super) signature: Signature,
    /// The number of the negative plus one, or 0 while unknown.
    negative: AtomicU32,
}

impl Node {
    pub(super) fn left(&self) -> &[Value] {
        &self.options[..self.lefts as usize]
    }

    pub(super) fn right(&self) -> &[Value] {
        &self.options[self.lefts as usize..]
    }

    pub(super) fn negative(&self) -> Option<Value> {
        self.negative.load(Ordering::Acquire).checked_sub(1).map(Value)
    }

    pub(super) fn set_negative(&self, value: Value) {
        self.negative.store(value.0 + 1, Ordering::Release);
    }
}

const CHUNK_BITS: u32 = 12;
const CHUNK: usize = 1 << CHUNK_BITS;
const SHARD_BITS: u32 = 6;

type Chunk = Box<[OnceLock<Node>]>;

pub(super) struct Arena {
    chunks: Box<[OnceLock<Chunk>]>,
    next: AtomicU32,
    shards: Vec<Mutex<Shard>>,
}

/// A part of the index: an open-addressed table of numbers plus one.
struct Shard {
    slots: Vec<u32>,
    used: usize,
    /// Options stored under this shard's values.
    options: usize,
}

impl Arena {
    pub(super) fn new() -> Self {
        let shard = || Mutex::new(Shard { slots: vec![0; 64], used: 0, options: 0 });
        Self {
            chunks: (0..1_usize << (BITS - CHUNK_BITS)).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            shards: (0..1 << SHARD_BITS).map(|_| shard()).collect(),
        }
    }

    /// Number of values made.
    pub(super) fn len(&self) -> usize {
        self.next.load(Ordering::Acquire) as usize
    }

    /// Bytes of nodes, options and index.
    pub(super) fn bytes(&self) -> u64 {
        let chunks = self.len().div_ceil(CHUNK) * CHUNK * size_of::<OnceLock<Node>>();
        let shards: usize = self
            .shards
            .iter()
            .map(|shard| {
                let shard = shard.lock().expect("no thread dies holding a shard");
                4 * (shard.slots.len() + shard.options)
            })
            .sum();
        (chunks + shards + size_of_val(&*self.chunks)) as u64
    }

    pub(super) fn node(&self, value: Value) -> &Node {
        let index = value.0 as usize;
        let chunk = self.chunks[index >> CHUNK_BITS].get().expect("a value's chunk exists");
        chunk[index & (CHUNK - 1)]
            .get()
            .expect("a value's node is written before its number is known")
    }

    /// The number of `{left | right}`, which must be canonical and ascending.
    pub(super) fn intern(&self, left: &[Value], right: &[Value], signature: Signature) -> Value {
        let hash = hash(left, right);
        let shard = &self.shards[(hash >> (u64::BITS - SHARD_BITS)) as usize];
        let mut shard = shard.lock().expect("no thread dies holding a shard");
        if 2 * shard.used >= shard.slots.len() {
            self.grow(&mut shard);
        }
        let mask = shard.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(number) = shard.slots[slot].checked_sub(1) {
            let node = self.node(Value(number));
            if node.left() == left && node.right() == right {
                return Value(number);
            }
            slot = (slot + 1) & mask;
        }
        let number = self.next.fetch_add(1, Ordering::AcqRel);
        assert!(number >> BITS == 0, "more than 2^{BITS} values");
        let node = Node {
            options: [left, right].concat().into(),
            lefts: left.len() as u32,
            birthday: left
                .iter()
                .chain(right)
                .map(|&option| self.node(option).birthday + 1)
                .max()
                .unwrap_or(0),
            signature,
            negative: AtomicU32::new(0),
        };
        let chunk = self.chunks[number as usize >> CHUNK_BITS]
            .get_or_init(|| (0..CHUNK).map(|_| OnceLock::new()).collect());
        assert!(
            chunk[number as usize & (CHUNK - 1)].set(node).is_ok(),
            "value {number} is made twice"
        );
        shard.slots[slot] = number + 1;
        shard.used += 1;
        shard.options += left.len() + right.len();
        Value(number)
    }

    fn grow(&self, shard: &mut Shard) {
        let mask = 2 * shard.slots.len() - 1;
        let mut slots = vec![0; mask + 1];
        for &entry in shard.slots.iter().filter(|&&entry| entry != 0) {
            let node = self.node(Value(entry - 1));
            let mut slot = hash(node.left(), node.right()) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry;
        }
        shard.slots = slots;
    }
}

/// A hash of two lists; the count of the first keeps `{a | b}` from `{a, b | }`.
fn hash(left: &[Value], right: &[Value]) -> u64 {
    let mut hash = left.len() as u64 + 1;
    for option in left.iter().chain(right) {
        hash = (hash.rotate_left(23) ^ u64::from(option.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    // The top bits choose the shard and the low ones the slot: mix them once more.
    (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
