//! What the names of a function are of, in the braces where they are declared.

use std::collections::HashMap;

use super::memory::Extent;
use crate::interpreter::Problem;
use crate::syntax::{Declaration, Parameter};

/// What a name is of.
#[derive(Clone, Copy)]
pub enum Named {
    /// A register that has a number as soon as it is used.
    Register {
        number: usize,
        width: u32,
    },
    Variable(Extent),
}

/// Names of one pair of braces.
#[derive(Default)]
struct Scope {
    /// Registers with their widths, and with how many there are where they are numbered.
    registers: HashMap<String, (Option<u32>, u32)>,
    /// The registers that are used, by the name of each.
    used: HashMap<String, Named>,
    variables: HashMap<String, Extent>,
}

/// A register that is used.
#[derive(Debug)]
pub struct Register {
    pub name: String,
    pub width: u32,
}

/// All that is declared so far.
#[derive(Default)]
pub struct Declared {
    /// Each register that is used.
    pub registers: Vec<Register>,
    /// Where each variable lies.
    pub extents: Vec<Extent>,
    open: Vec<Scope>,
}

impl Declared {
    /// A brace opens.
    pub fn open(&mut self) {
        self.open.push(Scope::default());
    }

    /// A brace closes, and what was declared in it ends.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Declares registers.
    pub fn declare(&mut self, declaration: &Declaration) -> Result<(), Problem> {
        let Some(scope) = self.open.last_mut() else { return Ok(()) };
        for declared in &declaration.names {
            let register = (declared.count, declaration.ty.width());
            if scope.registers.insert(declared.name.clone(), register).is_some() {
                return Err(Problem::Redeclared(declared.name.clone()));
            }
        }
        Ok(())
    }

    /// Declares a variable; says where it lies.
    pub fn place(&mut self, variable: &Parameter) -> Result<Extent, Problem> {
        let natural = variable.ty.bytes() as u32;
        let align = variable.align.unwrap_or(natural);
        let extent = Extent::behind(&self.extents, variable.bytes(), align);
        self.extents.push(extent);
        let scope = self.open.last_mut();
        let name = variable.name.clone();
        if scope.is_some_and(|scope| scope.variables.insert(name, extent).is_some()) {
            return Err(Problem::Redeclared(variable.name.clone()));
        }
        Ok(extent)
    }

    /// A register that has no name in the text.
    pub fn unnamed(&mut self, name: &str, width: u32) -> usize {
        self.registers.push(Register { name: name.to_owned(), width });
        self.registers.len() - 1
    }

    /// What a name is of here.
    pub fn named(&mut self, name: &str) -> Option<Named> {
        for scope in self.open.iter_mut().rev() {
            if let Some(used) = scope.used.get(name) {
                return Some(*used);
            }
            if let Some(extent) = scope.variables.get(name) {
                return Some(Named::Variable(*extent));
            }
            if let Some(width) = scope.width(name) {
                let named = Named::Register { number: self.registers.len(), width };
                self.registers.push(Register { name: name.to_owned(), width });
                scope.used.insert(name.to_owned(), named);
                return Some(named);
            }
        }
        None
    }

    /// The number and the width of a register.
    pub fn register(&mut self, name: &str) -> Result<(usize, u32), Problem> {
        match self.named(name) {
            Some(Named::Register { number, width }) => Ok((number, width)),
            _ => Err(Problem::Undeclared(name.to_owned())),
        }
    }
}

impl Scope {
    /// The width of a register, if there is one of this name.
    fn width(&self, name: &str) -> Option<u32> {
        if let Some(&(None, width)) = self.registers.get(name) {
            return Some(width);
        }
        // Of `%r<12>`, `%r7`. A name may end with digits before those that are its number.
        let digits = name.len() - name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        (1..=digits).find_map(|digits| {
            let (front, number) = name.split_at_checked(name.len() - digits)?;
            let &(Some(count), width) = self.registers.get(front)? else { return None };
            let is_number = number == "0" || !number.starts_with('0');
            number.parse().ok().filter(|number: &u32| is_number && *number < count).map(|_| width)
        })
    }
}
