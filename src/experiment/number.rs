//! Numbers as essays print them and as runs measure them, compared as ratios of integers.
//!
//! ```text
//! printed 48.1    481 / 10        measured 2889 / 60      |2889/60 − 481/10| ≤ 1/20
//! ```

use serde_json::{Value, json};

use crate::cmd::grouped;

/// A number as an essay prints it: `units / 10^places`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    units: i128,
    places: u32,
}

/// Reads a decimal as it is printed, without a sign: `48.1` has one place.
///
/// # Panics
/// On anything else; in a constant that is an error of the compiler.
pub const fn d(printed: &str) -> Decimal {
    let digits = printed.as_bytes();
    let (mut units, mut places, mut point, mut index) = (0, 0, false, 0);
    while index < digits.len() {
        match digits[index] {
            b'.' if !point => point = true,
            digit @ b'0'..=b'9' => {
                units = units * 10 + (digit - b'0') as i128;
                places += point as u32;
            }
            _ => panic!("want digits and at most one point"),
        }
        index += 1;
    }
    Decimal { units, places }
}

impl Decimal {
    /// An integer.
    pub(super) fn integer(units: i128) -> Self {
        Self { units, places: 0 }
    }

    /// The number so many units of its last digit further up.
    #[must_use]
    pub fn moved(self, units: i128) -> Self {
        Self { units: self.units + units, ..self }
    }

    /// As JSON: an integer where none of its digits is behind a point.
    pub(super) fn json(&self) -> Value {
        match self.places {
            0 => json!(self.units as i64),
            _ => json!(self.value()),
        }
    }

    /// For a person: as it is printed, thousands set apart.
    pub(super) fn readable(&self) -> String {
        match self.places {
            0 => grouped(self.units as u128),
            places => format!("{:.*}", places as usize, self.value()),
        }
    }

    pub(super) fn scale(self) -> i128 {
        10i128.pow(self.places)
    }

    pub(super) fn value(self) -> f64 {
        self.units as f64 / self.scale() as f64
    }
}

/// A number measured: a ratio of integers, or a real one where shares are averaged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// `.0 / .1`, the second positive.
    Ratio(i128, i128),
    /// Not known as a ratio.
    Real(f64),
}

impl Number {
    /// Its value, rounded as floating point does.
    pub fn value(self) -> f64 {
        match self {
            Self::Ratio(over, under) => over as f64 / under as f64,
            Self::Real(value) => value,
        }
    }

    pub(super) fn rounds_to(self, printed: Decimal) -> bool {
        match self {
            Self::Ratio(over, under) => {
                2 * (over * printed.scale() - printed.units * under).abs() <= under
            }
            Self::Real(value) => (value - printed.value()).abs() * printed.scale() as f64 <= 0.5,
        }
    }

    /// Whether it is `printed` or more.
    pub(super) fn at_least(self, printed: Decimal) -> bool {
        match self {
            Self::Ratio(over, under) => over * printed.scale() >= printed.units * under,
            Self::Real(value) => value >= printed.value(),
        }
    }

    pub(super) fn is(self, printed: Decimal) -> bool {
        match self {
            Self::Ratio(over, under) => over * printed.scale() == printed.units * under,
            Self::Real(_) => false,
        }
    }
}

/// `over / under`.
pub fn ratio(over: impl TryInto<i128>, under: impl TryInto<i128>) -> Number {
    let integer = "integers here are far below 2^127";
    let ratio = (over.try_into().ok().expect(integer), under.try_into().ok().expect(integer));
    assert!(ratio.1 > 0, "{ratio:?} is no number");
    Number::Ratio(ratio.0, ratio.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_keep_the_places_they_are_printed_with() {
        assert_eq!(d("48.1"), Decimal { units: 481, places: 1 });
        assert_eq!(d("3.0"), Decimal { units: 30, places: 1 });
        assert_eq!(d("904"), Decimal { units: 904, places: 0 });
        assert!(std::panic::catch_unwind(|| d("1e3")).is_err());
    }
}
