//! Instruction tiers, the doors to the kernels, and the choice among them.
//!
//! ```text
//! Tier:   scalar  <  portable  <  avx2  <  avx512
//!         plain      the `wide`    run-time detection
//!         Rust       crate
//! ```
//!
//! Every kernel of a family stands in that family's list as a [`Kernel`]: its
//! name, its tier, the CPU features it was compiled for, and the
//! implementation itself behind a private field. [`Kernel::get`] is the only
//! way to it and asks the CPU first, so *holding* an implementation proves
//! that its instructions exist. That is what each kernel file's one `unsafe`
//! rests on.
//!
//! `--tier` or the environment variable `ZLAB_TIER` lowers the ceiling: a
//! family then picks its best kernel at or below that tier.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// A class of instruction sets, in ascending order of width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tier {
    /// Plain Rust, one word at a time, as the compiler's default target has it.
    Scalar,
    /// The `wide` crate: vectors of the width chosen at *compile* time.
    Portable,
    /// 256-bit x86-64 vectors, detected at run time.
    Avx2,
    /// 512-bit x86-64 vectors, detected at run time.
    Avx512,
}

impl Tier {
    /// All tiers, narrowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Portable, Self::Avx2, Self::Avx512];

    /// The CPU features without which the tier is absent. One kernel may need more.
    pub fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Scalar | Self::Portable => &[],
            Self::Avx2 => &["avx2"],
            Self::Avx512 => &["avx512f", "avx512bw", "avx512dq", "avx512vl"],
        }
    }

    /// Whether this CPU has the tier.
    pub fn available(self) -> bool {
        missing(self.needs()).is_empty()
    }

    /// The widest tier this CPU has.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|tier| tier.available()).unwrap_or(Self::Scalar)
    }

    /// The ceiling to choose kernels under: `flag` if given, else the
    /// environment variable `ZLAB_TIER`, else the best this CPU has.
    ///
    /// # Errors
    /// A name that is no tier, or a tier this CPU lacks (it says which features).
    pub fn ceiling(flag: Option<&str>) -> Result<Self, Error> {
        let (what, text) = match (flag, std::env::var_os("ZLAB_TIER")) {
            (Some(text), _) => ("--tier", text.to_owned()),
            (None, Some(text)) if !text.is_empty() => {
                ("ZLAB_TIER", text.to_string_lossy().into_owned())
            }
            _ => return Ok(Self::best()),
        };
        let tier: Self = text.parse().map_err(|problem: Error| match problem {
            Error::Argument { problem, .. } => Error::argument(what, problem),
            other => other,
        })?;
        let missing = missing(tier.needs());
        if missing.is_empty() {
            Ok(tier)
        } else {
            let missing = missing.join(", ");
            Err(Error::argument(
                what,
                format!(
                    "this CPU has no {tier} (it lacks {missing}); its best is {}",
                    Self::best()
                ),
            ))
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

impl FromStr for Tier {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|tier| tier.to_string() == text).ok_or_else(|| {
            Error::argument(
                "--tier",
                format!("`{text}` is no tier: want scalar, portable, avx2 or avx512"),
            )
        })
    }
}

/// The features among `needs` that this CPU (or this build's target) lacks.
pub fn missing(needs: &[&'static str]) -> Vec<&'static str> {
    needs.iter().copied().filter(|feature| !has(feature)).collect()
}

#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "bmi1" => is_x86_feature_detected!("bmi1"),
        "bmi2" => is_x86_feature_detected!("bmi2"),
        "lzcnt" => is_x86_feature_detected!("lzcnt"),
        "popcnt" => is_x86_feature_detected!("popcnt"),
        "avx2" => is_x86_feature_detected!("avx2"),
        "avx512f" => is_x86_feature_detected!("avx512f"),
        "avx512bw" => is_x86_feature_detected!("avx512bw"),
        "avx512cd" => is_x86_feature_detected!("avx512cd"),
        "avx512dq" => is_x86_feature_detected!("avx512dq"),
        "avx512vl" => is_x86_feature_detected!("avx512vl"),
        "avx512vbmi" => is_x86_feature_detected!("avx512vbmi"),
        "avx512vbmi2" => is_x86_feature_detected!("avx512vbmi2"),
        "avx512bitalg" => is_x86_feature_detected!("avx512bitalg"),
        "avx512vpopcntdq" => is_x86_feature_detected!("avx512vpopcntdq"),
        "gfni" => is_x86_feature_detected!("gfni"),
        unknown => panic!("tier::has does not know the feature {unknown}"),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn has(_feature: &str) -> bool {
    false
}

/// One kernel of a family whose implementations are `K` (a trait object).
pub struct Kernel<K: ?Sized + 'static> {
    /// The file's name, the bench id's part and what `--kernel` takes.
    pub name: &'static str,
    /// The tier it belongs to.
    pub tier: Tier,
    /// The CPU features its code is compiled for.
    pub needs: &'static [&'static str],
    implementation: &'static K,
}

impl<K: ?Sized> Kernel<K> {
    /// A list element. `needs` must name every feature that `implementation` enables.
    pub(crate) const fn new(
        name: &'static str,
        tier: Tier,
        needs: &'static [&'static str],
        implementation: &'static K,
    ) -> Self {
        Self { name, tier, needs, implementation }
    }

    /// The implementation, if this CPU can run it.
    pub fn get(&self) -> Option<&'static K> {
        missing(self.needs).is_empty().then_some(self.implementation)
    }
}

/// The kernels of a family that this CPU can run, in the family's order.
pub fn available<K: ?Sized>(family: &[Kernel<K>]) -> Vec<&Kernel<K>> {
    family.iter().filter(|kernel| kernel.get().is_some()).collect()
}

/// The kernel called `name`, or else the last of the family at or below
/// `ceiling` (families list their kernels slowest first).
///
/// # Errors
/// An unknown name (it lists the known ones) or one this CPU cannot run.
pub fn pick<'a, K: ?Sized>(
    family: &'a [Kernel<K>],
    name: Option<&str>,
    ceiling: Tier,
) -> Result<(&'a Kernel<K>, &'static K), Error> {
    let Some(name) = name else {
        let best = family.iter().rev().filter(|kernel| kernel.tier <= ceiling);
        let best = best.filter_map(|kernel| kernel.get().map(|got| (kernel, got))).next();
        return Ok(best.expect("every family has a scalar kernel"));
    };
    let Some(kernel) = family.iter().find(|kernel| kernel.name == name) else {
        let names: Vec<_> = family.iter().map(|kernel| kernel.name).collect();
        let problem = format!("no kernel `{name}`: want one of {}", names.join(", "));
        return Err(Error::argument("--kernel", problem));
    };
    if kernel.tier > ceiling {
        let problem = format!("`{name}` is of tier {}, above {ceiling}", kernel.tier);
        return Err(Error::argument("--kernel", problem));
    }
    kernel.get().map(|got| (kernel, got)).ok_or_else(|| {
        let missing = missing(kernel.needs).join(", ");
        Error::argument("--kernel", format!("`{name}` cannot run here: this CPU lacks {missing}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_strangers_are_refused() {
        for tier in Tier::ALL {
            assert_eq!(tier.to_string().parse::<Tier>().unwrap(), tier);
        }
        assert!("sse9".parse::<Tier>().is_err());
        assert!(Tier::ceiling(Some("sse9")).unwrap_err().to_string().starts_with("--tier"));
    }

    #[test]
    fn the_scalar_tier_is_always_there() {
        assert!(Tier::Scalar.available());
        assert_eq!(Tier::ceiling(Some("scalar")).unwrap(), Tier::Scalar);
    }
}
