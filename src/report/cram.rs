//! How often Cram's pairing check fires, and how often it is wrong.

use super::plot::{Chart, Mark, Scale, Series};
use super::{Drawing, Figure, header};
use crate::cmd::grouped;
use crate::error::Error;
use crate::experiment::Lab;
use crate::pairing::Counts;

pub(super) const DEPTHS: Figure = Figure {
    name: "cram",
    title: "Cram's pairing check on 4x5, by dominoes placed",
    command: "zlab cram 4x5 --clause naive; zlab cram 4x5",
    draw: depths,
};

fn depths(lab: &Lab) -> Result<Drawing, Error> {
    let board = lab.four_by_five();
    let (naive, repaired) = (lab.firings(board, false)?, lab.firings(board, true)?);
    let share = |over: u64, under: u64| 100.0 * over as f64 / under as f64;
    let line = |counts: &[Counts], of: fn(&Counts) -> (u64, u64)| -> Vec<(f64, f64)> {
        let shares = counts.iter().enumerate().map(|(n, counts)| (n, of(counts)));
        let shares = shares.filter(|(_, (_, under))| *under > 0);
        shares.map(|(n, (over, under))| (n as f64, share(over, under))).collect()
    };
    let wins = |counts: &Counts| (counts.fires_on_wins, counts.wins);
    let wrong = |counts: &Counts| (counts.wrong, counts.fires);
    let series = |name: &str, points| Series { name: name.into(), mark: Mark::Line, points };
    let chart = Chart {
        x: "dominoes placed",
        y: "per cent",
        scale: Scale::Linear,
        series: vec![
            series("wins it fires on, repaired", line(&repaired.by_dominoes, wins)),
            series("wins it fires on, naive", line(&naive.by_dominoes, wins)),
            series("naive firings that are wrong", line(&naive.by_dominoes, wrong)),
        ],
        note: None,
    };
    let rows = naive.by_dominoes.iter().zip(&repaired.by_dominoes).enumerate();
    let rows = rows.map(|(dominoes, (naive, repaired))| {
        let counts = [
            naive.positions,
            naive.wins,
            naive.fires,
            naive.wrong,
            naive.fires_on_wins,
            repaired.fires,
            repaired.wrong,
            repaired.fires_on_wins,
        ];
        [dominoes.to_string()].into_iter().chain(counts.map(|count| count.to_string())).collect()
    });
    let (all, sound) = (naive.total, repaired.total);
    Ok(Drawing {
        svg: chart.svg(),
        alternative: "Line chart of shares by dominoes placed, none to ten. The check fires on \
                      most wins at the start and near the end of a game and on few between; the \
                      naive check is wrong in the middle of the game."
            .into(),
        caption: format!(
            "Without the clause the check fires on {} of {} positions and is wrong on {}; with it \
             on {}, and is wrong on {}.",
            grouped(all.fires),
            grouped(all.positions),
            grouped(all.wrong),
            grouped(sound.fires),
            grouped(sound.wrong)
        ),
        header: header([
            "dominoes",
            "positions",
            "wins",
            "naive fires",
            "naive wrong",
            "naive on wins",
            "repaired fires",
            "repaired wrong",
            "repaired on wins",
        ]),
        rows: rows.collect(),
    })
}
