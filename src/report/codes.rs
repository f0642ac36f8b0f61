//! What keys confuse: one key's families, and all keys by their length.

use super::plot::{Boards, Chart, Group, Mark, Scale, Series};
use super::{Drawing, Figure, header};
use crate::cmd::grouped;
use crate::draw;
use crate::error::Error;
use crate::experiment::Lab;
use crate::experiment::lab::Design;

pub(super) const WORST_KEY: Figure = Figure {
    name: "worst-key",
    title: "The even words of one random key of 16 bits, worst family first",
    command: "zlab keys 4x5 --bits 16",
    draw: worst_key,
};

pub(super) const LENGTHS: Figure = Figure {
    name: "lengths",
    title: "Pairs confused against the length of the key",
    command: "zlab design 4x5 --table",
    draw: lengths,
};

fn worst_key(lab: &Lab) -> Result<Drawing, Error> {
    let board = lab.four_by_five();
    let length = lab.length(16)?;
    let number = u32::try_from(length.worst_key).expect("one of sixty");
    let families = lab.essay_code(number, 16).families(&*lab.stored_census()?);
    let sets = families.iter().map(|family| (family.set, format!("{} pairs", family.pairs)));
    let rows = families.iter().map(|family| {
        vec![family.pairs.to_string(), family.set.count_ones().to_string(), board.draw(family.set)]
    });
    let group = Group { heading: String::new(), colour: 4, sets: sets.collect() };
    let worst = families[0];
    Ok(Drawing {
        svg: Boards { board, groups: vec![group], per_row: 4 }.svg(),
        alternative: format!(
            "{} boards of four rows and five columns, each with one set of squares whose words \
             cancel and the number of stored pairs that differ on it; the worst has {} squares \
             and {} pairs.",
            families.len(),
            worst.set.count_ones(),
            worst.pairs
        ),
        caption: format!(
            "Key {number}, the worst of the sixty: {} confused pairs of stored positions in {} \
             families. A family goes or stays as a whole.",
            grouped(length.worst_pairs),
            families.len()
        ),
        header: header(["pairs", "squares", "set"]),
        rows: rows.collect(),
    })
}

fn lengths(lab: &Lab) -> Result<Drawing, Error> {
    let stored = lab.stored_census()?;
    let grounds = lab.grounds()?;
    let bits: Vec<u32> = (12..=20).collect();
    let keys = f64::from(draw::ESSAY_KEYS);
    let mut series = vec![
        Series { name: "sixty random keys, mean".into(), mark: Mark::Line, points: vec![] },
        Series { name: "the worst of them".into(), mark: Mark::Line, points: vec![] },
        Series { name: "largest distance".into(), mark: Mark::Line, points: vec![] },
        Series { name: "largest even distance".into(), mark: Mark::Line, points: vec![] },
        Series { name: "fitted to the board".into(), mark: Mark::Line, points: vec![] },
        Series { name: "by chance".into(), mark: Mark::Dashes, points: vec![] },
    ];
    let mut rows = Vec::new();
    for bits in bits {
        let length = lab.length(bits)?;
        let mut values = vec![Some(length.pairs as f64 / keys), Some(length.worst_pairs as f64)];
        for design in [Design::Distance, Design::EvenDistance, Design::BoardRead] {
            let mean = if bits < 20 {
                let codes = lab.design(design, bits as usize)?;
                let pairs: u64 = codes.iter().map(|code| grounds[1].confused(code)).sum();
                Some(pairs as f64 / codes.len() as f64)
            } else {
                None
            };
            values.push(mean);
        }
        values.push(Some(stored.pairs() as f64 / f64::from(bits).exp2()));
        // A logarithm has no place for nothing.
        for (series, value) in series.iter_mut().zip(&values) {
            series.points.extend(value.filter(|value| *value > 0.0).map(|v| (bits.into(), v)));
        }
        let cell = |value: &Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
        rows.push([bits.to_string()].into_iter().chain(values.iter().map(cell)).collect());
    }
    let names = series.iter().map(|series| series.name.clone());
    let header = ["bits".into()].into_iter().chain(names).collect();
    let chart = Chart {
        x: "bits of the key",
        y: "stored pairs confused",
        scale: Scale::Log,
        series,
        note: None,
    };
    let at = |bits: u32, column: usize| -> String {
        let row: &Vec<String> = &rows[bits as usize - 12];
        row[column].split('.').next().unwrap_or("").into()
    };
    Ok(Drawing {
        svg: chart.svg(),
        alternative: format!(
            "Line chart on a logarithmic scale from 12 to 20 bits. Random keys confuse half as \
             many pairs with each bit, {} at 12 bits; the code fitted to the board falls below \
             them from 15 bits on and to nothing at 18, where its line ends.",
            at(12, 1)
        ),
        caption: format!(
            "Each bit halves what random keys confuse on average. At 17 bits they confuse {} \
             pairs and a code fitted to the board {}; at 18 bits such a code confuses nothing, \
             and the line ends.",
            at(17, 1),
            at(17, 5)
        ),
        header,
        rows,
    })
}
