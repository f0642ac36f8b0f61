//! The shortest exact key of a board, as a C header: `cargo run --example exact_key -- 3x5`
//!
//! ```text
//! 3x5    .#...     squares 1 and 5 need no word: 13 bits tell all positions apart
//!        #....
//!        .....
//! ```

use indicatif::ProgressBar;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::{Error, exact, positions, tier::Tier};

fn main() -> Result<(), Error> {
    let board = std::env::args().nth(1).unwrap_or_else(|| "3x5".into()).parse()?;
    let positions = positions::enumerate(&Domineering, board)?;
    let hidden = ProgressBar::hidden();
    let found = exact::shortest(&positions, Tier::best(), exact::EFFORT, &hidden)?;
    let words = found.code.words();

    // The certificate, on the positions themselves: how many pairs have different keys.
    let apart = exact::verify(&words, &positions).expect("an exact key confuses no two");
    let proved = if found.proved() { "proved shortest" } else { "the shortest found" };
    println!(
        "/* {board} Domineering: {} bits, {proved}; {apart} pairs apart */",
        found.code.bits()
    );
    println!("static const uint64_t KEY[{}] = {{", words.len());
    for (square, word) in words.iter().enumerate() {
        println!(
            "    {word:#x}, /* row {}, column {} */",
            square / board.columns(),
            square % board.columns()
        );
    }
    println!("}};");
    Ok(())
}
