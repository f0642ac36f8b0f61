//! How far do colours and mirrors fold a table of Clobber pieces?
//!
//! ```text
//!          pieces    colour   symmetry   both
//! 3x4      11,191     1.12      2.39     4.71     a mirror changes the colours
//! 3x5     126,811     1.08      4.02     4.34     none does
//! ```

use super::lab::board;
use super::{
    Experiment, Lab, Measured, Number, Says, count, counts, d, differs, least_and_most, ratio, same,
};
use crate::board::Symmetry;
use crate::error::Error;
use crate::game::{Game, clobber};
use crate::pieces::Pieces;
use crate::pieces::census::Census;

const BOARDS: [&str; 4] = ["3x4", "2x6", "3x5", "4x4"];
const PIECES: &str = "connected sets of stones with a capture, reachable by any moves of either player, shifted to the corner, not turned; 3x4, 2x6, 3x5, 4x4";
const FOLD: &str = "pieces ÷ distinct least keys; 3x4, 2x6, 3x5, 4x4";
const START: &str = "symmetries of the board that carry the checkerboard to its colour swap";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "colour-swap",
    name: "folds",
    question: "How far do colours and mirrors fold a table of Clobber pieces?",
    figures: &[
        same(
            "pieces",
            "live pieces",
            Says::Counts(&[11_191, 4_999, 126_811, 395_947]),
            PIECES,
            |lab| each(lab, |census| ratio(census.pieces.len(), 1)),
        ),
        same(
            "ceiling",
            "images of a piece: by symmetry, and with the colour swap",
            Says::Counts(&[8, 16]),
            "the most distinct images of any piece of 4x4",
            |lab| {
                let census = lab.clobber(board("4x4"))?;
                let pieces = &census.pieces;
                let (mut symmetry, mut both) = (0, 0);
                each_with_images(lab, pieces, |piece, images| {
                    let mut distinct: Vec<u64> = images.to_vec();
                    distinct.sort_unstable();
                    distinct.dedup();
                    symmetry = symmetry.max(distinct.len());
                    // The swap's images are those of the piece with the colours exchanged.
                    let swap_is_image = distinct.contains(&pieces.frame().swapped(piece));
                    both = both.max(distinct.len() * if swap_is_image { 1 } else { 2 });
                })?;
                Ok(counts([symmetry, both]))
            },
        ),
        same(
            "domineering-fold",
            "Domineering's fold by its four symmetries is a little under four",
            Says::From(d("3.5"), d("4")),
            "reachable positions of 4x5 ÷ distinct least images, movers apart; a little under: from 3.5",
            |lab| {
                let board = board("4x5");
                let positions = lab.reachable(board)?;
                let least = |&set: &u64| {
                    let images = board.symmetries().iter().map(|&turn| board.image(turn, set));
                    images.min().expect("the identity is one")
                };
                let orbits = positions.both().map(|list| {
                    list.iter().map(least).collect::<std::collections::HashSet<u64>>().len()
                });
                Ok(Measured::Numbers(vec![ratio(positions.total(), orbits[0] + orbits[1])]))
            },
        ),
        same(
            "fold-by-colour",
            "the fold by colour alone",
            Says::Extremes(d("1.08"), d("1.16")),
            FOLD,
            |lab| folds(lab, |orbits| orbits.colour),
        ),
        same(
            "swap-in-table",
            "per cent of pieces whose colour swap is in the table: 3x4, 3x5, 4x4",
            Says::Digits(&[d("22"), d("16"), d("17")]),
            "the swap where it stands, shifted to the corner, not turned",
            |lab| {
                let percent = |name: &&str| {
                    let census = lab.clobber(board(name))?;
                    Ok(ratio(100 * census.folds.swap_present, census.pieces.len()))
                };
                Ok(Measured::Numbers(
                    ["3x4", "3x5", "4x4"].iter().map(percent).collect::<Result<_, Error>>()?,
                ))
            },
        ),
        differs(
            "fold-by-symmetry",
            "the fold by symmetry alone",
            Says::Extremes(d("2.3"), d("4.4")),
            "pieces ÷ distinct least keys; the largest is 4.346, which the essay prints as 4.4",
            |lab| folds(lab, |orbits| orbits.symmetry),
        ),
        same(
            "fold-by-both",
            "the fold by both on 3x4, 2x6 and 4x4",
            Says::Digits(&[d("4.71"), d("4.44"), d("8.67")]),
            FOLD,
            |lab| {
                let fold = |name: &&str| {
                    let census = lab.clobber(board(name))?;
                    Ok(ratio(census.pieces.len(), orbits(&census, |orbits| orbits.both)))
                };
                Ok(Measured::Numbers(
                    ["3x4", "2x6", "4x4"].iter().map(fold).collect::<Result<_, Error>>()?,
                ))
            },
        ),
        same(
            "both-twice-symmetry",
            "on these almost exactly twice the fold by symmetry",
            Says::Digits(&[d("2.0"), d("2.0"), d("2.0")]),
            "fold by both ÷ fold by symmetry; 3x4, 2x6, 4x4",
            |lab| {
                let twice = |name: &&str| {
                    let census = lab.clobber(board(name))?;
                    let [symmetry, both] =
                        [orbits(&census, |o| o.symmetry), orbits(&census, |o| o.both)];
                    Ok(ratio(symmetry, both))
                };
                Ok(Measured::Numbers(
                    ["3x4", "2x6", "4x4"].iter().map(twice).collect::<Result<_, Error>>()?,
                ))
            },
        ),
        same(
            "a-twelfth-on-3x5",
            "on 3x5 colour is worth one part in twelve, alone and beside symmetry",
            Says::Digits(&[d("12"), d("12")]),
            "1 ÷ (fold − 1) by colour, and by both over symmetry",
            |lab| {
                let census = lab.clobber(board("3x5"))?;
                let colour = orbits(&census, |o| o.colour);
                let [symmetry, both] =
                    [orbits(&census, |o| o.symmetry), orbits(&census, |o| o.both)];
                Ok(Measured::Numbers(vec![
                    ratio(colour, census.pieces.len() as u64 - colour),
                    ratio(both, symmetry - both),
                ]))
            },
        ),
        same(
            "colour-changing-3x4",
            "symmetries of 3x4 that change colours",
            Says::Texts(&["half turn", "left-right"]),
            START,
            |_| changing("3x4"),
        ),
        same(
            "colour-changing-2x6",
            "of 2x6",
            Says::Texts(&["left-right", "top-bottom"]),
            START,
            |_| changing("2x6"),
        ),
        same(
            "colour-changing-4x4",
            "of 4x4",
            Says::Texts(&["left-right", "top-bottom", "quarter turn", "three quarter turns"]),
            START,
            |_| changing("4x4"),
        ),
        same("colour-changing-3x5", "of 3x5", Says::Texts(&[]), START, |_| changing("3x5")),
        same(
            "negative-turned-in-table",
            "pieces of 3x4, 2x6 and 4x4 without an image of their swap in the table",
            Says::Counts(&[0, 0, 0]),
            "any of the eight images of the colour swap",
            |lab| without_negative(lab, &["3x4", "2x6", "4x4"]),
        ),
        same(
            "own-swap-in-place",
            "pieces of the four boards that are their own colour swap where they stand",
            Says::Counts(&[0]),
            PIECES,
            |lab| {
                let mut own = 0;
                for name in BOARDS {
                    let census = lab.clobber(board(name))?;
                    let swapped = |piece: &&u64| census.pieces.frame().swapped(**piece) == **piece;
                    own += census.pieces.layers().concat().iter().filter(swapped).count();
                }
                Ok(count(own))
            },
        ),
        same(
            "self-negative-by-shape",
            "pieces whose colour swap is one of their images",
            Says::Counts(&[159, 109, 268, 935]),
            PIECES,
            |lab| each(lab, |census| ratio(census.folds.self_negative_shape, 1)),
        ),
        same(
            "self-negative-share",
            "per cent of pieces",
            Says::Extremes(d("0.2"), d("2.2")),
            "least and most of the four boards",
            |lab| {
                let shares = BOARDS.map(|name| {
                    let census = lab.clobber(board(name))?;
                    Ok(ratio(100 * census.folds.self_negative_shape, census.pieces.len()))
                });
                Ok(least_and_most(shares.into_iter().collect::<Result<Vec<Number>, Error>>()?))
            },
        ),
        same(
            "own-symmetry-3x4",
            "per cent of pieces of 3x4 with a symmetry of their own",
            Says::Digits(&[d("5")]),
            "pieces equal to one of their seven other images",
            |lab| Ok(Measured::Numbers(vec![own_symmetry(lab, "3x4")?])),
        ),
        same(
            "own-symmetry-4x4",
            "of 4x4: under one",
            Says::From(d("0"), d("1")),
            "pieces equal to one of their seven other images",
            |lab| Ok(Measured::Numbers(vec![own_symmetry(lab, "4x4")?])),
        ),
    ],
};

fn each(lab: &Lab, of: fn(&Census) -> Number) -> Result<Measured, Error> {
    let numbers = BOARDS.map(|name| Ok(of(&*lab.clobber(board(name))?)));
    Ok(Measured::Numbers(numbers.into_iter().collect::<Result<_, Error>>()?))
}

type Orbits = crate::pieces::folds::Orbits;

fn orbits(census: &Census, of: fn(&Orbits) -> Option<u64>) -> u64 {
    of(&census.folds.orbits).expect("every fold is counted")
}

/// The least and the largest fold of the four boards.
fn folds(lab: &Lab, of: fn(&Orbits) -> Option<u64>) -> Result<Measured, Error> {
    let folds = BOARDS.map(|name| {
        let census = lab.clobber(board(name))?;
        Ok(ratio(census.pieces.len(), orbits(&census, of)))
    });
    Ok(least_and_most(folds.into_iter().collect::<Result<Vec<Number>, Error>>()?))
}

fn own_symmetry(lab: &Lab, name: &str) -> Result<Number, Error> {
    let census = lab.clobber(board(name))?;
    Ok(ratio(100 * census.folds.own_symmetry, census.pieces.len()))
}

/// The names of the board's symmetries that exchange the colours of its start.
fn changing(name: &str) -> Result<Measured, Error> {
    let board = board(name);
    let [blue, red] = clobber::stones(board, clobber::Clobber.start(board));
    let exchange = |&&symmetry: &&Symmetry| board.image(symmetry, blue) == red;
    let name = |symmetry: &Symmetry| match symmetry {
        Symmetry::Identity => "identity",
        Symmetry::HalfTurn => "half turn",
        Symmetry::LeftRight => "left-right",
        Symmetry::TopBottom => "top-bottom",
        Symmetry::Diagonal => "falling diagonal",
        Symmetry::AntiDiagonal => "rising diagonal",
        Symmetry::QuarterTurn => "quarter turn",
        Symmetry::ThreeQuarterTurn => "three quarter turns",
    };
    Ok(Measured::Texts(
        board.symmetries().iter().filter(exchange).map(|s| name(s).into()).collect(),
    ))
}

/// Pieces of each board of whose colour swap no image is in the table.
fn without_negative(lab: &Lab, names: &[&str]) -> Result<Measured, Error> {
    let mut without = Vec::new();
    for name in names {
        let census = lab.clobber(board(name))?;
        let pieces = &census.pieces;
        let mut missing = 0;
        each_with_images(lab, pieces, |_, images| {
            let swapped = |image: &u64| pieces.contains(pieces.frame().swapped(*image));
            missing += u64::from(!images.iter().any(swapped));
        })?;
        without.push(missing);
    }
    Ok(counts(without))
}

/// Every piece with those of its eight images that fit the frame.
fn each_with_images(
    lab: &Lab,
    pieces: &Pieces,
    mut with: impl FnMut(u64, &[u64]),
) -> Result<(), Error> {
    let kernel = lab.piece_kernel()?;
    for layer in pieces.layers() {
        let mut images = vec![[0; 8]; layer.len()];
        kernel.images(pieces.frame(), layer, &mut images);
        for (&piece, images) in layer.iter().zip(&images) {
            let fitting: Vec<u64> = images.iter().copied().filter(|&image| image != 0).collect();
            with(piece, &fitting);
        }
    }
    Ok(())
}
