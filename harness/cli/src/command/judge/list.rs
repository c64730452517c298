//! Judgements that a project keeps in a file: `conformance.toml`, whose tables have the options of `judge`. Paths in the
//! file start from the folder that it lies in.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use base::interrupt;
use base::terminal::say;
use toml::{Table, Value};

use super::Arguments;
use super::folder::OUT;
use crate::command::{Ending, line, print};
use crate::{AGREE, FAILED, MISMATCH};

/// The name of the file that is read if no file is named.
pub const FILE: &str = "conformance.toml";
/// The options whose values are paths of files that are read.
const PATHS: [&str; 2] = ["against", "waivers"];
/// The options that judge nothing.
const WITHOUT_VERDICT: [&str; 2] = ["help", "show"];
/// The most bytes of such a file.
const FILE_MAX: u64 = 1 << 20;

/// A judgement of a list.
struct Judgement {
    /// The words of the command line.
    words: Vec<OsString>,
    /// The judgement in words.
    name: String,
    /// The folder of its report.
    out: PathBuf,
}

/// Carries out all judgements of a file, and returns the exit code: 1 if a result is wrong anywhere, else 2 if there is
/// no verdict somewhere. Reports are in folders of `out`, by the number of the judgement.
///
/// # Errors
/// If the file cannot be read, or is no such list.
pub fn run(path: &Path, jobs: Option<usize>, out: &Path) -> Ending {
    let judgements = load(path, (jobs, out))?;
    let (mut endings, count) = (Vec::new(), judgements.len());
    for Judgement { words, name, .. } in judgements {
        print(&format!("\n{name}\n"))?;
        let ending =
            line::read(words).map_err(|error| anyhow!("{}", error.render())).and_then(line::carry_out);
        let ending = ending.unwrap_or_else(|error| {
            say(&format!("error: {name}: {error:#}"));
            ExitCode::from(FAILED)
        });
        endings.push(ending);
        if interrupt::requested() && endings.len() < count {
            say(&format!("The judgements behind number {} were not begun.", endings.len()));
            endings.push(ExitCode::from(FAILED));
            break;
        }
    }
    sum_up(&endings, "judgements")
}

/// Prints how several judgements ended, and returns the exit code of all: 1 if a result is wrong in any of them, and
/// otherwise 2 if any has no verdict. `what` is the word for them.
pub fn sum_up(endings: &[ExitCode], what: &str) -> Ending {
    let count = |code: u8| endings.iter().filter(|ending| **ending == ExitCode::from(code)).count();
    let what = if let [_] = endings { what.trim_end_matches('s') } else { what };
    print(&format!(
        "\n{} {what}: {} agree, {} disagree, {} without a verdict.\n",
        endings.len(),
        count(AGREE),
        count(MISMATCH),
        count(FAILED)
    ))?;
    let worst = [MISMATCH, FAILED].into_iter().find(|code| count(*code) > 0);
    Ok(ExitCode::from(worst.unwrap_or(AGREE)))
}

/// Returns the judgements of a file: the path of each function's file, and the options of `judge`.
///
/// # Errors
/// If the file cannot be read, is no such list, or has an option that `judge` lacks.
pub fn judgements(path: &Path) -> Result<Vec<Arguments>> {
    let options = |Judgement { words, name, .. }: Judgement| {
        let line = line::read(words).map_err(|error| anyhow!("{name}: {}", error.render()))?;
        line.judgement().with_context(|| format!("{name} is no judgement"))
    };
    load(path, (None, Path::new(OUT)))?.into_iter().map(options).collect()
}

/// Reads a file of judgements. `given` is the number of threads that they use, if any is said, and the folder of their
/// reports.
///
/// # Errors
/// If the file cannot be read, or is no such list.
fn load(path: &Path, given: (Option<usize>, &Path)) -> Result<Vec<Judgement>> {
    let size = std::fs::metadata(path)
        .with_context(|| {
            format!(
                "name a FILE to judge, or write a list of judgements: {} cannot be read",
                path.display()
            )
        })?
        .len();
    if size > FILE_MAX {
        bail!("{} has more than {FILE_MAX} bytes", path.display());
    }
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("{} cannot be read as text", path.display()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    read(&text, folder, given).with_context(|| path.display().to_string())
}

/// Reads a list of judgements.
///
/// # Errors
/// If the text is not TOML, or has anything else than tables `[[judge]]` of options.
fn read(text: &str, folder: &Path, given: (Option<usize>, &Path)) -> Result<Vec<Judgement>> {
    let table: Table = text.parse()?;
    if let Some(other) = table.keys().find(|key| *key != "judge") {
        bail!("`{other}` is unknown: write tables [[judge]]");
    }
    let all = match table.get("judge") {
        Some(Value::Array(all)) if !all.is_empty() => all,
        _ => bail!("there is no table [[judge]]"),
    };
    let mut folders = BTreeSet::new();
    let mut judgements: Vec<Judgement> = all
        .iter()
        .zip(1..)
        .map(|(value, number)| judgement(value, number, folder, given))
        .collect::<Result<_>>()?;
    if let Some(twice) = judgements.iter().find(|judgement| !folders.insert(&judgement.out)) {
        bail!("two judgements have --out={}: give each its own `out`", twice.out.display());
    }
    // A process defines its number formats once, so each judgement has those of all.
    let formats: BTreeSet<OsString> = judgements
        .iter()
        .flat_map(|judgement| &judgement.words)
        .filter(|word| is_format(word))
        .cloned()
        .collect();
    for judgement in &mut judgements {
        judgement.words.retain(|word| !is_format(word));
        judgement.words.splice(1..1, formats.iter().cloned());
    }
    Ok(judgements)
}

/// Whether a word of a command line describes a number format, or names a file of such descriptions.
fn is_format(word: &OsString) -> bool {
    let value = word.to_str().and_then(|word| word.strip_prefix("--format="));
    value.is_some_and(|value| value != "text" && value != "json")
}

/// Makes a command line of the table of this number. Paths in the table start from `folder`. `given` has the options of
/// the command line that all judgements share: the number of threads, and the folder of the reports.
fn judgement(
    value: &Value,
    number: usize,
    folder: &Path,
    (jobs, out): (Option<usize>, &Path),
) -> Result<Judgement> {
    let place = || format!("[[judge]] number {number}");
    let Value::Table(options) = value else { bail!("{} is no table", place()) };
    let Some(Value::String(file)) = options.get("file") else {
        bail!("{} has no `file = \"…\"`", place());
    };
    if file.ends_with(".toml") {
        bail!("{} names {file}: a list of judgements cannot be in another one", place());
    }
    if let Some(name) = WITHOUT_VERDICT.iter().find(|name| options.contains_key(**name)) {
        bail!("{}: `{name}` judges nothing: leave it out", place());
    }
    // A list may come from somebody else, so its reports stay below the folder that the command line names.
    let folder_of_reports = match options.get("out") {
        None => out.join(number.to_string()),
        Some(Value::String(own)) if is_below(own) => out.join(own),
        Some(_) => bail!("{}: `out` is no name of a folder below {}", place(), out.display()),
    };
    let mut words: Vec<OsString> = vec!["judge".into()];
    for (name, value) in options.iter().filter(|(name, _)| *name != "file" && *name != "out") {
        let each = match value {
            Value::Array(each) => each.as_slice(),
            one => std::slice::from_ref(one),
        };
        for one in each {
            match one {
                Value::String(word) if name == "format" && word.starts_with('@') => {
                    words.push(with_path("--format=@", &folder.join(word.trim_start_matches('@'))));
                }
                Value::String(word) if PATHS.contains(&name.as_str()) => {
                    words.push(with_path(&format!("--{name}="), &folder.join(word)));
                }
                Value::String(word) => words.push(format!("--{name}={word}").into()),
                Value::Integer(number) => words.push(format!("--{name}={number}").into()),
                Value::Boolean(true) => words.push(format!("--{name}").into()),
                Value::Boolean(false) => {}
                _ => bail!(
                    "{}: `{name}` is neither text, nor a number, true, false or a list of these",
                    place()
                ),
            }
        }
    }
    words.push(with_path("--out=", &folder_of_reports));
    words.extend(jobs.map(|jobs| format!("--jobs={jobs}").into()));
    words.extend(["--".into(), folder.join(file).into()]);
    let text = |name: &str| options.get(name).and_then(Value::as_str);
    let function = text("function").map(|name| format!(" {name}")).unwrap_or_default();
    let held = text("as").map(|meaning| format!(" as {meaning}"));
    let held = held.or(text("against").map(|other| format!(" against {other}"))).unwrap_or_default();
    Ok(Judgement { words, name: format!("{number}. {file}{function}{held}"), out: folder_of_reports })
}

/// Returns an option with a path as its value.
fn with_path(option: &str, path: &Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

/// Whether a path leads to a folder below the one that it starts from.
fn is_below(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::read;

    fn words(text: &str) -> Vec<String> {
        let all = read(text, Path::new(""), (None, Path::new("target/judge"))).unwrap();
        all[0].words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_table_is_a_command_line() {
        let text = "[[judge]]\nfile = 'a.cu'\nfunction = 'f'\nas = 'cvt.rn.bf16.f32'\noption = ['!fma', '-lineinfo']\nquiet = true\nseed = 7\n";
        let all =
            ["judge", "--as=cvt.rn.bf16.f32", "--function=f", "--option=!fma", "--option=-lineinfo"];
        let rest = ["--quiet", "--seed=7", "--out=target/judge/1", "--", "a.cu"];
        assert_eq!(words(text), [&all[..], &rest].concat());
    }

    #[test]
    fn every_judgement_has_the_formats_of_all() {
        let one = |format: &str| format!("[[judge]]\nfile = 'a'\nformat = ['{format}', 'json']\n");
        let text = one("x=e4m3") + &one("y=e5m2") + &one("x=e4m3");
        let all = read(&text, Path::new(""), (None, Path::new("out"))).unwrap();
        for (judgement, number) in all.iter().zip(1..) {
            let out = format!("--out=out/{number}");
            let words =
                ["judge", "--format=x=e4m3", "--format=y=e5m2", "--format=json", &out, "--", "a"];
            assert_eq!(judgement.words, words);
        }
    }

    #[test]
    fn paths_start_from_the_folder_of_the_file() {
        let text = "[[judge]]\nfile = 'a.ptx'\nagainst = '../b.ptx#f'\nout = 'o/p'\nfunction = 'f'";
        let all = read(text, Path::new("mine"), (None, Path::new("target/judge"))).unwrap();
        let words: Vec<_> = all[0].words.iter().map(|word| word.to_string_lossy()).collect();
        assert_eq!(
            words,
            [
                "judge",
                "--against=mine/../b.ptx#f",
                "--function=f",
                "--out=target/judge/o/p",
                "--",
                "mine/a.ptx"
            ]
        );
    }

    #[test]
    fn what_is_no_list_says_where() {
        for (text, said) in [
            ("", "there is no table [[judge]]"),
            ("x = 1", "`x` is unknown"),
            ("judge = 1", "there is no table [[judge]]"),
            ("judge = []", "there is no table [[judge]]"),
            ("[[judge]]\nas = 'f'", "[[judge]] number 1 has no `file"),
            ("[[judge]]\nfile = 'conformance.toml'", "number 1 names conformance.toml: a list"),
            ("[[judge]]\nfile = 'a'\nshow = true", "number 1: `show` judges nothing"),
            ("[[judge]]\nfile = 'a'\nout = '../b'", "number 1: `out` is no name of a folder below"),
            ("[[judge]]\nfile = 'a'\nout = '/b'", "number 1: `out` is no name of a folder below"),
            ("[[judge]]\nfile = 'a'\nas = 1.5", "`as` is neither text"),
            ("[[judge", "TOML parse error at line 1"),
        ] {
            let error = format!(
                "{:#}",
                read(text, Path::new(""), (None, Path::new("target/judge"))).err().expect(text)
            );
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
