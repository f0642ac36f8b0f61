//! How far tables of Clobber pieces fold.

use super::plot::Bars;
use super::{Drawing, Figure, header};
use crate::cmd::grouped;
use crate::error::Error;
use crate::experiment::Lab;
use crate::experiment::lab::board;

pub(super) const FOLDS: Figure = Figure {
    name: "clobber",
    title: "How far tables of Clobber pieces fold",
    command: "zlab clobber 4x4 --values; the same of 2x6, 3x4 and 3x5",
    draw: folds,
};

fn folds(lab: &Lab) -> Result<Drawing, Error> {
    let (mut groups, mut rows) = (Vec::new(), Vec::new());
    for name in ["2x6", "3x4", "3x5", "4x4"] {
        let census = lab.clobber(board(name))?;
        let pieces = census.pieces.len() as u64;
        let orbits = census.folds.orbits;
        let values = census.valued.as_ref().map(|valued| valued.counts.distinct);
        let kinds = [orbits.colour, orbits.symmetry, orbits.both, values];
        let fold = |kind: Option<u64>| kind.map(|kind| pieces as f64 / kind as f64);
        groups.push((format!("{name}: {}", grouped(pieces)), kinds.map(fold).to_vec()));
        let kinds = kinds.map(|kind| kind.map_or(String::new(), |kind| kind.to_string()));
        rows.push([name.into(), pieces.to_string()].into_iter().chain(kinds).collect());
    }
    let names = ["colour", "symmetry", "both", "value"].map(str::to_owned);
    let last = |kind: usize| groups[3].1[kind].unwrap_or(0.0);
    let (both, value) = (last(2), last(3));
    Ok(Drawing {
        svg: Bars {
            unit: "pieces an entry",
            names: names.into(),
            groups: groups.clone(),
            bounds: vec![],
        }
        .svg(),
        alternative: format!(
            "Bars by board: pieces an entry when a table identifies pieces by colour, by \
             symmetry, by both and by value. On 4x4 both give {both:.2} and values {value:.1}."
        ),
        caption: format!(
            "Colour alone folds a tenth; beside symmetry it folds by two wherever a mirror changes \
             the colours (not on 3x5). Values fold past the ceiling of sixteen: {value:.1} pieces a \
             value on 4x4."
        ),
        header: header(["board", "pieces", "by colour", "by symmetry", "by both", "values"]),
        rows,
    })
}
