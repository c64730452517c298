//! Edits of operands, and of one instruction into others.

use std::collections::HashMap;

use ptx::syntax::{Declaration, Declared, Instruction, Opcode, Operand, Scalar, Statement};

use super::Edit;

/// The types of registers, as they are declared: by their names, or by what stands before their numbers and how many
/// there are, of which nobody knows how many that will be.
pub struct Widths {
    names: HashMap<String, Scalar>,
    numbered: Vec<(String, usize, Scalar)>,
}

impl Widths {
    /// Those of a body, and of the blocks in it.
    pub fn of(body: &[Statement]) -> Widths {
        let mut all = Widths { names: HashMap::new(), numbered: Vec::new() };
        for statement in body {
            match statement {
                Statement::Declaration(declaration) => {
                    for Declared { name, count } in &declaration.names {
                        match count {
                            Some(count) => {
                                all.numbered.push((name.clone(), *count as usize, declaration.ty));
                            }
                            None => {
                                all.names.insert(name.clone(), declaration.ty);
                            }
                        }
                    }
                }
                Statement::Block(inner) => {
                    let inner = Widths::of(inner);
                    all.names.extend(inner.names);
                    all.numbered.extend(inner.numbered);
                }
                _ => {}
            }
        }
        all
    }

    fn get(&self, name: &str) -> Option<Scalar> {
        let numbered = |(before, count, ty): &(String, usize, Scalar)| {
            let number = name.strip_prefix(before.as_str())?;
            let is = number.parse::<usize>().is_ok_and(|own| own < *count && own.to_string() == number);
            is.then_some(*ty)
        };
        self.names.get(name).copied().or_else(|| self.numbered.iter().rev().find_map(numbered))
    }
}

/// All edits of an instruction that stands behind some others.
pub fn edits(
    instruction: &Instruction,
    before: &[Statement],
    widths: &Widths,
) -> Vec<(Edit, Statement)> {
    let mut all = Vec::new();
    let one = Statement::Instruction;
    all.extend(contracted(instruction, before, widths).map(|(new, _)| (Edit::Contracted, new)));
    all.extend(taken_apart(instruction, widths).map(|new| (Edit::TakenApart, new)));
    all.extend(constants(instruction).map(|new| (Edit::Constant, one(new))));
    all.extend(exchanged(instruction).map(|new| (Edit::Exchanged, one(new))));
    all.extend(dropped(instruction, widths).map(|new| (Edit::Dropped, one(new))));
    all
}

/// A sum or difference of which one term is a product, as a fused multiply-add; and whether an assembler may do
/// that: "an add instruction with no rounding modifier … may be contracted" (PTX ISA, `add`, `sub`, `mul`), with a
/// product that has none.
pub fn contracted(
    sum: &Instruction,
    before: &[Statement],
    widths: &Widths,
) -> Option<(Statement, bool)> {
    let (name, spelling) =
        ["add", "sub"].into_iter().find_map(|name| Some((name, named(sum, name)?)))?;
    let [into @ Operand::Register(result), one, other] = &sum.operands[..] else { return None };
    let product = |term: &Operand| {
        let found = before.iter().rev().find_map(|statement| match statement {
            Statement::Instruction(new) if new.operands.first() == Some(term) => Some(new),
            _ => None,
        })?;
        let spelling = named(found, "mul").filter(|_| found.guard.is_none())?;
        let [_, a, b] = &found.operands[..] else { return None };
        Some(([a.clone(), b.clone()], spelling))
    };
    let (([a, b], factors), first) =
        product(one).map(|of| (of, true)).or_else(|| Some((product(other)?, false)))?;
    let is_rounded = |spelling: &str| {
        spelling.split('.').nth(1).is_some_and(|word| matches!(word, "rn" | "rz" | "rm" | "rp"))
    };
    // Nothing is fused that flushes in one half and not in the other, or clamps before the sum.
    let alike = factors.replacen("mul", name, 1) == spelling.replace(".sat", "");
    let is_free = !is_rounded(spelling) && !is_rounded(factors) && alike;
    let rounding = if is_rounded(spelling) { "fma" } else { "fma.rn" };
    let fused = |operands: Vec<Operand>| {
        let opcode = Opcode::read(&spelling.replacen(name, rounding, 1));
        known(Instruction { guard: sum.guard.clone(), opcode, operands }).map(Statement::Instruction)
    };
    if name == "add" {
        let addend = if first { other } else { one };
        return Some((fused(vec![into.clone(), a, b, addend.clone()])?, is_free));
    }
    let negated: Operand = "%negated".into();
    let (of, operands) = match first {
        true => (other.clone(), vec![into.clone(), a, b, negated.clone()]),
        false => (a, vec![into.clone(), negated.clone(), b, one.clone()]),
    };
    let ty = spelling.rsplit('.').next()?;
    let sign = Instruction {
        guard: sum.guard.clone(),
        opcode: Opcode::read(&format!("neg.{ty}")),
        operands: vec![negated, of],
    };
    let names = vec![Declared { name: "%negated".into(), count: None }];
    let block = Statement::Block(vec![
        Statement::Declaration(Declaration { ty: widths.get(result)?, names }),
        Statement::Instruction(known(sign)?),
        fused(operands)?,
    ]);
    Some((block, is_free))
}

/// A fused multiply-add, as a product and a sum.
fn taken_apart(fused: &Instruction, widths: &Widths) -> Option<Statement> {
    let spelling = named(fused, "fma")?;
    let [Operand::Register(into), a, b, c] = &fused.operands[..] else { return None };
    let product: Operand = "%product".into();
    let step = |name: &str, clamp: bool, operands: [&Operand; 3]| {
        let spelling = spelling.replacen("fma", name, 1);
        let spelling = if clamp { spelling } else { spelling.replace(".sat", "").replace(".relu", "") };
        known(Instruction {
            guard: fused.guard.clone(),
            opcode: Opcode::read(&spelling),
            operands: operands.map(Clone::clone).to_vec(),
        })
    };
    let names = vec![Declared { name: "%product".into(), count: None }];
    Some(Statement::Block(vec![
        Statement::Declaration(Declaration { ty: widths.get(into)?, names }),
        Statement::Instruction(step("mul", false, [&product, a, b])?),
        Statement::Instruction(step("add", true, [&fused.operands[0], &product, c])?),
    ]))
}

/// With another lowest bit in one of its constants.
fn constants(instruction: &Instruction) -> impl Iterator<Item = Instruction> {
    instruction.operands.iter().enumerate().filter_map(|(at, operand)| {
        let mut new = instruction.clone();
        new.operands[at] = match operand {
            Operand::Single(bits) => Operand::Single(bits ^ 1),
            Operand::Double(bits) => Operand::Double(bits ^ 1),
            Operand::Immediate(one) => (one.value ^ 1).into(),
            _ => return None,
        };
        Some(new)
    })
}

/// A difference or a quotient the other way round.
fn exchanged(instruction: &Instruction) -> Option<Instruction> {
    let name = instruction.opcode.to_string();
    let [_, a, b] = &instruction.operands[..] else { return None };
    let concerned = (name.starts_with("sub.") || name.starts_with("div.")) && a != b;
    concerned.then(|| {
        let mut new = instruction.clone();
        new.operands.swap(1, 2);
        new
    })
}

/// A move of its first source.
fn dropped(instruction: &Instruction, widths: &Widths) -> Option<Instruction> {
    let [into @ Operand::Register(name), source, ..] = &instruction.operands[..] else { return None };
    let name = match widths.get(name)? {
        Scalar::Predicate => return None,
        ty => format!("mov.b{}", ty.width()),
    };
    let moves = instruction.opcode.to_string().starts_with("mov.");
    let is_datum = !matches!(source, Operand::Vector(_) | Operand::Label(_));
    (!moves && is_datum).then(|| Instruction {
        guard: instruction.guard.clone(),
        opcode: Opcode::read(&name),
        operands: vec![into.clone(), source.clone()],
    })
}

/// The spelling of an instruction of the table, if its name is this.
fn named<'a>(instruction: &'a Instruction, name: &str) -> Option<&'a str> {
    instruction.variant()?;
    let Opcode::Tested(spelling) = &instruction.opcode else { return None };
    spelling.strip_prefix(name)?.starts_with('.').then_some(&**spelling)
}

fn known(instruction: Instruction) -> Option<Instruction> {
    instruction.variant().is_some().then_some(instruction)
}
