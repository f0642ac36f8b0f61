//! What short keys get wrong in a search's table.

use super::plot::{Chart, Mark, Scale, Series};
use super::{Drawing, Figure, header};
use crate::draw;
use crate::error::Error;
use crate::experiment::Lab;

pub(super) const CHECK_BITS: Figure = Figure {
    name: "check-bits",
    title: "Wrong verdicts in a table of ten address bits, by check bits",
    command: "zlab table 4x5 --splits 10+0,10+1,10+2,10+3,10+4,10+5,10+6,10+7,10+8",
    draw: check_bits,
};

fn check_bits(lab: &Lab) -> Result<Drawing, Error> {
    let mut rows = Vec::new();
    let (mut mean, mut worst, mut winners) = (vec![], vec![], vec![]);
    for check in 0..=8u32 {
        let keys = lab.table(10, check)?;
        let count = f64::from(draw::ESSAY_KEYS);
        let wrong: u64 = keys.iter().map(|key| key.wrong).sum();
        let most = keys.iter().map(|key| key.wrong).max().unwrap_or(0);
        let winner = keys.iter().filter(|key| key.winner_wrong).count();
        let searched: u64 = keys.iter().map(|key| key.searched).sum();
        mean.push((f64::from(check), wrong as f64 / count));
        worst.push((f64::from(check), most as f64));
        winners.push((f64::from(check), winner as f64));
        rows.push(vec![
            check.to_string(),
            format!("{:.3}", wrong as f64 / count),
            most.to_string(),
            winner.to_string(),
            format!("{:.1}", searched as f64 / count),
        ]);
    }
    let series = |name: &str, points| Series { name: name.into(), mark: Mark::Line, points };
    let (first, last) = (mean[0].1, mean[8]);
    let worst_last = worst[8].1;
    let chart = Chart {
        x: "check bits beside each verdict",
        y: "wrong verdicts stored; keys",
        scale: Scale::Log,
        series: vec![
            series("mean of sixty keys", mean),
            series("worst key", worst),
            series("keys with a wrong winner", winners),
        ],
        note: None,
    };
    Ok(Drawing {
        svg: chart.svg(),
        alternative: format!(
            "Line chart on a logarithmic scale from no check bits to eight. The mean falls from \
             {first:.0} to {:.2}, about by half with each bit after the first; the worst key falls \
             more slowly, to {worst_last}.",
            last.1
        ),
        caption: format!(
            "A check bit halves the average ({first:.0} wrong verdicts without a check, {:.2} with \
             eight bits) and not the key: the worst of sixty still stores {worst_last}.",
            last.1
        ),
        header: header([
            "check bits",
            "wrong, mean",
            "wrong, worst key",
            "keys with a wrong winner",
            "positions searched, mean",
        ]),
        rows,
    })
}
