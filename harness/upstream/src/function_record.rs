//! Texts about functions that are less exact than documents say, by a record of `conformance compilers functions`.

use std::path::Path;

use compilers::language::Language;
use compilers::module::CompilableFunction;
use compilers::setting::Setting;
use findings::report::value;
use functions::{Example as Measured, FUNCTIONS, FunctionRecord, LibraryFunction, Record};
use reports::upstream::{Piece, Upstream};
use reports::{Datum, Example, printable, thousands};

use crate::reference;

/// The width of the formats whose functions the first source of a record documents; the second documents narrower ones.
const SINGLE: u32 = 32;

/// Reads a record of measured functions; `None` if the file is something else, or cannot be read.
pub fn read(path: &Path) -> Option<Record> {
    // Whatever is no file can be read once, and is left to whoever reads reports.
    if !std::fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return None;
    }
    let json = reports::read_at_most(path, reports::store::LARGEST).ok()?;
    serde_json::from_slice(&json).ok()
}

/// Lists the entries of a record that have results beyond the documented maximum: the name by which `--class` knows
/// each, the documented maximum, and the entry.
pub fn classes(record: &Record) -> impl Iterator<Item = (String, &str, &FunctionRecord)> {
    let beyond = record.functions.iter().filter(|entry| beyond(entry) > 0);
    beyond.map(|entry| (name(entry), &*entry.documented, entry))
}

/// Returns how many results are beyond the documented maximum: in units of the last place of the correctly rounded
/// result, if that was counted.
fn beyond(entry: &FunctionRecord) -> u64 {
    let in_units = entry.counted.in_units.as_ref().map_or(0, |beyond| beyond.exceeding);
    if in_units > 0 { in_units } else { entry.counted.exceeding }
}

/// Returns the name of an entry, such as `expf/ftz@compute_90/nearest`: its first setting and target stand for all.
fn name(entry: &FunctionRecord) -> String {
    let under = entry.under.first().map(|under| under.replace(' ', "@")).unwrap_or_default();
    let way = entry.way.as_ref().map(|way| format!("/{way}")).unwrap_or_default();
    format!("{}/{under}{way}", entry.name)
}

/// Returns the text about an entry of a record, which is in a file of this name.
pub fn text(record: &Record, entry: &FunctionRecord, file: &str) -> Upstream {
    let counted = &entry.counted;
    let first = counted.in_units.as_ref().and_then(|beyond| beyond.first.as_ref());
    let shown = first.or(counted.first.as_ref()).or(counted.worst.as_ref());
    let function = FUNCTIONS.iter().find(|function| function.name == entry.name);
    let vector = function.zip(shown).map(|(function, shown)| example(function, shown));
    let worst = function.zip(counted.worst.as_ref());
    Upstream {
        title: title(record, entry, shown),
        notice: notice(entry).into_iter().collect(),
        reproduction: reproduction(record, entry, function),
        vector,
        steps: Vec::new(),
        cause: Vec::new(),
        rule: rule(record, entry, function),
        extent: vec![Piece::Prose(extent(entry))],
        others: worst.map(|(function, worst)| example(function, worst)).into_iter().collect(),
        reference: reference(&record.suite, &format!("record `{file}`, entry `{}`", name(entry))),
    }
}

/// Returns the name of the compiler as others write it, with its version.
fn compiler(record: &Record) -> String {
    match record.compiler.strip_prefix("nvrtc ") {
        Some(version) => format!("NVRTC {version}"),
        None => printable(&record.compiler),
    }
}

/// Returns a sentence on what is less exact than documented.
fn title(record: &Record, entry: &FunctionRecord, shown: Option<&Measured>) -> String {
    let error = shown.map(|shown| format!(" errs by {:.3} ulp", shown.error)).unwrap_or_default();
    format!(
        "{}: `{}`{error}, and the documented maximum is {}",
        compiler(record),
        printable(&entry.name),
        printable(&entry.documented)
    )
}

/// Returns what has to be known first: that a GPU may be more exact than these results.
fn notice(entry: &FunctionRecord) -> Option<Piece> {
    let way = entry.way.as_deref().filter(|way| matches!(*way, "lowest" | "highest"))?;
    Some(Piece::Prose(format!(
        "The function was not executed by a GPU. Its instructions `{}` gave the {way} results that PTX permits. A GPU may \
         be nearer, so this is a defect of the bounds that are documented, and not of a GPU.",
        entry.approximations.join("`, `")
    )))
}

/// Returns the source, how it is compiled, and what executed it.
fn reproduction(
    record: &Record,
    entry: &FunctionRecord,
    function: Option<&'static LibraryFunction>,
) -> Vec<Piece> {
    let (setting, target) =
        entry.under.first().and_then(|under| under.rsplit_once(' ')).unwrap_or_default();
    let known = Setting::all(Language::Cuda).into_iter().find(|one| one.to_string() == setting);
    let mut pieces = Vec::new();
    if let Some(function) = function {
        pieces.push(Piece::Prose(format!(
            "`f.cu`, with {} (`nvrtcCompileProgram`) and these options:",
            compiler(record)
        )));
        let source = function.source(Language::Cuda, known.unwrap_or_default(), "f");
        pieces.push(Piece::Code("cuda", source));
        let options = known.map(|known| known.options(Language::Cuda).join(" ")).unwrap_or_default();
        pieces.push(Piece::Code("text", format!("--gpu-architecture={target} -rdc=true {options}")));
    }
    pieces.push(Piece::Prose(match &record.device {
        Some(device) => format!("Executed by {}.", printable(device)),
        None => "The compiled PTX was executed instruction by instruction on a processor.".into(),
    }));
    pieces
}

/// Returns which document states which maximum.
fn rule(
    record: &Record,
    entry: &FunctionRecord,
    function: Option<&'static LibraryFunction>,
) -> Vec<Piece> {
    let place = usize::from(function.is_some_and(|function| function.format.width() < SINGLE));
    let source = record.sources.get(place).map(|source| format!(" {source}."));
    vec![Piece::Prose(format!(
        "Documented maximum: {}.{} The expected result is the correctly rounded one, computed with MPFR.",
        entry.documented,
        source.unwrap_or_default()
    ))]
}

/// Returns how many results are beyond the maximum, of how many inputs, and under which settings.
fn extent(entry: &FunctionRecord) -> String {
    let counted = &entry.counted;
    let worst = counted.worst.as_ref().map(|worst| {
        format!(
            " The largest error is {:.4} ulp from the exact value; {} from the correctly rounded result.",
            worst.error,
            reports::counted(worst.distance, "number")
        )
    });
    format!(
        "Beyond the documented maximum: {} of {} ({}). Settings and targets that compile to the same code: {}.{}",
        thousands(beyond(entry)),
        reports::counted(counted.inputs, "input"),
        entry.inputs,
        entry.under.join(", "),
        worst.unwrap_or_default()
    )
}

/// Returns an input with its results.
fn example(function: &LibraryFunction, measured: &Measured) -> Example {
    let ty = function.format.name;
    let datum = |name: &str, bits: u64| -> Datum { value(name, ty, bits) };
    let names = ["a", "b"].into_iter().zip(measured.operands);
    Example {
        sweep: String::new(),
        index: 0,
        operands: names.take(function.arity as usize).map(|(name, bits)| datum(name, bits)).collect(),
        expected: vec![datum("d", measured.nearest)],
        accepted: Vec::new(),
        actual: vec![datum("d", measured.result)],
        words: None,
    }
}
