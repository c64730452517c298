//! Makes edits of an instruction's operands, and of one instruction into others.

use crate::syntax::{Declaration, Declared, Instruction, Opcode, Operand, Scalar, Statement};

use super::Edit;
use crate::contraction::{Widths, contracted, in_table, named, setter};

/// Returns the edits of an instruction's operands, and of the instruction into others; it stands behind the statements
/// `before`.
pub fn edits(
    instruction: &Instruction,
    before: &[Statement],
    widths: &Widths,
) -> Vec<(Edit, Statement)> {
    let mut all = Vec::new();
    let one = Statement::Instruction;
    all.extend(
        contracted(instruction, |name| setter(before, name), widths)
            .map(|(new, _)| (Edit::Contracted, new)),
    );
    all.extend(taken_apart(instruction, widths).map(|new| (Edit::TakenApart, new)));
    all.extend(constants(instruction).map(|new| (Edit::Constant, one(new))));
    all.extend(exchanged(instruction).map(|new| (Edit::Exchanged, one(new))));
    all.extend(dropped(instruction, widths).map(|new| (Edit::Dropped, one(new))));
    all
}

/// Splits a fused multiply-add into a product and a sum.
fn taken_apart(fused: &Instruction, widths: &Widths) -> Option<Statement> {
    let spelling = named(fused, "fma")?;
    let [Operand::Register(into), a, b, c] = &fused.operands[..] else { return None };
    let product: Operand = "%product".into();
    let step = |name: &str, clamp: bool, operands: [&Operand; 3]| {
        let spelling = spelling.replacen("fma", name, 1);
        // Only the sum clamps, as the `fma` does after it has added.
        let spelling = if clamp { spelling } else { spelling.replace(".sat", "").replace(".relu", "") };
        in_table(Instruction {
            guard: fused.guard.clone(),
            opcode: Opcode::read(&spelling),
            operands: operands.map(Clone::clone).to_vec(),
            line: fused.line,
        })
    };
    let names = vec![Declared { name: "%product".into(), count: None }];
    Some(Statement::Block(vec![
        Statement::Declaration(Declaration { ty: widths.get(into)?, names }),
        Statement::Instruction(step("mul", false, [&product, a, b])?),
        Statement::Instruction(step("add", true, [&fused.operands[0], &product, c])?),
    ]))
}

/// Returns copies of an instruction, each with the lowest bit of one of its constants flipped.
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

/// Returns a difference or a quotient with its operands exchanged.
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

/// Returns a move of the instruction's first source to its destination.
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
        line: instruction.line,
    })
}
