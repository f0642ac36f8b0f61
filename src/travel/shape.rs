//! The shape of a price list: what a set costs beside the average set, learned
//! on one board and read on any other.
//!
//! ```text
//! 4x5     squares   2    4    6    8    10   12   14   16   18   20
//!         price     3.8  1.8  1.3  1.0  0.9  0.9  1.0  1.2  1.8  4.0   × the average
//! ```
//!
//! On a board of `n` squares a set of `s` is read at `20 s / n`, between the
//! sizes that 4x5 has. In [`Detail::Shade`] the sets of a size differ by how many
//! more squares they have of one shade than of the other, scaled likewise, and
//! by whether an odd number of squares lies in odd rows.

use crate::board::Board;
use crate::census::Census;

use super::classes::{AVERAGE, ClassPrices, free_by_rule};

/// What a predicted price depends on, beside the free sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detail {
    /// The number of squares.
    Size,
    /// The number of squares, the balance of the shades and the parity in odd rows.
    Shade,
}

/// Mean prices of classes of a board's sets, those free by rule left out.
#[derive(Clone, Debug)]
pub struct Shape {
    squares: usize,
    by_size: Vec<Mean>,
    by_shade: Vec<Mean>,
}

/// The mean price of a class, over that of all even sets.
#[derive(Clone, Copy, Debug)]
struct Mean {
    squares: usize,
    /// Squares of one shade less those of the other.
    imbalance: usize,
    odd_rows: bool,
    price: f64,
}

impl Shape {
    /// Learns the prices of a census of Domineering positions of `board`.
    ///
    /// # Panics
    /// If the census is not one of even positions of so many squares.
    pub fn learn(board: Board, census: &Census) -> Self {
        assert_eq!(census.features(), board.squares(), "a census of {board}");
        assert!(census.parity_dropped(), "Domineering positions are even");
        let average = census.pairs() as f64 / census.cells().len() as f64;
        // Classes are told by prices that number them: square counts are below 64.
        let number = |first: usize, other: usize, odd: bool| {
            (first + other) << 8 | first.abs_diff(other) << 1 | usize::from(odd)
        };
        let class = ClassPrices::new(board, |first, other, odd| number(first, other, odd) as u32);
        let mut sums = vec![(0u64, 0u64); 64 << 8 | 0xff];
        for (cell, &price) in census.cells().iter().enumerate().skip(1) {
            let set = census.set(cell);
            if !free_by_rule(board, set) {
                let (sum, sets) = &mut sums[class.price(set) as usize];
                (*sum, *sets) = (*sum + u64::from(price), *sets + 1);
            }
        }
        let mean = |number: usize, (sum, sets): (u64, u64)| Mean {
            squares: number >> 8,
            imbalance: number >> 1 & 0x7f,
            odd_rows: number & 1 == 1,
            price: sum as f64 / sets as f64 / average,
        };
        let known = |means: &[(u64, u64)]| -> Vec<(usize, (u64, u64))> {
            means.iter().copied().enumerate().filter(|(_, (_, sets))| *sets > 0).collect()
        };
        let by_shade = known(&sums).into_iter().map(|(number, sums)| mean(number, sums)).collect();
        let whole = |sums: &[(u64, u64)]| {
            sums.iter().fold((0, 0), |whole, sums| (whole.0 + sums.0, whole.1 + sums.1))
        };
        let sizes: Vec<(u64, u64)> = sums.chunks(1 << 8).map(whole).collect();
        let by_size = known(&sizes).into_iter().map(|(size, sums)| mean(size << 8, sums)).collect();
        Self { squares: board.squares(), by_size, by_shade }
    }

    /// The prices predicted for `board`, [`AVERAGE`] being that of an average even
    /// set; nought for the sets that are free by rule.
    pub fn on(&self, board: Board, detail: Detail) -> ClassPrices {
        let scale = self.squares as f64 / board.squares() as f64;
        ClassPrices::new(board, |first, other, odd| {
            if odd && first.min(other) == 0 {
                return 0;
            }
            let squares = (first + other) as f64 * scale;
            let imbalance = first.abs_diff(other) as f64 * scale;
            let price = match detail {
                Detail::Size => between(self.by_size.iter(), squares, 0.0),
                Detail::Shade => {
                    let alike = self.by_shade.iter().filter(|mean| mean.odd_rows == odd);
                    between(alike, squares, imbalance)
                }
            };
            (price * f64::from(AVERAGE)).round() as u32
        })
    }
}

/// Linear between the classes learned, which lie two squares apart each way:
/// those around weigh by how near they are, classes that the board has not are
/// left out, and beyond them all the nearest decides.
fn between<'a>(means: impl Iterator<Item = &'a Mean> + Clone, squares: f64, imbalance: f64) -> f64 {
    let off = |mean: &Mean| (mean.squares as f64 - squares, mean.imbalance as f64 - imbalance);
    let (mut sum, mut weights) = (0.0, 0.0);
    for mean in means.clone() {
        let (squares, imbalance) = off(mean);
        let weight = (1.0 - squares.abs() / 2.0).max(0.0) * (1.0 - imbalance.abs() / 2.0).max(0.0);
        (sum, weights) = (sum + weight * mean.price, weights + weight);
    }
    if weights > 0.0 {
        return sum / weights;
    }
    let distance = |mean: &&Mean| off(mean).0.hypot(off(mean).1);
    let nearest = means.min_by(|x, y| distance(x).total_cmp(&distance(y)));
    nearest.expect("a board has sets of two squares").price
}
