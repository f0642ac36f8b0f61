//! A Zobrist key is a linear code, a collision is a codeword, and its price is a
//! count of pairs of positions.
//!
//! # One board, by hand
//!
//! A solver keys a position by adding (XOR) one word for each covered square.
//! Take Domineering on two rows of four, and give squares 1 and 4 no word, and
//! square 7, in a key of five bits, none either:
//!
//! ```text
//! squares   0 1 2 3        words   00001   –   00010 00100
//!           4 5 6 7                  –   01000 10000   –
//! ```
//!
//! Two positions share a key exactly when the words of the squares they *differ*
//! on add up to nothing. That is a condition on a set of squares and not on the
//! positions, so every pair that differs on the set is confused with it. The
//! sets that cancel are closed under addition: they are a linear *code*, here of
//! dimension 3 = 8 squares − 5 bits, with seven words beside the empty set:
//!
//! ```text
//! odd    {1}  {4}  {7}  {1,4,7}     a domino covers two squares: no two
//!                                   positions differ on an odd number. Free.
//! even   {1,4}                      0 pairs: the shades balance, and the mover
//!                                   tells the parity of the lower row. Free.
//!        {1,7}                      5 pairs, one of them   ....   .#..
//!                                   with Left to move:     .##.   .###
//!        {4,7}                      2 pairs
//! ```
//!
//! So of the 654 pairs of positions with the same player to move this key
//! confuses seven, and a key of six bits, which gives square 7 its word back,
//! confuses none: its code is {1}, {4} and {1,4}. No key of five bits does as
//! well, since any has three even words, and the free sets of this board hold
//! no three of them that are closed under addition.
//!
//! The same, run:
//!
//! ```
//! use zobrist_lab::census::{Census, Road};
//! use zobrist_lab::code::Code;
//! use zobrist_lab::game::domineering::Domineering;
//! use zobrist_lab::{exact, positions, tier::Tier};
//!
//! let board = "2x4".parse()?;
//! let positions = positions::enumerate(&Domineering, board)?;
//! assert_eq!((positions.left.len(), positions.right.len()), (28, 24));
//!
//! // The price of every set: the pairs that differ on exactly these squares.
//! let census = Census::take(&positions, &Road::auto(Tier::best(), &positions)?)?;
//! assert_eq!(census.pairs(), 654);
//! let price = |squares: &[usize]| census.count(squares.iter().map(|square| 1 << square).sum());
//! assert_eq!([price(&[1, 4]), price(&[1, 7]), price(&[4, 7])], [0, 5, 2]);
//!
//! // The code of the key of five bits, and what it confuses.
//! let words: [u64; 8] = [0b00001, 0, 0b00010, 0b00100, 0, 0b01000, 0b10000, 0];
//! let code = Code::of_words(&words);
//! assert_eq!((code.dimension(), code.codewords().count()), (3, 7));
//! let confused: u64 = code.families(&census).iter().map(|family| family.pairs).sum();
//! assert_eq!((confused, code.pairs_among(&positions)), (7, 7));
//!
//! // Six bits are enough, and the fewest.
//! let hidden = indicatif::ProgressBar::hidden();
//! let shortest = exact::shortest(&positions, Tier::best(), exact::EFFORT, &hidden)?;
//! assert!(shortest.proved());
//! assert_eq!(shortest.code.bits(), 6);
//! # Ok::<(), zobrist_lab::Error>(())
//! ```
//!
//! # The path of data
//!
//! ```text
//! board ─► positions ─► planes ─► census ─► code ─► exact / design / audit
//!    └ game ┘      │            keys, pairs, equal, walsh
//!                  ├────────────► solve ─────────────► table ─► lookup
//!                  ├────────────► pairing ─► nimber
//!                  └────────────► pieces ─► value
//! all of it ─► experiment ─► record / report
//! ```
//!
//! # Where to read on
//!
//! 1. [`board`] and [`game`]: squares, sets of them, rules; [`positions`]: all that play reaches.
//! 2. [`census`]: the prices of all sets, by counting [`pairs`] or by a [`walsh`] transform.
//! 3. [`code`] and [`gf2`]: what a key confuses; [`confusions`]: what many keys do.
//! 4. [`exact`]: the shortest key that confuses nothing; [`design`]: shorter ones that confuse
//!    least; [`audit`]: the key you have.
//! 5. [`solve`], [`table`] and [`lookup`]: what short keys do inside a search.
//! 6. [`pairing`], [`nimber`], [`pieces`] and [`value`]: Cram and Clobber.
//! 7. [`tier`]: how kernels are chosen, and why holding one proves that it may run.
//! 8. [`experiment`]: every figure of the essays, measured again; [`record`] and [`report`].

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
pub mod travel;
pub mod audit;
pub mod experiment;
pub mod record;
pub mod report;
pub mod cmd;

pub use error::Error;
