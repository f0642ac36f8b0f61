//! The pipeline that the census is measured against: radix 2, one stage at a time, in `i64`.

use zobrist_lab::positions::Positions;

/// What one writes first: indicators in `i64`, radix-2 stages, squares, back, divided.
/// With a cell for every set, or for every even one: then the highest square is dropped.
pub(crate) fn naive_pipeline(positions: &Positions, sum: &mut [i64], cells: &mut [i64]) {
    let size = sum.len();
    sum.fill(0);
    for list in positions.both() {
        cells.fill(0);
        list.iter().for_each(|set| cells[*set as usize & (size - 1)] = 1);
        radix_two(cells);
        sum.iter_mut().zip(&*cells).for_each(|(sum, cell)| *sum += cell * cell);
    }
    radix_two(sum);
    sum.iter_mut().for_each(|cell| *cell >>= size.ilog2() + 1);
}

fn radix_two(cells: &mut [i64]) {
    let mut half = 1;
    while half < cells.len() {
        for block in cells.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}
