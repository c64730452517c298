//! The registers of a warp, and which of its threads have set each of them.

use super::{Problem, ThreadMask, Values, WARP};
use crate::lowering::{ResultRegister, UsedRegister};

/// The registers of a warp, each with a word for every thread that has set it.
pub struct WarpRegisters<'a> {
    registers: &'a [UsedRegister],
    values: Vec<Values>,
    /// The threads that have set each register.
    set: Vec<ThreadMask>,
}

impl<'a> WarpRegisters<'a> {
    /// Returns registers that no thread has set.
    pub fn new(registers: &'a [UsedRegister]) -> WarpRegisters<'a> {
        let count = registers.len();
        WarpRegisters { registers, values: vec![[0; WARP]; count], set: vec![[false; WARP]; count] }
    }

    /// Returns the word of each thread in a register. Only the words of the threads of `does` may be looked at.
    ///
    /// # Errors
    /// If one of these threads has not set the register.
    pub fn get(&self, register: usize, does: ThreadMask) -> Result<&Values, Problem> {
        let unset = |set: &ThreadMask| {
            *set != [true; WARP] && does.iter().zip(set).any(|(does, set)| *does && !set)
        };
        match (self.values.get(register), self.set.get(register)) {
            (Some(values), Some(set)) if !unset(set) => Ok(values),
            _ => {
                let name = self.registers.get(register).map(|of| of.name.clone());
                Err(Problem::Unset(name.unwrap_or_default()))
            }
        }
    }

    /// Sets a register in the threads of `does`. In the others it stays as it is: an instruction that a thread's guard
    /// leaves out changes nothing of that thread.
    pub fn set(&mut self, target: &ResultRegister, does: ThreadMask, values: &Values) {
        let Some(register) = target.register else { return };
        let (Some(into), Some(set)) = (self.values.get_mut(register), self.set.get_mut(register)) else {
            return;
        };
        let held = values.map(|word| target.held(word));
        // Nearly always all threads take part.
        if does == [true; WARP] {
            (*into, *set) = (held, does);
            return;
        }
        for (((into, set), new), does) in into.iter_mut().zip(set).zip(held).zip(does) {
            *into = if does { new } else { *into };
            *set |= does;
        }
    }
}
