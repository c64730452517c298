//! What names are of, in the braces where they are declared.

use std::collections::HashMap;

use super::{Problem, shared};
use crate::syntax::Declaration;

/// More registers no kernel has.
const MOST_REGISTERS: usize = 1 << 17;

/// What a name is of: a register of this number, or shared memory at this address.
#[derive(Clone, Copy)]
pub enum Named {
    Register(usize),
    Shared(u64),
}

/// All that is declared so far.
pub struct Scopes {
    /// The name of each register.
    names: Vec<String>,
    /// Of the braces that are open, the innermost last.
    open: Vec<HashMap<String, Named>>,
    /// Bytes of shared memory.
    shared: u64,
}

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes { names: Vec::new(), open: vec![HashMap::new()], shared: 0 }
    }
}

impl Scopes {
    /// A brace opens.
    pub fn open(&mut self) {
        self.open.push(HashMap::new());
    }

    /// A brace closes, and what was declared in it ends.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// The registers of the outermost braces by name, the names of all, and the bytes of shared memory.
    pub fn finish(mut self) -> (HashMap<String, usize>, Vec<String>, usize) {
        let outer = self.open.pop().unwrap_or_default().into_iter();
        let registers = outer.filter_map(|(name, named)| match named {
            Named::Register(register) => Some((name, register)),
            Named::Shared(_) => None,
        });
        // There is less of it than any `usize` holds.
        (registers.collect(), self.names, self.shared as usize)
    }

    /// Declares registers.
    pub fn declare(&mut self, declaration: &Declaration) -> Result<(), Problem> {
        for declared in &declaration.names {
            let Some(count) = declared.count else {
                self.declare_one(declared.name.clone())?;
                continue;
            };
            for number in 0..count {
                self.declare_one(format!("{}{number}", declared.name))?;
            }
        }
        Ok(())
    }

    fn declare_one(&mut self, name: String) -> Result<(), Problem> {
        if self.names.len() == MOST_REGISTERS {
            return Err(Problem::Registers);
        }
        self.name(name.clone(), Named::Register(self.names.len()))?;
        self.names.push(name);
        Ok(())
    }

    /// Declares shared memory, behind what there is.
    pub fn share(&mut self, name: &str, bytes: u32, align: u32) -> Result<(), Problem> {
        let place = shared::place(self.shared, bytes, align);
        let (start, end) = place.ok_or_else(|| Problem::Shared(name.to_owned()))?;
        self.shared = end;
        self.name(name.to_owned(), Named::Shared(start))
    }

    /// From here on a name is of this.
    fn name(&mut self, name: String, named: Named) -> Result<(), Problem> {
        let scope = self.open.last_mut();
        if scope.is_some_and(|scope| scope.insert(name.clone(), named).is_some()) {
            return Err(Problem::Redeclared(name));
        }
        Ok(())
    }

    /// What a name is of here.
    pub fn named(&self, name: &str) -> Option<Named> {
        self.open.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// The register of a name.
    pub fn register(&self, name: &str) -> Result<usize, Problem> {
        match self.named(name) {
            Some(Named::Register(register)) => Ok(register),
            _ => Err(Problem::Undeclared(name.to_owned())),
        }
    }
}
