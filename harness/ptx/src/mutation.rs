//! Makes mutants of functions: all that one edit of one instruction makes of them. Functions that compilers wrote get the
//! edits that compilers may make by mistake, and functions that people wrote also those that people may make.

mod by_hand;
mod spelling;
mod tree;

use std::fmt;

use crate::syntax::{Instruction, Module, Opcode, Statement};

use crate::contraction::Widths;

/// The kind of edit that is made to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    /// `.ftz` is added or dropped.
    Flushing,
    /// The instruction is rounded in another mode.
    Rounding,
    /// A division, root or reciprocal is approximated in another way, or not at all.
    Precision,
    /// `.sat`, `.relu` or `.NaN` is dropped.
    Clamp,
    /// A sum of a product becomes a fused multiply-add.
    Contracted,
    /// A fused multiply-add becomes a product and a sum.
    TakenApart,
    /// The lowest bit of a constant is flipped.
    Constant,
    /// The operands of a difference or quotient are exchanged.
    Exchanged,
    /// The instruction becomes a move of its first source.
    Dropped,
    /// A comparison has another relation, such as `le` for `lt`.
    Relation,
    /// The instruction is another one of the same operands, or reads them with a sign, or without one.
    Operation,
    /// The guard of an instruction is negated.
    Guard,
}

impl Edit {
    /// The kinds of edits that mutants of compiled functions have.
    pub const ALL: [Edit; 9] = [
        Edit::Flushing,
        Edit::Rounding,
        Edit::Precision,
        Edit::Clamp,
        Edit::Contracted,
        Edit::TakenApart,
        Edit::Constant,
        Edit::Exchanged,
        Edit::Dropped,
    ];
    /// The kinds of edits that only mutants of functions by hand have.
    pub const BY_HAND: [Edit; 3] = [Edit::Relation, Edit::Operation, Edit::Guard];

    /// Returns the name of the kind of edit.
    pub const fn name(self) -> &'static str {
        match self {
            Edit::Flushing => "flushing",
            Edit::Rounding => "rounding",
            Edit::Precision => "precision",
            Edit::Clamp => "clamp",
            Edit::Contracted => "contracted",
            Edit::TakenApart => "taken apart",
            Edit::Constant => "constant",
            Edit::Exchanged => "exchanged",
            Edit::Dropped => "dropped",
            Edit::Relation => "relation",
            Edit::Operation => "operation",
            Edit::Guard => "guard",
        }
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A function with one edit.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The kind of edit.
    pub edit: Edit,
    /// The instruction and what became of it, with an arrow between them.
    pub text: String,
    /// The module with the edit.
    pub module: Module,
}

/// Returns the edits of an instruction, which stands behind some statements of its body.
type Edits = fn(&Instruction, &[Statement], &Widths) -> Vec<(Edit, Statement)>;

/// Makes all mutants of a compiled module, be they edits of a function, of one that it calls, or of a kernel. Some may
/// not be PTX: whether a move between registers of two widths is PTX, nobody knows before it is read.
pub fn mutants(module: &Module) -> Vec<Mutant> {
    mutants_by(module, compiled_edits)
}

/// Makes all mutants of a module that somebody wrote: those of a compiled module, and more.
pub fn mutants_by_hand(module: &Module) -> Vec<Mutant> {
    mutants_by(module, |instruction, before, widths| {
        let all = compiled_edits(instruction, before, widths).into_iter();
        all.chain(by_hand::edits(instruction)).collect()
    })
}

/// Returns the edits of a compiled instruction: parameters and branches stay what they are.
fn compiled_edits(
    instruction: &Instruction,
    before: &[Statement],
    widths: &Widths,
) -> Vec<(Edit, Statement)> {
    if !computes(&instruction.opcode) {
        return Vec::new();
    }
    let own = spelling::edits(instruction).into_iter();
    own.chain(tree::edits(instruction, before, widths)).collect()
}

/// Makes the mutants of all functions and kernels of a module by the edits of each instruction.
fn mutants_by(module: &Module, edits: Edits) -> Vec<Mutant> {
    let of_functions = (0..module.functions.len()).flat_map(|place| {
        let body = module.functions[place].body.as_deref().unwrap_or_default();
        mutants_of(module, body, edits, move |module, body| module.functions[place].body = Some(body))
    });
    let of_kernels = (0..module.entries.len()).flat_map(|place| {
        let body = &module.entries[place].body;
        mutants_of(module, body, edits, move |module, body| module.entries[place].body = body)
    });
    of_functions.chain(of_kernels).collect()
}

/// Makes the mutants of one body; `put` puts an edited body into a copy of the module, in the place of the right one.
fn mutants_of(
    module: &Module,
    body: &[Statement],
    edits: Edits,
    put: impl Fn(&mut Module, Vec<Statement>),
) -> impl Iterator<Item = Mutant> {
    edited(body, &Widths::of(body), edits).into_iter().map(move |edited| {
        let mut module = module.clone();
        put(&mut module, edited.body);
        Mutant { edit: edited.edit, text: edited.text, module }
    })
}

/// The statements of a body, of which one was edited.
struct Edited {
    edit: Edit,
    text: String,
    body: Vec<Statement>,
}

/// Returns copies of a body, each with one edit of one instruction in it or in an inner block.
fn edited(body: &[Statement], widths: &Widths, edits: Edits) -> Vec<Edited> {
    let mut all = Vec::new();
    for (at, statement) in body.iter().enumerate() {
        let with = |new: Statement| {
            let mut body = body.to_vec();
            body[at] = new;
            body
        };
        match statement {
            Statement::Instruction(instruction) => {
                for (edit, new) in edits(instruction, &body[..at], widths) {
                    let text = format!("{instruction} → {}", one_line(&new));
                    all.push(Edited { edit, text, body: with(new) });
                }
            }
            Statement::Block(inner) => {
                // Instructions of a block are contracted with what stands before them in the block, and not with this
                // body.
                let inner = edited(inner, widths, edits).into_iter();
                let outer = |inner: Edited| Edited { body: with(Statement::Block(inner.body)), ..inner };
                all.extend(inner.map(outer));
            }
            _ => {}
        }
    }
    all
}

/// Whether an instruction computes, and does not move a parameter or branch.
fn computes(opcode: &Opcode) -> bool {
    matches!(opcode, Opcode::Integer(_) | Opcode::Tested(_))
}

/// Returns a statement as text without line breaks.
fn one_line(statement: &Statement) -> String {
    statement.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
