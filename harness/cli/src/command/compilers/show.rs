//! Prints what rows, or a user's own source, became: each distinct outcome once.

use std::collections::HashMap;
use std::process::ExitCode;

use anyhow::Result;
use base::invocation;
use base::terminal::{self, say};
use compilers::promises::{self, PromiseSelection};
use compilers::{Compiler, machine};
use implementations::bundled::compilers::Want;
use implementations::code::Code;
use reports::{counted, wrapped};

use super::own_source::OwnRow;
use super::pieces::{Outcome, Piece, Pieces};
use super::{Promises, named};
use crate::FAILED;
use crate::command::judge::proposals::agreeing;
use crate::command::{AGREE, Ending, Format, print, print_json, processors, stop_on_interrupt};

/// The most pieces that are printed without saying how to get fewer.
const MANY: usize = 20;
/// The most lines that are printed of an outcome, which a program of somebody else wrote.
const LINES_MAX: usize = 400;
/// The most instructions that are named as those whose results a function gives.
const AGREE_MAX: usize = 8;

/// Prints what each row became, or the source of a user's own, for the targets and under the settings that are selected.
pub fn run(arguments: &Promises, own: Option<&OwnRow>) -> Ending {
    let options = arguments.selection();
    let asked_for = &arguments.compilers.names;
    let gives: &[Want] = if own.is_some() { &[Want::Ptx] } else { &[Want::Ptx, Want::Code] };
    let names = named(asked_for, gives)?;
    stop_on_interrupt()?;
    let jobs = arguments.jobs.or(processors());
    let mut all: Vec<Piece> = Vec::new();
    let mut asked = 0;
    for name in &names {
        let compiler = Compiler::connect(name, jobs)?;
        let Some(pieces) = gathered(&compiler, own, &options, !asked_for.is_empty())? else { continue };
        asked += 1;
        all.extend(pieces.all);
    }
    if asked == 0 {
        return Err(own.map_or_else(|| nothing_selected(&names), OwnRow::without_compiler));
    }
    // Without a meaning, the instructions that a function agrees with say what the source became.
    let compares = own.is_some_and(|own| !own.is_promised) && !arguments.show;
    if compares {
        say("Comparing the results with those of all instructions that have such operands.");
        add_agreeing(&mut all, jobs)?;
    }
    match arguments.formatted.format {
        Format::Json => print_json(&(serde_json::to_string_pretty(&all)? + "\n"))?,
        Format::Text => print(&text(&all, compares))?,
    }
    Ok(ExitCode::from(if compares { FAILED } else { AGREE }))
}

/// Returns the error that no row is selected.
fn nothing_selected(names: &[String]) -> anyhow::Error {
    anyhow::anyhow!(
        "--only and --option select no row of these compilers: {}. `{}` prints all rows",
        names.join(", "),
        invocation::line("compilers list")
    )
}

/// Compiles what is selected with one compiler; `None` if that is nothing, and the compiler was not named.
///
/// # Errors
/// If a named compiler has nothing that is selected, or a compiler breaks its protocol.
fn gathered(
    compiler: &Compiler,
    own: Option<&OwnRow>,
    options: &PromiseSelection,
    is_named: bool,
) -> Result<Option<Pieces>> {
    let title = format!("{} {}", compiler.name(), compiler.introduction().version);
    if let Some(own) = own {
        let Some(language) = own.language(compiler, is_named)? else { return Ok(None) };
        say(&format!("{title}: compiling"));
        return Pieces::of_rows(compiler, language, &[own.row], options).map(Some);
    }
    if let Some(source) = machine::source(compiler) {
        if !is_named && machine::selected(source, options).is_empty() {
            return Ok(None);
        }
        say(&format!("{title}: compiling"));
        return Ok(Some(Pieces::of_cells(compiler, &machine::compile(compiler, source, options)?)));
    }
    if !is_named && !promises::is_asked(compiler, options)? {
        return Ok(None);
    }
    let (language, rows) = promises::selected_rows(compiler, options)?;
    say(&format!("{title}: compiling"));
    Pieces::of_rows(compiler, language, &rows, options).map(Some)
}

/// Adds to each piece the instructions whose results its function gives on all vectors that are tried.
///
/// # Errors
/// If the suite contradicts itself, or the run is interrupted.
fn add_agreeing(pieces: &mut [Piece], jobs: usize) -> Result<()> {
    // Compilers often give the same function.
    let mut known: HashMap<String, Vec<&'static str>> = HashMap::new();
    for piece in pieces {
        let (Outcome::Ptx(text), Some(module)) = (&piece.outcome, &piece.module) else { continue };
        if let Some(agrees) = known.get(text) {
            piece.agrees = Some(agrees.clone());
            continue;
        }
        let code = match Code::of_text(&piece.compiler, &module.to_string(), Some("f"), None) {
            Ok(code) => code,
            Err(error) => {
                piece.unexecuted = Some(format!("{error:#}"));
                continue;
            }
        };
        let agrees = agreeing(code, jobs)?;
        known.insert(text.clone(), agrees.clone());
        piece.agrees = Some(agrees);
    }
    Ok(())
}

/// Returns pieces as text for people.
fn text(pieces: &[Piece], compares: bool) -> String {
    let mut text = String::new();
    if pieces.len() > MANY {
        text += &wrapped(
            &format!(
                "{} distinct pieces follow. For fewer, name rows with --only, settings with --option, targets with \
                 --target, or one compiler with --compiler.",
                pieces.len()
            ),
            0,
            terminal::columns(),
        );
        text += "\n";
    }
    let mut given = None;
    for piece in pieces {
        text += &piece.text(given == Some(&piece.source));
        text += "\n";
        given = Some(&piece.source);
    }
    let count = counted(pieces.len() as u64, "distinct piece");
    text += &match compares {
        true => {
            format!("{count}. Nothing was promised, so nothing was judged: say the meaning with --as.\n")
        }
        false => format!("{count}. With --show, nothing is judged.\n"),
    };
    text
}

impl Piece {
    /// Returns the piece as text for people, without the source if the piece above it has the same.
    fn text(&self, is_given: bool) -> String {
        let mut text = format!("{}, {}\n", self.row, self.compiler);
        let mut field = |name: &str, value: &str| {
            let value = wrapped(value, 12, terminal::columns());
            text += &format!("  {name:9} {}", value.trim_start());
        };
        field("source", &self.expression);
        if let Some(promised) = &self.promised {
            field("promised", promised);
        }
        field("compiled", &self.compiled());
        if let Some(agrees) = &self.agrees {
            field("agrees", &agreed(agrees));
        }
        if let Some(words) = &self.unexecuted {
            field("agrees", &format!("nobody knows: {words}"));
        }
        let mut same: Vec<(Vec<&str>, &[String])> = Vec::new();
        for place in &self.places {
            match same.iter_mut().find(|(_, settings)| *settings == place.settings) {
                Some((targets, _)) => targets.push(&place.target),
                None => same.push((vec![&place.target], &place.settings)),
            }
        }
        for (targets, settings) in same {
            field("for", &format!("{} under {}", targets.join(", "), listed(settings)));
        }
        let options = if self.options.is_empty() { "none".into() } else { self.options.join(" ") };
        field("options", &options);
        if !is_given {
            text += "  given:\n";
            text += &indented(&self.source);
        }
        let (name, outcome) = match &self.outcome {
            Outcome::Ptx(ptx) => ("PTX", ptx),
            Outcome::Code(code) => ("operations in machine code", code),
            Outcome::Refused(words) => ("refused, in the compiler's words", words),
            Outcome::Died(words) => ("the compiler died", words),
        };
        text += &format!("  {name}:\n");
        text + &indented(outcome)
    }

    /// Returns in words which instructions the compiler chose, and whether they are those that are promised.
    fn compiled(&self) -> String {
        let own = match &self.outcome {
            Outcome::Refused(_) => "refused".to_owned(),
            Outcome::Died(_) => "the compiler died".to_owned(),
            Outcome::Ptx(_) | Outcome::Code(_) if self.instructions.is_empty() => {
                "no instruction that computes".to_owned()
            }
            Outcome::Ptx(_) | Outcome::Code(_) => self.instructions.join(" "),
        };
        match self.is_promised {
            None => own,
            Some(true) => format!("{own}: as promised"),
            Some(false) => format!(
                "{own}: other than the promised instructions, which may still give right results"
            ),
        }
    }
}

/// Returns in words which instructions a function agrees with.
fn agreed(agrees: &[&str]) -> String {
    match agrees {
        [] => "with no instruction that has such operands and results".to_owned(),
        _ => {
            let shown: Vec<&str> = agrees.iter().take(AGREE_MAX).copied().collect();
            let more = match agrees.len().saturating_sub(AGREE_MAX) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("on all vectors tried with {}{more}", shown.join(", "))
        }
    }
}

/// Returns settings in words. Their names have blanks.
fn listed(settings: &[String]) -> String {
    settings.iter().map(|setting| format!("`{setting}`")).collect::<Vec<_>>().join(", ")
}

/// Returns the lines of a text, not too many of them, each behind four blanks.
fn indented(text: &str) -> String {
    let mut all: String =
        text.trim_end().lines().take(LINES_MAX).map(|line| format!("    {line}\n")).collect();
    if let Some(more) = text.lines().count().checked_sub(LINES_MAX).filter(|more| *more > 0) {
        all += &format!("    … {more} more lines: --format json has all\n");
    }
    all
}
