//! `zlab report`: a page of figures, each measured when it is made.

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};

use super::{Common, Report, Verb};
use crate::error::{Error, bytes};
use crate::experiment::Lab;
use crate::{report, save};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "report",
    about: "Measure and draw the lab's figures: a page, SVG drawings and their data",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// Directory to write into (made if it is not there)
    #[arg(long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let Arguments { out } =
        Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    save::prepare_directory(&out)?;
    let lab = Lab::new(common.ceiling()?);
    let progress = common.progress("drawing figures", 0);
    let written = report::write(&out, &lab, &progress)?;
    progress.finish_and_clear();
    let text = format!(
        "{} figures in {:.1} s: {} ({}), with each figure's .svg and .csv beside it\n",
        written.figures,
        written.seconds,
        out.join("index.html").display(),
        bytes(written.page_bytes)
    );
    Ok(Report::new(text, &written))
}
