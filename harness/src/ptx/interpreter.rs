//! The little of PTX that printed kernels consist of, interpreted, so that the printing itself is
//! checked where there is no GPU. It reads text, and knows nothing of what that was printed from.

use std::collections::HashMap;

/// Instructions that were read.
pub struct Program {
    instructions: Vec<(String, Vec<Operand>)>,
    registers: usize,
    inputs: Vec<Option<usize>>,
    result: usize,
}

#[derive(Clone, Copy)]
enum Operand {
    Register(usize),
    Constant(u64),
}

impl Program {
    /// Reads the text of a program whose inputs are `%input0` and so on.
    pub fn read(text: &str, result: &str) -> Program {
        let mut names: HashMap<String, usize> = HashMap::new();
        let mut name = |text: &str| {
            let next = names.len();
            *names.entry(text.to_owned()).or_insert(next)
        };
        let mut instructions = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with(".reg ")) {
            let line = line.strip_suffix(';').unwrap_or_else(|| panic!("no end in `{line}`"));
            let (mnemonic, operands) = line.split_once(' ').unwrap_or_else(|| panic!("`{line}`"));
            let operand = |text: &str| match text.strip_prefix("0x") {
                Some(digits) => Operand::Constant(u64::from_str_radix(digits, 16).unwrap()),
                None => match text.parse() {
                    Ok(number) => Operand::Constant(number),
                    Err(_) => Operand::Register(name(text)),
                },
            };
            instructions.push((mnemonic.to_owned(), operands.split(", ").map(operand).collect()));
        }
        let result = name(result);
        let inputs = (0..4).map(|number| names.get(&format!("%input{number}")).copied()).collect();
        Program { instructions, registers: names.len(), inputs, result }
    }

    /// What it gives.
    pub fn run(&self, inputs: &[u64]) -> u64 {
        let mut registers = vec![None; self.registers];
        for (register, &input) in self.inputs.iter().zip(inputs) {
            register.iter().for_each(|&register| registers[register] = Some(input));
        }
        for (mnemonic, operands) in &self.instructions {
            let [Operand::Register(d), sources @ ..] = &operands[..] else {
                panic!("{mnemonic} has no result")
            };
            let value = |operand: &Operand| match *operand {
                Operand::Constant(value) => value,
                Operand::Register(register) => registers[register].expect("set before it is read"),
            };
            let sources: Vec<u64> = sources.iter().map(value).collect();
            let result = execute(mnemonic, &sources);
            registers[*d] = Some(result);
        }
        registers[self.result].expect("set at the end")
    }
}

/// One instruction; a predicate is 0 or 1.
fn execute(mnemonic: &str, sources: &[u64]) -> u64 {
    let (operation, width) = match mnemonic {
        "cvt.u64.u32" | "cvt.u32.u64" => (mnemonic, 32),
        _ => {
            let digits = mnemonic.len() - 2;
            (&mnemonic[..digits], mnemonic[digits..].parse().expect("a width"))
        }
    };
    let bits = |value: u64| value & u64::MAX >> (64 - width);
    let signed = |value: u64| (value << (64 - width)) as i64 >> (64 - width);
    let wide = |value: u64| u128::from(bits(value));
    let result = match (operation, sources) {
        ("mov.b" | "cvt.u64.u32" | "cvt.u32.u64", &[a]) => a,
        ("not.b", &[a]) => !a,
        ("abs.s", &[a]) => signed(a).unsigned_abs(),
        ("clz.b", &[a]) => u64::from(bits(a).leading_zeros()) - (64 - width),
        ("add.u", &[a, b]) => (wide(a) + wide(b)) as u64,
        ("sub.u", &[a, b]) => (wide(a) + (1 << 64) - wide(b)) as u64,
        ("mul.lo.u", &[a, b]) => (wide(a) * wide(b)) as u64,
        ("and.b", &[a, b]) => a & b,
        ("or.b", &[a, b]) => a | b,
        ("xor.b", &[a, b]) => a ^ b,
        ("min.u", &[a, b]) => bits(a).min(bits(b)),
        ("max.u", &[a, b]) => bits(a).max(bits(b)),
        ("max.s", &[a, b]) => signed(a).max(signed(b)) as u64,
        // Something that nobody would take for a quotient.
        ("div.u", &[_, 0]) => 0xdead_beef_dead_beef,
        ("div.u", &[a, b]) => bits(a) / bits(b),
        // The amount has 32 bits, and is clamped to the width.
        ("shl.b", &[a, b]) => (wide(a) << b.min(width)) as u64,
        ("shr.u", &[a, b]) => (wide(a) >> b.min(width)) as u64,
        ("shr.s", &[a, b]) => (i128::from(signed(a)) >> b.min(width)) as u64,
        ("setp.eq.u", &[a, b]) => u64::from(bits(a) == bits(b)),
        ("setp.gt.u", &[a, b]) => u64::from(bits(a) > bits(b)),
        ("selp.b", &[a, b, p]) => {
            if p == 1 {
                a
            } else {
                b
            }
        }
        _ => panic!("not interpreted: {mnemonic} of {} operands", sources.len()),
    };
    bits(result)
}
