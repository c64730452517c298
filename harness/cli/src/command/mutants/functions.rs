//! `conformance dev mutants functions`: changes functions that are right, and counts how many of the changes `judge`
//! notices.

mod reasons;
mod score;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use base::pool::Pool;
use base::progress::Progress;
use clap::Args;
use ptx::mutation::{Edit, mutants_by_hand};
use ptx::syntax::Module;
use selection::budget::Tier;
use wildmatch::WildMatch;

use self::reasons::{Reason, Reasons};
use self::score::{Fate, MutantName, Score};
use crate::command::judge::{VersionJudge, VersionVerdict, judgements};
use crate::command::options::{Formatted, Jobs};
use crate::command::{
    AGREE, Ending, FAILED, Format, MISMATCH, print, print_json, processors, stop_on_interrupt,
};

/// The most bytes of PTX of a function: each mutant is a copy of all of it.
const TEXT_MAX: usize = 1 << 14;

/// Count the edits of right functions that `{program} judge` detects.
///
/// An edit changes one instruction of a function. It is detected if `judge --tier quick` finds a wrong result, or
/// refuses the function. For an edit that is not detected, a file has to say why no result is wrong, or which limit of
/// `judge` hides it.
///
/// Exit code: 0 if every edit is detected or explained; 1 if some are not; 2 if a function is not right without an
/// edit, or an explanation is wrong.
#[derive(Args)]
pub struct Arguments {
    /// List of judgements, as `{program} judge` takes it. The file survivors.toml beside it has the explanations.
    #[arg(value_name = "LIST", default_value = "harness/cli/tests/functions/functions.toml")]
    list: PathBuf,
    /// Only functions whose file matches GLOB (`*` any text, `?` any character), without folder and extension. May be
    /// repeated: a name then has to match one of the patterns.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Tier on which edits are tried as well if the quick tier does not detect them.
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    formatted: Formatted,
}

/// A mutant of one of the functions.
struct Mutant<'a> {
    judge: &'a VersionJudge,
    name: MutantName,
    edit: Edit,
    ptx: String,
}

/// Runs `conformance dev mutants functions`.
pub fn run(arguments: &Arguments) -> Ending {
    let stop = stop_on_interrupt()?;
    let judges = judges(&arguments.list, &arguments.only)?;
    let pool = || Pool::new(arguments.jobs.or(processors())).stopped_by(stop);
    pool().map(&judges, |judge| is_right(judge, stop)).all()?;
    let mutants: Vec<Vec<Mutant>> = judges.iter().map(mutants_of).collect::<Result<_>>()?;
    let mutants: Vec<Mutant> = mutants.into_iter().flatten().collect();
    let reasons = Reasons::read(&arguments.list.with_file_name(reasons::FILE))?;
    let progress = Progress::new("mutants", mutants.len() as u64);
    let fates = pool().map(&mutants, |mutant| {
        let fate = fate(mutant, &reasons, arguments.tier, stop);
        progress.advance(1);
        fate
    });
    progress.finish();
    let names = judges.iter().map(|judge| (judge.name(), judge.meaning()));
    let mut score = Score::of(arguments.tier, names);
    for (mutant, fate) in mutants.iter().zip(fates.all()?) {
        score.count(&mutant.name, mutant.edit, fate);
    }
    score.stale = reasons.stale(&score);
    match arguments.formatted.format {
        Format::Text => print(&score.text())?,
        Format::Json => print_json(&(serde_json::to_string_pretty(&score)? + "\n"))?,
    }
    Ok(ExitCode::from(match () {
        () if !score.refuted.is_empty() || !score.stale.is_empty() => FAILED,
        () if !score.survivors.is_empty() => MISMATCH,
        () => AGREE,
    }))
}

/// Reads the judgements of a list whose functions match one of the patterns, or all if there is none.
///
/// # Errors
/// If the list or a function cannot be read, two functions have one name, or none is selected.
fn judges(list: &Path, only: &[String]) -> Result<Vec<VersionJudge>> {
    let judges: Result<Vec<VersionJudge>> =
        judgements(list)?.into_iter().map(VersionJudge::new).collect();
    let mut judges = judges.with_context(|| list.display().to_string())?;
    judges.sort_by_key(VersionJudge::name);
    if let Some([one, _]) = judges.array_windows().find(|[one, next]| one.name() == next.name()) {
        bail!("{}: two files are named {}, so mutants would have one name", list.display(), one.name());
    }
    if !only.is_empty() {
        judges.retain(|judge| only.iter().any(|glob| WildMatch::new(glob).matches(&judge.name())));
    }
    if judges.is_empty() {
        bail!("--only selects no function of {}: leave it out to see all names", list.display());
    }
    Ok(judges)
}

/// Checks that a function is right before it is changed.
///
/// # Errors
/// If it is not.
fn is_right(judge: &VersionJudge, stop: &AtomicBool) -> Result<()> {
    match judge.judge(&judge.text(), Tier::Quick, stop)? {
        VersionVerdict::Right { .. } => Ok(()),
        VersionVerdict::Wrong => bail!(
            "{} does not compute {}: only functions that are right are changed",
            judge.name(),
            judge.meaning()
        ),
        VersionVerdict::Refused(why) => bail!("{}: {why}", judge.name()),
    }
}

/// Makes all mutants of a function.
///
/// # Errors
/// If its PTX is too long, or cannot be read again.
fn mutants_of(judge: &VersionJudge) -> Result<Vec<Mutant<'_>>> {
    let (function, text) = (judge.name(), judge.text());
    if text.len() > TEXT_MAX {
        bail!("{function} has more than {TEXT_MAX} bytes of PTX: cut the function out of its module");
    }
    let module: Module = text.parse().with_context(|| function.clone())?;
    let all = mutants_by_hand(&module).into_iter().map(|mutant| Mutant {
        judge,
        name: MutantName { function: function.clone(), text: mutant.text },
        edit: mutant.edit,
        ptx: mutant.module.to_string(),
    });
    Ok(all.collect())
}

/// Judges a mutant on the quick tier, and on a deeper one if it is right on the quick one.
///
/// # Errors
/// [`Interrupted`](base::interrupt::Interrupted) if `stop` is set.
fn fate(mutant: &Mutant, reasons: &Reasons, deeper: Tier, stop: &AtomicBool) -> Result<Fate> {
    let reason = reasons.of_mutant(&mutant.name);
    let exhausted = match mutant.judge.judge(&mutant.ptx, Tier::Quick, stop)? {
        VersionVerdict::Wrong => return Ok(Fate::Caught),
        VersionVerdict::Refused(_) => return Ok(Fate::Refused),
        VersionVerdict::Right { exhausted } => exhausted,
    };
    if exhausted {
        return Ok(Fate::Proven);
    }
    if deeper != Tier::Quick {
        return Ok(match mutant.judge.judge(&mutant.ptx, deeper, stop)? {
            VersionVerdict::Right { exhausted: true } if reason.is_none() => Fate::Proven,
            VersionVerdict::Right { .. } => Fate::of_survivor(reason),
            // The quick tier has missed a wrong result.
            _ if matches!(reason, Some(Reason::Right(_))) => Fate::Refuted,
            _ => Fate::Survived,
        });
    }
    Ok(Fate::of_survivor(reason))
}
