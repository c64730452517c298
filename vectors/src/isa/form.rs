//! The row type of the instruction table.

use std::fmt;

use super::contract::Contract;
use super::modifier::{Modifier, Operation};
use super::target::Since;
use crate::format::Format;

/// What a register holds: one or more data of one format, lane 0 in the low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Encoding of each lane.
    pub format: &'static Format,
    /// Number of lanes.
    pub lanes: usize,
}

impl Type {
    /// One datum.
    pub const fn scalar(format: &'static Format) -> Type {
        Type { format, lanes: 1 }
    }

    /// Two data side by side.
    pub const fn x2(format: &'static Format) -> Type {
        Type { format, lanes: 2 }
    }

    /// Size of the register, in bits.
    pub const fn width(&self) -> u32 {
        self.format.width() * self.lanes as u32
    }

    /// Size of a row of a column that holds it, in bytes.
    pub const fn row_bytes(&self) -> usize {
        (self.width() as usize).div_ceil(8)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.name)?;
        if self.lanes > 1 {
            write!(f, "x{}", self.lanes)?;
        }
        Ok(())
    }
}

/// An operand as the manual's syntax line has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// `a`, `b`, `c` …
    pub name: &'static str,
    /// What its register holds.
    pub ty: Type,
}

/// The types of an instruction: those printed in the mnemonic, and those of the registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The types in the mnemonic, in its order.
    pub printed: Vec<Type>,
    /// The destinations.
    pub results: Vec<Type>,
    /// The sources.
    pub operands: Vec<Operand>,
}

impl Signature {
    /// `op.type d, a, b …`: every register of the one printed type.
    pub fn same(ty: Type, names: &[&'static str]) -> Signature {
        let operands = names.iter().map(|&name| Operand { name, ty }).collect();
        Signature { printed: vec![ty], results: vec![ty], operands }
    }

    /// `op.wide.narrow d, a … c`: the last operand and the result wide, the others narrow.
    pub fn mixed(wide: Type, narrow: Type, names: &[&'static str]) -> Signature {
        let mut signature = Signature::same(narrow, names);
        signature.operands.last_mut().expect("a mixed form has operands").ty = wide;
        Signature { printed: vec![wide, narrow], results: vec![wide], ..signature }
    }

    /// The types as printed: `.f32.bf16`.
    pub fn suffix(&self) -> String {
        self.printed.iter().map(|ty| format!(".{ty}")).collect()
    }
}

/// A place in the mnemonic that one of several modifiers may fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What may stand there.
    pub choices: Vec<Modifier>,
    /// Whether it may be empty.
    pub optional: bool,
}

/// A row of the instruction table: one line of the manual's syntax, and what holds for it.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it computes.
    pub operation: Operation,
    /// The modifiers in the manual's notation: `.rn{.ftz}{.sat}`, with `.rnd` for the four roundings.
    pub syntax: &'static str,
    /// The same, place by place.
    pub slots: Vec<Slot>,
    /// The types it exists for.
    pub signatures: Vec<Signature>,
    /// What it promises.
    pub contract: Contract,
    /// Each PTX version and target that brought it.
    pub since: Vec<Since>,
    /// Section of the PTX ISA manual, numbered as in version 9.4.
    pub section: &'static str,
}

/// Reads a modifier syntax in the manual's notation.
///
/// # Panics
/// On a syntax that is not one: the table's own tests build every row.
pub fn slots(syntax: &str) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut rest = syntax;
    while !rest.is_empty() {
        let optional = rest.starts_with('{');
        let start = rest.trim_start_matches('{');
        let body = start.strip_prefix('.').unwrap_or_else(|| panic!("no dot in `{rest}` of `{syntax}`"));
        let end = body.find(['{', '}', '.']).unwrap_or(body.len());
        let choices = match &body[..end] {
            "rnd" => vec![Modifier::Rn, Modifier::Rz, Modifier::Rm, Modifier::Rp],
            text => {
                vec![Modifier::named(text).unwrap_or_else(|| panic!("`.{text}` in `{syntax}`"))]
            }
        };
        slots.push(Slot { choices, optional });
        rest = &body[end..];
        if optional {
            rest = rest.strip_prefix('}').unwrap_or_else(|| panic!("open brace in `{syntax}`"));
        }
    }
    slots
}

impl Form {
    /// Every legal choice of modifiers, in the order of the syntax.
    pub fn modifier_sets(&self) -> Vec<Vec<Modifier>> {
        let mut sets = vec![Vec::new()];
        for slot in &self.slots {
            let without = slot.optional.then_some(None);
            let choices = || without.into_iter().chain(slot.choices.iter().copied().map(Some));
            sets = sets
                .iter()
                .flat_map(|set| choices().map(|choice| set.iter().copied().chain(choice).collect()))
                .collect();
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Modifier::*;

    #[test]
    fn syntax_is_the_manuals_notation() {
        let read = slots(".rnd{.ftz}.sat");
        let expected = [(vec![Rn, Rz, Rm, Rp], false), (vec![Ftz], true), (vec![Sat], false)];
        assert_eq!(read, expected.map(|(choices, optional)| Slot { choices, optional }));
    }
}
