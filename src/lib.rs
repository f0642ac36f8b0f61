//! Zobrist keys as linear codes.
//!
//! ```text
//! board ─► positions ─► planes ─► census ─► code ─► exact / design / audit
//!    └ game ┘      │            keys, pairs, equal, walsh
//!                  ├────────────► solve ─────────────► table ─► lookup
//!                  ├────────────► pairing ─► nimber
//!                  └────────────► pieces ─► value
//! ```

pub mod error;
pub mod memory;
pub mod save;
pub mod board;
pub mod game;
pub mod positions;
pub mod planes;
pub mod tier;
pub mod draw;
pub mod keys;
pub mod pairs;
pub mod equal;
pub mod walsh;
pub mod codesum;
pub mod cosets;
pub mod census;
pub mod shards;
#[cfg(feature = "mpi")]
pub mod ranks;
pub mod solve;
pub mod table;
pub mod lookup;
pub mod gf2;
pub mod code;
pub mod confusions;
pub mod exact;
pub mod export;
pub mod pairing;
pub mod nimber;
pub mod value;
pub mod pieces;
pub mod design;
pub mod audit;
pub mod cmd;

pub use error::Error;
