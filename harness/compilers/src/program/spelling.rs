//! Spellings: what of a program a compiler is shown.

use std::fmt;

use super::{Node, Program, Type};

/// A way in which a program stands in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// The program as it is, with its constants as literals.
    Plain,
    /// The program's constants are parameters, behind its own.
    Parameters,
    /// The program's constants are read from memory, whose addresses are parameters behind its own.
    Memory,
    /// The value of this number goes through an instruction of which the compiler knows nothing.
    Opaque(usize),
}

/// A program in a spelling; it means the same in all spellings.
#[derive(Clone, Copy, Debug)]
pub struct Spelled<'a> {
    /// The program.
    pub program: &'a Program,
    /// The way in which the program stands in its source.
    pub spelling: Spelling,
}

impl Spelling {
    /// The spellings that there are for every program.
    pub const ALL: [Spelling; 3] = [Spelling::Plain, Spelling::Parameters, Spelling::Memory];
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spelling::Plain => f.write_str("as it is"),
            Spelling::Parameters => f.write_str("its constants are parameters"),
            Spelling::Memory => f.write_str("its constants are read from memory"),
            Spelling::Opaque(place) => write!(f, "v{place} is hidden from the optimiser"),
        }
    }
}

impl Program {
    /// Returns the program's constants with their types, in order.
    pub fn constants(&self) -> Vec<(Type, u64)> {
        let constants = self.values.iter().filter_map(|(ty, node)| match node {
            Node::Constant(bits) => Some((*ty, *bits)),
            _ => None,
        });
        constants.collect()
    }

    /// Returns the spellings that hide a value from the compiler: one for each value that is neither a parameter nor
    /// the result.
    pub fn opaque(&self) -> Vec<Spelling> {
        let inner = self.values.iter().enumerate().take(self.values.len() - 1);
        let hidden = inner.filter(|(_, (_, node))| *node != Node::Parameter);
        hidden.map(|(place, _)| Spelling::Opaque(place)).collect()
    }
}
