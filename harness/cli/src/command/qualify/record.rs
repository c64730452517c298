//! Makes a record of a report, and reads it: a page, the answers to what the manual leaves open, and digests.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use indicatif::HumanCount;
use reports::causes::groups;
use reports::terminal::markdown::{code, escaped, prose};
use reports::{Report, Status, counted};
use sha2::{Digest, Sha256};

use super::probe::WRONG;

/// The file of the report.
pub const REPORT: &str = "report.json";
/// The file of the report as a page for a browser.
const PAGE: &str = "report.html";
/// The file of the summary, a page in Markdown.
const SUMMARY: &str = "summary.md";
/// The file of the answers to what the manual leaves open.
pub const PROBE: &str = "probe.txt";
/// The file of what changed since an earlier record.
const CHANGES: &str = "changes.txt";
/// The file of the digests of all other files, as `sha256sum --check` reads it.
pub const SUMS: &str = "SHA256SUMS";
/// Every file that a record may have, the digests last.
pub const FILES: [&str; 6] = [REPORT, PAGE, SUMMARY, PROBE, CHANGES, SUMS];
/// The files that not every record has: the first records had no page, and an earlier record is not always named.
const OPTIONAL: [&str; 2] = [PAGE, CHANGES];
/// The namespace of signatures, which says what a signature is for, so that it is good for nothing else.
const NAMESPACE: &str = "ptx-conformance";

/// The parts of a record beside the report.
pub struct Sealed<'a> {
    /// The report as a page for a browser.
    pub page: &'a str,
    /// The implementation's answers to the points that the manual leaves open.
    pub probed: &'a str,
    /// The changes since an earlier record, where one was named and could be compared.
    pub changes: Option<&'a str>,
}

/// The most lines that a list of the summary has, except that of choices: the summary is one page.
const SHOWN: usize = 20;

/// Writes the files beside the report in `out` that make it a record, and the digests of all.
///
/// # Errors
/// If a file cannot be written, or the report cannot be read.
pub fn seal(out: &Path, report: &Report, Sealed { page, probed, changes }: Sealed) -> Result<()> {
    let write = |file: &str, text: &str| {
        let path = out.join(file);
        reports::write_atomically(&path, text.as_bytes())
            .with_context(|| format!("{} cannot be written: make room there", path.display()))
    };
    // The summary is for a person, and quotes what the implementation says of itself.
    let probed = reports::printable_lines(probed);
    let summary = summary(&reports::harmless(report), &probed);
    let summary = summary.map_err(|_| anyhow!("the summary cannot be written"))?;
    let mut files = vec![(PAGE, page), (SUMMARY, &summary), (PROBE, &probed)];
    files.extend(changes.map(|changes| (CHANGES, changes)));
    // The report was written by the run, and only its digest is missing.
    let mut sums = format!("{}  {REPORT}\n", sum(out, REPORT)?);
    for (file, text) in files {
        write(file, text)?;
        sums += &format!("{}  {file}\n", sum(out, file)?);
    }
    write(SUMS, &sums)
}

/// Returns a text with the commands that sign a record, and that verify that it is what was signed.
pub fn signing() -> String {
    format!(
        "Sign the record with your key:\n  ssh-keygen -Y sign -f KEY -n {NAMESPACE} {SUMS}\nWhoever \
         receives it can verify who signed it, and that no listed file was changed:\n  ssh-keygen -Y \
         verify -f ALLOWED_SIGNERS -I SIGNER -n {NAMESPACE} -s {SUMS}.sig < {SUMS} && sha256sum \
         --check {SUMS}\n"
    )
}

/// Reads a file of a record as bytes.
fn read(path: &Path) -> Result<Vec<u8>> {
    reports::read_at_most(path, reports::store::LARGEST)
        .with_context(|| format!("{} cannot be read", path.display()))
}

/// Reads a file of a record as text.
fn text(path: &Path) -> Result<String> {
    String::from_utf8(read(path)?).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Returns the SHA-256 of a file of a record, in hexadecimal.
fn sum(out: &Path, file: &str) -> Result<String> {
    let path = out.join(file);
    let bytes = read(&path)?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads a record, whole and unchanged: its report, and its answers to what the manual leaves open.
///
/// # Errors
/// If the directory is no record, or if a file is not what it was when the record was made.
pub fn open(directory: &Path) -> Result<(Report, String)> {
    let shown = directory.display();
    let path = directory.join(SUMS);
    let sums = text(&path).with_context(|| format!("{shown} is not a record"))?;
    // The file of the digests has none of itself.
    let (_, summed) = FILES.split_last().expect("there are files");
    for file in summed {
        let is_listed = sums.lines().any(|line| line.ends_with(&format!("  {file}")));
        if !is_listed && OPTIONAL.contains(file) {
            // A file that was added afterwards would pass for a part of what was signed.
            ensure!(
                !directory.join(file).exists(),
                "{shown}: {file} was added after the record was made (it is not in {SUMS})"
            );
            continue;
        }
        let line = format!("{}  {file}", sum(directory, file)?);
        if !sums.lines().any(|known| known == line) {
            bail!(
                "{shown}: {file} was changed after the record was made (its digest in {SUMS} differs)"
            );
        }
    }
    let probed = text(&directory.join(PROBE))?;
    Ok((reports::load(&directory.join(REPORT))?, probed))
}

/// Returns the summary of a record, one page in Markdown.
fn summary(report: &Report, probed: &str) -> Result<String, std::fmt::Error> {
    let Report { implementation, suite, oracle, plan, times, totals, environment, .. } = report;
    let unknown = || "not known".to_owned();
    let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(unknown);
    let mut text = format!(
        "# PTX floating-point conformance of {}\n\n| | |\n| --- | --- |\n",
        escaped(&implementation.name)
    );
    for (what, value) in [
        ("device", or_unknown(&implementation.device)),
        ("driver", or_unknown(&implementation.driver)),
        ("as found", details(&implementation.details)),
        ("suite", format!("{}, revision {}", suite.version, or_unknown(&suite.revision))),
        ("oracle", format!("{} {}, GMP {}", oracle.name, oracle.mpfr, oracle.gmp)),
        ("host", format!("{}, {} {}", environment.cpu, environment.os, environment.arch)),
        ("plan", format!("tier {}, seed {}", plan.tier, plan.seed)),
        ("run", format!("{}, {:.0} s", times.started, times.seconds)),
    ] {
        writeln!(text, "| {what} | {} |", escaped(&value))?;
    }
    writeln!(
        text,
        "\n{} variants: {} pass, {} fail, {} unsupported. {} vectors, {} mismatches.",
        HumanCount(totals.variants),
        HumanCount(totals.passed),
        HumanCount(totals.failed),
        HumanCount(totals.unsupported),
        HumanCount(totals.vectors),
        HumanCount(totals.mismatches),
    )?;
    for reason in &report.reduced {
        writeln!(text, "Reduced: {}", prose(reason))?;
    }
    let wrong: Vec<String> =
        probed.lines().filter(|line| line.contains(WRONG)).map(|line| prose(line.trim())).collect();
    text += &section("Answers that follow no interpretation of the manual", &wrong, SHOWN)?;
    text += &failures(report)?;
    text += &errors(report)?;
    text += &choices(report)?;
    write!(text, "\n## Signature\n\n```\n{}```\n", signing())?;
    Ok(text)
}

/// Returns what else is known of a device, in one line.
fn details(details: &BTreeMap<String, String>) -> String {
    if details.is_empty() {
        return "nothing known".into();
    }
    details.iter().map(|(what, value)| format!("{what} {value}")).collect::<Vec<_>>().join(", ")
}

/// Returns a heading and a list of the first `shown` lines, with the number of those left out; an empty text if there
/// are no lines.
fn section(heading: &str, lines: &[String], shown: usize) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    if lines.is_empty() {
        return Ok(text);
    }
    writeln!(text, "\n## {heading}\n")?;
    for line in lines.iter().take(shown) {
        writeln!(text, "- {line}")?;
    }
    if let Some(rest @ 1..) = lines.len().checked_sub(shown) {
        writeln!(text, "- and {rest} more, in {REPORT}")?;
    }
    Ok(text)
}

/// Returns the section on what fails: reasons of variants, and classes with one cause in one line.
fn failures(report: &Report) -> Result<String, std::fmt::Error> {
    let mut lines = Vec::new();
    for variant in report.variants.iter().filter(|variant| variant.status == Status::Fail) {
        lines.extend(
            variant.reason.iter().map(|of| format!("{}: {}", code(&variant.variant), prose(of))),
        );
    }
    lines.extend(groups(&report.variants).iter().map(|group| {
        let class = group.classes[0];
        let (others, words) = match group.classes.len() as u64 - 1 {
            0 => {
                let words = class.explanation.as_ref().map_or(&class.diagnosis, |known| &known.words);
                (String::new(), words.clone())
            }
            // The words say what the classes have in common, which may be less than what explains the first.
            more => (format!(" and {} like it", counted(more, "class")), group.words()),
        };
        let mismatches = counted(group.mismatches(), "mismatch");
        format!("{}{others}: {mismatches}, {}", code(&class.id), prose(&words))
    }));
    section("What fails", &lines, SHOWN)
}

/// Returns the section on the largest errors of approximate functions.
fn errors(report: &Report) -> Result<String, std::fmt::Error> {
    let worst = |variant: &reports::VariantReport| {
        Some(format!("{}: {:.3} ulp at most", code(&variant.variant), variant.max_ulp?))
    };
    section("Worst errors", &report.variants.iter().filter_map(worst).collect::<Vec<_>>(), SHOWN)
}

/// Returns the section on the choices that the device makes where the manual leaves one.
fn choices(report: &Report) -> Result<String, std::fmt::Error> {
    let mut sums = BTreeMap::<&str, BTreeMap<&str, u64>>::new();
    for relaxation in report.variants.iter().flat_map(|variant| &variant.relaxations) {
        let sums = sums.entry(&relaxation.name).or_default();
        for (answer, count) in &relaxation.answers {
            *sums.entry(answer).or_default() += count;
        }
    }
    let times =
        |(answer, count): (&&str, &u64)| format!("{} {} times", escaped(answer), HumanCount(*count));
    let lines = sums.iter().map(|(name, answers)| {
        format!("{}: {}", prose(name), answers.iter().map(times).collect::<Vec<_>>().join(", "))
    });
    // A record is there to say the choices: none is left out.
    section("Choices that the manual leaves", &lines.collect::<Vec<_>>(), usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record quotes what a device says of itself, which is text and nothing else.
    #[test]
    fn what_a_report_says_is_no_markdown() {
        const HOSTILE: &str = "` | [a](https://b) <img src=x> # c";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports/published/libm.json");
        let mut report = reports::load(Path::new(path)).expect("a report");
        assert!(report.variants.iter().any(|variant| !variant.classes.is_empty()));
        report.implementation.name = HOSTILE.into();
        report.implementation.device = Some(HOSTILE.into());
        report.reduced.push(HOSTILE.into());
        for variant in &mut report.variants {
            variant.reason = Some(HOSTILE.into());
            variant.relaxations.iter_mut().for_each(|of| of.name = HOSTILE.into());
            variant.classes.iter_mut().for_each(|class| class.id = format!("a/{HOSTILE}"));
        }
        let summary = summary(&report, "").expect("text");
        for part in ["[a]", "<img", "https://b", "# c", "` |"] {
            assert!(!summary.contains(part), "{part} in {summary}");
        }
        let device = summary.lines().find(|line| line.starts_with("| device")).expect("a line");
        assert_eq!(device.matches('|').count(), 3, "{device}");
    }
}
