//! Does the price list travel? Keys for a board whose pairs nobody counted,
//! from the *shape* of a small board's price list.
//!
//! ```text
//! census of 4x5 ─► shape: price by size, shade balance, row parity ─┐
//!                                                                   ▼
//! 6x6, no census ─► which sets are free by rule ─► class prices ─► search ─► code
//! ```
//!
//! [`Shape`] learns and predicts, [`search`] finds codes of low predicted
//! price without a table of cells, on boards of up to 64 squares, and
//! [`compare`] prices them on a real census beside other ways of choosing one.

mod classes;
mod compare;
mod search;
mod shape;

use indicatif::ProgressBar;

use crate::board::Board;
use crate::census::{Census, Road};
use crate::design::{self, Sets};
use crate::error::Error;
use crate::game::domineering::Domineering;
use crate::positions;
use crate::tier::Tier;

pub use classes::{AVERAGE, ClassPrices, free_by_rule, free_sets_by_rule};
pub use compare::{Comparison, Method, Priced, Row, Search, compare};
pub use search::{Even, search};
pub use shape::{Detail, Shape};

/// Even codes are searched up to this dimension: every step walks half of one
/// for each pair of squares.
pub const LARGEST_DIMENSION: usize = 12;

/// The board whose census the shape is learned on: the essays'.
pub fn learned_on() -> Board {
    Board::new(4, 5).expect("four rows of five")
}

/// The shape of 4x5's price list, from its census: some milliseconds.
///
/// # Errors
/// As [`Census::take`].
pub fn learned(ceiling: Tier) -> Result<Shape, Error> {
    let board = learned_on();
    let positions = positions::enumerate(&Domineering, board)?;
    let road = Road::choose("auto", ceiling, &positions)?;
    Ok(Shape::learn(board, &Census::take(&positions, &road)?))
}

/// The factor over random keys of the same length that is predicted for an even
/// code of `dimension` whose class prices add up to `total`; none if it is exact.
pub fn predicted_factor(dimension: usize, total: u64) -> Option<f64> {
    (total > 0).then(|| f64::from(AVERAGE) * (dimension as f64).exp2() / total as f64)
}

/// Even codes of `dimension` with the largest distance that [`search`] finds,
/// from the bound down, and that distance: of every restart that reached it.
pub fn distant(
    board: Board,
    dimension: usize,
    restarts: usize,
    seed: u64,
) -> (Option<usize>, Vec<Even>) {
    let sets = Sets { features: board.squares(), even: true };
    let bound = design::distance_bound(sets, dimension).unwrap_or(0);
    for distance in (1..=bound).rev().filter(|distance| distance % 2 == 0) {
        let prices = ClassPrices::lacking(board, distance);
        let found = search(&prices, dimension, restarts, seed, &ProgressBar::hidden());
        let codes: Vec<Even> = found.into_iter().filter(|code| code.total == 0).collect();
        if !codes.is_empty() {
            return (Some(distance), codes);
        }
    }
    (None, vec![Even { total: 0, basis: Vec::new() }])
}

#[cfg(test)]
mod tests;
