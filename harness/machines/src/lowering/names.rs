//! The names of registers and of memory, in the braces where they are declared.

use std::collections::HashMap;

use ptx::syntax::{Declaration, Parameter};

use super::extent::Extent;
use crate::problem::Problem;

/// The most bytes of shared memory that a kernel may declare: more needs a call of the driver that allows it.
const MOST_SHARED: u64 = 48 << 10;
/// The largest alignment of an address of shared memory, in bytes.
const MOST_ALIGNED: u64 = 1 << 10;

/// The register or memory that a name stands for.
#[derive(Clone, Copy)]
pub enum NamedPlace {
    /// A register, which has a number as soon as it is used.
    Register { number: usize, width: u32 },
    /// A parameter, or a variable of a thread's own.
    Variable(Extent),
    /// Shared memory from this address on.
    Shared(u64),
}

/// The names that are declared in one pair of braces.
#[derive(Default)]
struct Scope {
    /// The width of each register that is declared alone.
    registers: HashMap<String, u32>,
    /// The number of registers of a numbered name, and their width, by what the name begins with.
    numbered: HashMap<String, (u32, u32)>,
    /// The names of registers that are used, and of memory.
    known: HashMap<String, NamedPlace>,
}

/// A register that is used.
#[derive(Debug)]
pub struct UsedRegister {
    /// The name of the register in messages.
    pub name: String,
    /// The number of bits; a predicate has 1.
    pub width: u32,
}

/// The names that are declared so far.
#[derive(Default)]
pub struct Names {
    /// Each register that is used, by its number.
    pub registers: Vec<UsedRegister>,
    /// The place of each variable.
    pub extents: Vec<Extent>,
    /// Bytes of shared memory.
    pub shared: u64,
    /// The name and the place of each variable in shared memory.
    pub shared_variables: Vec<(String, Extent)>,
    /// Bytes of the variables in shared memory, without room between them.
    shared_bytes: u64,
    /// The number of registers that are declared, with those that nobody uses.
    pub declared: u64,
    /// The braces that are open, the innermost last.
    open: Vec<Scope>,
}

impl Names {
    /// Opens a brace.
    pub fn open(&mut self) {
        self.open.push(Scope::default());
    }

    /// Closes a brace, which ends what was declared in it, and returns the registers that were used, by name.
    pub fn close(&mut self) -> HashMap<String, usize> {
        let known = self.open.pop().unwrap_or_default().known.into_iter();
        let registers = known.filter_map(|(name, named)| match named {
            NamedPlace::Register { number, .. } => Some((name, number)),
            NamedPlace::Variable(_) | NamedPlace::Shared(_) => None,
        });
        registers.collect()
    }

    /// Declares registers.
    pub fn declare(&mut self, declaration: &Declaration) -> Result<(), Problem> {
        let Some(scope) = self.open.last_mut() else { return Ok(()) };
        let width = declaration.ty.width();
        for declared in &declaration.names {
            let name = declared.name.clone();
            self.declared = self.declared.saturating_add(declared.count.unwrap_or(1).into());
            let twice = match declared.count {
                Some(count) => scope.numbered.insert(name, (count, width)).is_some(),
                None => scope.known.contains_key(&name) || scope.registers.insert(name, width).is_some(),
            };
            if twice {
                return Err(Problem::Redeclared(declared.name.clone()));
            }
        }
        Ok(())
    }

    /// Declares a variable of a thread's own; returns where it lies.
    pub fn place(&mut self, variable: &Parameter) -> Result<Extent, Problem> {
        let natural = variable.ty.bytes() as u32;
        let align = variable.align.unwrap_or(natural);
        let extent = Extent::place_after(&self.extents, variable.bytes(), align);
        self.extents.push(extent);
        self.name(&variable.name, NamedPlace::Variable(extent))?;
        Ok(extent)
    }

    /// Declares shared memory, behind what there is; `apart` leaves room before it, which belongs to none.
    pub fn share(&mut self, name: &str, bytes: u32, align: u32, apart: bool) -> Result<(), Problem> {
        let (bytes, align) = (u64::from(bytes), u64::from(align));
        let refused = || Problem::Shared(name.to_owned());
        if bytes == 0 || !align.is_power_of_two() || align > MOST_ALIGNED {
            return Err(refused());
        }
        let gap = u64::from(apart);
        let start = (self.shared + gap).next_multiple_of(align);
        self.shared = start + bytes;
        self.shared_bytes += bytes;
        if self.shared_bytes.max(if apart { 0 } else { self.shared }) > MOST_SHARED {
            return Err(refused());
        }
        let extent = Extent { start: start as usize, bytes: bytes as usize };
        self.shared_variables.push((name.to_owned(), extent));
        self.name(name, NamedPlace::Shared(start))
    }

    /// Declares a name that stands for memory from here on.
    fn name(&mut self, name: &str, named: NamedPlace) -> Result<(), Problem> {
        let Some(scope) = self.open.last_mut() else { return Ok(()) };
        let twice = scope.registers.contains_key(name);
        match scope.known.insert(name.to_owned(), named).is_some() || twice {
            true => Err(Problem::Redeclared(name.to_owned())),
            false => Ok(()),
        }
    }

    /// Adds a register that has no name in the text, and returns its number.
    pub fn unnamed(&mut self, name: &str, width: u32) -> usize {
        self.registers.push(UsedRegister { name: name.to_owned(), width });
        self.registers.len() - 1
    }

    /// Looks up the register or memory that a name stands for in the innermost braces that declare it.
    pub fn named(&mut self, name: &str) -> Option<NamedPlace> {
        // A register gets a number only when it is used: `%r<4294967295>` may be declared, and takes no room.
        for scope in self.open.iter_mut().rev() {
            if let Some(known) = scope.known.get(name) {
                return Some(*known);
            }
            if let Some(width) = scope.width(name) {
                let named = NamedPlace::Register { number: self.registers.len(), width };
                self.registers.push(UsedRegister { name: name.to_owned(), width });
                scope.known.insert(name.to_owned(), named);
                return Some(named);
            }
        }
        None
    }

    /// Returns the number and the width of a register.
    pub fn register(&mut self, name: &str) -> Result<(usize, u32), Problem> {
        match self.named(name) {
            Some(NamedPlace::Register { number, width }) => Ok((number, width)),
            _ => Err(Problem::Undeclared(name.to_owned())),
        }
    }
}

impl Scope {
    /// Returns the width of a register, if one of this name is declared.
    fn width(&self, name: &str) -> Option<u32> {
        if let Some(&width) = self.registers.get(name) {
            return Some(width);
        }
        // `%r7` of `%r<12>`. A name may end with digits before those that are its number.
        let digits = name.len() - name.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        (1..=digits).find_map(|digits| {
            let (front, number) = name.split_at_checked(name.len() - digits)?;
            let &(count, width) = self.numbered.get(front)?;
            // `%r01` is no register of `%r<12>`: numbers have no leading zeros.
            let is_number = number == "0" || !number.starts_with('0');
            number.parse().ok().filter(|number: &u32| is_number && *number < count).map(|_| width)
        })
    }
}
