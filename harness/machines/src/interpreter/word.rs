//! Interprets instructions such as `atom` and `red`, with which each thread of a warp changes a word in memory; the
//! unit under test does the arithmetic.

use isa::{Register, Variant};

use super::{Addresses, Execute, Memory, Problem, Tested, Values, WARP};

/// An instruction that changes a word in memory: `atom`, `red`, and also `cp.reduce.async.bulk` when it is waited for.
///
/// A word is in one register, or in two where it has 128 bits. Each register holds one or more *elements*: the four
/// numbers of `.v4.f16` are in four registers of PTX, and here they are the elements of one.
pub struct Word(pub &'static Variant);

impl Word {
    /// Executes the instruction at the addresses of the threads that take part. `elements` are the elements of the
    /// operand registers in each thread. Returns the elements of the words as they were before; 0 in threads that take
    /// no part.
    ///
    /// Threads with the same address take turns, the lowest first: the manual has no order.
    ///
    /// # Errors
    /// If memory has no such word, or the unit under test gives no such results.
    pub fn run(
        &self,
        addresses: Addresses,
        elements: &[Values],
        memory: &mut dyn Memory,
        execute: &mut Execute,
    ) -> Result<Vec<Values>, Problem> {
        let tested = Tested::tested_alone(self.0);
        let operand = self.joined(elements);
        let ty = &self.0.results()[0].ty;
        let registers = self.0.lane_signature().parts;
        let bytes = ty.row_bytes();
        let place = |address: u64, register: usize| address.wrapping_add((register * bytes) as u64);
        // Each turn is loaded when the one before is stored, so that threads with the same address see each other's
        // words.
        let mut left = addresses;
        let mut old: Vec<Values> = vec![[0; WARP]; registers];
        while left.iter().any(Option::is_some) {
            let turn = take_turn(&mut left);
            // The first operands of a variant in memory are the word itself.
            let mut given = load(&self.0.operands()[..registers], turn, memory)?;
            given.extend_from_slice(&operand);
            let results = tested.results(execute, &given, self.0.results().len())?;
            for (register, (new, old)) in results.iter().zip(&mut old).enumerate() {
                // `atom` gives the word as it was behind the new one. Others do not: then it is what was loaded.
                let before = results.get(registers + register).or(given.get(register)).unwrap_or(new);
                for (((address, &new), &before), old) in turn.into_iter().zip(new).zip(before).zip(old) {
                    if let Some(address) = address {
                        let stored = memory.store(place(address, register), bytes, new);
                        stored.map_err(Problem::Memory)?;
                        *old = before;
                    }
                }
            }
        }
        Ok((0..self.0.lane_signature().words()).map(|number| self.element(&old, number)).collect())
    }

    /// Returns the number of elements in a register of the word.
    fn elements(&self) -> usize {
        let signature = self.0.lane_signature();
        (signature.words() / signature.parts).max(1)
    }

    /// Returns the width of an element, in bits.
    fn width(&self) -> u32 {
        self.0.results()[0].ty.width() / self.elements() as u32
    }

    /// Returns the bits of an element.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// Joins the elements of an operand into its registers, from the low bits of the first register on.
    fn joined(&self, elements: &[Values]) -> Vec<Values> {
        let joined = |elements: &[Values]| {
            let mut words: Values = [0; WARP];
            for (number, element) in elements.iter().enumerate() {
                let shift = number as u32 * self.width();
                words
                    .iter_mut()
                    .zip(element)
                    .for_each(|(word, bits)| *word |= (bits & self.mask()) << shift);
            }
            words
        };
        elements.chunks(self.elements()).map(joined).collect()
    }

    /// Returns the element with a number, counted from 0 over all registers, in each thread.
    fn element(&self, registers: &[Values], number: usize) -> Values {
        let shift = (number % self.elements()) as u32 * self.width();
        let register = registers.get(number / self.elements()).unwrap_or(&[0; WARP]);
        register.map(|word| word >> shift & self.mask())
    }
}

/// Loads registers from words in memory, which lie one after the other from each thread's address on.
///
/// # Errors
/// If memory has no such words.
pub fn load(
    registers: &[Register],
    at: Addresses,
    memory: &mut dyn Memory,
) -> Result<Vec<Values>, Problem> {
    let mut offset = 0;
    let mut loaded = Vec::with_capacity(registers.len());
    for Register { ty, .. } in registers {
        let mut words: Values = [0; WARP];
        for (word, address) in words.iter_mut().zip(at) {
            if let Some(address) = address {
                let read = memory.load(address.wrapping_add(offset), ty.row_bytes());
                *word = read.map_err(Problem::Memory)?;
            }
        }
        offset += ty.row_bytes() as u64;
        loaded.push(words);
    }
    Ok(loaded)
}

/// Takes from `left` the threads whose turn is next: of all threads with the same address the lowest. Returns their
/// addresses; `None` stands for all other threads, and afterwards in `left` for those that were taken.
fn take_turn(left: &mut [Option<u64>; WARP]) -> [Option<u64>; WARP] {
    let mut turn = [None; WARP];
    for (of_turn, thread) in turn.iter_mut().zip(0..WARP) {
        let address = left.get(thread).copied().flatten();
        let earlier = left.iter().take(thread).flatten().any(|&other| Some(other) == address);
        *of_turn = address.filter(|_| !earlier);
    }
    for (left, of_turn) in left.iter_mut().zip(turn) {
        *left = left.filter(|_| of_turn.is_none());
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_with_one_address_take_turns() {
        let mut left = [None; WARP];
        left[1] = Some(8);
        left[2] = Some(16);
        left[5] = Some(8);
        let first = take_turn(&mut left);
        assert_eq!((first[1], first[2], first[5]), (Some(8), Some(16), None));
        assert_eq!(take_turn(&mut left)[5], Some(8));
        assert_eq!(left, [None; WARP]);
    }
}
