//! The program's side of a protocol of messages, each a line of words and what follows it.

use std::io::{BufRead, Read, Write};

use anyhow::{Context, Result, bail};
use formats::Column;

/// Answers each message that comes, until there are no more. `answer` is given the words of the message, the
/// stream that goes on behind them and the stream for answers, and says whether the words are of the protocol.
///
/// # Errors
/// If the suite sends what is not of the protocol, or `answer` fails.
pub fn answer_each<R: BufRead, W: Write>(
    mut input: R,
    mut answers: W,
    mut answer: impl FnMut(&[&str], &mut R, &mut W) -> Result<bool>,
) -> Result<()> {
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line).context("standard input")? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if !answer(&words, &mut input, &mut answers)? {
            bail!("`{}` is not a request of the protocol", line.trim());
        }
        answers.flush()?;
    }
}

/// Reads columns for a list of widths, like `2,2,4`.
pub fn read_columns(input: &mut impl Read, widths: &str, rows: usize) -> Result<Vec<Column>> {
    let mut columns = columns(widths, rows)?;
    for column in &mut columns {
        input.read_exact(column.bytes_mut()).context("the input ended within a batch")?;
    }
    Ok(columns)
}

/// Makes columns of `rows` rows for a list of widths, like `2,2,4`; nothing has been read into them yet.
pub fn columns(widths: &str, rows: usize) -> Result<Vec<Column>> {
    widths.split(',').map(|width| Ok(Column::new(width.parse()?, rows))).collect()
}

/// Answers with the results of a batch, or with the reason why there are none.
pub fn answer_batch(answers: &mut impl Write, failed: Option<String>, results: &[Column]) -> Result<()> {
    if let Some(reason) = failed {
        return Ok(writeln!(answers, "failed {reason}")?);
    }
    writeln!(answers, "results")?;
    Ok(results.iter().try_for_each(|column| answers.write_all(column.bytes()))?)
}

/// Returns standard output for the answers alone: what the library prints goes to standard error.
#[cfg(unix)]
pub fn answers() -> Result<impl Write> {
    let ours = rustix::io::dup(rustix::stdio::stdout()).context("standard output")?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).context("standard output")?;
    Ok(std::fs::File::from(ours))
}

/// Returns standard output for the answers.
#[cfg(not(unix))]
pub fn answers() -> Result<impl Write> {
    Ok(std::io::stdout().lock())
}

/// Returns standard input for the questions alone: a library may close its own, or read it.
#[cfg(unix)]
pub fn questions() -> Result<impl Read> {
    let ours = rustix::io::dup(rustix::stdio::stdin()).context("standard input")?;
    let nothing = std::fs::File::open("/dev/null").context("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing).context("standard input")?;
    Ok(std::fs::File::from(ours))
}

/// Returns standard input for the questions.
#[cfg(not(unix))]
pub fn questions() -> Result<impl Read> {
    Ok(std::io::stdin().lock())
}
