//! Judgements that a project keeps in a file: `conformance.toml`, whose tables have the options of `judge`.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use base::interrupt;
use base::terminal::say;
use toml::{Table, Value};

use super::Arguments;
use crate::command::{Ending, line, print};
use crate::{AGREE, FAILED, MISMATCH};

/// The name of the file that is read if no file is named.
pub const FILE: &str = "conformance.toml";
/// The most bytes of such a file.
const FILE_MAX: u64 = 1 << 20;

/// A judgement of a list.
struct Judgement {
    /// The words of the command line.
    words: Vec<OsString>,
    /// The judgement in words.
    name: String,
}

/// Carries out all judgements of a file, and returns the exit code: 1 if a result is wrong anywhere, else 2 if there is
/// no verdict somewhere.
///
/// # Errors
/// If the file cannot be read, or is no such list.
pub fn run(path: &Path, jobs: Option<usize>) -> Ending {
    let judgements = load(path, jobs)?;
    let mut codes = Vec::new();
    for Judgement { words, name } in judgements {
        print(&format!("\n{name}\n"))?;
        let ending =
            line::read(words).map_err(|error| anyhow!("{}", error.render())).and_then(line::carry_out);
        let ending = ending.unwrap_or_else(|error| {
            say(&format!("error: {name}: {error:#}"));
            ExitCode::from(FAILED)
        });
        codes.push((name, ending));
        if interrupt::requested() {
            bail!("the judgements behind the {}th were not begun", codes.len());
        }
    }
    let has = |code: u8| codes.iter().any(|(_, ending)| *ending == ExitCode::from(code));
    let count = |code: u8| codes.iter().filter(|(_, ending)| *ending == ExitCode::from(code)).count();
    print(&format!(
        "\n{} judgements: {} agree, {} disagree, {} without a verdict.\n",
        codes.len(),
        count(AGREE),
        count(MISMATCH),
        count(FAILED)
    ))?;
    Ok(ExitCode::from(match () {
        () if has(MISMATCH) => MISMATCH,
        () if has(FAILED) => FAILED,
        () => AGREE,
    }))
}

/// Returns the judgements of a file: the path of each function's file, and the options of `judge`.
///
/// # Errors
/// If the file cannot be read, is no such list, or has an option that `judge` lacks.
pub fn judgements(path: &Path) -> Result<Vec<Arguments>> {
    let options = |Judgement { words, name }: Judgement| {
        let line = line::read(words).map_err(|error| anyhow!("{name}: {}", error.render()))?;
        line.judgement().with_context(|| format!("{name} is no judgement"))
    };
    load(path, None)?.into_iter().map(options).collect()
}

/// Reads a file of judgements, which use so many threads, if a number is given.
///
/// # Errors
/// If the file cannot be read, or is no such list.
fn load(path: &Path, jobs: Option<usize>) -> Result<Vec<Judgement>> {
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
    read(&text, jobs).with_context(|| path.display().to_string())
}

/// Reads a list of judgements.
///
/// # Errors
/// If the text is not TOML, or has anything else than tables `[[judge]]` of options.
fn read(text: &str, jobs: Option<usize>) -> Result<Vec<Judgement>> {
    let table: Table = text.parse()?;
    if let Some(other) = table.keys().find(|key| *key != "judge") {
        bail!("`{other}` is unknown: write tables [[judge]]");
    }
    let Some(Value::Array(all)) = table.get("judge") else { bail!("there is no table [[judge]]") };
    all.iter().zip(1..).map(|(value, number)| judgement(value, number, jobs)).collect()
}

/// Makes a command line of the table of this number.
fn judgement(value: &Value, number: usize, jobs: Option<usize>) -> Result<Judgement> {
    let place = || format!("[[judge]] number {number}");
    let Value::Table(options) = value else { bail!("{} is no table", place()) };
    let Some(Value::String(file)) = options.get("file") else {
        bail!("{} has no `file = \"…\"`", place());
    };
    let mut words: Vec<OsString> = vec!["judge".into()];
    for (name, value) in options.iter().filter(|(name, _)| *name != "file") {
        let each = match value {
            Value::Array(each) => each.as_slice(),
            one => std::slice::from_ref(one),
        };
        for one in each {
            match one {
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
    if !options.contains_key("out") {
        words.push(format!("--out=target/judge/{number}").into());
    }
    words.extend(jobs.map(|jobs| format!("--jobs={jobs}").into()));
    words.extend(["--".into(), file.into()]);
    let text = |name: &str| options.get(name).and_then(Value::as_str);
    let function = text("function").map(|name| format!(" {name}")).unwrap_or_default();
    let held = text("as").map(|meaning| format!(" as {meaning}"));
    let held = held.or(text("against").map(|other| format!(" against {other}"))).unwrap_or_default();
    Ok(Judgement { words, name: format!("{number}. {file}{function}{held}") })
}

#[cfg(test)]
mod tests {
    use super::read;

    fn words(text: &str) -> Vec<String> {
        let all = read(text, None).unwrap();
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
    fn what_is_no_list_says_where() {
        for (text, said) in [
            ("", "there is no table [[judge]]"),
            ("x = 1", "`x` is unknown"),
            ("judge = 1", "there is no table [[judge]]"),
            ("[[judge]]\nas = 'f'", "[[judge]] number 1 has no `file"),
            ("[[judge]]\nfile = 'a'\nas = 1.5", "`as` is neither text"),
            ("[[judge", "TOML parse error at line 1"),
        ] {
            let error = format!("{:#}", read(text, None).err().expect(text));
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
