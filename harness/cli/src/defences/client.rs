//! A program that computes rightly, save for one fault: what the suite is attacked with. It speaks the
//! protocol as `lib:` does, and the emulator computes for it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use formats::{Column, RowBits, column};
use implementations::library::{Side, converse};
use implementations::{Emulator, Worker};
use selection::subject::{Asked, Subject};

/// What a client is asked about, and on which vector of which sweep some faults happen.
pub struct Case {
    /// The instruction.
    pub variant: &'static str,
    sweep: &'static str,
    vector: u64,
    /// An implementation of the suite's own, as an argument …
    pub disagreeing: &'static str,
    /// … that these make disagree in a moment, …
    pub short: &'static [&'static str],
    /// … and these in some seconds of one thread.
    pub long: &'static [&'static str],
}

/// Of lanes.
pub const LANES: Case = Case {
    variant: "mul.f16",
    sweep: "uniform",
    vector: 77,
    disagreeing: "--impl=canary",
    short: &["--only=mul.rn.f16"],
    // With errors in units of the last place, whose digits are many.
    long: &[
        "--only=fma.rn.*f16",
        "--only=tanh.approx.*",
        "--only=rsqrt.approx.f32",
        "--only=sin.approx.f32",
        "--only=lg2.approx.f32",
    ],
};
/// Of dot products, whose rows have many elements.
pub const DOTS: Case = Case {
    variant: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    sweep: "random",
    vector: 77,
    disagreeing: "--impl=emulator",
    // An older generation than its own.
    short: &["--model=sm_80", "--only=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"],
    long: &["--model=sm_89", "--only=mma*", "--only=wmma*"],
};
/// What a terminal would obey, or a reader misread.
pub const ESCAPES: &str = "evil\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}forged";
/// Longer than anybody waits.
const FOREVER: Duration = Duration::from_secs(600);
/// How long a slow program takes to start: more than an eighth of its deadline, and less than the whole.
const START: Duration = Duration::from_millis(1400);

/// How long a slow program takes for an answer: less than its deadline.
const ANSWER: Duration = Duration::from_millis(600);
/// The variable that names a file to make as soon as a batch has come.
pub const BUSY: &str = "CONFORMANCE_DEFENCES_BUSY";

/// The faults, by name.
pub const FAULTS: &[&str] = &[
    "none",
    "ends",
    "crash",
    "late",
    "slow-start",
    "slow-first",
    "slow",
    "hangs",
    "garbage",
    "chatty",
    "short",
    "flood",
    "escapes",
    "noisy",
    "children",
    "stubborn",
    "batch",
    "unstable",
    "worn",
    "mute",
    "fewer",
    "more",
    "reversed",
    "bug",
];

/// Answers the suite, with a fault: in frames, or in lines, where the word is given that those programs
/// get.
///
/// # Errors
/// If there is no such fault, or as [`converse`].
pub fn run(fault: &str, word: Option<&str>) -> Result<()> {
    if !FAULTS.contains(&fault) {
        bail!("there is no fault `{fault}`: {}", FAULTS.join(", "));
    }
    match fault {
        "ends" => std::process::exit(3),
        "mute" => std::thread::sleep(FOREVER),
        "slow-start" => std::thread::sleep(START),
        "noisy" => std::io::stderr().write_all(&[b'x'; 8 << 20])?,
        "escapes" => writeln!(std::io::stderr(), "{ESCAPES}")?,
        "children" => {
            for _ in 0..3 {
                idle()?;
            }
        }
        // What any command of the suite might do.
        "bug" => std::thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| panic!("a planted panic"));
            }
        }),
        _ => {}
    }
    let mut client = Client { fault: fault.into(), batches: 0 };
    match word {
        None => converse(&mut client, std::io::stdout()),
        Some("variants") => {
            writeln!(std::io::stdout(), "{}\n{}", LANES.variant, DOTS.variant).context("standard output")
        }
        Some(variant) => lines(&mut client, variant),
    }
}

/// Answers a batch in lines.
fn lines(client: &mut Client, variant: &str) -> Result<()> {
    let subject = Subject::named(variant)?;
    let widths = subject.operands(0);
    let mut rows = Vec::new();
    for line in std::io::stdin().lines() {
        let line = line?;
        let words = line.split(' ').zip(&widths);
        let bits = words.map(|(word, column)| RowBits::from_hex(word, column.row_bytes()));
        rows.push(bits.collect::<Result<Vec<_>, _>>()?);
    }
    let (mut operands, mut results) = (subject.operands(rows.len()), subject.results(rows.len()));
    rows.iter().enumerate().for_each(|(at, row)| column::set_row_bits(&mut operands, at, row));
    client.run(variant, &operands, &mut results)?;
    let digits = 2 * results[0].row_bytes();
    let lines = (0..rows.len()).map(|row| format!("{:0digits$x}\n", results[0].row_bits(row)));
    std::io::stdout().write_all(lines.collect::<String>().as_bytes()).context("standard output")
}

/// A process that does nothing for long, holding none of this one's streams.
fn idle() -> Result<()> {
    let mut command = Command::new("sleep");
    command.arg(FOREVER.as_secs().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).context("sleep")
}

/// The operands on which some faults happen.
///
/// # Errors
/// If the variant or the sweep exists no more.
pub fn guilty(case: &Case) -> Result<Vec<RowBits>> {
    let subject = Subject::named(case.variant)?;
    let asked = Asked::named(subject, case.sweep).context("the sweep")?;
    let mut columns = subject.operands(1);
    asked.fill(0, case.vector, &mut columns);
    Ok(column::row_bits(&columns, 0))
}

struct Client {
    fault: String,
    /// How many batches have come.
    batches: u64,
}

impl Side for Client {
    fn name(&mut self) -> Result<String> {
        Ok(if self.fault == "escapes" { format!("hostile {ESCAPES}") } else { "hostile 1".into() })
    }

    fn lacks(&mut self, variant: &str) -> Result<Option<String>> {
        Ok((variant != LANES.variant && variant != DOTS.variant).then(|| "it is a test's".into()))
    }

    fn run(
        &mut self,
        variant: &str,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<Option<String>> {
        let rows = operands.first().context("no operands")?.rows();
        let case = if variant == DOTS.variant { DOTS } else { LANES };
        let guilty = guilty(&case)?;
        let at = (0..rows).find(|&row| column::row_bits(operands, row) == guilty);
        Emulator::scalar().run_subject(Subject::named(variant)?, operands, results)?;
        self.batches += 1;
        if let Some(path) = std::env::var_os(BUSY) {
            std::fs::File::create(path)?;
        }
        let mut out = std::io::stdout();
        match (self.fault.as_str(), at) {
            ("slow-first", _) if self.batches == 1 => std::thread::sleep(START),
            ("slow", _) => std::thread::sleep(ANSWER),
            _ => {}
        }
        match (self.fault.as_str(), at) {
            ("crash" | "slow-start" | "slow-first", Some(_)) => std::process::abort(),
            ("late", Some(_)) | ("hangs", _) => std::thread::sleep(FOREVER),
            ("garbage", _) => writeln!(out, "hello")?,
            ("chatty", _) => writeln!(out, "and another thing")?,
            ("short", _) => {
                writeln!(out, "results")?;
                out.write_all(&results[0].bytes()[..rows.min(3)])?;
                std::process::exit(0);
            }
            ("flood", _) => loop {
                out.write_all(&[b'x'; 1 << 16])?;
            },
            ("escapes", _) => return Ok(Some(ESCAPES.into())),
            ("stubborn", Some(_)) => std::thread::sleep(FOREVER),
            ("fewer", _) => arrange(results, 0..rows - 1),
            ("more", _) => arrange(results, (0..rows).chain([0])),
            ("reversed", _) => arrange(results, (0..rows).rev()),
            // Wrong in company, right alone.
            ("batch", Some(row)) if rows > 1 => flip(results, row),
            // Wrong after something else, in the same process.
            ("worn", Some(row)) if self.batches > 1 || row > 0 => flip(results, row),
            // Wrong at first, right from then on, in whichever process.
            ("unstable", Some(row)) if is_first()? => flip(results, row),
            _ => {}
        }
        Ok(None)
    }
}

/// Whether this is the first of all processes of a run that asks.
fn is_first() -> Result<bool> {
    let mut path = std::env::var_os(BUSY).context("only `defences` runs this")?;
    path.push(".met");
    Ok(std::fs::File::create_new(path).is_ok())
}

/// Answers with these rows, in this order.
fn arrange(results: &mut [Column], rows: impl Iterator<Item = usize>) {
    let rows: Vec<usize> = rows.collect();
    let arranged = column::select(results, &rows);
    results.iter_mut().zip(arranged).for_each(|(column, rows)| *column = rows);
}

/// Makes a right result a wrong one, in the bit behind the sign.
fn flip(results: &mut [Column], row: usize) {
    let right = results[0].get(row);
    results[0].set(row, right ^ 1 << (8 * results[0].row_bytes() - 2));
}
