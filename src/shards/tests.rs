//! Shards against the census that has every cell in memory.

use indicatif::ProgressBar;

use super::*;
use crate::census::{Census, Road};
use crate::game::domineering::Domineering;
use crate::positions::enumerate;
use crate::tier::Tier;

/// All shards of a plan, and the census of its board by the direct road.
fn both_roads(board: &str, plan: &Plan, tier: Tier) -> (Counts, Census) {
    let counted = Board::new(plan).unwrap();
    let mut whole = Counts::empty(plan, counted.positions());
    for shard in 0..plan.shards() {
        whole.merge(counted.count(shard, tier, &ProgressBar::hidden()).unwrap());
    }
    whole.check(plan);
    let positions = enumerate(&Domineering, board.parse().unwrap()).unwrap();
    let road = Road::auto(tier, &positions).unwrap();
    (whole, Census::take(&positions, &road).unwrap())
}

#[test]
fn shards_add_up_to_the_direct_census() {
    for (board, fixed, inner, differences) in [
        ("4x5", &[7, 12][..], 0, 1),
        ("4x5", &[6, 8, 11, 13], 0, 7),
        ("4x5", &[6, 8, 11, 13], 3, 2),
        ("4x5", &[6, 7, 8, 11, 12, 13], 4, 5),
        ("4x6", &[6, 11, 12, 17], 2, 3),
        ("4x6", &[6, 7, 10, 11, 12, 13, 16, 17], 3, 30),
        ("5x5", &[12], 1, 1),
        ("5x5", &[6, 8, 12, 16, 18], 1, 2),
        ("2x8", &[], 0, 1),
        ("3x6", &[7, 10], 0, 2),
    ] {
        let plan = Plan::with(board.parse().unwrap(), fixed, inner, differences).unwrap();
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available()) {
            if tier == Tier::Scalar && board != "4x5" {
                continue;
            }
            println!("{board} {fixed:?} {tier}");
            let (mut shards, census) = both_roads(board, &plan, tier);
            assert_eq!(shards.sizes, census.price_list(), "{board} {fixed:?}");
            let mut free = census.free_sets();
            free.sort_unstable();
            shards.free.sort_unstable();
            assert_eq!(shards.free, free, "{board} {fixed:?}");
            let shares = [0.0, 0.5, 0.9, 0.99, 1.0];
            assert_eq!(
                shards.percentiles(&shares),
                census.percentiles(&census.price_list(), &shares)
            );
            assert_eq!(shards.pairs(), census.pairs());
        }
    }
}

#[test]
fn every_cell_is_the_direct_censuss() {
    for (board, fixed, inner) in
        [("4x5", &[7, 12][..], 1), ("4x5", &[6, 8, 11, 13], 2), ("4x6", &[6, 11, 12, 17], 1)]
    {
        let plan = Plan::with(board.parse().unwrap(), fixed, inner, 100).unwrap();
        let counted = Board::new(&plan).unwrap();
        let positions = enumerate(&Domineering, board.parse().unwrap()).unwrap();
        let road = Road::auto(Tier::best(), &positions).unwrap();
        let census = Census::take(&positions, &road).unwrap();
        let mut met = 0;
        let orbits = plan.shard(0);
        let all = counted.cells(&orbits, Tier::best(), &ProgressBar::hidden()).unwrap();
        for (orbit, cells) in orbits.iter().zip(all.chunks_exact(all.len() / orbits.len())) {
            for (cell, &count) in cells.iter().enumerate() {
                let set = plan.set(orbit, cell);
                for &symmetry in &orbit.images {
                    let image = plan.board().image(symmetry, set);
                    assert_eq!(count, census.count(image), "{board}: {image:#x}");
                    met += 1;
                }
            }
        }
        assert_eq!(met, census.cells().len(), "{board}: every cell once");
    }
}
