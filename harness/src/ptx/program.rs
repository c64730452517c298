//! The emulator's kernels as integer PTX: what judges results on a device must not use the unit that
//! is under test there.

use std::fmt::Write;

use emulator::{Binary, Step, Trace, Unary};

/// A trace as PTX: from registers `%input0`, `%input1` … to the register that it returns the name of.
/// All are of the trace's width.
///
/// Its own registers are declared; put it in braces where it stands beside another. Instructions are
/// those of PTX ISA 9.7.1 and 9.7.8, all of them of integers.
pub fn program(trace: &Trace) -> (String, String) {
    let bits = trace.bits;
    let mut text =
        format!(".reg .b{bits} %w<{}>;\n.reg .b32 %count;\n.reg .pred %holds;\n", trace.steps.len());
    for (number, step) in trace.steps.iter().enumerate() {
        let result = format!("%w{number}");
        let lines = match *step {
            Step::Input(input) => format!("mov.b{bits} {result}, %input{input};\n"),
            Step::Constant(constant) => format!("mov.b{bits} {result}, {constant:#x};\n"),
            Step::Unary(unary, word) => unary_lines(unary, bits, &result, &format!("%w{word}")),
            Step::Binary(binary, one, other) => {
                binary_lines(binary, bits, &result, &format!("%w{one}"), &format!("%w{other}"))
            }
        };
        text += &lines;
    }
    (text, format!("%w{}", trace.result))
}

fn unary_lines(unary: Unary, bits: u32, d: &str, a: &str) -> String {
    match unary {
        Unary::Not => format!("not.b{bits} {d}, {a};\n"),
        Unary::Abs => format!("abs.s{bits} {d}, {a};\n"),
        Unary::LeadingZeros if bits == 32 => format!("clz.b32 {d}, {a};\n"),
        // Counts have 32 bits whatever they are of.
        Unary::LeadingZeros => format!("clz.b64 %count, {a};\ncvt.u64.u32 {d}, %count;\n"),
    }
}

fn binary_lines(binary: Binary, bits: u32, d: &str, a: &str, b: &str) -> String {
    let plain = |mnemonic: &str| format!("{mnemonic}{bits} {d}, {a}, {b};\n");
    let mask = |relation: &str| {
        let ones = u64::MAX >> (64 - bits);
        format!("setp.{relation}.u{bits} %holds, {a}, {b};\nselp.b{bits} {d}, {ones:#x}, 0, %holds;\n")
    };
    // "Shift amounts greater than the register width N are clamped to N", and have 32 bits.
    let shift = |mnemonic: &str| match bits {
        32 => plain(mnemonic),
        _ => format!(
            "min.u64 {d}, {b}, 64;\ncvt.u32.u64 %count, {d};\n{mnemonic}{bits} {d}, {a}, %count;\n"
        ),
    };
    match binary {
        Binary::Add => plain("add.u"),
        Binary::Sub => plain("sub.u"),
        Binary::Mul => plain("mul.lo.u"),
        Binary::And => plain("and.b"),
        Binary::Or => plain("or.b"),
        Binary::Xor => plain("xor.b"),
        Binary::Shl => shift("shl.b"),
        Binary::Shr => shift("shr.u"),
        Binary::ShrSigned => shift("shr.s"),
        Binary::Min => plain("min.u"),
        Binary::Max => plain("max.u"),
        Binary::MaxSigned => plain("max.s"),
        Binary::Equals => mask("eq"),
        Binary::Exceeds => mask("gt"),
        Binary::Quotient => {
            let mut text = plain("div.u");
            // "Division by zero yields an unspecified, machine-specific value."
            let otherwise =
                format!("setp.eq.u{bits} %holds, {b}, 0;\nselp.b{bits} {d}, 0, {d}, %holds;");
            writeln!(text, "{otherwise}").expect("memory");
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use emulator::{Backend, Kernel};
    use fake_driver::interpreter::{Program, Values, WARP};
    use vectors::Variant;
    use vectors::isa::Stream;
    use vectors::sweep::{Length, Sweep, columns_for};

    use super::*;

    const ROWS: usize = 24;

    /// Whatever has a kernel of 32 or 64 bits computes the same as PTX text.
    #[test]
    fn kernels_printed_and_interpreted_give_what_they_give_here() {
        let (mut printed, mut longest) = (0, 0);
        for variant in Variant::all() {
            let kernel = Kernel::of(variant, Backend::Scalar).expect("every variant has one");
            let Some(traces) = kernel.traces() else { continue };
            printed += 1;
            longest = traces.iter().map(|trace| trace.steps.len()).fold(longest, usize::max);
            let programs: Vec<(Program, String)> = traces
                .iter()
                .map(|trace| {
                    let (text, result) = program(trace);
                    let inputs = format!(".reg .b{} %input<{}>;\n", trace.bits, trace.inputs);
                    (Program::read(&(inputs + &text)), result)
                })
                .collect();
            for name in ["exponents", "uniform", "boundary"] {
                check(variant, &kernel, &programs, Sweep::named(name).unwrap());
            }
        }
        assert!(printed > 4500, "only {printed} variants");
        assert!(longest < 4000, "{longest} steps");
    }

    fn check(variant: &Variant, kernel: &Kernel, programs: &[(Program, String)], sweep: &Sweep) {
        let rows = match sweep.length(variant) {
            Length::Finite(rows) if rows < ROWS as u64 => rows as usize,
            _ => ROWS,
        };
        let mut operands = columns_for(variant, rows);
        sweep.fill(variant, 7, 0, &mut operands);
        let mut results: Vec<_> =
            variant.results().iter().map(|r| vectors::Column::new(r.ty.row_bytes(), rows)).collect();
        kernel.run(&operands, &mut results);
        let lanes = variant.lanes();
        let elements = |stream: &Stream, registers, columns: &[vectors::Column]| {
            let mut elements = vec![0u64; rows * lanes];
            stream.gather(registers, columns, 0..rows, &mut elements);
            elements
        };
        let inputs: Vec<Vec<u64>> =
            variant.inputs().iter().map(|s| elements(s, variant.operands(), &operands)).collect();
        for ((program, result), output) in programs.iter().zip(variant.outputs()) {
            let wanted = elements(output, variant.results(), &results);
            for start in (0..wanted.len()).step_by(WARP) {
                let end = wanted.len().min(start + WARP);
                let warp = |(number, input): (usize, &Vec<u64>)| {
                    let mut values = Values::default();
                    values[..end - start].copy_from_slice(&input[start..end]);
                    (format!("%input{number}"), values)
                };
                let inputs: Vec<_> = inputs.iter().enumerate().map(warp).collect();
                let given = program.compute(&inputs, result).map(|bits| bits & output.format.mask());
                assert_eq!(given[..end - start], wanted[start..end], "{variant} of {inputs:x?}");
            }
        }
    }
}
