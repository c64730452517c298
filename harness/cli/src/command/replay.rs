//! `conformance replay`: runs the mismatches of a report again.

mod compilers;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use ::compilers::unit::{Approximating, Approximation};
use anyhow::{Context, Result, anyhow, bail};
use base::invocation;
use clap::Args;
use formats::{RowBits, column};
use implementations::code::{self, Code, Domain};
use implementations::cuda::own_code::{self, DeviceCode};
use implementations::{Implementation, Support, Worker};
use isa::Target;
use judge::MismatchKind;
use reports::{AnyReport, Class, Datum, Example, Report, VariantReport, printable};
use runner::{BLOCK, BlockJudge, Judging, RepeatedAnswers, VectorPlace, departure};
use selection::subject::{Subject, VectorSource};

use super::judge::standard::Standard;
use super::own_formats::{self, FormatWord, Nothing, OWN_FORMATS};
use super::{AGREE, Ending, MISMATCH, load_report, print_line};

/// Run the mismatches of a report again.
///
/// With the report of a compiler, the same sources are compiled again, under the same settings and for the
/// same targets.
///
/// Exit code: 0 if every result is now right; 1 if a result is wrong, or if repeated runs of a vector gave
/// different answers, whether in this replay or when the report was made; 2 if the mismatches could not be run.
#[derive(Args)]
pub struct Arguments {
    /// Report file.
    report: PathBuf,
    /// Only this class, the mismatches of one kind in one variant, such as `mul.f16/zero-sign`.
    #[arg(long, value_name = "ID")]
    class: Option<String>,
    /// Implementation to run [default: the one in the report, if it is `emulator`, `host` or `canary`].
    ///
    /// Any other implementation has to be named here, because a report file must not decide which program is
    /// started.
    ///
    /// With the report of a compiler: a GPU that executes the compiled code, such as `cuda:0` [default: the
    /// suite's interpreter, which executes PTX on the processor].
    #[arg(long = "impl", value_name = "NAME")]
    implementation: Option<String>,
    /// Compiler to run, for the report of a compiler. It has to be named, because a report file must not decide
    /// which program is started.
    #[arg(long, value_name = "NAME")]
    compiler: Option<String>,
    /// Number format of your own, for casts, such as `mine=e5m10,bias=15`, or `@FILE` with several [default: the
    /// formats in the report]; --help explains the form. May be repeated.
    #[arg(long = "format", value_name = "FORMAT", value_parser = own_formats::word::<Nothing>)]
    #[arg(long_help = format!("Description of a number format of your own [default: the formats in the report].\n\n{OWN_FORMATS}"))]
    formats: Vec<FormatWord<Nothing>>,
}

/// Runs `conformance replay`.
pub fn run(arguments: &Arguments) -> Ending {
    let report = match load_report(&arguments.report)? {
        AnyReport::Implementation(_) if arguments.compiler.is_some() => {
            bail!(
                "{} is the report of an implementation: name what to test with --impl, not --compiler",
                arguments.report.display()
            )
        }
        AnyReport::Implementation(report) => report,
        AnyReport::Compiler(report) => {
            let Arguments { class, compiler, implementation, .. } = arguments;
            let [class, compiler, gpu] = [class, compiler, implementation].map(Option::as_deref);
            return compilers::run(&report, class, compiler, gpu);
        }
    };
    own_formats::define_as_in(&arguments.formats, &report.plan.formats)?;
    let name = match &arguments.implementation {
        Some(name) => name,
        None => named_by(&report)?,
    };
    let implementation = match name.starts_with("code:") {
        true => own_code(name, &report)?,
        false => implementations::named(name)?,
    };
    let mut worker = implementation.worker()?;
    let classes = report.variants.iter().flat_map(|v| v.classes.iter().map(move |class| (v, class)));
    let chosen: Vec<_> =
        classes.filter(|(_, class)| arguments.class.as_ref().is_none_or(|id| *id == class.id)).collect();
    if let (true, Some(id)) = (chosen.is_empty(), &arguments.class) {
        bail!(
            "the report has no class `{id}`: `report show` and the report's `classes` name those that \
             it has"
        );
    }
    let seed =
        report.plan.seed.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let seed = seed.with_context(|| {
        format!(
            "the report's seed `{}` is not a hexadecimal number of 64 bits",
            printable(&report.plan.seed)
        )
    })?;
    let model = report.plan.model.as_deref().map(str::parse::<Target>).transpose();
    let model = model.map_err(|error| {
        anyhow!("the report's model is not a target: {}", printable(&error.to_string()))
    })?;
    let mut again = 0;
    let mut untested = 0;
    let mut total = 0;
    let mut changing = 0;
    let mut open = 0;
    let same = implementation.describe().name == report.implementation.name;
    for (found, class) in chosen {
        let standard = standard(&report, found)?;
        let subject = match &standard {
            Some(standard) => Subject::Variant(standard.shape()),
            None => Subject::named(&found.variant)?,
        };
        match implementation.support_subject(subject) {
            Support::Yes => {}
            Support::No(reason) => bail!("{name} does not have {subject}: {reason}"),
            Support::Fails(reason) => bail!("{name} fails to start with {subject}: {reason}"),
        }
        let meaning = standard.and_then(|standard| {
            let approximation = approximation(&report).unwrap_or(Approximation::Nearest);
            Some((standard.shape(), standard.meaning(approximation)?))
        });
        let judge = match &meaning {
            Some((shape, meaning)) => BlockJudge::of_meaning(shape, meaning.as_ref()),
            None => BlockJudge::held_to(subject, Judging::Mpfr, model),
        };
        let (wrong, without) = replay(subject, judge, class, worker.as_mut())?;
        (again, untested) = (again + wrong, untested + without);
        total += class.simplest.iter().chain(&class.examples).count();
        if let Some(first) = class.examples.first() {
            // The changes are looked for with a worker that has answered nothing before.
            worker = implementation.worker()?;
            let changes = changes(subject, found, first, seed, worker.as_mut())?;
            changing += usize::from(changes == Some(true));
            open += usize::from(changes == Some(false) && same && is_of_changes(class));
        }
    }
    print_line(&format!("{again} of {total} mismatches occur with {name}."))?;
    if changing > 0 {
        print_line(&format!(
            "The answers to {changing} of the first mismatches change from one time to the next, or \
             with the batch."
        ))?;
    }
    if open > 0 {
        print_line(&format!(
            "The answers of {open} of the report's classes changed from one time to the next. They did \
             not change this time, which does not show that they no longer do."
        ))?;
    }
    if again + changing + open > 0 {
        return Ok(ExitCode::from(MISMATCH));
    }
    if untested > 0 {
        bail!("{name} has no result for {untested} of the vectors, so nothing is known about these");
    }
    Ok(ExitCode::from(AGREE))
}

/// Returns a user's own code, as the run of the report executed it.
///
/// # Errors
/// If the code cannot be read, or the report has a domain that is none.
fn own_code(name: &str, report: &Report) -> Result<Box<dyn Implementation>> {
    let domain = report.implementation.details.get(code::DOMAIN).map(|text| text.parse::<Domain>());
    let domain =
        domain.transpose().map_err(|error| anyhow!("the report's `{}`: {error}", code::DOMAIN))?;
    let (own, gpu) = match own_code::divide(name) {
        Some((own, gpu)) => (own, Some(gpu)),
        None => (name, None),
    };
    let code = Code::named(own)?.within(domain);
    let code = match approximation(report) {
        Some(approximation) => {
            code.with_unit(Arc::new(move || Box::new(Approximating::new(approximation))))
        }
        None => code,
    };
    Ok(match gpu {
        Some(gpu) => Box::new(DeviceCode::new(code, gpu)?),
        None => Box::new(code),
    })
}

/// Returns the place in their bounds of the approximations of a user's own code, if the report says another than the
/// nearest.
fn approximation(report: &Report) -> Option<Approximation> {
    let name = report.implementation.details.get("approximate instructions")?;
    Approximation::ALL.into_iter().find(|approximation| approximation.name() == name)
}

/// Returns the standard that a variant of a report was held to, if it is the meaning of a user's own code.
///
/// # Errors
/// If the meaning is another function of the user's, so that the report does not have all of it.
fn standard(report: &Report, found: &VariantReport) -> Result<Option<Standard>> {
    let Some(text) = report.implementation.details.get("meaning").filter(|text| **text == found.variant)
    else {
        return Ok(None);
    };
    let read = Standard::read(text).with_context(|| {
        format!(
            "the report is of code that was held to {}: run `{}` again",
            printable(text),
            invocation::line("judge")
        )
    });
    read.map(Some)
}

/// Whether a class is one of answers that change, from one time to the next or with their batch.
fn is_of_changes(class: &Class) -> bool {
    let kinds = [MismatchKind::Unstable, MismatchKind::BatchDependent];
    kinds.iter().any(|kind| class.id.rsplit('/').next() == Some(kind.id()))
}

/// Returns whether the answers to a class's first mismatch change, and prints them if they do. The vector is tried
/// alone, and in its batch as the run did, and both again. `None` where this version of the suite does not ask that
/// vector there.
fn changes(
    subject: Subject,
    found: &VariantReport,
    first: &Example,
    seed: u64,
    worker: &mut dyn Worker,
) -> Result<Option<bool>> {
    let planned = found.sweeps.iter().find(|sweep| sweep.name == first.sweep);
    let asked = VectorSource::named(subject, &first.sweep);
    let (Some(asked), Some(planned)) = (asked, planned) else { return Ok(None) };
    let vectors = asked.length().at_most(planned.planned);
    let place = VectorPlace { asked, seed, vectors, index: first.index };
    let row = (first.index - place.first()) as usize;
    // A report may hold any index, also one that leads beyond the sweep or beyond 64 bits.
    if first.index >= vectors || place.first().checked_add(BLOCK).is_none() {
        return Ok(None);
    }
    // Another version of the suite may have asked another vector there.
    let operands = subject.operand_names().into_iter().zip(&first.operands);
    let operands = operands.map(bits).collect::<Result<Vec<_>>>()?;
    if column::row_bits(&place.batch(), row) != operands {
        return Ok(None);
    }
    let (before, now) = (place.answers(worker)?, place.answers(worker)?);
    let kind = departure(&before.batch, &now).or(departure(&before.batch, &before));
    let Some(kind) = kind else { return Ok(Some(false)) };
    let shown = |answer: &Option<Vec<RowBits>>| match answer {
        Some(registers) => hex(subject, registers),
        None => "no result".into(),
    };
    let in_batch = |answers: &RepeatedAnswers| match (&answers.batch, &answers.words) {
        // An answer in words is what came in arrays of several lengths, or why none came.
        (None, Some(words)) => words.clone(),
        (answer, _) => shown(answer),
    };
    let alone: Vec<String> = before.alone.iter().chain(&now.alone).map(shown).collect();
    let alone = alone.join(", then ");
    print_line(&format!(
        "{:8}  {subject}  {} vector {}: {}; in its batch {}; alone {alone}",
        kind.id().to_uppercase(),
        first.sweep,
        first.index,
        kind.diagnosis(),
        [&before, &now].map(in_batch).join(", then "),
    ))?;
    Ok(Some(true))
}

/// Returns the results of a vector in hexadecimal, with `|` between registers.
fn hex(subject: Subject, registers: &[RowBits]) -> String {
    let each = subject.result_bytes().into_iter().zip(registers);
    each.map(|(row_bytes, bits)| bits.hex(row_bytes)).collect::<Vec<_>>().join("|")
}

/// Returns the name of the implementation of a report, if a report may choose it.
///
/// # Errors
/// If the implementation starts a program or loads code, which a file may not have done.
fn named_by(report: &Report) -> Result<&String> {
    let name = &report.implementation.name;
    if !implementations::is_built_in(name) {
        bail!(
            "the report is from `{}`, which starts a program or loads code: a file alone may not do \
             that, so name what to test with --impl",
            printable(name)
        );
    }
    Ok(name)
}

/// Runs the examples of a class again, the simplest first, and prints a line for each. Returns how many mismatch, and how
/// many have no result.
fn replay(
    subject: Subject,
    mut judge: BlockJudge,
    class: &Class,
    worker: &mut dyn Worker,
) -> Result<(usize, usize)> {
    let (mut again, mut untested) = (0, 0);
    // A meaning of one's own is not the subject's name.
    let name = class.id.rsplit_once('/').map_or(class.id.as_str(), |(name, _)| name);
    for example in class.simplest.iter().chain(&class.examples) {
        let (due, given) = (subject.operand_names(), &example.operands);
        if due.len() != given.len() {
            bail!("class {}: {subject} takes {} operands, not {}", class.id, due.len(), given.len());
        }
        let row = due.into_iter().zip(given).map(bits).collect::<Result<_>>()?;
        let tally = judge.run_rows(&[row], example.index, worker)?;
        again += usize::from(tally.mismatches > 0);
        untested += usize::from(tally.mismatches == 0 && tally.unanswered > 0);
        let verdict = match (tally.mismatches, tally.unanswered) {
            (0, 0) => "agrees",
            (0, _) => "untested",
            _ => "MISMATCH",
        };
        let operands: Vec<String> = example
            .operands
            .iter()
            .map(|operand| format!("{}={}", operand.name, operand.bits))
            .collect();
        let mut line = format!("{verdict:8}  {name}  {}", operands.join(" "));
        for mismatch in tally.classes.values().flat_map(|class| &class.examples) {
            line += &format!("  expected {}", hex(subject, &mismatch.expected));
            line += &match &mismatch.words {
                Some(words) if mismatch.actual.is_empty() => format!(", no result: {words}"),
                Some(words) => format!(", {words}"),
                None => format!(" actual {}", hex(subject, &mismatch.actual)),
            };
        }
        print_line(&line)?;
    }
    Ok((again, untested))
}

/// Reads the bits of an operand as a report has them, for a register of `row_bytes` bytes.
fn bits(((_, row_bytes), datum): ((&str, usize), &Datum)) -> Result<RowBits> {
    let digits =
        datum.bits.strip_prefix("0x").context("the report's operands must be written as 0x…")?;
    let bits = RowBits::from_hex(digits, row_bytes);
    bits.with_context(|| format!("`{}` is not an operand", datum.bits))
}
