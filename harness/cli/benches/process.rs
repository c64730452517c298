//! Measures the cost of having vectors computed by another process: the frames of `exec:`, exchanged with a child
//! that computes nothing.

use std::io::{BufRead, BufReader, Read, Write};

use divan::Bencher;
use divan::counter::ItemsCount;
use implementations::Implementation;
use isa::Variant;
use runner::BLOCK;

/// The argument that makes this program act as the child.
const CHILD: &str = "--as-child";

fn main() {
    if std::env::args().nth(1).as_deref() == Some(CHILD) {
        child().expect("the frames of version 1");
    } else {
        divan::main();
    }
}

/// Measures one block, from operand columns to result columns; `fma.rn.f32` is 16 bytes a vector.
#[divan::bench(sample_count = 200, args = ["abs.f16", "mul.f16", "fma.rn.f32", "fma.rn.f64"])]
fn block(bencher: Bencher, variant: &str) {
    let variant: Variant = variant.parse().expect("a variant");
    let this = std::env::current_exe().expect("this program");
    let implementation: Box<dyn Implementation> =
        implementations::named(&format!("exec:'{}' {CHILD}", this.display())).expect("a child");
    let mut worker = implementation.worker().expect("a worker");
    let rows = BLOCK as usize;
    let operands = isa::columns_for(&variant, rows);
    let mut results = isa::results_for(&variant, rows);
    bencher.counter(ItemsCount::new(rows)).bench_local(|| {
        worker.run(&variant, &operands, &mut results).expect("results");
        assert!(worker.faults().is_empty());
    });
}

/// Answers every request of the protocol with zeros, as the child.
fn child() -> std::io::Result<()> {
    let (mut input, mut output) = (BufReader::new(std::io::stdin().lock()), std::io::stdout().lock());
    let mut line = String::new();
    let mut bytes = Vec::new();
    while input.read_line(&mut line)? > 0 {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["run", _, rows, operands, results] => {
                let sum = |widths: &str| -> usize {
                    let widths = widths.split(',').map(|width| width.parse::<usize>());
                    widths.sum::<Result<usize, _>>().unwrap_or(0)
                };
                let rows: usize = rows.parse().unwrap_or(0);
                bytes.resize(rows * sum(operands), 0);
                input.read_exact(&mut bytes)?;
                output.write_all(b"results\n")?;
                bytes.clear();
                bytes.resize(rows * sum(results), 0);
                output.write_all(&bytes)?;
            }
            _ => output.write_all(b"ptx-conformance 1 nothing 1\n")?,
        }
        output.flush()?;
        line.clear();
    }
    Ok(())
}
