//! The command `zlab`: verb to function, errors to one line, exit code.
//!
//! Exit codes: 0 done, 1 what was required does not hold, 2 bad input, 130
//! interrupted; 101 is a broken promise of the program's own.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Command, FromArgMatches};
use zobrist_lab::cmd::{Common, Report, VERBS, Verb};
use zobrist_lab::{Error, record, save};

fn main() -> ExitCode {
    let interrupted = || {
        // Held to the end, so that no other thread starts or finishes a file meanwhile.
        let _partials = save::remove_partials();
        std::process::exit(130);
    };
    if let Err(error) = ctrlc::set_handler(interrupted) {
        eprintln!("warning: an interrupt may leave partial files: {error}");
    }
    let matches = match command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => return explain(&error),
    };
    let common = Common::from_arg_matches(&matches).expect("every verb takes the common arguments");
    let (name, arguments) = matches.subcommand().expect("clap requires a verb");
    let verb = VERBS.iter().find(|verb| verb.name == name).expect("clap knows only our verbs");
    let ready = common.ceiling().and_then(|_| common.start_threads());
    let ran = ready.and_then(|()| (verb.run)(arguments, &common));
    let recorded = ran.and_then(|report| keep(&report, name, &common).map(|()| report));
    match recorded {
        Ok(report) => print(&report, common.json),
        Err(error) => refuse(&error),
    }
}

fn command() -> Command {
    // `augment_args` gives a command its struct's doc comment for a description: ours come after.
    let verb =
        |verb: &Verb| (verb.arguments)(Command::new(verb.name)).about(verb.about).long_about(None);
    Common::augment_args(Command::new("zlab"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("Zobrist keys as linear codes: pair censuses, exact and designed keys, audits")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(VERBS.iter().map(verb))
}

/// Prints the report; a reader that went away (`zlab … | head`) is no failure.
fn print(report: &Report, json: bool) -> ExitCode {
    let content = if json { &report.json } else { &report.text };
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(content.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            refuse(&Error::io("standard output".as_ref(), error))
        }
        _ => ExitCode::from(u8::from(report.failed)),
    }
}

/// Puts the report's figures on record where `--record` asks for it.
fn keep(report: &Report, verb: &str, common: &Common) -> Result<(), Error> {
    let Some(directory) = &common.record else { return Ok(()) };
    let document = serde_json::from_str(&report.json).expect("a report is JSON");
    // What changes no figure is no part of what made them.
    let unsaid = |argument: &&String| {
        !matches!(argument.as_str(), "--json" | "--quiet") && !argument.starts_with("--record")
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let said: Vec<&str> = arguments.iter().filter(unsaid).map(String::as_str).collect();
    record::append(directory, verb, &format!("zlab {}", said.join(" ")), &document).map(drop)
}

fn refuse(error: &Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(2)
}

/// Help and version as clap prints them; anything else in one line.
fn explain(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion,
    };
    if matches!(
        error.kind(),
        DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // Help that nobody reads is no failure.
        let _ = error.print();
        return ExitCode::from(u8::from(error.exit_code() != 0) * 2);
    }
    let text = error.to_string();
    let facts: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let told = facts.iter().take_while(|line| !line.starts_with("Usage:")).copied();
    let told: Vec<&str> = told
        .filter(|line| !line.starts_with("For more information") && !line.starts_with("tip:"))
        .collect();
    eprintln!("{}", told.join(" "));
    ExitCode::from(2)
}
