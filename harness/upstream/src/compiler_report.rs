//! Texts about what a compiler makes of a source.

use reports::compilers::{CompilerReport, Finding, Sequence, Standing, TargetSettings};
use reports::published::PublishedFinding;
use reports::upstream::{Piece, Upstream};
use reports::{Class, Example, counted, thousands};

use crate::{reference, versions};

/// The most instructions that are listed of what a compiler made.
const INSTRUCTIONS: usize = 24;

/// Lists the findings of a report that say that something is wrong.
pub fn failures(report: &CompilerReport) -> impl Iterator<Item = &Finding> {
    report.findings.iter().filter(|finding| finding.status != Standing::Note)
}

/// Returns a line about a finding: its source, or what became of it.
pub fn words(finding: &Finding) -> &str {
    let diagnosis = finding.classes.first().map(|class| &*class.diagnosis);
    finding.expression.as_deref().or(diagnosis).or(finding.words.as_deref()).unwrap_or_default()
}

/// Returns the text about the findings of one class; `None` if there is none. Several findings have one class where the
/// compiler makes several sequences of instructions of one source.
pub fn text<'a>(
    report: &CompilerReport,
    findings: &[&'a Finding],
    published: Option<&PublishedFinding>,
    file: &str,
) -> Option<Upstream> {
    // A wrong result without special options says most, and otherwise the way of compiling that is wrong most often.
    let of_default = |finding: &Finding| {
        let mut places = finding.sequences.iter().flat_map(|sequence| &sequence.places);
        places.any(|place| place.settings.iter().any(|setting| setting == "default"))
    };
    let finding = findings
        .iter()
        .max_by_key(|finding| (of_default(finding), finding.mismatches, finding.cells))?;
    let example = |class: &'a Class| class.simplest.as_ref().or(class.examples.first());
    let class = finding.classes.iter().max_by_key(|class| (class.simplest.is_some(), class.count));
    let vector = class.and_then(example);
    let mut extent = vec![Piece::Prose(counts(finding, findings.len()))];
    extent.extend(published.map(|of| versions(&of.head)).unwrap_or_default());
    Some(Upstream {
        title: title(report, finding, vector),
        reproduction: reproduction(report, finding),
        vector: vector.cloned(),
        steps: vector.map(|vector| steps(finding, vector)).unwrap_or_default(),
        rule: rule(finding, published),
        extent,
        notice: Vec::new(),
        cause: Vec::new(),
        others: others(&finding.classes),
        reference: reference(
            &report.suite.version,
            &format!("report `{file}`, class `{}`", finding.class),
        ),
    })
}

/// Returns the steps to the right result, where the promise is one expression.
fn steps(finding: &Finding, vector: &Example) -> Vec<String> {
    let expression = finding.promised.as_deref().and_then(|text| text.split(';').next());
    let operands: Vec<String> = vector.operands.iter().map(|datum| datum.bits.clone()).collect();
    expression.and_then(|text| explain::steps(text, &operands)).unwrap_or_default()
}

/// Returns every vector of a finding.
fn others(classes: &[Class]) -> Vec<Example> {
    classes.iter().flat_map(|class| class.simplest.iter().chain(&class.examples)).cloned().collect()
}

/// Returns the name by which others know a compiler, with its version.
fn compiler(report: &CompilerReport) -> String {
    let name = report.compiler.name.split('@').next().unwrap_or_default();
    let known = match name {
        "llvm" => "LLVM",
        "nvrtc" => "NVRTC",
        "nvvm" => "libnvvm",
        "tile" => "cuTile",
        other => other,
    };
    format!("{known} {}", report.compiler.version)
}

/// Returns a sentence on what is wrong.
fn title(report: &CompilerReport, finding: &Finding, vector: Option<&Example>) -> String {
    let compiler = compiler(report);
    let source = match &finding.expression {
        Some(expression) => format!("`{expression}`"),
        None => "the program below".into(),
    };
    let bits = |data: &[reports::Datum]| data.first().map(|datum| datum.bits.clone());
    let results = vector.and_then(|vector| Some((bits(&vector.actual)?, bits(&vector.expected)?)));
    match (finding.kind(), results) {
        // The options should not matter: no result is said to be the right one.
        ("indifferent", Some((one, other))) => {
            format!("{compiler}: {source} gives `{other}` or `{one}`, by options that should not matter")
        }
        (_, Some((actual, expected))) => {
            format!("{compiler}: {source} gives `{actual}` where `{expected}` is right")
        }
        ("illegal", None) => {
            format!("{compiler} makes an instruction of {source} that PTX does not have")
        }
        ("refused", None) => format!("{compiler} refuses {source}"),
        ("died", None) => format!("{compiler} ends while it compiles {source}"),
        (_, None) => format!("{compiler} compiles {source} wrongly"),
    }
}

/// Returns the source, the commands and what the compiler made.
fn reproduction(report: &CompilerReport, finding: &Finding) -> Vec<Piece> {
    let Some(sequence) = finding.sequences.iter().find(|sequence| sequence.source.is_some()) else {
        return vec![Piece::Prose("The report has no source of this class.".into())];
    };
    let source = sequence.source.as_deref().unwrap_or_default();
    let place = sequence.places.first();
    let mut pieces = compile(report, source, place);
    pieces.extend(made(sequence, finding));
    pieces
}

/// Returns the source as a file, and how it is compiled.
fn compile(report: &CompilerReport, source: &str, place: Option<&TargetSettings>) -> Vec<Piece> {
    let target = place.map(|place| &*place.target).unwrap_or_default();
    let setting = place.and_then(|place| place.settings.first());
    let options = setting.and_then(|setting| report.work.settings.get(setting));
    let options = options.map(|options| options.join(" ")).unwrap_or_default();
    let compiler = compiler(report);
    match &*report.compiler.language {
        "llvm-ir" => {
            let level = options.split(' ').find(|option| option.starts_with("-O")).unwrap_or("-O3");
            let passes = level.trim_start_matches('-');
            let source = format!("target triple = \"nvptx64-nvidia-cuda\"\n{source}");
            vec![
                Piece::Prose(format!("`f.ll`, with the tools of {compiler}:")),
                Piece::Code("llvm", source),
                Piece::Code(
                    "sh",
                    format!(
                        "opt -S -mcpu={target} -passes='default<{passes}>' f.ll | llc -mcpu={target} {options}"
                    ),
                ),
            ]
        }
        "cuda" => vec![
            Piece::Prose(format!("`f.cu`, with {compiler} (`nvrtcCompileProgram`) and these options:")),
            Piece::Code("cuda", source.to_owned()),
            Piece::Code("text", format!("--gpu-architecture={target} -rdc=true {options}")),
        ],
        "nvvm-ir" => vec![
            Piece::Prose(format!(
                "This function in a module for `nvptx64-nvidia-cuda`, with the data layout of the NVVM IR \
                 specification and the `!nvvmir.version` that `nvvmIRVersion` returns. {compiler} \
                 (`nvvmCompileProgram`) with these options:"
            )),
            Piece::Code("llvm", source.to_owned()),
            Piece::Code("text", format!("-arch={target} {options}")),
        ],
        "ptx" => vec![
            Piece::Prose(format!("`f.ptx`, with {compiler}:")),
            Piece::Code("text", source.to_owned()),
            Piece::Code("sh", format!("ptxas -arch={target} {options} f.ptx")),
        ],
        language => vec![
            Piece::Prose(format!("Source ({language}), compiled by {compiler} for {target} {options}:")),
            Piece::Code("text", source.to_owned()),
        ],
    }
}

/// Returns the instructions that the compiler made, and what it said.
fn made(sequence: &Sequence, finding: &Finding) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if !sequence.instructions.is_empty() {
        let shown: Vec<&str> =
            sequence.instructions.iter().take(INSTRUCTIONS).map(String::as_str).collect();
        let left = sequence.instructions.len() - shown.len();
        let more = if left == 0 { String::new() } else { format!(" and {left} more") };
        pieces.push(Piece::Prose(format!(
            "The PTX that comes of it has these instructions, beside those that move values: `{}`{more}.",
            shown.join(", ")
        )));
    } else if let Some(ptx) = &sequence.ptx {
        let body = ptx.split_once("\n{").map_or(&**ptx, |(_, body)| body);
        pieces.push(Piece::Prose("The body of the PTX function that comes of it:".into()));
        pieces.push(Piece::Code("text", body.trim().trim_end_matches('}').trim().to_owned()));
    }
    if let Some(words) = &finding.words {
        pieces.push(Piece::Prose(match finding.kind() {
            "illegal" => format!("PTX does not have `{words}`."),
            _ => format!("What was seen: {words}"),
        }));
    }
    pieces
}

/// Returns which document promises what: that of the source, or of the published finding.
fn rule(finding: &Finding, published: Option<&PublishedFinding>) -> Vec<Piece> {
    let of_finding = published.map(crate::rule).unwrap_or_default();
    // The document of a source says what is computed, and not which instructions there are. A random program has none.
    if !of_finding.is_empty() && (finding.kind() == "illegal" || finding.document.is_none()) {
        return of_finding;
    }
    let document = finding.document.clone();
    let promised = finding.promised.as_ref().map(|promised| format!("In PTX, that is `{promised}`."));
    document.into_iter().chain(promised).map(Piece::Prose).collect()
}

/// Returns how many inputs are wrong, and under which settings and for which targets.
fn counts(finding: &Finding, ways: usize) -> String {
    let mut text = match finding.vectors {
        0 => String::new(),
        vectors => {
            format!("Wrong: {} of {}. ", thousands(finding.mismatches), counted(vectors, "tried input"))
        }
    };
    let places = finding.sequences.iter().flat_map(|sequence| &sequence.places);
    let mut targets: Vec<&str> = places.map(|place| &*place.target).collect();
    targets.sort_unstable();
    targets.dedup();
    text += &format!(
        "Targets: `{}`; {} of a target and a set of options.",
        targets.join("`, `"),
        counted(finding.cells, "combination")
    );
    if ways > 1 {
        text += &format!(
            " Under other options, {} of instructions are wrong, too.",
            counted(ways as u64 - 1, "other sequence")
        );
    }
    text
}
