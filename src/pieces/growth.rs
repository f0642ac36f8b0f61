//! How the number of values grows with the number of pieces.
//!
//! ```text
//! ln values │        ·                values ≈ c · pieces^e:
//!           │    ·                    e = 1     like the pieces
//!           │ ·                       e = 1/2   like their square root
//!           └──────────── ln pieces
//! ```
//!
//! The alternative, that depth sets it, is values ≈ c · b^(largest birthday).
//! Both are straight lines in logarithms, fitted by least squares; the share
//! of the variance that each explains says which is the better description.
//!
//! The answer of `zlab clobber --growth`, over nine boards from 2x4 to 3x6: like
//! the pieces. The exponent is 0.971, give or take 0.060, and explains 97.4 % of
//! the variance, the largest birthday 94.6 %. 4x5, not among them, has
//! 12,319,610 pieces of 1,252,475 values, an exponent of 1.09 from 3x6 on.

/// A straight line through points.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Fit {
    /// Rise for each unit to the right.
    pub slope: f64,
    /// Height at 0.
    pub intercept: f64,
    /// Standard error of the slope.
    pub slope_error: f64,
    /// Share of the variance of the heights explained, at most 1.
    pub explained: f64,
}

/// The least-squares line through `(x, y)` points; `None` for fewer than three
/// of them, or if all x are equal.
///
/// ```
/// let fit = zobrist_lab::pieces::growth::fit(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).unwrap();
/// assert_eq!((fit.slope, fit.intercept, fit.explained), (2.0, 1.0, 1.0));
/// ```
pub fn fit(points: &[(f64, f64)]) -> Option<Fit> {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let xx = mean(&|point| (point.0 - x).powi(2));
    let yy = mean(&|point| (point.1 - y).powi(2));
    let xy = mean(&|point| (point.0 - x) * (point.1 - y));
    if points.len() < 3 || xx == 0.0 {
        return None;
    }
    let slope = xy / xx;
    let unexplained = (yy - slope * xy).max(0.0);
    Some(Fit {
        slope,
        intercept: y - slope * x,
        slope_error: (unexplained * n / (n - 2.0) / (xx * n)).sqrt(),
        explained: if yy == 0.0 { 1.0 } else { 1.0 - unexplained / yy },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_and_too_little_is_refused() {
        // By hand: means 3 and 1.5, Σ(x − x̄)² = 20, Σ(x − x̄)(y − ȳ) = 6, Σ(y − ȳ)² = 5.
        let fit = fit(&[(0.0, 1.0), (2.0, 0.0), (4.0, 3.0), (6.0, 2.0)]).unwrap();
        assert!((fit.slope - 0.3).abs() < 1e-12 && (fit.intercept - 0.6).abs() < 1e-12);
        assert!((fit.explained - 0.36).abs() < 1e-12);
        // Residual sum of squares 3.2, two degrees of freedom, Σ(x − x̄)² = 20.
        assert!((fit.slope_error - (3.2_f64 / 2.0 / 20.0).sqrt()).abs() < 1e-12);
        assert_eq!(super::fit(&[(0.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(super::fit(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }
}
