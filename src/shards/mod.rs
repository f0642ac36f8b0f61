//! The census of boards beyond memory, in shards that are counted one by one.
//!
//! Some squares are fixed. What two positions' difference is on them is a number `h`, and
//! all pairs of one `h` are counted together, by the transforms of the slices of positions
//! that agree on the fixed squares (the method and its derivation: [`crate::walsh::Sum`]).
//! A shard is some values of `h`, as many as there is memory for: one sweep over the slices
//! serves them all.
//!
//! ```text
//! positions ─► bitmap ─► slice u ─► transform ─► squares ─► ± sum of each h     a sweep,
//!                           ▲                                                   for all u
//!                           └─ next u                                           and movers
//! sum of h  ─► transform ─► counts ─► price list, free sets, percentiles        each h
//! ```
//!
//! Nothing of the 2^(n−1) cells is kept but that summary, and values of `h` that the board's
//! symmetries map to one another are counted once.
//!
//! A square board's diagonal exchanges the movers, so that one mover's transform would
//! do, were the counts of each set and of its image added. That does not pay. Here the sums
//! of `h` and of its image would be two where they are one, and half the sweeps serve half
//! the differences. In memory the addition is a pass in scattered order: 33 ms on 5×5, where
//! a census takes 40 and the second mover's own stages are an eighth of it.
//!
//! ```
//! use zobrist_lab::{shards, tier::Tier};
//! let plan = shards::Plan::with("4x5".parse()?, &[6, 8, 11, 13], 2, 4)?;
//! let board = shards::Board::new(&plan)?;
//! let progress = indicatif::ProgressBar::hidden();
//! let counts = board.count(0, Tier::best(), &progress)?;
//! assert_eq!((plan.shards(), counts.positions), (2, [24_663, 24_007]));
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

mod count;
mod distributed;
mod file;
mod folder;
mod plan;
mod slices;

#[cfg(test)]
mod tests;

pub use count::{Board, Counts};
pub use distributed::{Distributed, Slab};
pub use file::encode;
pub use folder::{Folder, Part, State};
pub use plan::{Cost, Orbit, Plan};
