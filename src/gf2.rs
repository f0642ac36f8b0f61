//! Linear algebra over the field of two elements, on machine words.
//!
//! A vector is an unsigned integer, one coordinate a bit, and `^` is addition.
//! A matrix is the list of its columns or of its rows; each function says which.
//!
//! ```text
//! columns 001 010 011 000      011 = 001 + 010, and 000 is no use
//! kernel  {0,1,2} and {3}      the sets of columns that add up to nothing
//! rows    0101 0110            the same matrix, transposed
//! ```
//!
//! ```
//! use zobrist_lab::gf2;
//! let columns = [0b001u64, 0b010, 0b011, 0b000];
//! assert_eq!(gf2::kernel(&columns), [0b0111, 0b1000]);
//! assert_eq!(gf2::rank(&columns), 2);
//! assert_eq!(gf2::transpose(&columns, 2), [0b0101, 0b0110]);
//! ```

use std::ops::BitXor;

/// Machine words that serve as vectors: `u16` to `u128`. Zero is the default.
pub trait Vector: Copy + Ord + Default + BitXor<Output = Self> {}

impl<T: Copy + Ord + Default + BitXor<Output = T>> Vector for T {}

/// `vector` less what `basis` explains of it. In `basis` no leading bit occurs
/// in a later vector; bases that this module makes are such.
///
/// A vector with the leading bit of `b` becomes smaller by adding `b` and one
/// without it larger, so the smaller of the two is the one without.
pub fn remainder<V: Vector>(basis: &[V], vector: V) -> V {
    basis.iter().fold(vector, |vector, &b| vector.min(vector ^ b))
}

/// The reduced basis of the span of `vectors`, ascending: each vector's leading
/// (highest) bit occurs in no other. Two lists span the same space exactly if
/// their reduced bases are equal.
///
/// ```
/// assert_eq!(zobrist_lab::gf2::reduced(&[0b110u64, 0b011, 0b101, 0]), [0b011, 0b101]);
/// ```
pub fn reduced<V: Vector>(vectors: &[V]) -> Vec<V> {
    let mut basis: Vec<V> = Vec::new();
    for &vector in vectors {
        extend(&mut basis, vector);
    }
    basis.sort_unstable();
    basis
}

/// Adds `vector` to a reduced basis in any order, which stays reduced, and
/// says whether it was new.
pub fn extend<V: Vector>(basis: &mut Vec<V>, vector: V) -> bool {
    let rest = remainder(basis, vector);
    if rest == V::default() {
        return false;
    }
    basis.iter_mut().for_each(|b| *b = (*b).min(*b ^ rest));
    basis.push(rest);
    true
}

/// Dimension of the span of `vectors`.
pub fn rank<V: Vector>(vectors: &[V]) -> usize {
    let mut basis = Vec::new();
    for &vector in vectors {
        let rest = remainder(&basis, vector);
        if rest != V::default() {
            basis.push(rest);
        }
    }
    basis.len()
}

/// The kernel of the matrix with these columns: the reduced basis of the sets
/// of columns that add up to zero, a set of columns being a `u64`.
///
/// # Panics
/// With more than 64 columns.
pub fn kernel<V: Vector>(columns: &[V]) -> Vec<u64> {
    assert!(columns.len() <= 64, "{} columns: a set of them is 64 bits", columns.len());
    // Independent sums of columns, each with the set of columns it is the sum of.
    let mut sums: Vec<(V, u64)> = Vec::with_capacity(columns.len());
    let mut kernel = Vec::new();
    for (index, &column) in columns.iter().enumerate() {
        let (mut rest, mut set) = (column, 1 << index);
        for &(sum, of) in &sums {
            if rest ^ sum < rest {
                rest = rest ^ sum;
                set ^= of;
            }
        }
        if rest == V::default() {
            extend(&mut kernel, set);
        } else {
            sums.push((rest, set));
        }
    }
    kernel.sort_unstable();
    kernel
}

/// The sum of the columns in `set`: the matrix with these columns, times `set`.
///
/// ```
/// assert_eq!(zobrist_lab::gf2::times(&[0b001u64, 0b010, 0b110], 0b101), 0b111);
/// ```
///
/// # Panics
/// If `set` has a bit at or above the number of columns.
pub fn times<V: Vector>(columns: &[V], set: u64) -> V {
    crate::board::squares_of(set).fold(V::default(), |sum, column| sum ^ columns[column])
}

/// Rows from columns, or columns from rows: bit `i` of the `j`-th result is bit
/// `j` of the `i`-th vector. `width` is the number of results.
///
/// # Panics
/// With more than 64 vectors or a width above 128.
pub fn transpose<V: Copy + Into<u128>>(vectors: &[V], width: usize) -> Vec<u64> {
    assert!(vectors.len() <= 64 && width <= 128, "{} vectors, {width} wide", vectors.len());
    let bit = |vector: V, place: usize| (vector.into() >> place & 1) as u64;
    let across = |place| vectors.iter().rev().fold(0, |row, &v| row << 1 | bit(v, place));
    (0..width).map(across).collect()
}

/// The inverse of a square matrix, given and returned by columns; nothing if it
/// has none.
///
/// ```
/// use zobrist_lab::gf2;
/// let inverse = gf2::inverse(&[0b11, 0b10]).unwrap();
/// assert_eq!(inverse, [0b11, 0b10]);
/// assert_eq!(gf2::inverse(&[0b11, 0b11]), None);
/// ```
///
/// # Panics
/// If a column has a bit at or above the number of columns.
pub fn inverse(columns: &[u64]) -> Option<Vec<u64>> {
    let side = columns.len();
    let stray = columns.iter().find(|column| column.checked_shr(side as u32).unwrap_or(0) != 0);
    assert!(stray.is_none(), "{stray:?} has a bit beyond {side} rows");
    // Each column beside the unit vector it is the image of; the images are
    // brought to unit vectors, whose sources are then the inverse's columns.
    let mut pairs: Vec<(u64, u64)> =
        columns.iter().enumerate().map(|(index, &column)| (column, 1 << index)).collect();
    for place in 0..side {
        let pivot = (place..side).find(|&index| pairs[index].0 >> place & 1 == 1)?;
        pairs.swap(place, pivot);
        let (column, source) = pairs[place];
        for (index, pair) in pairs.iter_mut().enumerate() {
            if index != place && pair.0 >> place & 1 == 1 {
                *pair = (pair.0 ^ column, pair.1 ^ source);
            }
        }
    }
    Some(pairs.into_iter().map(|(_, source)| source).collect())
}

/// Every vector of the span of a basis, the zero vector first, each one basis
/// vector away from the one before (the order of Gray's code).
///
/// ```
/// let span: Vec<u64> = zobrist_lab::gf2::span(&[0b01u64, 0b10]).collect();
/// assert_eq!(span, [0b00, 0b01, 0b11, 0b10]);
/// ```
///
/// # Panics
/// With 64 basis vectors or more: nobody lives to see the last of their sums.
pub fn span<V: Vector>(basis: &[V]) -> impl Iterator<Item = V> {
    assert!(basis.len() < 64, "a span of dimension {}", basis.len());
    let mut vector = V::default();
    (0..1u64 << basis.len()).map(move |step| {
        if step > 0 {
            vector = vector ^ basis[step.trailing_zeros() as usize];
        }
        vector
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The definition of a span: sums of all subsets.
    fn sums(vectors: &[u64]) -> BTreeSet<u64> {
        (0..1u64 << vectors.len()).map(|set| times(vectors, set)).collect()
    }

    proptest! {
        #[test]
        fn bases_span_what_their_vectors_span(
            vectors in prop::collection::vec(0u64..64, 0..9)
        ) {
            let (space, basis) = (sums(&vectors), reduced(&vectors));
            prop_assert_eq!(&span(&basis).collect::<BTreeSet<_>>(), &space);
            prop_assert_eq!(1 << rank(&vectors), space.len());
            for vector in 0..64 {
                prop_assert_eq!(remainder(&basis, vector) == 0, space.contains(&vector));
            }
            for (index, b) in basis.iter().enumerate() {
                for (other, c) in basis.iter().enumerate() {
                    prop_assert_eq!(c >> b.ilog2() & 1 == 1, index == other);
                }
            }
        }

        #[test]
        fn kernels_are_the_sets_of_columns_that_cancel(
            columns in prop::collection::vec(0u64..32, 0..10)
        ) {
            let cancel: BTreeSet<u64> =
                (0..1 << columns.len()).filter(|&set| times(&columns, set) == 0).collect();
            let basis = kernel(&columns);
            prop_assert_eq!(&span(&basis).collect::<BTreeSet<_>>(), &cancel);
            prop_assert_eq!(reduced(&basis), basis);
            let wide: Vec<u128> = columns.iter().map(|&column| u128::from(column) << 90).collect();
            prop_assert_eq!(kernel(&wide), kernel(&columns));
        }

        #[test]
        fn inverses_undo_and_exist_at_full_rank(
            columns in (1usize..7).prop_flat_map(|side| {
                prop::collection::vec(0u64..1 << side, side)
            })
        ) {
            let side = columns.len();
            match inverse(&columns) {
                None => prop_assert!(rank(&columns) < side),
                Some(inverse) => {
                    for vector in 0..1 << side {
                        prop_assert_eq!(times(&inverse, times(&columns, vector)), vector);
                    }
                }
            }
        }

        #[test]
        fn transposing_twice_changes_nothing(
            vectors in prop::collection::vec(any::<u128>(), 0..64)
        ) {
            let rows = transpose(&vectors, 128);
            for (place, row) in rows.iter().enumerate() {
                for (index, vector) in vectors.iter().enumerate() {
                    prop_assert_eq!(row >> index & 1 == 1, vector >> place & 1 == 1);
                }
            }
        }
    }

    #[test]
    fn the_widest_matrices_work() {
        let units: Vec<u64> = (0..64).map(|place| 1 << place).collect();
        assert_eq!(inverse(&units).unwrap(), units);
        assert_eq!(transpose(&units, 64), units);
        assert!(kernel(&units).is_empty());
        assert_eq!(kernel(&[0u128; 64]), units);
        assert_eq!(reduced(&units), units);
    }
}
