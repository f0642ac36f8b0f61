//! What a census by transform will do, before it does it: passes over memory, bytes,
//! memory and time.
//!
//! ```text
//! 4x5, 2^19 cells        stages   bits    bytes moved
//! along the rows             15     16              4 a cell, written
//! across the rows         4 + 4  16/32          4 + 4 a cell
//! back along                 15     32          4 + 4 a cell
//! price list                  0     32              4 a cell, read
//! ```

use serde::Serialize;

use crate::tier::Tier;
use crate::walsh;

/// One pass over the cells.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Pass {
    /// What it does.
    pub pass: &'static str,
    /// Stages of the transform that it makes, for both movers and for their sum together.
    pub stages: u32,
    /// Bits of the integers it works in.
    pub bits: u32,
    /// Bytes it reads and writes beyond the cache.
    pub bytes: u64,
}

/// What a census by transform will do.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// Cells: one for each set that can be a difference.
    pub cells: u64,
    /// The passes, in order.
    pub passes: Vec<Pass>,
    /// Bytes of memory at the most: cells and bitmaps, and the positions' lists if they are
    /// as dense as those of known boards at the most.
    pub memory_bytes: u64,
    /// Bytes read and written by all passes.
    pub bytes_moved: u64,
}

impl Plan {
    /// The plan for so many cells, a power of two as an exponent.
    pub fn of(log_cells: u32) -> Self {
        let cells = 1u64 << log_cells;
        let [along, across] = walsh::stages(log_cells);
        let narrow = across <= 4;
        let pass = |pass, stages, bits, bytes| Pass { pass, stages, bits, bytes: bytes * cells };
        let passes = vec![
            pass("bitmap, then along the rows, both movers", along, 16, 4),
            match narrow {
                true => pass("across the rows, both movers, squares, back", 2 * across, 16, 8),
                false => pass("across the rows, each mover, squares, back", 3 * across, 32, 8),
            },
            pass("back along the rows, division", along, 32, 8),
            pass("price list", 0, 32, 4),
        ];
        let bytes_moved = passes.iter().map(|pass| pass.bytes).sum();
        // Cells, two bits a cell of bitmap while transforming; positions are at most one in
        // sixteen of the cells' number on boards large enough to matter.
        let memory_bytes = 4 * cells + cells / 4 + cells / 2;
        Self { cells, passes, memory_bytes, bytes_moved }
    }

    /// Seconds from positions in memory to the price list on so many threads, by rates
    /// measured on one thread of a Zen 5 core: within a factor of 1.5 of what that machine
    /// takes, from 4×5 to 4×8.
    pub fn seconds(&self, tier: Tier, threads: usize) -> f64 {
        let threads = 0.8 * (threads.max(1) as f64 - 1.0) + 1.0;
        let rate = match tier {
            Tier::Scalar => 0.7e9,
            Tier::Portable => 13e9,
            Tier::Avx2 => 28e9,
            Tier::Avx512 => 50e9,
        };
        let stages = |pass: &Pass| f64::from(pass.stages) * f64::from(pass.bits) / 32.0;
        let work = self.passes.iter().map(stages).sum::<f64>() * self.cells as f64 / rate;
        // Bytes that the cache serves cost nothing beside the work on them.
        let uncached = (1.0 - CACHE / (4.0 * self.cells as f64)).max(0.0);
        let beyond = self.bytes_moved as f64 * uncached / 32e9;
        let fresh = (4.0 * self.cells as f64) / 8e9;
        (work + beyond + fresh) / threads + START
    }
}

/// Seconds to begin, and to share out the work.
const START: f64 = 5e-5;

/// Bytes of a large third-level cache.
const CACHE: f64 = (32 << 20) as f64;
