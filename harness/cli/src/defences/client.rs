//! The hostile program that the suite is attacked with: it computes rightly, save for one fault.
//!
//! It speaks the protocol as `lib:` does, and the emulator computes for it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use formats::{Column, RowBits, column};
use implementations::library::{ServingSide, converse};
use implementations::{Emulator, Worker};
use selection::subject::{Subject, VectorSource};

/// The instruction that a client is asked about, and the one vector of one sweep on which some faults happen.
pub struct DefenceCase {
    /// The instruction.
    pub variant: &'static str,
    sweep: &'static str,
    vector: u64,
    /// An argument that selects an implementation of the suite's own for runs that find mismatches.
    pub disagreeing: &'static str,
    /// Arguments that make a run of [`DefenceCase::disagreeing`] find mismatches in a moment.
    pub short: &'static [&'static str],
    /// Arguments that make a run of [`DefenceCase::disagreeing`] find mismatches in some seconds of one thread.
    pub long: &'static [&'static str],
}

/// The case of an instruction that computes lanes.
pub const LANES: DefenceCase = DefenceCase {
    variant: "mul.f16",
    sweep: "uniform",
    vector: 77,
    disagreeing: "--impl=canary",
    short: &["--only=mul.rn.f16"],
    // Variants with errors in units of the last place, whose digits are many.
    long: &[
        "--only=fma.rn.*f16",
        "--only=tanh.approx.*",
        "--only=rsqrt.approx.f32",
        "--only=sin.approx.f32",
        "--only=lg2.approx.f32",
    ],
};
/// The case of a dot product, whose rows have many elements.
pub const DOTS: DefenceCase = DefenceCase {
    variant: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    sweep: "random",
    vector: 77,
    disagreeing: "--impl=emulator",
    // A model of an older generation than the one that the emulator computes by default.
    short: &["--model=sm_80", "--only=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"],
    long: &["--model=sm_89", "--only=mma*", "--only=wmma*"],
};
/// A text with control characters that a terminal would obey, or a reader misread.
pub const ESCAPES: &str = "evil\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}forged";
/// A time to sleep that is longer than anybody waits.
const FOREVER: Duration = Duration::from_secs(600);
/// The time that a slow program takes to start: more than an eighth of its deadline, and less than the whole.
const START: Duration = Duration::from_millis(1400);

/// The time that a slow program takes for an answer: less than its deadline.
const ANSWER: Duration = Duration::from_millis(600);
/// The environment variable that names a file, which the client makes as soon as a batch has come.
pub const BUSY: &str = "CONFORMANCE_DEFENCES_BUSY";

/// The names of all faults that [`run`] accepts.
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

/// Answers the suite as a program with a fault: in frames, or in lines where `word` is given, the argument that
/// programs which speak in lines get.
///
/// # Errors
/// If there is no such fault, or as [`converse`].
pub fn run(fault: &str, word: Option<&str>) -> Result<()> {
    if !FAULTS.contains(&fault) {
        bail!("unknown fault `{fault}`; the faults: {}", FAULTS.join(", "));
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
        // Panics on several threads, as any command of the suite might.
        "bug" => std::thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| panic!("a planted panic"));
            }
        }),
        _ => {}
    }
    let mut client = FaultyClient { fault: fault.into(), batches: 0 };
    match word {
        None => converse(&mut client, std::io::stdout()),
        Some("variants") => {
            writeln!(std::io::stdout(), "{}\n{}", LANES.variant, DOTS.variant).context("standard output")
        }
        Some(variant) => lines(&mut client, variant),
    }
}

/// Reads a batch from standard input in lines, and writes its results in lines.
fn lines(client: &mut FaultyClient, variant: &str) -> Result<()> {
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

/// Starts a process that does nothing for [`FOREVER`] and holds none of this process's streams.
fn idle() -> Result<()> {
    let mut command = Command::new("sleep");
    command.arg(FOREVER.as_secs().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).context("sleep")
}

/// Returns the operands on which some faults happen, one entry per operand column.
///
/// # Errors
/// If the variant or the sweep exists no more.
pub fn guilty(case: &DefenceCase) -> Result<Vec<RowBits>> {
    let subject = Subject::named(case.variant)?;
    let asked = VectorSource::named(subject, case.sweep).context("the sweep")?;
    let mut columns = subject.operands(1);
    asked.fill(0, case.vector, &mut columns);
    Ok(column::row_bits(&columns, 0))
}

/// The client: it has the emulator compute, and then does what its fault is.
struct FaultyClient {
    fault: String,
    /// The number of batches that have come.
    batches: u64,
}

impl ServingSide for FaultyClient {
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
            // The result is wrong in company, and right alone.
            ("batch", Some(row)) if rows > 1 => flip(results, row),
            // The result is wrong after something else was asked in the same process.
            ("worn", Some(row)) if self.batches > 1 || row > 0 => flip(results, row),
            // The result is wrong at first, and right from then on, in whichever process.
            ("unstable", Some(row)) if is_first()? => flip(results, row),
            _ => {}
        }
        Ok(None)
    }
}

/// Returns whether this is the first of all calls by the processes of a run.
fn is_first() -> Result<bool> {
    let mut path = std::env::var_os(BUSY).context("only `defences` runs this")?;
    path.push(".met");
    // Of all processes and threads, the system lets only one create the file.
    Ok(std::fs::File::create_new(path).is_ok())
}

/// Replaces the results by these of their rows, in this order.
fn arrange(results: &mut [Column], rows: impl Iterator<Item = usize>) {
    let rows: Vec<usize> = rows.collect();
    let arranged = column::select(results, &rows);
    results.iter_mut().zip(arranged).for_each(|(column, rows)| *column = rows);
}

/// Makes the right result of a row a wrong one, by changing the bit behind the sign.
fn flip(results: &mut [Column], row: usize) {
    let right = results[0].get(row);
    results[0].set(row, right ^ 1 << (8 * results[0].row_bytes() - 2));
}
