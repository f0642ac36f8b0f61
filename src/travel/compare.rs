//! Codes from the shape alone beside other ways of choosing one, by the pairs
//! that they confuse among all reachable positions.
//!
//! ```text
//! bits  −2 −4 −6 from exact      even-distance ┐
//! random key: pairs / 2^bits     shape-size    ├─► pairs among the positions
//!                                shape-shade   │   themselves ─► factor over random
//!                                board-read    ┘
//! ```

use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::board::Board;
use crate::census::{Census, Road};
use crate::code::Code;
use crate::design::{self, Sets};
use crate::error::Error;
use crate::game::domineering::Domineering;
use crate::memory;
use crate::positions::{self, Positions};
use crate::tier::Tier;

use super::{Detail, Even, LARGEST_DIMENSION, Shape, distant, predicted_factor, search};

/// Codes of one method whose pairs are counted, of those that came equally low.
const MOST_PRICED: usize = 4;

/// A way to choose a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The largest distance of even words that a search finds.
    EvenDistance,
    /// The lowest price by size and the sets free by rule, learned elsewhere.
    ShapeSize,
    /// The lowest price by size, shade and row, learned elsewhere.
    ShapeShade,
    /// The lowest price on the board's own census.
    BoardRead,
}

impl Method {
    /// The name in documents and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::EvenDistance => "even-distance",
            Self::ShapeSize => "shape-size",
            Self::ShapeShade => "shape-shade",
            Self::BoardRead => "board-read",
        }
    }
}

/// What the codes of a method confuse: those of its restarts that came lowest
/// by the method's own measure, since it has no other to choose by.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Priced {
    /// The method.
    pub method: Method,
    /// Restarts that came lowest; the first four are counted.
    pub codes: usize,
    /// Their distance, of the method that has one.
    pub distance: Option<usize>,
    /// The factor over random keys that a shape predicted.
    pub predicted: Option<f64>,
    /// The fewest reachable pairs that one of the codes confuses.
    pub least: u64,
    /// The mean over the codes.
    pub mean: f64,
    /// The most.
    pub most: u64,
    /// Pairs that a random key confuses on average, over `mean`; none if that is 0.
    pub factor: Option<f64>,
}

impl Priced {
    fn of(
        method: Method,
        distance: Option<usize>,
        predicted: Option<f64>,
        codes: usize,
        confused: &[u64],
        random: f64,
    ) -> Self {
        let mean = confused.iter().sum::<u64>() as f64 / confused.len() as f64;
        Self {
            method,
            codes,
            distance,
            predicted,
            least: confused.iter().copied().min().expect("at least one code"),
            mean,
            most: confused.iter().copied().max().expect("at least one code"),
            factor: (mean > 0.0).then(|| random / mean),
        }
    }
}

/// Keys of one length on a board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Bits of the key.
    pub bits: usize,
    /// Bits fewer than the exact length.
    pub below: usize,
    /// Pairs that a random key confuses on average: pairs / 2^bits.
    pub random: f64,
    /// Every method.
    pub methods: Vec<Priced>,
}

/// All lengths on a board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The board.
    pub board: Board,
    /// Same-mover pairs of its reachable positions.
    pub pairs: u128,
    /// Squares less two: exact by shade and row, and the least where no other set is free.
    pub exact_bits: usize,
    /// Restarts of the search on the census, if there was one.
    pub board_read_restarts: Option<usize>,
    /// One a length.
    pub rows: Vec<Row>,
    /// Time for all of it.
    pub seconds: f64,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Searches from different starts.
    pub restarts: usize,
    /// Their seed.
    pub seed: u64,
    /// Whether to take the board's census for [`Method::BoardRead`], which has
    /// fewer restarts on large boards.
    pub own_census: bool,
}

/// Compares keys so many bits `below` the exact length of `board`.
///
/// # Errors
/// A census that does not fit, or a board that has no keys so short or too short ones.
pub fn compare(
    shape: &Shape,
    board: Board,
    below: &[usize],
    how: Search,
    ceiling: Tier,
    progress: &ProgressBar,
) -> Result<Comparison, Error> {
    let Search { restarts, seed, own_census } = how;
    let start = Instant::now();
    let squares = board.squares();
    let most = squares.saturating_sub(3).min(LARGEST_DIMENSION - 1);
    if let Some(below) = below.iter().find(|below| !(1..=most).contains(*below)) {
        let problem = match most {
            0 => format!("{board} has no keys shorter than its exact one"),
            _ => format!("{below}: want 1 to {most} on {board}"),
        };
        return Err(Error::argument("--below", problem));
    }
    let positions = positions::enumerate(&Domineering, board)?;
    let own = own_census.then(|| Own::of(board, &positions, restarts, ceiling)).transpose()?;
    let pairs = positions.pairs();
    let sets = Sets { features: squares, even: true };
    let row = |&below: &usize| {
        let bits = squares - 2 - below;
        let dimension = sets.code_dimension(bits);
        let random = pairs as f64 / 2f64.powi(bits as i32);
        let priced = |method, distance, predicted, codes: Vec<&Even>| {
            let code = |code: &&Even| Code::spanned(squares, &code.basis).pairs_among(&positions);
            let confused: Vec<u64> = codes.iter().take(MOST_PRICED).map(code).collect();
            Priced::of(method, distance, predicted, codes.len(), &confused, random)
        };
        let (distance, codes) = distant(board, dimension, restarts, seed);
        let mut methods =
            vec![priced(Method::EvenDistance, distance, None, codes.iter().collect())];
        for (method, detail) in
            [(Method::ShapeSize, Detail::Size), (Method::ShapeShade, Detail::Shade)]
        {
            let found = search(&shape.on(board, detail), dimension, restarts, seed, progress);
            let least = found.iter().map(|code| code.total).min().expect("a restart");
            let lowest = found.iter().filter(|code| code.total == least).collect();
            methods.push(priced(method, None, predicted_factor(dimension, least), lowest));
        }
        if let Some(Own { census, restarts, effort }) = &own {
            let cells = census.cells();
            let found = design::cheap_codes(cells, dimension, *restarts, *effort, seed, progress);
            let least = found.iter().map(|found| found.total).min().expect("a restart");
            let codes = found.iter().filter(|found| found.total == least).count();
            methods.push(Priced::of(Method::BoardRead, None, None, codes, &[least], random));
        }
        Row { bits, below, random, methods }
    };
    let rows = below.iter().map(row).collect();
    Ok(Comparison {
        board,
        pairs,
        exact_bits: squares - 2,
        board_read_restarts: own.as_ref().map(|own| own.restarts),
        rows,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The board's own census, and how much to search it.
struct Own {
    census: Census,
    restarts: usize,
    effort: usize,
}

impl Own {
    fn of(
        board: Board,
        positions: &Positions,
        restarts: usize,
        ceiling: Tier,
    ) -> Result<Self, Error> {
        if board.squares() > 32 {
            let problem = format!("{board}: a census of at most 32 squares can be searched");
            return Err(Error::argument("board", problem));
        }
        let what = format!("a search on the census of {board}");
        // A descent is hundreds of folds, each a walk over all cells.
        let small = board.squares() <= 20;
        let restarts = restarts.min(if small { 8 } else { 2 });
        let threads = rayon::current_num_threads().min(restarts) as u64;
        // The census, a copy with its prices capped, and folds that halve from there.
        memory::require(&what, (4 * (2 + threads)) << (board.squares() - 1), "")?;
        let census = Census::take(positions, &Road::choose("auto", ceiling, positions)?)?;
        Ok(Self { census, restarts, effort: if small { design::EFFORT } else { 0 } })
    }
}
