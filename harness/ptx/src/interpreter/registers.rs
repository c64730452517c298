//! The registers of a warp.

use super::{Problem, Threads, Values, WARP};

/// The registers of a warp, each with a word for every thread that has set it.
pub struct Registers<'a> {
    /// The name of each register.
    names: &'a [String],
    values: Vec<Values>,
    /// The threads that have set each register.
    set: Vec<Threads>,
}

impl<'a> Registers<'a> {
    /// Registers of these names, which no thread has set.
    pub fn new(names: &'a [String]) -> Registers<'a> {
        let count = names.len();
        Registers { names, values: vec![[0; WARP]; count], set: vec![[false; WARP]; count] }
    }

    /// The word of each thread, of which those of `does` may be looked at.
    ///
    /// # Errors
    /// If one of these threads has not set the register.
    pub fn get(&self, register: usize, does: Threads) -> Result<&Values, Problem> {
        let unset = |set: &Threads| does.iter().zip(set).any(|(does, set)| *does && !set);
        match (self.values.get(register), self.set.get(register)) {
            (Some(values), Some(set)) if !unset(set) => Ok(values),
            _ => Err(Problem::Unset(self.names.get(register).cloned().unwrap_or_default())),
        }
    }

    /// Sets a register in the threads of `does`. In the others it stays as it is: an instruction that a thread's guard
    /// leaves out changes nothing of that thread.
    pub fn set(&mut self, register: usize, does: Threads, values: Values) {
        let (Some(into), Some(set)) = (self.values.get_mut(register), self.set.get_mut(register)) else {
            return;
        };
        for (((into, set), new), does) in into.iter_mut().zip(set).zip(values).zip(does) {
            if does {
                (*into, *set) = (new, true);
            }
        }
    }
}
