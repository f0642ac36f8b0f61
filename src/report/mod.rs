//! A report: one page and its figures, each measured when the report is made.
//!
//! ```text
//! Lab ─► figure (a file a subject) ─► DIR/<name>.svg, DIR/<name>.csv ─┐
//!                                                                     └─► DIR/index.html
//! ```
//!
//! The page holds its figures and its style, asks for nothing from anywhere and
//! needs no scripts. Adding a figure is one function and one element of
//! [`FIGURES`].

mod cram;
mod clobber;
mod codes;
mod page;
mod plot;
mod prices;
mod speeds;
mod tables;

use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;

use crate::error::Error;
use crate::experiment::Lab;
use crate::save;

/// One figure of the report.
pub struct Figure {
    /// Its file's name.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The command that prints its numbers.
    pub command: &'static str,
    draw: fn(&Lab) -> Result<Drawing, Error>,
}

/// A figure drawn.
struct Drawing {
    /// The drawing.
    svg: String,
    /// What it shows, in words: the text alternative.
    alternative: String,
    /// What to see in it: the caption.
    caption: String,
    /// The names of the data's columns.
    header: Vec<String>,
    /// The data.
    rows: Vec<Vec<String>>,
}

/// Every figure, in the order of the page.
pub const FIGURES: &[Figure] = &[
    prices::PRICES,
    prices::FREE_SETS,
    codes::WORST_KEY,
    codes::LENGTHS,
    tables::CHECK_BITS,
    speeds::KERNELS,
    speeds::ROOFLINE,
    speeds::ROADS,
    cram::DEPTHS,
    clobber::FOLDS,
];

/// What a report took.
#[derive(Debug, serde::Serialize)]
pub struct Written {
    /// Figures.
    pub figures: usize,
    /// Bytes of the page.
    pub page_bytes: u64,
    /// Seconds to measure, draw and write them.
    pub seconds: f64,
}

/// Measures and draws every figure and writes the page, the drawings and their
/// data into `directory`, which takes files; `progress` counts figures.
///
/// # Errors
/// More memory than is free, or a file that cannot be written.
pub fn write(directory: &Path, lab: &Lab, progress: &ProgressBar) -> Result<Written, Error> {
    let start = Instant::now();
    progress.set_length(FIGURES.len() as u64);
    let mut drawn: Vec<(&Figure, Drawing)> = Vec::new();
    for figure in FIGURES {
        let drawing = (figure.draw)(lab)?;
        let svg = page::standalone(figure, &drawing);
        let file = |ending: &str| directory.join(format!("{}.{ending}", figure.name));
        save::save(&file("svg"), |writer| writer.write_all(svg.as_bytes()))?;
        save::save(&file("csv"), |writer| writer.write_all(&drawing.csv()))?;
        drawn.push((figure, drawing));
        progress.inc(1);
    }
    let page = page::page(&drawn);
    save::save(&directory.join("index.html"), |writer| writer.write_all(page.as_bytes()))?;
    Ok(Written {
        figures: drawn.len(),
        page_bytes: page.len() as u64,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Drawing {
    fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = std::iter::once(&self.header).chain(&self.rows);
        for row in rows {
            writer.write_record(row).expect("rows are as long as the header");
        }
        writer.into_inner().expect("a vector takes all rows")
    }
}

/// The names of columns.
fn header<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}
