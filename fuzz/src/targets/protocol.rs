//! The `protocol` target, which reads answers of an untrusted program, in frames of bytes and in lines.

use std::fmt::{Debug, Write};

use arbitrary::{Arbitrary, Unstructured};
use formats::Column;
use implementations::process::recorded::{ProcessAnswer, Recorded};
use isa::{Variant, columns_for, results_for};

use super::{FuzzTarget, nothing};
use crate::{Findings, FuzzCase, Random, Ring, words};

/// The `protocol` target.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "protocol", unit: "answers taken", begin: nothing, seeds, mutate, attempt };

/// A script of what a program was asked, and what it says.
///
/// An input's bytes are, a byte each, what the program was asked, the size of the pieces that its answer comes in, and
/// the number of vectors; then the first eight bytes of a [`FuzzCase`]; then what the program says.
struct Script<'a> {
    asked: ProtocolCall,
    piece: usize,
    rows: usize,
    variant: &'static Variant,
    says: &'a [u8],
}

/// Number of an input's bytes before those that the program says.
const HEAD: usize = 3 + 8;

#[derive(Clone, Copy, Debug)]
enum ProtocolCall {
    Introduce,
    Supports,
    Run,
    RunLines,
    List,
    /// `Introduce`, `Supports` and `Run`, one after the other.
    Session,
    Load,
    RunKernel,
}

impl<'a> Script<'a> {
    /// Reads the script that an input stands for; missing bytes of its head are zeros.
    fn read(bytes: &'a [u8]) -> Script<'a> {
        let (head, says) = bytes.split_at(bytes.len().min(HEAD));
        let mut head = Unstructured::new(head);
        let mut byte = || u8::arbitrary(&mut head).unwrap_or_default().into();
        let asked: usize = byte();
        use ProtocolCall::*;
        let asked = [Introduce, Supports, Run, RunLines, List, Session, Load, RunKernel][asked % 8];
        let (piece, rows): (usize, usize) = (byte(), byte());
        let variant = Ring::all().variant(head.take_rest());
        Script { asked, piece: piece.max(1), rows: 1 + rows % 9, variant, says }
    }

    /// Has the program say its answer in pieces of `piece` bytes, and returns what the suite reads.
    fn hold(&self, piece: usize) -> ScriptOutcome {
        let mut program = Recorded::new(self.says.chunks(piece).map(<[u8]>::to_vec));
        let operands = columns_for(self.variant, self.rows);
        let mut results = results_for(self.variant, self.rows);
        let text = match self.asked {
            ProtocolCall::Introduce => plain(program.introduce()),
            ProtocolCall::Supports => plain(program.support(self.variant)),
            ProtocolCall::Run => plain(program.run(self.variant, &operands, &mut results)),
            ProtocolCall::RunLines => plain(program.run_lines(&operands, &mut results)),
            ProtocolCall::List => plain(program.list()),
            ProtocolCall::Load => plain(program.load()),
            ProtocolCall::RunKernel => plain(program.run_kernel(&operands, &mut results)),
            ProtocolCall::Session => plain(program.introduce())
                .and_then(|_| plain(program.support(self.variant)))
                .and_then(|_| plain(program.run(self.variant, &operands, &mut results))),
        };
        ScriptOutcome { text, results }
    }
}

/// The outcome of a script: the answer as text, and the results that were read.
#[derive(Debug, PartialEq, Eq)]
struct ScriptOutcome {
    text: ProcessAnswer<String>,
    results: Vec<Column>,
}

/// Returns an answer as text, which must be fit for a terminal.
///
/// # Panics
/// If the text has a control character other than a tab.
fn plain<T: Debug>(answer: ProcessAnswer<T>) -> ProcessAnswer<String> {
    let answer = answer.map(|said| format!("{said:?}"));
    let (Ok(text) | Err(text)) = &answer;
    assert!(!text.contains(|letter: char| letter.is_control() && letter != '\t'), "{text:?}");
    answer
}

/// Reads the answers of a script, and checks that nothing is read that was not said.
fn attempt(bytes: &[u8], findings: &mut Findings) {
    let script = Script::read(bytes);
    let outcome = script.hold(script.piece);
    if !matches!(script.asked, ProtocolCall::Session) {
        let whole = script.hold(script.says.len().max(1));
        assert_eq!(outcome, whole, "it matters in which pieces an answer comes");
    }
    if outcome.text.is_err() {
        return;
    }
    findings.tried += 1;
    findings.variants.insert(script.variant.text());
    match script.asked {
        // The program may have said why it has no results.
        ProtocolCall::RunKernel if outcome.text.as_deref() != Ok("Ok(())") => {}
        ProtocolCall::Run | ProtocolCall::RunKernel => {
            let bytes: Vec<u8> = outcome.results.iter().flat_map(Column::bytes).copied().collect();
            let mut places = script.says.windows(bytes.len());
            assert!(places.any(|place| place == bytes), "results that were not said");
        }
        ProtocolCall::RunLines => {
            let lines = lines(&outcome.results).into_bytes();
            let again = Script { says: &lines, ..script }.hold(lines.len());
            // What was read is written as a program would, and has to read as the same results.
            assert_eq!(again, outcome, "results that do not read back");
        }
        _ => {}
    }
}

/// Returns results as a program writes them: a line for each row, in hexadecimal.
fn lines(results: &[Column]) -> String {
    let mut text = String::new();
    for row in 0..results[0].rows() {
        for (at, column) in results.iter().enumerate() {
            let (space, digits) = (if at == 0 { "" } else { " " }, 2 * column.row_bytes());
            write!(text, "{space}{:0digits$x}", column.get(row)).expect("a String takes all text");
        }
        text.push('\n');
    }
    text
}

/// Returns the inputs of a new corpus: right and wrong answers to each question, for some variants.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, variant) in Variant::all().iter().enumerate().step_by(211) {
        let rows = 1 + number % 9;
        let mut results = results_for(variant, rows);
        let mut random = Random::new(number as u64);
        for column in &mut results {
            column.bytes_mut().iter_mut().for_each(|byte| *byte = random.bits() as u8);
        }
        let bytes: Vec<u8> = results.iter().flat_map(Column::bytes).copied().collect();
        let frame = [b"results\n".as_slice(), &bytes].concat();
        let digits = lines(&results).into_bytes();
        let introduction = b"ptx-conformance 1 client 0.1\n".as_slice();
        let session = [introduction, b"yes\n", &frame].concat();
        let but_first = [b"results but 1\n".as_slice(), &[0; 4], &bytes].concat();
        let none = "-\n".repeat(rows);
        // The numbers are those of the calls, in the order in which `Script::read` lists them.
        let said: [(u8, &[u8]); 20] = [
            (0, introduction),
            (0, b"ptx-conformance 2 client\n"),
            (1, b"yes\n"),
            (1, b"no such instruction\n"),
            (2, &frame),
            (2, &frame[..frame.len() - 1]),
            (2, &but_first),
            (2, b"failed out of memory\n"),
            (3, &digits),
            (3, none.as_bytes()),
            (3, b"3c00\n7fff 0\n"),
            (4, variant.text().as_bytes()),
            (4, b"mul.f16\r\n\nadd.f16\n"),
            (5, &session),
            (6, b"loaded\n"),
            (6, b"no mul.f16 is not known\n"),
            (6, b"loaded mul\n"),
            (7, &frame),
            (7, &frame[..frame.len() - 1]),
            (7, b"failed out of memory\n"),
        ];
        for (asked, says) in said {
            let case = FuzzCase::new(variant, &[0u64; 0]).to_bytes();
            let head = [asked, 64, (rows - 1) as u8];
            seeds.push([&head, &case[..8], says].concat());
        }
    }
    seeds
}

/// Changes the head of a script in one input of four, and otherwise the words that the program says.
fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    // The head is bytes, and only what the program says has words.
    let (head, says) = bytes.split_at(bytes.len().min(HEAD));
    let mut head = head.to_vec();
    if random.below(4) == 0 && !head.is_empty() {
        let at = random.below(head.len());
        head[at] = random.bits() as u8;
        return [&head, says].concat();
    }
    let vocabulary = [
        "ptx-conformance 1",
        "results",
        "loaded",
        " but ",
        "yes",
        "no ",
        "failed",
        "\n",
        "\r\n",
        " ",
        "-",
        "0",
        "1",
        "3c00",
        "7FFF",
        "00000000",
        "\u{1b}[2J",
        "\u{0}",
        "é",
        "mul.f16",
        "99999999999999999999",
    ];
    [head, words::mutate(says, b" \n", &vocabulary, random)].concat()
}
