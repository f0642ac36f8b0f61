//! What sets of squares cost: the price list, and the sets that are free.

use super::plot::{Boards, Chart, Group, Mark, Scale, Series};
use super::{Drawing, Figure, header};
use crate::census::{Census, Size};
use crate::cmd::grouped;
use crate::error::Error;
use crate::experiment::Lab;

pub(super) const PRICES: Figure = Figure {
    name: "prices",
    title: "What a set of squares costs, by its size",
    command: "zlab census 4x5",
    draw: prices,
};

pub(super) const FREE_SETS: Figure = Figure {
    name: "free-sets",
    title: "The sets that cost nothing",
    command: "zlab census 4x5 --free",
    draw: free_sets,
};

fn prices(lab: &Lab) -> Result<Drawing, Error> {
    let (all, stored) = (lab.census(lab.four_by_five())?, lab.stored_census()?);
    let series = |name: &str, mark, census: &Census, of: fn(&Size) -> f64| Series {
        name: name.into(),
        mark,
        points: census.price_list().iter().map(|size| (size.squares as f64, of(size))).collect(),
    };
    let chart = Chart {
        x: "squares of the set",
        y: "pairs that differ on one set",
        scale: Scale::Log,
        series: vec![
            series("reachable, mean", Mark::Line, &all, Size::mean),
            series("reachable, largest", Mark::Dashes, &all, |size| f64::from(size.max)),
            series("stored, mean", Mark::Line, &stored, Size::mean),
            series("stored, largest", Mark::Dashes, &stored, |size| f64::from(size.max)),
        ],
        note: None,
    };
    let rows = all.price_list().into_iter().zip(stored.price_list()).map(|(all, stored)| {
        vec![
            all.squares.to_string(),
            all.sets.to_string(),
            format!("{:.3}", all.mean()),
            all.max.to_string(),
            all.free.to_string(),
            format!("{:.3}", stored.mean()),
            stored.max.to_string(),
        ]
    });
    let list = all.price_list();
    let cheapest = list.iter().min_by(|a, b| a.mean().total_cmp(&b.mean())).expect("some size");
    let (first, last) = (&list[0], &list[list.len() - 1]);
    Ok(Drawing {
        svg: chart.svg(),
        alternative: format!(
            "Line chart on a logarithmic scale. The mean number of reachable pairs falls from \
             {:.0} at two squares to {:.0} at {} and rises to {:.0} at all twenty; stored pairs \
             have the same shape, lower.",
            first.mean(),
            cheapest.mean(),
            cheapest.squares,
            last.mean()
        ),
        caption: format!(
            "Wide sets are not cheap: of the {} pairs of reachable positions of 4x5, a set holds \
             fewest at {} squares, and more again up to the whole board.",
            grouped(all.pairs()),
            cheapest.squares
        ),
        header: header([
            "squares",
            "sets",
            "reachable mean",
            "reachable largest",
            "free",
            "stored mean",
            "stored largest",
        ]),
        rows: rows.collect(),
    })
}

/// Boards in a row, and drawn of each size above two squares.
const SHOWN: usize = 8;

fn free_sets(lab: &Lab) -> Result<Drawing, Error> {
    let board = lab.four_by_five();
    let free = lab.census(board)?.free_sets();
    let mut groups = Vec::new();
    for squares in [2, 4, 6, 8] {
        let of_size: Vec<u64> =
            free.iter().copied().filter(|set| set.count_ones() == squares).collect();
        let shown = if squares == 2 { of_size.len() } else { SHOWN.min(of_size.len()) };
        let heading = if shown == of_size.len() {
            format!("of {squares} squares, all {shown}")
        } else {
            format!("of {squares} squares, {shown} of {}", of_size.len())
        };
        let sets = of_size[..shown].iter().map(|&set| (set, String::new())).collect();
        groups.push(Group { heading, colour: squares as usize / 2 - 1, sets });
    }
    let pairs = free.iter().filter(|set| set.count_ones() == 2).count();
    let rows = free.iter().map(|&set| vec![set.count_ones().to_string(), board.draw(set)]);
    Ok(Drawing {
        svg: Boards { board, groups, per_row: SHOWN }.svg(),
        alternative: format!(
            "Small boards of four rows and five columns. The first {pairs} each mark two squares \
             of one shade in rows of different parity; below are {SHOWN} free sets each of four, \
             six and eight squares."
        ),
        caption: format!(
            "No two positions with the same player to move differ on any of these {} sets, so a \
             key may cancel there. All {pairs} of two squares, then {SHOWN} each of four, six and \
             eight.",
            free.len()
        ),
        header: header(["squares", "set"]),
        rows: rows.collect(),
    })
}
