//! What a key confuses, worst family first: `cargo run --example audit_key`
//!
//! ```text
//! #...#|..#..|.....|#....    100 pairs of stored positions share a key
//! ```

use zobrist_lab::census::{Census, Road};
use zobrist_lab::code::Code;
use zobrist_lab::{Error, board::Board, draw, solve, tier::Tier};

fn main() -> Result<(), Error> {
    let board: Board = "4x5".parse()?;
    // Your own words go here, one a square; these are the top 18 bits of 20 random ones.
    let words = draw::top_bits(&draw::essay_words(37, board.squares()), 18);

    // Prices of all sets, over the positions that a solver's table would hold.
    let stored = solve::stored(board)?;
    let census = Census::take(&stored, &Road::auto(Tier::best(), &stored)?)?;
    let code = Code::of_words(&words);
    println!("rank {}, {} sets of squares cancel", code.bits(), code.codewords().count());
    for family in code.families(&census) {
        println!(
            "{}    {} pairs of stored positions share a key",
            board.draw(family.set),
            family.pairs
        );
    }
    Ok(())
}
