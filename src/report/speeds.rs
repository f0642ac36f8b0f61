//! How fast the kernels are, how near to memory's speed, and which road wins.
//!
//! Times are the least of several: a figure is of the code, not of what else
//! the machine does.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::plot::{Bars, Chart, Mark, Scale, Series};
use super::{Drawing, Figure, header};
use crate::census::{Census, Road};
use crate::cmd::grouped;
use crate::draw;
use crate::error::Error;
use crate::experiment::Lab;
use crate::experiment::lab::board;
use crate::tier::{self, Tier};
use crate::{keys, pairs, walsh};

/// What measures these: no other command has the same numbers side by side.
const THIS: &str = "zlab report";

pub(super) const KERNELS: Figure = Figure {
    name: "kernels",
    title: "How fast the kernels are on one thread",
    command: THIS,
    draw: kernels,
};

pub(super) const ROOFLINE: Figure = Figure {
    name: "roofline",
    title: "Transforms against the memory's roof",
    command: THIS,
    draw: roofline,
};

pub(super) const ROADS: Figure =
    Figure { name: "roads", title: "Time of a census, by road", command: THIS, draw: roads };

/// Seconds of one call, the least of three or more, of two if those take four times `limit`.
fn least(limit: Duration, mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    let mut turns = 0;
    while turns < 3 || (start.elapsed() < limit && turns < 1000) {
        let turn = Instant::now();
        work();
        least = least.min(turn.elapsed().as_secs_f64());
        turns += 1;
        if turns == 2 && start.elapsed() > 4 * limit {
            break;
        }
    }
    least
}

fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread starts").install(work)
}

const TURN: Duration = Duration::from_millis(150);

fn kernels(lab: &Lab) -> Result<Drawing, Error> {
    let positions = lab.reachable(lab.four_by_five())?;
    let total = positions.total() as f64;
    let words: Vec<u64> = draw::top_bits(&draw::essay_words(1, 20), 32);
    let (mut rows, mut groups, mut roof) = (Vec::new(), Vec::new(), 0.0);
    on_one_thread(|| {
        let mut cells = vec![0; 1 << 19];
        for kernel in tier::available(pairs::KERNELS) {
            let implementation = kernel.get().expect("it is available");
            let seconds = least(TURN, || {
                positions.both().into_iter().for_each(|list| {
                    implementation.differences(list, black_box(&mut cells));
                });
            });
            let rate = positions.pairs() as f64 / seconds * 1e-9;
            rows.push(vec![
                "pairs".into(),
                kernel.name.into(),
                format!("{rate:.4}"),
                "G pairs/s".into(),
            ]);
            groups.push((format!("pairs/{}", kernel.name), vec![Some(rate), None]));
        }
        let mut keyed = vec![0u64; positions.left.len().max(positions.right.len())];
        for kernel in tier::available(keys::KERNELS) {
            let implementation = kernel.get().expect("it is available");
            let seconds = least(TURN, || {
                positions.both().into_iter().for_each(|list| {
                    implementation.keys(&words, list, black_box(&mut keyed[..list.len()]));
                });
            });
            let rate = total / seconds * 1e-9;
            rows.push(vec![
                "keys".into(),
                kernel.name.into(),
                format!("{rate:.4}"),
                "G positions/s".into(),
            ]);
            groups.push((format!("keys/{}", kernel.name), vec![None, Some(rate)]));
        }
        // Each position is read and each key written, so a copy is the most that can be had.
        let seconds = least(TURN, || {
            positions.both().into_iter().for_each(|list| {
                black_box(&mut keyed[..list.len()]).copy_from_slice(black_box(list));
            });
        });
        roof = total / seconds * 1e-9;
    });
    rows.push(vec!["keys".into(), "roof".into(), format!("{roof:.4}"), "G positions/s".into()]);
    let best = |family: usize| {
        let rates = groups.iter().filter_map(|(name, rates)| Some((name, rates[family]?)));
        rates.max_by(|a, b| a.1.total_cmp(&b.1)).expect("a scalar kernel is there")
    };
    let of = |name: &str, family: usize| {
        let found = groups.iter().find(|(kernel, _)| kernel == name);
        found.and_then(|(_, rates)| rates[family]).expect("a scalar kernel is there")
    };
    let ((pair, pair_rate), (key, key_rate)) = (best(0), best(1));
    let caption = format!(
        "Of all kernels this machine offers, {pair} counts {:.0} times as many pairs a second as \
         pairs/scalar, and {key} keys {:.1} times as many positions as keys/scalar; 4x5, one \
         thread. The red line is the roof of the keys: copying the positions, {roof:.1} G a second.",
        pair_rate / of("pairs/scalar", 0),
        key_rate / of("keys/scalar", 1)
    );
    let alternative = format!(
        "Bars by kernel: G pairs a second for the family pairs, at most {pair_rate:.1} by {pair}; \
         G positions a second for the family keys, at most {key_rate:.1} by {key}, where a copy \
         of the positions does {roof:.1}."
    );
    let names = ["G pairs a second".into(), "G positions a second".into()];
    let bounds = groups.iter().map(|(_, rates)| rates[1].map(|_| roof)).collect();
    Ok(Drawing {
        svg: Bars { unit: "", names: names.into(), groups, bounds }.svg(),
        alternative,
        caption,
        header: header(["family", "kernel", "rate", "unit"]),
        rows,
    })
}

fn roofline(_: &Lab) -> Result<Drawing, Error> {
    let sizes: Vec<u32> = (10..=24).step_by(2).collect();
    let mut series = Vec::new();
    let mut rows: Vec<Vec<String>> = sizes.iter().map(|size| vec![size.to_string()]).collect();
    let mut names = vec!["log2 of the cells".to_owned()];
    let rate = |size: u32, seconds: f64| f64::from(size) * f64::from(size).exp2() / seconds * 1e-9;
    let mut add = |name: String, mark, seconds: &mut dyn FnMut(u32) -> f64| {
        let mut points = Vec::new();
        for (&size, row) in sizes.iter().zip(&mut rows) {
            let rate = rate(size, seconds(size));
            row.push(format!("{rate:.4}"));
            points.push((f64::from(size), rate));
        }
        names.push(name.clone());
        series.push(Series { name, mark, points });
    };
    on_one_thread(|| {
        for kernel in tier::available(walsh::KERNELS) {
            // The definition takes a day at these sizes.
            if kernel.name == "oracle" {
                continue;
            }
            let implementation = kernel.get().expect("it is available");
            add(format!("walsh/{}", kernel.name), Mark::Line, &mut |size| {
                // Not zero, which would leave the pages to be made in the first turn.
                let mut cells = vec![1i32; 1 << size];
                least(TURN / 4, || implementation.forward32(black_box(&mut cells)))
            });
        }
        // Every stage in one pass over the memory is the most that can be had.
        add("roof: one copy of the cells".into(), Mark::Dashes, &mut |size| {
            let (from, mut to) = (vec![1i32; 1 << size], vec![1i32; 1 << size]);
            least(TURN / 4, || black_box(&mut to).copy_from_slice(black_box(&from)))
        });
    });
    let last = |row: usize| rows[row].last().expect("the roof").clone();
    let best = &rows[rows.len() - 1];
    let fastest = best[1..best.len() - 1].iter().filter_map(|rate| rate.parse::<f64>().ok());
    let fastest = fastest.fold(0.0, f64::max);
    let chart = Chart {
        x: "log2 of the cells, i32",
        y: "G cell-stages a second",
        scale: Scale::Log,
        series,
        note: None,
    };
    Ok(Drawing {
        svg: chart.svg(),
        alternative: format!(
            "Line chart on a logarithmic scale of cell-stages a second against the size of the \
             transform, one line a kernel, and the roof that copying the cells once would set: \
             {} at 2^10 and {} at 2^24, where the fastest kernel does {fastest:.1}.",
            last(0),
            last(rows.len() - 1)
        ),
        caption: format!(
            "A transform of 2^n cells has n stages. Were all done in the time of one copy, it would \
             be on the dashed roof; at 2^24 cells the fastest kernel does {fastest:.1} G \
             cell-stages a second on one thread."
        ),
        header: names,
        rows,
    })
}

/// Pairs that a road by pairs is asked for at the most: about a second of them.
const MOST_PAIRS: u128 = 20_000_000_000;

fn roads(lab: &Lab) -> Result<Drawing, Error> {
    let boards =
        ["2x3", "2x4", "3x3", "2x5", "3x4", "2x7", "3x5", "4x4", "3x6", "4x5", "3x7", "4x6", "5x5"];
    let (mut rows, mut points) = (Vec::new(), [vec![], vec![], vec![]]);
    let best_pairs = format!("pairs/{}", tier::pick(pairs::KERNELS, None, Tier::best())?.0.name);
    let best_walsh = format!("walsh/{}", tier::pick(walsh::KERNELS, None, Tier::best())?.0.name);
    for name in boards {
        let board = board(name);
        let positions = lab.reachable(board)?;
        let mut row =
            vec![name.to_owned(), board.squares().to_string(), positions.pairs().to_string()];
        let roads = [
            ("pairs/scalar".to_owned(), MOST_PAIRS / 20),
            (best_pairs.clone(), MOST_PAIRS),
            (best_walsh.clone(), u128::MAX),
        ];
        for ((road, most), points) in roads.into_iter().zip(&mut points) {
            if positions.pairs() > most {
                row.push(String::new());
                continue;
            }
            let road = Road::choose(&road, Tier::best(), &positions)?;
            let mut failed = None;
            let seconds = least(TURN / 4, || {
                failed = Census::take(&positions, &road).map(black_box).err();
            });
            if let Some(error) = failed {
                return Err(error);
            }
            points.push((board.squares() as f64, seconds * 1e3));
            row.push(format!("{:.6}", seconds * 1e3));
        }
        rows.push(row);
    }
    let cell = |row: &Vec<String>, column: usize| row[column].parse::<f64>().ok();
    let faster = |row: &&Vec<String>| cell(row, 5) < cell(row, 4).or(Some(f64::INFINITY));
    let crossed = rows.iter().find(faster);
    let crossing = crossed.map_or("none of these", |row| row[0].as_str());
    let note = crossed.and_then(|row| Some((cell(row, 1)?, format!("crossover: {crossing}"))));
    let mut means = points.map(|mut points: Vec<(f64, f64)>| {
        points.sort_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
        points
    });
    let names = ["pairs/scalar", &best_pairs, &best_walsh];
    let series = names.into_iter().zip(&mut means).map(|(name, points)| Series {
        name: name.into(),
        mark: Mark::Line,
        points: std::mem::take(points),
    });
    let chart = Chart {
        x: "squares of the board",
        y: "milliseconds",
        scale: Scale::Log,
        series: series.collect(),
        note,
    };
    let largest = &rows[rows.len() - 1];
    Ok(Drawing {
        svg: chart.svg(),
        alternative: format!(
            "Line chart on a logarithmic scale of milliseconds a census against squares of the \
             board. Counting pairs wins on the smallest boards; from {crossing} on the transform \
             is faster, and the gap widens."
        ),
        caption: format!(
            "Counting pairs one by one takes time with their number, a transform with the number of \
             sets. They cross at {crossing}; on {} there are {} pairs, which only the transform \
             counts in {} ms. {} threads.",
            largest[0],
            grouped(largest[2].parse::<u128>().expect("a count")),
            largest[5].split('.').next().unwrap_or(""),
            rayon::current_num_threads()
        ),
        header: header([
            "board",
            "squares",
            "pairs",
            "pairs/scalar ms",
            "best pairs ms",
            "best walsh ms",
        ]),
        rows,
    })
}
