//! A key for positions of your own: `cargo run --example own_positions`
//!
//! ```text
//! eight queens, none attacking another: 92 positions, 64 squares. How few bits
//! can a Zobrist key have that tells all of them apart?
//! ```

use indicatif::ProgressBar;
use zobrist_lab::positions::Positions;
use zobrist_lab::{Error, exact, tier::Tier};

/// Adds every way to place queens from `row` on, none on a taken file or diagonal.
fn place(row: u32, taken: &mut Vec<u32>, found: &mut Vec<u64>) {
    if row == 8 {
        found.push(taken.iter().zip(0..).map(|(file, row)| 1u64 << (8 * row + file)).sum());
        return;
    }
    for file in 0..8 {
        let free =
            |(&other, above): (&u32, u32)| other != file && other.abs_diff(file) != row - above;
        if taken.iter().zip(0..).all(free) {
            taken.push(file);
            place(row + 1, taken, found);
            taken.pop();
        }
    }
}

fn main() -> Result<(), Error> {
    // A position is a set of features, a bit each, and a list for each player to
    // move; a puzzle has one list.
    let mut left = Vec::new();
    place(0, &mut Vec::new(), &mut left);
    left.sort_unstable();
    let positions = Positions { features: 64, left, right: vec![] };
    println!("{} positions", positions.left.len());

    let hidden = ProgressBar::hidden();
    let found = exact::shortest(&positions, Tier::best(), exact::EFFORT, &hidden)?;
    let apart = exact::verify(&found.code.words(), &positions).expect("exact");
    println!("{} bits tell them apart, all {apart} pairs", found.code.bits());
    println!("no key has fewer than {}", found.at_least);
    Ok(())
}
