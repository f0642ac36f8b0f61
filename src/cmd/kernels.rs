//! `zlab kernels`: what this CPU offers, which kernel each family would pick,
//! and why the others are absent.

use std::fmt::Write;

use clap::ArgMatches;
use serde::Serialize;

use super::{Common, Report, Verb};
use crate::census::tally;
use crate::error::Error;
use crate::tier::{self, Kernel, Tier};
use crate::{codesum, cosets, equal, keys, lookup, pairing, pairs, pieces, planes, walsh};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "kernels",
    about: "Show the kernels of each family and which one this CPU would use",
    arguments: |command| command,
    run,
};

#[derive(Serialize)]
struct Document {
    ceiling: String,
    tiers: Vec<TierRow>,
    families: Vec<Family>,
}

#[derive(Serialize)]
struct TierRow {
    tier: String,
    available: bool,
    missing: Vec<&'static str>,
}

#[derive(Serialize)]
struct Family {
    family: &'static str,
    picked: &'static str,
    reason: String,
    kernels: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    kernel: &'static str,
    tier: String,
    available: bool,
    missing: Vec<&'static str>,
}

fn run(_matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let tiers = Tier::ALL.map(|tier| TierRow {
        tier: tier.to_string(),
        available: tier.available(),
        missing: tier::missing(tier.needs()),
    });
    let document = Document {
        ceiling: ceiling.to_string(),
        tiers: tiers.into(),
        families: vec![
            family("planes", planes::KERNELS, ceiling)?,
            family("keys", keys::KERNELS, ceiling)?,
            family("pairs", pairs::KERNELS, ceiling)?,
            family("equal", equal::KERNELS, ceiling)?,
            family("walsh", walsh::KERNELS, ceiling)?,
            family("tally", tally::KERNELS, ceiling)?,
            family("pairing", pairing::KERNELS, ceiling)?,
            family("lookup", lookup::KERNELS, ceiling)?,
            family("pieces", pieces::KERNELS, ceiling)?,
            family("codesum", codesum::KERNELS, ceiling)?,
            family("cosets", cosets::KERNELS, ceiling)?,
        ],
    };
    Ok(Report::new(readable(&document), &document))
}

fn family<K: ?Sized>(
    family: &'static str,
    kernels: &'static [Kernel<K>],
    ceiling: Tier,
) -> Result<Family, Error> {
    let (picked, _) = tier::pick(kernels, None, ceiling)?;
    let row = |kernel: &Kernel<K>| Row {
        kernel: kernel.name,
        tier: kernel.tier.to_string(),
        available: kernel.get().is_some(),
        missing: tier::missing(kernel.needs),
    };
    let reason = format!("the last listed that this CPU has at or below {ceiling}");
    Ok(Family { family, picked: picked.name, reason, kernels: kernels.iter().map(row).collect() })
}

fn readable(document: &Document) -> String {
    let mut text = String::new();
    let lacks = |missing: &[&str]| match missing {
        [] => "present".to_owned(),
        missing => format!("absent: this CPU lacks {}", missing.join(", ")),
    };
    for TierRow { tier, missing, .. } in &document.tiers {
        writeln!(text, "tier {tier:<9} {}", lacks(missing)).expect("a String takes all text");
    }
    writeln!(text, "\nA family picks its last present kernel at or below {}:", document.ceiling)
        .expect("a String takes all text");
    for Family { family, picked, kernels, .. } in &document.families {
        for Row { kernel, tier, missing, .. } in kernels {
            let mark = if kernel == picked { "picked" } else { "" };
            let name = format!("{family}/{kernel}");
            writeln!(text, "{name:<18} {tier:<9} {mark:<7} {}", lacks(missing))
                .expect("a String takes all text");
        }
    }
    text
}
