//! The variables of a module, which all lanes read and none writes.

use std::collections::HashMap;

use ptx::syntax::{Linkage, Operand, Space, Variable};

use super::memory::{TABLES, holding, size, word};
use crate::lowering::Extent;

/// The most bytes of variables: no module has more.
const MOST_BYTES: usize = 1 << 26;

/// Constants, and global variables with values.
#[derive(Debug, Default)]
pub struct Tables {
    places: HashMap<String, usize>,
    extents: Vec<Extent>,
    /// The state space of each.
    spaces: Vec<Space>,
    bytes: Vec<u8>,
}

impl Tables {
    /// Returns all variables of the module's own whose values are numbers; others have no address.
    pub fn of(variables: &[Variable]) -> Tables {
        let mut tables = Tables::default();
        for variable in variables.iter().filter(|variable| variable.linkage != Linkage::Extern) {
            if let (Space::Const | Space::Global, Some(values)) = (variable.space, values(variable)) {
                tables.add(variable, values);
            }
        }
        tables
    }

    /// Places a variable behind the others.
    fn add(&mut self, variable: &Variable, values: Vec<u8>) {
        let of = &variable.of;
        let extent = Extent::place_after(&self.extents, of.bytes(), of.align.unwrap_or(1));
        if self.places.contains_key(&of.name) || extent.start.saturating_add(extent.bytes) > MOST_BYTES {
            // A variable that is left out has no address, so a function that names it is refused.
            return;
        }
        self.places.insert(of.name.clone(), extent.start);
        self.extents.push(extent);
        self.spaces.push(variable.space);
        self.bytes.resize(size(&self.extents), 0);
        let into = self.bytes.get_mut(extent.start..).unwrap_or_default();
        into.iter_mut().zip(values).take(extent.bytes).for_each(|(byte, new)| *byte = new);
    }

    /// Returns the address of a variable.
    pub fn address(&self, name: &str) -> Option<u64> {
        self.places.get(name).map(|&place| TABLES << 32 | place as u64)
    }

    /// Returns the state space of the variable that a place lies in; global memory where there is none.
    pub fn space(&self, at: usize) -> Space {
        let number = self.extents.iter().position(|extent| extent.holds(at, 0));
        number.and_then(|number| self.spaces.get(number)).copied().unwrap_or(Space::Global)
    }

    /// Lists the words of 32 bits of all variables.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.bytes.chunks_exact(4).map(word)
    }

    /// Returns bytes that all lie in one variable.
    pub fn bytes(&self, at: usize, bytes: usize) -> Option<&[u8]> {
        holding(&self.extents, at, bytes)?;
        self.bytes.get(at..at.checked_add(bytes)?)
    }
}

/// Returns the bytes that a variable begins with, if its values are numbers.
fn values(variable: &Variable) -> Option<Vec<u8>> {
    let bytes = variable.of.ty.bytes();
    let mut values = Vec::new();
    for value in &variable.values {
        let word = match value {
            Operand::Immediate(immediate) => immediate.value,
            // A number of another width would have to be converted.
            Operand::Single(bits) if bytes == 4 => (*bits).into(),
            Operand::Double(bits) if bytes == 8 => *bits,
            _ => return None,
        };
        values.extend(word.to_le_bytes().get(..bytes)?);
    }
    Some(values)
}
