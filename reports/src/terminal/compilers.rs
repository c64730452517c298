//! Renders the report of a compiler as text for a person at a terminal.

use std::collections::BTreeMap;

use super::classes::{example, explanation};
use super::page::Page;
use crate::compilers::{
    Circumstances, CompilerReport, CompilerTotals, Condition, Finding, Sequence, Sources, Standing,
    TargetSettings,
};
use crate::document::harmless;
use crate::text::{counted, excerpt, quoted, thousands};
use crate::{Style, Verdict, printable, total};

/// The largest number of instructions that are printed of a sequence.
const INSTRUCTIONS: usize = 12;
/// The largest number of lines that are printed of a source.
const LINES: usize = 24;
/// The largest number of classes that are named of a kind of notes.
const NAMED: usize = 6;

/// Returns what the report says: counts, what fails, what else is good to know, and in the last line the verdict.
pub fn summary(report: &CompilerReport, style: &Style) -> String {
    let page = Page::new(style.color, style.columns);
    let clean = harmless(report);
    let mut sections = vec![heading(&clean, page)];
    sections.extend(failures(report, &clean, style, page).into_iter().flatten());
    sections.extend(open_differences(report, &clean, style, page));
    sections.push(notes(&clean, page));
    sections.push(limits(&clean, page));
    sections.push(verdict(&clean, page));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// Returns the heading: the compiler, what it was asked, and how many cells have each outcome.
pub(super) fn heading(report: &CompilerReport, page: Page) -> String {
    let (compiler, work) = (&report.compiler, &report.work);
    let what = match work.sources {
        Sources::Rows => counted(work.count, "row"),
        Sources::Programs => counted(work.count, "program"),
    };
    let name = format!("{} {}", compiler.name, compiler.version);
    let mut out = page.sentence(
        Page::bold,
        &format!(
            "{name}: {what} under {} for {}, {:.1} s",
            counted(work.settings.len() as u64, "setting"),
            counted(work.targets.len() as u64, "target"),
            report.times.seconds
        ),
    );
    let CompilerTotals { cells, right, selected, wrong, refused, died, illegal, unexecuted, .. } =
        report.totals;
    let alone = match work.sources {
        Sources::Rows => format!(" ({} by the promised instruction alone)", thousands(selected)),
        Sources::Programs => format!(
            " on {} ({} undecided: too many results are permitted)",
            counted(report.totals.vectors, "vector"),
            thousands(report.totals.undecided)
        ),
    };
    let counts = [
        (wrong, "wrong"),
        (refused, "refused"),
        (died, "died"),
        (illegal, "illegal"),
        (unexecuted, "not executed"),
    ];
    let counts = counts.map(|(count, what)| format!("{} {what}", thousands(count)));
    let text =
        format!("{}: {} right{alone}, {}", counted(cells, "cell"), thousands(right), counts.join(", "));
    out += &page.wrapped(&text, 0, 2);
    let CompilerTotals { compared, differing, explained, .. } = report.totals;
    if compared > 0 {
        let text = format!(
            "{} undecided vectors were compared between two functions of one program: {} differ, and \
             for {} of these both results are permitted",
            thousands(compared),
            thousands(differing),
            thousands(explained)
        );
        out += &page.wrapped(&text, 0, 2);
    }
    out
}

/// Returns all about each finding that fails, and `None` for each of the others. `clean` is the report without what
/// a terminal would obey, which includes the ends of lines that sources have.
pub(super) fn failures(
    report: &CompilerReport,
    clean: &CompilerReport,
    style: &Style,
    page: Page,
) -> Vec<Option<String>> {
    let told = |(clean_one, one): (&Finding, &Finding)| {
        (one.status == Standing::Fail).then(|| described(clean, clean_one, one, style, page))
    };
    clean.findings.iter().zip(&report.findings).map(told).collect()
}

/// Returns all about each pair of results of one program that differ while nobody knows which is wrong. These
/// findings are notes.
fn open_differences(
    report: &CompilerReport,
    clean: &CompilerReport,
    style: &Style,
    page: Page,
) -> Vec<String> {
    let is_open = |one: &Finding| {
        report.work.sources == Sources::Programs
            && one.status == Standing::Note
            && one.kind() == "indifferent"
    };
    let all = clean.findings.iter().zip(&report.findings).filter(|(_, one)| is_open(one));
    all.map(|(clean_one, one)| described(clean, clean_one, one, style, page)).collect()
}

/// Returns all about a finding; `raw` is the same finding with the lines of its sources.
fn described(
    report: &CompilerReport,
    finding: &Finding,
    raw: &Finding,
    style: &Style,
    page: Page,
) -> String {
    let source = raw.sequences.first().and_then(|sequence| sequence.source.as_deref());
    let mut out = page.bold(&finding.class) + "\n";
    let mut line = |name: &str, rest: &str| {
        // Two columns, a name of ten and a space: further lines begin behind these 13.
        out += &format!("  {name:10} {}", page.wrapped(rest, 13, 13).trim_start());
    };
    if let Some(expression) = &finding.expression {
        line("source", expression);
    }
    if let Some(promised) = &finding.promised {
        line("promised", &format!("{promised}: {}", finding.document.as_deref().unwrap_or("")));
    }
    if let Some(words) = &finding.words {
        let of_rows = report.work.sources == Sources::Rows;
        line(if of_rows && finding.kind() == "computed" { "where" } else { "words" }, words);
    }
    for sequence in &finding.sequences {
        if !sequence.instructions.is_empty() {
            line("compiled", &instructions(sequence));
        }
        if !sequence.places.is_empty() {
            line("for", &places(&sequence.places, report.work.settings.len()));
        }
    }
    if finding.vectors > 0 {
        let (wrong, all) = (thousands(finding.mismatches), counted(finding.vectors, "vector"));
        line("wrong", &format!("{wrong} of {all}"));
    }
    let of_programs = report.work.sources == Sources::Programs;
    if of_programs && finding.vectors == 0 && finding.sequences.len() < 2 {
        line("in", &counted(finding.cells, "cell"));
    }
    if let Some(origin) = &finding.program {
        let by = if origin.by_constants { "; right if a constant is a parameter" } else { "" };
        let seed = report.work.seed.as_ref().filter(|_| of_programs);
        let again = seed.map(|seed| format!(": --seed {seed} --first {} --count 1", origin.index));
        line("made of", &format!("program {}{}{by}", origin.index, again.unwrap_or_default()));
    }
    if let Some(of) = &finding.circumstances {
        circumstances(of, &mut line);
    }
    if finding.expression.is_none() {
        for text in source.unwrap_or_default().lines().take(LINES) {
            out += &format!("    {}\n", printable(text));
        }
    }
    let neighbour = raw.circumstances.as_ref().and_then(|of| of.neighbour.as_deref());
    out += &lines_lacking(source.unwrap_or_default(), neighbour.unwrap_or_default());
    for class in &finding.classes {
        out += &page.wrapped(&format!("{}, {}", class.diagnosis, counted(class.count, "vector")), 2, 4);
        out += &explanation(class, page);
        if let Some(shown) = class.simplest.as_ref().or(class.examples.first()) {
            out += &example(shown, page);
        }
    }
    if let (Some(path), true) = (&style.replay, source.is_some()) {
        let (path, class) = (quoted(&printable(path)), quoted(&finding.class));
        let named = style.implementation.as_deref().map(printable);
        let named = named.map(|name| format!(" --compiler {}", quoted(&name))).unwrap_or_default();
        out += &format!("  replay: {} replay {path} --class {class}{named}\n", style.program());
    }
    out
}

/// Tells the conditions under which a wrong program is right.
fn circumstances(of: &Circumstances, line: &mut impl FnMut(&str, &str)) {
    let mut compilers: Vec<&str> = of.compiled_by.values().map(String::as_str).collect();
    compilers.dedup();
    match compilers[..] {
        [] => {}
        [one] => line("by", one),
        _ => {
            let each = of.compiled_by.iter().map(|(target, by)| format!("{by} for {target}"));
            line("by", &each.collect::<Vec<_>>().join(", "));
        }
    }
    if !of.right_as_soon_as.is_empty() {
        line("right", &format!("if {}", of.right_as_soon_as.join(", or if ")));
    }
    for (name, conditions) in [("level", &of.levels), ("version", &of.versions)] {
        let told = |Condition { name, verdict }: &Condition| format!("{name} {}", verdict.words());
        if !conditions.is_empty() {
            line(name, &conditions.iter().map(told).collect::<Vec<_>>().join(", "));
        }
    }
}

/// Returns the lines of a right program that a wrong one lacks.
fn lines_lacking(source: &str, neighbour: &str) -> String {
    let own: Vec<&str> = source.lines().collect();
    let others = neighbour.lines().filter(|line| !own.contains(line)).take(LINES);
    let lines: Vec<String> = others.map(|line| format!("    {}\n", printable(line))).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("  for comparison, this is right:\n{}", lines.concat()),
    }
}

/// Lists the first instructions of a sequence, and how many more there are.
fn instructions(sequence: &Sequence) -> String {
    let shown = sequence.instructions.iter().take(INSTRUCTIONS).cloned().collect::<Vec<_>>().join(" ");
    match sequence.instructions.len().saturating_sub(INSTRUCTIONS) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Lists targets, each with its settings: of several settings, how many they are and the words that they have in
/// common.
fn places(all: &[TargetSettings], settings: usize) -> String {
    let of_target = |TargetSettings { target, settings: own }: &TargetSettings| match &own[..] {
        [one] => format!("{target} {one}"),
        several if several.len() == settings => format!("{target} under every setting"),
        several => {
            let words = |setting: &str| setting.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let first = several.first().map(|setting| words(setting)).unwrap_or_default();
            let common =
                first.into_iter().filter(|word| several.iter().all(|of| words(of).contains(word)));
            let common = common.fold(String::new(), |text, word| text + " " + &word);
            format!("{target}{common} ({} settings)", several.len())
        }
    };
    all.iter().map(of_target).collect::<Vec<_>>().join(", ")
}

/// Lists what does not fail, kind by kind: how much there is of it, and some of it by name.
fn notes(report: &CompilerReport, page: Page) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.status != Standing::Fail) {
        let kind = if finding.status == Standing::Waived { "waived" } else { finding.kind() };
        kinds.entry(kind).or_default().push(finding);
    }
    let mut out = String::new();
    for (kind, findings) in kinds {
        let cells = total(findings.iter().map(|finding| finding.cells));
        let what = match kind {
            "selected" => "another sequence with right results",
            "taken" => "what a document permits, done",
            "left" => "what a document permits, not done",
            "indifferent" => "right results that differ, which is permitted",
            "refused" => "not taken by the compiler",
            "unexecuted" => "not executed",
            "waived" => "known",
            _ => "found",
        };
        let mut names: Vec<String> = Vec::new();
        for finding in &findings {
            let name = match (finding.status, &finding.words) {
                (Standing::Waived, _) => finding.class.clone(),
                (_, Some(words)) => format!("{} ({})", subject(&finding.class), excerpt(words)),
                _ => subject(&finding.class).to_owned(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more =
            if more > 0 { format!(", and {} more", thousands(more as u64)) } else { String::new() };
        let text = format!("{kind}: {what} in {}: {}{more}", counted(cells, "cell"), names.join(", "));
        out += &page.wrapped(&text, 0, 2);
    }
    out
}

/// Returns the row that a class is about, from the class's name.
fn subject(class: &str) -> &str {
    class.split_once('/').map_or(class, |(_, row)| row)
}

/// Returns everything that makes the run less than the whole, and the waivers that cover nothing.
pub(super) fn limits(report: &CompilerReport, page: Page) -> String {
    let mut out = String::new();
    if !report.complete {
        out += &page.sentence(Page::yellow, "NOT RUN TO THE END.");
    }
    for reason in &report.reduced {
        out += &page.sentence(Page::yellow, &format!("REDUCED: {reason}"));
    }
    for stale in &report.stale {
        out += &page.sentence(Page::red, stale);
    }
    out
}

/// Returns the last line of a summary: the verdict on a compiler in a coloured sentence.
pub(super) fn verdict(report: &CompilerReport, page: Page) -> String {
    let name = &report.compiler.name;
    let failing = report.findings.iter().filter(|finding| finding.status == Standing::Fail);
    let mut classes: Vec<&str> = failing.map(|finding| &*finding.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let right = counted(report.totals.right, "cell");
    match report.verdict() {
        Verdict::Agree => {
            page.sentence(Page::green, &format!("{name}: {right} right, and nothing fails."))
        }
        Verdict::Mismatches => {
            let classes = counted(classes.len() as u64, "class");
            page.sentence(Page::red, &format!("{name}: {classes} of failures."))
        }
        Verdict::Incomplete => {
            let text = format!("{name}: not run to the end; {right} right so far, and nothing fails.");
            page.sentence(Page::yellow, &text)
        }
        Verdict::Nothing => {
            let CompilerTotals { cells, refused, unexecuted, .. } = report.totals;
            let [of, refused, unexecuted] =
                [counted(cells, "cell"), thousands(refused), thousands(unexecuted)];
            let text = match report.totals.right {
                0 => format!(
                    "{name}: none of {of} was executed: {refused} refused, {unexecuted} not executed."
                ),
                _ => format!(
                    "{name}: none of {of} was judged; for {right} too many results are permitted."
                ),
            };
            page.sentence(Page::yellow, &text)
        }
    }
}
