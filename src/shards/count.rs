//! Counting one shard: a sweep over the slices of both movers, then a transform back for
//! each difference.
//!
//! Every difference is checked by an identity of its own before it becomes a result: with
//! `N_g` positions in slice `g`, the pairs whose difference is `h` on the fixed squares are
//!
//! ```text
//! Σ_g N_g N_(g ^ h) / 2   for h ≠ 0          Σ_g N_g (N_g − 1) / 2   for h = 0
//! ```
//!
//! A count that passed the modulus would come out too small by a multiple of it, and no
//! count can come out too large: so the identity proves that all are right to size.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::plan::{Orbit, Plan};
use super::slices::{Layout, squeezed};
use crate::census::percentiles::{self, Counter, Values};
use crate::census::tally::{self, Tally};
use crate::census::{Size, pairs_of};
use crate::error::{Error, bytes};
use crate::memory::{self, Zeroed};
use crate::tier::{self, Tier};
use crate::walsh::{self, Modulus, Sum, WalshKernel};

/// Cells that are looked at together.
const CHUNK: usize = 1 << 16;

/// What is counted of a board, whatever the shard: the bitmaps of both movers.
pub struct Board {
    plan: Plan,
    /// Of every shard, in its order.
    orbits: Vec<Orbit>,
    layout: Layout,
    bitmaps: [Vec<u64>; 2],
    /// Positions of both movers by slice: the inner squares' value within the outer's.
    slices: [Vec<u64>; 2],
    modulus: Modulus,
}

/// What the differences of one shard, and their images, have come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Counts {
    /// Number of Left's and of Right's positions.
    pub positions: [u64; 2],
    /// By size of the set, smallest first; sizes without a set are left out.
    pub sizes: Vec<Size>,
    /// The counts themselves, by size as above.
    pub(crate) values: Vec<Values>,
    /// Sets on which no pair differs, in no order.
    pub free: Vec<u64>,
}

impl Board {
    /// Enumerates the plan's positions.
    ///
    /// # Errors
    /// More memory than is free, or more positions than are counted exactly.
    pub fn new(plan: &Plan) -> Result<Self, Error> {
        let needed = plan.cost().memory;
        let what = format!("a shard of {}", plan.board());
        memory::require(&what, needed, "; a smaller --memory makes smaller shards")?;
        let layout = Layout::new(plan.bits(), plan.inner(), plan.fixed() & !plan.inner());
        let bitmaps = plan.game().even_bitmaps(plan.board()).expect("the plan asked for them");
        let slices = bitmaps.each_ref().map(|bitmap| layout.counts(bitmap));
        let positions = slices.each_ref().map(|counts| counts.iter().sum());
        let modulus = modulus("--shards", positions)?;
        Ok(Self { plan: plan.clone(), orbits: plan.orbits(), layout, bitmaps, slices, modulus })
    }

    /// Number of Left's and of Right's positions.
    pub fn positions(&self) -> [u64; 2] {
        self.slices.each_ref().map(|counts| counts.iter().sum())
    }

    /// Steps that [`Board::count`] makes of a progress bar.
    pub fn steps(&self, shard: usize) -> u64 {
        let outer = self.plan.fixed() & !self.plan.inner();
        (2 << outer.count_ones()) + self.shard(shard).len() as u64
    }

    /// The orbits of one shard.
    fn shard(&self, shard: usize) -> &[Orbit] {
        let shards = self.orbits.chunks(self.plan.differences());
        shards.into_iter().nth(shard).expect("the shard is one of them")
    }

    /// Counts a shard, which is numbered from 0.
    ///
    /// # Errors
    /// More memory than is free.
    ///
    /// # Panics
    /// If an identity fails: a bug of ours, never a result.
    pub fn count(
        &self,
        shard: usize,
        ceiling: Tier,
        progress: &ProgressBar,
    ) -> Result<Counts, Error> {
        let orbits = self.shard(shard);
        let cells = self.cells(orbits, ceiling, progress)?;
        let check = |orbit: &Orbit, tallies: &[Tally]| self.check(orbit, tallies);
        Counts::of(&self.plan, self.positions(), orbits, &cells, ceiling, check)
    }

    /// The counts themselves of some differences, one after the other, in the order of
    /// [`Plan::set`].
    ///
    /// # Errors
    /// As [`Board::count`].
    pub fn cells(
        &self,
        orbits: &[Orbit],
        ceiling: Tier,
        progress: &ProgressBar,
    ) -> Result<Zeroed<u32>, Error> {
        let mut sums = self.sweep(orbits, ceiling, progress)?;
        let (_, kernel) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let (halvings, positions) = (self.plan.bits() as u32, self.positions());
        for (orbit, sum) in orbits.iter().zip(sums.chunks_exact_mut(self.layout.cells())) {
            kernel.back(sum, self.modulus);
            let zero = (orbit.difference == 0).then_some(positions);
            divide(
                kernel,
                sum,
                self.modulus,
                halvings,
                zero,
                &format_args!("{:#x}", orbit.difference),
            );
            progress.inc(1);
        }
        Ok(sums.cast())
    }

    /// The sums of squares of every slice, one for each orbit, signed as its difference has it.
    fn sweep(
        &self,
        orbits: &[Orbit],
        ceiling: Tier,
        progress: &ProgressBar,
    ) -> Result<Zeroed<i32>, Error> {
        let (_, kernel) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let (inner, fixed) = (self.plan.inner(), self.plan.fixed());
        let cells = self.layout.cells();
        let needed = 4 * (cells << inner.count_ones()) as u64 + (4 * cells * orbits.len()) as u64;
        let what = format!("a shard of {} beside its bitmaps", self.plan.board());
        memory::require_or(&what, needed, |_| {
            format!("; {} were planned for", bytes(self.plan.cost().memory))
        })?;
        let mut work = Zeroed::new(cells << inner.count_ones())?;
        let mut sums = Zeroed::new(cells * orbits.len())?;
        for bitmap in &self.bitmaps {
            for u in 0..1usize << (fixed & !inner).count_ones() {
                self.layout.signed_sums(bitmap, u, &mut work);
                kernel.forward32(&mut work);
                let sums = sums.chunks_exact_mut(cells);
                let entering = orbits.iter().zip(sums).map(|(orbit, cells)| Sum {
                    slice: squeezed(orbit.difference, inner),
                    negative: (u & squeezed(orbit.difference, fixed & !inner)).count_ones() % 2
                        == 1,
                    cells,
                });
                kernel.accumulate(&work, &mut entering.collect::<Vec<_>>(), self.modulus);
                progress.inc(1);
            }
        }
        Ok(sums)
    }

    /// Asserts what the counts of one difference on the fixed squares add up to.
    fn check(&self, orbit: &Orbit, tallies: &[Tally]) {
        let inner = self.plan.inner();
        let h = squeezed(orbit.difference, self.plan.fixed() & !inner) << inner.count_ones()
            | squeezed(orbit.difference, inner);
        let pairs = |counts: &Vec<u64>| -> u128 {
            let with = |g: usize| u128::from(counts[g ^ h]) - u128::from(h == 0);
            (0..counts.len())
                .filter(|&g| counts[g] > 0 && counts[g ^ h] > 0)
                .map(|g| u128::from(counts[g]) * with(g))
                .sum::<u128>()
                / 2
        };
        let want: u128 = self.slices.iter().map(pairs).sum();
        let found: u128 = tallies.iter().map(|tally| u128::from(tally.sum)).sum();
        assert_eq!(
            found, want,
            "pairs that differ by {:#x} on the fixed squares",
            orbit.difference
        );
    }
}

impl Counts {
    /// Nothing yet.
    pub(super) fn empty(plan: &Plan, positions: [u64; 2]) -> Self {
        let sizes = (1..=plan.board().squares() / 2).map(|half| Size {
            squares: 2 * half,
            sets: 0,
            pairs: 0,
            max: 0,
            free: 0,
        });
        let sizes: Vec<Size> = sizes.collect();
        let values = sizes.iter().map(|_| Values::new()).collect();
        Self { positions, sizes, values, free: Vec::new() }
    }

    /// What some orbits' cells, one orbit's after the other's, come to; `check` looks at each.
    pub(super) fn of(
        plan: &Plan,
        positions: [u64; 2],
        orbits: &[Orbit],
        cells: &[u32],
        ceiling: Tier,
        check: impl Fn(&Orbit, &[Tally]),
    ) -> Result<Self, Error> {
        let (_, kernel) = tier::pick(tally::KERNELS, None, ceiling)?;
        let mut counts = Self::empty(plan, positions);
        for (orbit, cells) in orbits.iter().zip(cells.chunks_exact(cells.len() / orbits.len())) {
            let tallies = tally::by_bits(kernel, cells);
            check(orbit, &tallies);
            counts.add(orbit, &tallies);
        }
        counts.add_values(plan, orbits, cells);
        counts.finish();
        Ok(counts)
    }

    /// Adds the tallies of an orbit's difference, for each of its images.
    fn add(&mut self, orbit: &Orbit, tallies: &[Tally]) {
        let images = orbit.images.len() as u64;
        for (bits, tally) in tallies.iter().enumerate() {
            // The empty set's cell is in no size: no other cell has no bits.
            let Some(element) = element(orbit, bits) else { continue };
            let size = &mut self.sizes[element];
            size.sets += images * tally.cells;
            size.pairs += images * tally.sum;
            size.max = size.max.max(tally.max);
            size.free += images * tally.zeros;
        }
    }

    /// Adds every count, and the free sets, of some orbits' differences and their images.
    fn add_values(&mut self, plan: &Plan, orbits: &[Orbit], cells: &[u32]) {
        let length = cells.len() / orbits.len();
        let most: Vec<u32> = self.sizes.iter().map(|size| size.max).collect();
        let of_images = |images: usize| -> Vec<Values> {
            let orbits = orbits.iter().zip(cells.chunks_exact(length));
            let orbits = orbits.filter(|(orbit, _)| orbit.images.len() == images);
            let parts = orbits.flat_map(|(orbit, cells)| {
                let chunks = cells.chunks(CHUNK).enumerate();
                chunks.map(move |(chunk, cells)| (orbit, chunk * CHUNK, cells))
            });
            let parts: Vec<(&Orbit, usize, &[u32])> = parts.collect();
            // A set of arrays is megabytes: one a thread.
            let share = parts.len().div_ceil(rayon::current_num_threads());
            let parts = parts.par_chunks(share.clamp(1, percentiles::MOST_CELLS / CHUNK));
            let parts = parts.map(|parts| {
                let mut counter = Counter::up_to(&most);
                for (orbit, first, cells) in parts {
                    let bits = 0..=plan.low().count_ones() as usize;
                    let element_of: Vec<_> = bits.map(|bits| element(orbit, bits)).collect();
                    counter.record(*first, cells, &element_of);
                }
                counter.values()
            });
            Values::sums(most.len(), parts)
        };
        // Orbits with equally many images together: their counts are multiplied but once.
        for images in 1..=8 {
            if orbits.iter().any(|orbit| orbit.images.len() == images) {
                let values = of_images(images);
                let sums = self.values.iter_mut().zip(&values);
                sums.for_each(|(sum, more)| sum.add_times(more, images as u64));
            }
        }
        for (orbit, cells) in orbits.iter().zip(cells.chunks_exact(length)) {
            let empty = cells.par_iter().enumerate().filter(|(_, count)| **count == 0);
            let images = empty.flat_map_iter(|(cell, _)| {
                // The empty set is not one of them.
                let set = Some(plan.set(orbit, cell)).filter(|&set| set != 0);
                let image =
                    move |set| orbit.images.iter().map(move |&s| plan.board().image(s, set));
                set.into_iter().flat_map(image)
            });
            self.free.par_extend(images);
        }
    }

    /// Leaves out the sizes that no set has.
    fn finish(&mut self) {
        let kept: Vec<bool> = self.sizes.iter().map(|size| size.sets > 0).collect();
        let mut keep = kept.iter();
        self.sizes.retain(|_| *keep.next().expect("one a size"));
        let mut keep = kept.iter();
        self.values.retain(|_| *keep.next().expect("one a size"));
    }

    /// Asserts that nothing is missing and nothing there twice.
    pub(super) fn check(&mut self, plan: &Plan) {
        self.finish();
        let sets: u64 = self.sizes.iter().map(|size| size.sets).sum();
        assert_eq!(sets, (1 << plan.bits()) - 1, "every even set has one cell");
        let pairs: u64 = self.sizes.iter().map(|size| size.pairs).sum();
        assert_eq!(pairs, self.pairs(), "the census must count every same-mover pair once");
        let free: u64 = self.sizes.iter().map(|size| size.free).sum();
        assert_eq!(free, self.free.len() as u64, "every free set is listed");
    }

    /// The counts at `shares` of the sets of each size, as
    /// [`Census::percentiles`](crate::census::Census::percentiles) has them.
    pub fn percentiles(&self, shares: &[f64]) -> Vec<Vec<u64>> {
        let of_size = |(size, values): (&Size, &Values)| {
            shares.iter().map(|&share| values.at(share).min(size.max.into())).collect()
        };
        self.sizes.iter().zip(&self.values).map(of_size).collect()
    }

    /// Number of same-mover pairs of positions.
    pub fn pairs(&self) -> u64 {
        self.positions.into_iter().map(pairs_of).sum()
    }

    /// The counts of some shards together, if there are any; of all of them
    /// [`Counts::check`] makes a whole.
    ///
    /// # Errors
    /// The first of the parts'.
    pub(super) fn sum<E>(
        plan: &Plan,
        parts: impl IntoIterator<Item = Result<Self, E>>,
    ) -> Result<Option<Self>, E> {
        let mut whole: Option<Self> = None;
        for part in parts {
            let part = part?;
            whole.get_or_insert_with(|| Self::empty(plan, part.positions)).merge(part);
        }
        Ok(whole)
    }

    /// Adds the counts of another shard.
    pub(super) fn merge(&mut self, other: Self) {
        assert_eq!(self.positions, other.positions, "shards of one board");
        for (size, values) in other.sizes.into_iter().zip(other.values) {
            let at = self.sizes.iter().position(|mine| mine.squares == size.squares);
            let at = at.expect("sums begin with every size");
            let mine = &mut self.sizes[at];
            mine.sets += size.sets;
            mine.pairs += size.pairs;
            mine.max = mine.max.max(size.max);
            mine.free += size.free;
            self.values[at].add_times(&values, 1);
        }
        self.free.extend(other.free);
    }
}

/// The modulus for two movers of so many positions: above the size of every value of a
/// mover's transform and, where there is one, above every count.
///
/// # Errors
/// A mover with more positions than are counted exactly, as what `argument` asks for.
pub(super) fn modulus(argument: &str, [left, right]: [u64; 2]) -> Result<Modulus, Error> {
    let most = Modulus::LARGEST;
    if left.max(right) > most {
        let problem = format!("{left} and {right} positions: at most {most} are counted exactly");
        return Err(Error::argument(argument, problem));
    }
    Ok(Modulus::above((left + right).min(most)).expect("it is not above the largest"))
}

/// The element of [`Counts::sizes`] for cells with so many bits, before any is left out.
fn element(orbit: &Orbit, bits: usize) -> Option<usize> {
    (bits + orbit.difference.count_ones() as usize).div_ceil(2).checked_sub(1)
}

/// From residues that were transformed back to counts, checked: none may be half of an odd
/// number, and the first, if it is the empty set's, must be the positions of both movers.
/// `of` says in a failure whose counts they are.
pub(super) fn divide(
    kernel: &dyn WalshKernel,
    residues: &mut [i32],
    modulus: Modulus,
    halvings: u32,
    zero: Option<[u64; 2]>,
    of: &dyn std::fmt::Display,
) {
    if let Some(positions) = zero {
        let total: u64 = positions.iter().sum();
        let found = u64::from(modulus.quotient(residues[0], halvings));
        let want = total % modulus.value() as u64;
        assert_eq!(found, want, "the zero cell must be the {total} positions");
        residues[0] = 0;
    }
    let odd = kernel.quotients(bytemuck::cast_slice_mut(residues), modulus, halvings);
    assert_eq!(odd & 1, 0, "a pair count of {of} is half of an odd number");
}
