//! `conformance report upstream`: writes down one class of wrong results for the makers of the software, so that they can
//! reproduce it without the suite.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use base::terminal::say;
use clap::Args;
use reports::published;
use reports::upstream::Upstream;
use reports::{AnyReport, counted, excerpt, printable};
use upstream::{compiler_report, function_record, implementation_report, matching, published_finding};

use crate::command::{AGREE, Ending, load_report, print_raw};

/// The most classes that are listed where none is named.
const LISTED: usize = 40;
/// The largest number of characters of a class's name, and of the words about it, in the list.
const WIDTH: usize = 100;
/// The most similar names that a message proposes.
const SIMILAR: usize = 3;

/// Write down one class of wrong results for the makers of the software.
///
/// The text is Markdown of less than 4 kB. It has the smallest source, the commands of public tools, the input with the
/// expected and the actual result, the document that promises the expected result, and the versions. The makers need
/// nothing of this suite to reproduce it.
///
/// Exit code: 0 if the text was written; 2 if not, for example because the report has several classes and none was
/// named.
#[derive(Args)]
pub struct Arguments {
    /// Report file, a record of `compilers functions`, or the name of a published finding, such as `libm-fmaf-subnormal-twice`.
    report: PathBuf,
    /// Class to write about, such as `mul.f16/zero-sign` [default: the only class of the report].
    #[arg(long, value_name = "ID")]
    class: Option<String>,
}

/// Runs `conformance report upstream`.
pub fn run(arguments: &Arguments) -> Ending {
    let text = text(arguments)?;
    print_raw(&text.page())?;
    Ok(ExitCode::from(AGREE))
}

/// Returns the text about a class of a report, or about a published finding.
///
/// # Errors
/// If there is no such report, finding or class, or if several classes are possible.
fn text(arguments: &Arguments) -> anyhow::Result<Upstream> {
    let Arguments { report: path, class } = arguments;
    let findings = published::findings().context("the index of published findings cannot be read")?;
    if !path.exists() {
        let name = path.display().to_string();
        let Some(finding) = findings.iter().find(|finding| finding.head.id == name) else {
            let ids = findings.iter().map(|finding| &*finding.head.id);
            bail!(
                "there is no file {}, and no published finding of that name; findings with similar names: {}",
                printable(&excerpt(&name)),
                similar(&name, ids)
            );
        };
        if class.is_some() {
            bail!("a published finding is one class: leave --class out");
        }
        return Ok(published_finding::text(finding));
    }
    let file = path.file_name().map(|name| name.display().to_string()).unwrap_or_default();
    if let Some(record) = function_record::read(path) {
        let all: Vec<_> = function_record::classes(&record).collect();
        let ids = all.iter().map(|(id, documented, _)| (&**id, *documented)).collect();
        let id = chosen(ids, class.as_deref())?;
        let (_, _, entry) = all.iter().find(|(own, ..)| own == id).context(GONE)?;
        return Ok(function_record::text(&record, entry, &file));
    }
    match load_report(path)? {
        AnyReport::Implementation(report) => {
            let all: Vec<_> = implementation_report::classes(&report).collect();
            let ids = all.iter().map(|(_, class)| (&*class.id, &*class.diagnosis)).collect();
            let id = chosen(ids, class.as_deref())?;
            let (variant, class) = all.iter().find(|(_, class)| class.id == id).context(GONE)?;
            let finding = matching(&findings, &report.implementation.name, id);
            Ok(implementation_report::text(&report, variant, class, finding, &file))
        }
        AnyReport::Compiler(report) => {
            let all: Vec<_> = compiler_report::failures(&report).collect();
            let ids =
                all.iter().map(|finding| (&*finding.class, compiler_report::words(finding))).collect();
            let id = chosen(ids, class.as_deref())?;
            let own: Vec<_> = all.into_iter().filter(|finding| finding.class == id).collect();
            let finding = matching(&findings, &report.compiler.name, id);
            compiler_report::text(&report, &own, finding, &file).context(GONE)
        }
    }
}

/// The message for a class that was found and is not there.
const GONE: &str = "the report has no class to write about";

/// Returns the id of the class that is meant: the one that is named, or the only one. The classes come with a line about
/// each.
///
/// # Errors
/// If the report has no class, no class of that id, or several and none is named; then the classes are listed.
fn chosen<'a>(mut classes: Vec<(&'a str, &'a str)>, named: Option<&str>) -> anyhow::Result<&'a str> {
    classes.dedup_by(|a, b| a.0 == b.0);
    let ids = || classes.iter().map(|(id, _)| *id);
    match (named, classes.as_slice()) {
        (_, []) => bail!("the report has no class of wrong results, so there is nothing to write about"),
        (Some(named), _) => match ids().find(|id| *id == named) {
            Some(id) => Ok(id),
            None => bail!(
                "the report has no class `{}`; classes with similar names: {}",
                printable(&excerpt(named)),
                similar(named, ids())
            ),
        },
        (None, [(only, _)]) => Ok(only),
        (None, several) => {
            for (id, words) in several.iter().take(LISTED) {
                let [id, words] = [*id, *words].map(|text| text.chars().take(WIDTH).collect::<String>());
                say(&printable(&format!("{id}  {words}")));
            }
            if let Some(left) = several.len().checked_sub(LISTED).filter(|left| *left > 0) {
                say(&format!("and {left} more, which `report show` names"));
            }
            bail!(
                "the report has {}: name one of them with --class",
                counted(several.len() as u64, "class")
            )
        }
    }
}

/// Returns the names that are most similar to a name: those with the most letters in common at both ends.
fn similar<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> String {
    let common = |other: &str| {
        let equal = |(a, b): &(char, char)| a == b;
        let at_begin = name.chars().zip(other.chars()).take_while(equal).count();
        let at_end = name.chars().rev().zip(other.chars().rev()).take_while(equal).count();
        at_begin + at_end
    };
    let mut all: Vec<&str> = names.collect();
    all.sort_by_key(|other| std::cmp::Reverse(common(other)));
    all.truncate(SIMILAR);
    let each = all.iter().map(|name| printable(&excerpt(name)));
    each.collect::<Vec<_>>().join(", ")
}
