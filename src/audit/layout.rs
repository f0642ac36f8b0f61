//! How a table divides a key: which bits are the address, which are the check
//! that is stored, and what the two share.
//!
//! ```text
//! key  1 0 1 1 0 0 1 0 …          address top:4, check next:3
//!      └ address ┘└check┘
//! key  1 0 1 1 0 0 1 0            address top:4, check top:6: four bits are
//!      └ address ┘   │            kept twice, and the check tells two
//!      └── check ────┘            positions apart by two bits, not six
//! ```
//!
//! `mulhi:SIZE` is the high half of key × SIZE, which spreads keys over any
//! number of slots. It reads the top ⌈log₂ SIZE⌉ bits and, where SIZE is no
//! power of two, lower ones at the borders between slots:
//!
//! ```text
//! mulhi:3, keys of four bits   0000 … 0101│0110 … 1010│1011 … 1111
//! check next:1 (bit 1)         01·· holds a border: there the slot reads the check
//! ```
//!
//! Such bits are no whole ones, so no rank shows them; they are told as the
//! share of keys that they can concern.

use serde::Serialize;

use crate::error::Error;
use crate::gf2;

/// Where a key's slot comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Address {
    /// The top bits.
    Top(u32),
    /// The low bits.
    Low(u32),
    /// The key times a number of slots, divided by 2 to the width of the key.
    MulHigh(u64),
}

/// Where the stored check bits come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// The top bits.
    Top(u32),
    /// The low bits.
    Low(u32),
    /// The bits beside the address: below a top one, above a low one.
    Next(u32),
}

/// A division of keys of some width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    width: u32,
    address: Address,
    check: Check,
}

/// What address and check make of the words together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayoutReport {
    /// The address as asked for.
    pub address: String,
    /// The check as asked for.
    pub check: String,
    /// Bits that the address reads (⌈log₂ SIZE⌉ of a multiplied one).
    pub address_bits: u32,
    /// Bits of the check.
    pub check_bits: u32,
    /// Key bits in both, bit 0 the least significant.
    pub shared_bits: Vec<u32>,
    /// Rank of address and check together; at most the number of words.
    pub rank: u32,
    /// Sets of kept key bits that XOR to zero in every key: two bits that
    /// agree, or one that others determine. At most 16 are listed.
    pub dependent_bits: Vec<Vec<u32>>,
    /// The share of keys at most whose slot depends on bits of the check, if the
    /// address multiplies by no power of two.
    pub border_share: Option<f64>,
    /// Whether no bit is shared, the rank is as large as bits and words allow,
    /// and the slot reads the check for fewer keys than one in 2^C, those that
    /// a check of C bits lets pass by chance.
    pub sound: bool,
}

impl Layout {
    /// The layout that `--address` and `--check` name.
    ///
    /// # Errors
    /// An unknown form, no bits, or more than the key has.
    ///
    /// ```
    /// use zobrist_lab::audit::Layout;
    /// assert!(Layout::parse("top:14", "next:4", 18).is_ok());
    /// let error = Layout::parse("top:14", "next:5", 18).unwrap_err().to_string();
    /// assert_eq!(error, "--check: address and check take 14 + 5 bits and the key has 18");
    /// ```
    pub fn parse(address: &str, check: &str, width: u32) -> Result<Self, Error> {
        let refuse = |what: &str, problem: String| Err(Error::argument(what, problem));
        let (kind, number) = address.split_once(':').unwrap_or((address, ""));
        let address = match (kind, number.parse::<u64>()) {
            ("top" | "low" | "mulhi", Ok(0)) => {
                return refuse(
                    "--address",
                    format!("`{address}` addresses nothing: want 1 or more"),
                );
            }
            ("top" | "low", Ok(bits)) if bits > u64::from(width) => {
                return refuse("--address", format!("{bits} bits and the key has {width}"));
            }
            ("top", Ok(bits)) => Address::Top(bits as u32),
            ("low", Ok(bits)) => Address::Low(bits as u32),
            ("mulhi", Ok(_)) if width > u64::BITS => {
                return refuse(
                    "--address",
                    format!("mulhi takes keys of up to 64 bits, not {width}"),
                );
            }
            ("mulhi", Ok(slots)) => Address::MulHigh(slots),
            _ => {
                let problem = format!("`{address}`: want top:BITS, low:BITS or mulhi:SLOTS");
                return refuse("--address", problem);
            }
        };
        let (kind, number) = check.split_once(':').unwrap_or((check, ""));
        let check = match (kind, number.parse::<u32>()) {
            ("top" | "low" | "next", Ok(bits)) if bits > width => {
                return refuse("--check", format!("{bits} bits and the key has {width}"));
            }
            ("top", Ok(bits)) => Check::Top(bits),
            ("low", Ok(bits)) => Check::Low(bits),
            ("next", Ok(bits)) => Check::Next(bits),
            _ => {
                return refuse(
                    "--check",
                    format!("`{check}`: want top:BITS, low:BITS or next:BITS"),
                );
            }
        };
        let layout = Self { width, address, check };
        let (a, c) = (layout.address_bits(), layout.check_bits());
        if a + c > width {
            let problem = format!("address and check take {a} + {c} bits and the key has {width}");
            return refuse("--check", problem);
        }
        Ok(layout)
    }

    /// Bits that the address reads.
    pub fn address_bits(&self) -> u32 {
        match self.address {
            Address::Top(bits) | Address::Low(bits) => bits,
            Address::MulHigh(slots) => u64::BITS - (slots - 1).leading_zeros(),
        }
    }

    /// Bits of the check.
    pub fn check_bits(&self) -> u32 {
        match self.check {
            Check::Top(bits) | Check::Low(bits) | Check::Next(bits) => bits,
        }
    }

    /// Slot and check of a key.
    pub fn split(&self, key: u128) -> (u128, u128) {
        let slot = match self.address {
            Address::MulHigh(slots) => (key * u128::from(slots)) >> self.width,
            _ => key & self.address_mask(),
        };
        (slot, key & self.check_mask())
    }

    fn address_mask(&self) -> u128 {
        match self.address {
            Address::Low(bits) => field(0, bits),
            _ => field(self.width - self.address_bits(), self.address_bits()),
        }
    }

    fn check_mask(&self) -> u128 {
        let (a, c) = (self.address_bits(), self.check_bits());
        match (self.check, self.address) {
            (Check::Low(_), _) => field(0, c),
            (Check::Top(_), _) => field(self.width - c, c),
            (Check::Next(_), Address::Low(_)) => field(a, c),
            (Check::Next(_), _) => field(self.width - a - c, c),
        }
    }

    /// The share of keys at most whose slot depends on bits of the check, beyond
    /// the bits that [`LayoutReport::shared_bits`] names. Of the 2^T blocks of keys
    /// that agree above the check, each border between slots lies in one.
    fn border_share(&self) -> Option<f64> {
        match self.address {
            Address::MulHigh(slots) if !slots.is_power_of_two() => {
                let mask = self.check_mask();
                let above = mask.checked_ilog2().map(|highest| self.width - 1 - highest);
                let blocks = |above: u32| f64::from(above).exp2();
                Some(above.map_or(0.0, |above| ((slots - 1) as f64 / blocks(above)).min(1.0)))
            }
            _ => None,
        }
    }

    /// What the layout makes of these words.
    pub fn report(&self, words: &[u128]) -> LayoutReport {
        let (address, check) = (self.address_mask(), self.check_mask());
        let kept = address | check;
        let masked: Vec<u128> = words.iter().map(|word| word & kept).collect();
        let basis = gf2::reduced(&masked);
        let rank = basis.len() as u32;
        // A bit that leads no basis word is the sum of those leading words that hold it.
        let leads: u128 = basis.iter().map(|word| 1 << word.ilog2()).sum();
        let relation = |bit: u32| {
            let holding = basis.iter().filter(move |word| *word >> bit & 1 == 1);
            holding.map(|word| word.ilog2()).chain([bit]).collect::<Vec<u32>>()
        };
        let dependent = bits_of(kept & !leads).take(16).map(relation);
        let dependent_bits: Vec<Vec<u32>> = dependent
            .map(|mut bits| {
                bits.sort_unstable();
                bits
            })
            .collect();
        let (address_bits, check_bits) = (self.address_bits(), self.check_bits());
        let shared_bits: Vec<u32> = bits_of(address & check).collect();
        let most = (address_bits + check_bits).min(words.len() as u32);
        let border_share = self.border_share();
        let by_chance = (-f64::from(check_bits)).exp2();
        let apart = border_share.is_none_or(|share| share < by_chance);
        LayoutReport {
            address: match self.address {
                Address::Top(bits) => format!("top:{bits}"),
                Address::Low(bits) => format!("low:{bits}"),
                Address::MulHigh(slots) => format!("mulhi:{slots}"),
            },
            check: match self.check {
                Check::Top(bits) => format!("top:{bits}"),
                Check::Low(bits) => format!("low:{bits}"),
                Check::Next(bits) => format!("next:{bits}"),
            },
            address_bits,
            check_bits,
            sound: shared_bits.is_empty() && rank == most && apart,
            shared_bits,
            rank,
            dependent_bits,
            border_share,
        }
    }
}

/// `bits` ones from bit `from` on.
fn field(from: u32, bits: u32) -> u128 {
    if bits == 0 { 0 } else { (u128::MAX >> (u128::BITS - bits)) << from }
}

fn bits_of(mask: u128) -> impl Iterator<Item = u32> {
    (0..u128::BITS).filter(move |bit| mask >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty random words of 64 bits.
    fn words() -> Vec<u128> {
        let halves = crate::draw::random_words(1, 0, 80);
        let pairs = halves.as_chunks::<2>().0.iter();
        pairs.map(|[high, low]| u128::from(*high) << 32 | u128::from(*low)).collect()
    }

    #[test]
    fn layouts_that_share_bits_are_told() {
        for (address, check, shared, sound) in [
            ("top:14", "next:4", 0, true),
            ("low:20", "next:12", 0, true),
            ("low:20", "top:12", 0, true),
            ("top:14", "top:16", 14, false),
            ("low:20", "low:16", 16, false),
            ("mulhi:1000000", "top:16", 16, false),
            ("mulhi:1000000", "low:16", 0, true),
            ("mulhi:1024", "next:8", 0, true),
            ("mulhi:1000", "next:8", 0, false),
            ("mulhi:1000", "next:0", 0, true),
        ] {
            let layout = Layout::parse(address, check, 64).unwrap();
            let report = layout.report(&words());
            assert_eq!(report.shared_bits.len(), shared, "{address} {check}");
            assert_eq!(report.sound, sound, "{address} {check}: {report:?}");
            let distinct = report.address_bits + report.check_bits - shared as u32;
            assert_eq!(report.rank, distinct.min(40), "{address} {check}");
            assert_eq!((report.address.as_str(), report.check.as_str()), (address, check));
        }
    }

    /// Every key of twelve bits: does its slot change with the bits from the check down?
    #[test]
    fn slots_read_check_bits_for_at_most_the_share_said() {
        for (slots, check) in
            [(16, "next:3"), (10, "next:3"), (10, "low:3"), (3, "next:2"), (1000, "low:1")]
        {
            let layout = Layout::parse(&format!("mulhi:{slots}"), check, 12).unwrap();
            let below = (2u128 << layout.check_mask().ilog2()) - 1;
            let slot = |key: u128| layout.split(key).0;
            let read = (0..4096u128).filter(|key| slot(key & !below) != slot(key | below)).count();
            let share = read as f64 / 4096.0;
            match layout.report(&words()).border_share {
                None => assert_eq!((slots, read), (16, 0)),
                Some(most) => {
                    assert!(share > 0.0 && share <= most, "mulhi:{slots} {check}: {share} {most}");
                    // The two borders of three slots lie in blocks of their own.
                    assert!(slots != 3 || share == most, "mulhi:{slots} {check}: {share} {most}");
                }
            }
        }
    }

    #[test]
    fn bits_that_depend_on_others_are_named() {
        // Bit 9 repeats bit 2, and bit 12 is bits 3 and 4 together.
        let words: Vec<u128> = words()
            .into_iter()
            .map(|word| {
                let bit = |place: u32| word >> place & 1;
                let cleared = word & 0xffff & !(1 << 9 | 1 << 12);
                cleared | bit(2) << 9 | (bit(3) ^ bit(4)) << 12
            })
            .collect();
        let report = Layout::parse("low:8", "next:8", 16).unwrap().report(&words);
        assert_eq!((report.rank, report.sound), (14, false));
        assert_eq!(report.dependent_bits, [vec![2, 9], vec![3, 4, 12]]);
        for set in &report.dependent_bits {
            let mask: u128 = set.iter().map(|bit| 1 << bit).sum();
            assert!(words.iter().all(|word| (word & mask).count_ones().is_multiple_of(2)));
        }
    }

    #[test]
    fn slots_and_checks_are_the_bits_they_say() {
        let key = 0xfedc_ba98_7654_3210;
        let split = |address, check| Layout::parse(address, check, 64).unwrap().split(key);
        assert_eq!(split("top:8", "next:8"), (0xfe << 56, 0xdc << 48));
        assert_eq!(split("low:8", "next:8"), (0x10, 0x3200));
        assert_eq!(split("mulhi:3", "low:4").0, (key * 3) >> 64);
        assert_eq!(split("mulhi:256", "low:4").0, 0xfe);
    }

    #[test]
    fn what_is_no_layout_is_refused() {
        for (address, check, expected) in [
            ("top", "next:4", "--address: `top`"),
            ("mid:3", "next:4", "--address: `mid:3`"),
            ("top:0", "next:4", "addresses nothing"),
            ("mulhi:0", "next:4", "addresses nothing"),
            ("top:17", "next:0", "17 bits and the key has 16"),
            ("top:-1", "next:4", "--address: `top:-1`"),
            ("top:4", "beside:4", "--check: `beside:4`"),
            ("top:4", "low:17", "--check: 17 bits"),
            ("top:9", "low:8", "9 + 8 bits and the key has 16"),
            ("mulhi:65537", "low:0", "17 + 0 bits and the key has 16"),
        ] {
            let error = Layout::parse(address, check, 16).unwrap_err().to_string();
            assert!(error.contains(expected), "`{error}` should say `{expected}`");
        }
        assert!(Layout::parse("mulhi:5", "low:4", 128).is_err());
    }
}
