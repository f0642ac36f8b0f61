//! What no code can beat: bounds on the minimum distance.
//!
//! ```text
//! [n, k] code of distance d     Griesmer          n ≥ d + ⌈d/2⌉ + ⌈d/4⌉ + … (k terms)
//!                               sphere packing    2^(n−k) ≥ Σ C(n, i), i ≤ (d−1)/2
//! ```
//!
//! For an even distance the spheres are packed around the code punctured at
//! one place, which has distance d − 1 (MacWilliams and Sloane, 1977, ch. 1
//! and 17; Griesmer, 1960).

/// The largest distance that Griesmer's bound allows an `[n, k]` code; none at `k = 0`.
///
/// ```
/// use zobrist_lab::design::griesmer;
/// assert_eq!(griesmer(20, 4), Some(10));
/// assert_eq!(griesmer(24, 12), Some(8));
/// assert_eq!(griesmer(20, 0), None);
/// ```
pub fn griesmer(n: usize, k: usize) -> Option<usize> {
    largest(n, k, |d| {
        // Past the sixth term all are 1: a distance is at most 64.
        (0..k).map(|i| d.div_ceil(1 << i.min(6))).sum::<usize>() <= n
    })
}

/// The largest distance that the sphere-packing (Hamming) bound allows an
/// `[n, k]` code; none at `k = 0`.
///
/// ```
/// use zobrist_lab::design::sphere_packing;
/// assert_eq!(sphere_packing(7, 4), Some(3));
/// assert_eq!(sphere_packing(24, 12), Some(8));
/// ```
pub fn sphere_packing(n: usize, k: usize) -> Option<usize> {
    largest(n, k, |d| {
        let (n, radius) = if d % 2 == 0 { (n - 1, (d - 2) / 2) } else { (n, (d - 1) / 2) };
        // C(n, i) by the step from C(n, i − 1).
        let mut choices = 1u128;
        let mut ball = 1u128;
        for i in 1..=radius {
            choices = choices * (n + 1 - i) as u128 / i as u128;
            ball += choices;
        }
        n >= k && ball <= 1 << (n - k)
    })
}

fn largest(n: usize, k: usize, allows: impl Fn(usize) -> bool) -> Option<usize> {
    assert!(k <= n && n <= 64, "an [{n}, {k}] code");
    (k > 0).then(|| (1..=n).rev().find(|&d| allows(d)).expect("every code has distance 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best distances of the table of Brouwer and Grassl (codetables.de).
    #[test]
    fn no_known_code_is_above_the_bounds_and_many_are_on_them() {
        for (n, k, d) in [
            (20, 1, 20),
            (20, 2, 13),
            (20, 3, 11),
            (20, 4, 10),
            (20, 5, 9),
            (20, 6, 8),
            (20, 7, 8),
            (20, 8, 8),
            (24, 12, 8),
            (23, 12, 7),
            (7, 4, 3),
            (8, 4, 4),
            (15, 11, 3),
            (31, 6, 15),
            (64, 64, 1),
            (64, 63, 2),
        ] {
            let bound = griesmer(n, k).min(sphere_packing(n, k));
            assert_eq!(bound, Some(d), "[{n}, {k}]");
        }
        // Bounds are only bounds: [16, 6] codes reach 6 and Griesmer allows no 8, [10, 5] reach 4.
        assert!(griesmer(16, 6).min(sphere_packing(16, 6)) >= Some(6));
        assert_eq!(griesmer(10, 5).min(sphere_packing(10, 5)), Some(4));
    }
}
