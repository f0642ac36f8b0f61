//! How the number of values grows with the number of pieces, over boards.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Arguments, census_of};
use crate::board::Board;
use crate::cmd::{Common, Report, grouped};
use crate::error::Error;
use crate::pieces::growth::{Fit, fit};
use crate::pieces::{Frame, Key, PieceKernel};

#[derive(Serialize)]
struct Growth {
    boards: Vec<Grown>,
    /// ln values against ln pieces: the slope is the exponent.
    by_pieces: Option<Fit>,
    /// ln values against the largest birthday.
    by_birthday: Option<Fit>,
}

#[derive(Serialize)]
struct Grown {
    board: String,
    pieces: u64,
    values: u64,
    largest_birthday: u32,
    seconds: f64,
}

pub(super) fn run(
    boards: &[Board],
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
    common: &Common,
) -> Result<Report, Error> {
    // Values do not depend on the key; the coarsest is the fastest.
    let key = arguments.key.first().copied().unwrap_or(Key::Both);
    let mut grown = vec![];
    for &board in boards {
        let started = Instant::now();
        let (census, _) = census_of(&Frame::new(board)?, key, arguments, kernel, common)?;
        let valued = census.valued.expect("values were asked for");
        grown.push(Grown {
            board: board.to_string(),
            pieces: census.pieces.len() as u64,
            values: valued.counts.distinct,
            largest_birthday: valued.largest_birthday,
            seconds: started.elapsed().as_secs_f64(),
        });
    }
    grown.sort_by_key(|board| board.pieces);
    let points = |x: &dyn Fn(&Grown) -> f64| -> Vec<(f64, f64)> {
        let some = grown.iter().filter(|board| board.values > 0);
        some.map(|board| (x(board), (board.values as f64).ln())).collect()
    };
    let by_pieces = fit(&points(&|board| (board.pieces as f64).ln()));
    let by_birthday = fit(&points(&|board| f64::from(board.largest_birthday)));
    let mut text = format!(
        "{:>6} {:>12} {:>10} {:>6} {:>10} {:>9}\n",
        "board", "pieces", "values", "fold", "born until", "seconds"
    );
    for Grown { board, pieces, values, largest_birthday, seconds } in &grown {
        let fold = *pieces as f64 / (*values).max(1) as f64;
        writeln!(
            text,
            "{board:>6} {:>12} {:>10} {fold:>6.1} {largest_birthday:>10} {seconds:>9.3}",
            grouped(*pieces),
            grouped(*values)
        )
        .expect("a String takes all text");
    }
    text += &match (&by_pieces, &by_birthday) {
        (Some(pieces), Some(birthday)) => format!(
            "\nvalues ~ pieces^{:.3} (standard error {:.3}), which explains {:.1} % of the variance:\n\
             like the pieces would be 1, like their square root 1/2\n\
             values ~ {:.2}^(largest birthday) explains {:.1} %\n",
            pieces.slope,
            pieces.slope_error,
            100.0 * pieces.explained,
            birthday.slope.exp(),
            100.0 * birthday.explained,
        ),
        _ => "\ntoo few boards to fit an exponent: want three with different numbers of pieces\n"
            .into(),
    };
    Ok(Report::new(text, &Growth { boards: grown, by_pieces, by_birthday }))
}
