//! The parser of registers that are vectors: `.reg .v2 .f32 %v;` declares the registers `%v.x` and `%v.y`, and `%v` stands
//! for both in braces.

use super::{ParseError, Parser};
use crate::syntax::{Declaration, Declared, Operand};

/// The names of a vector's elements, and their other names as parts of a colour.
const ELEMENTS: [[&str; 2]; 4] = [["x", "r"], ["y", "g"], ["z", "b"], ["w", "a"]];

/// The most vectors in a numbered range: each has a name of its own in the tree.
const MOST_VECTORS: u32 = 1 << 12;

impl Parser<'_> {
    /// Takes `.v2` or `.v4`, and returns the number of elements.
    pub(super) fn takes_elements(&mut self) -> Option<usize> {
        [(".v2", 2), (".v4", 4)].into_iter().find(|(text, _)| self.takes(text)).map(|(_, count)| count)
    }

    /// Notes that the registers of a declaration are vectors of so many elements, and returns a declaration of the
    /// elements.
    pub(super) fn vectors_declared(
        &mut self,
        declaration: Declaration,
        elements: usize,
    ) -> Result<Declaration, ParseError> {
        let mut names = Vec::new();
        for Declared { name, count } in declaration.names {
            match count {
                None => names.push(name),
                Some(count) if count <= MOST_VECTORS => {
                    names.extend((0..count).map(|number| format!("{name}{number}")));
                }
                Some(_) => return Err(self.expected("fewer vectors before this")),
            }
        }
        let declared = names.iter().flat_map(|name| {
            let of = move |[element, _]: &[&str; 2]| format!("{name}.{element}");
            ELEMENTS.iter().take(elements).map(of).map(|name| Declared { name, count: None })
        });
        let declared = declared.collect();
        if let Some(open) = self.vectors.last_mut() {
            open.extend(names.into_iter().map(|name| (name, elements)));
        }
        Ok(Declaration { ty: declaration.ty, names: declared })
    }

    /// Returns the elements of a vector that a name stands for, in braces, or the one that it stands for by its colour;
    /// `None` if it stands for something else.
    pub(super) fn elements_of(&self, name: &str) -> Option<Operand> {
        let count = |name: &str| self.vectors.iter().rev().find_map(|open| open.get(name)).copied();
        let register = |base: &str, element: &str| Operand::Register(format!("{base}.{element}"));
        if let Some(count) = count(name) {
            let each = ELEMENTS.iter().take(count).map(|[element, _]| register(name, element));
            return Some(Operand::Vector(each.collect()));
        }
        let (base, colour) = name.rsplit_once('.')?;
        let count = count(base)?;
        let element = ELEMENTS.iter().take(count).find(|[_, other]| *other == colour)?;
        Some(register(base, element[0]))
    }
}
