//! Interprets `atom` and `red`: each thread's arithmetic on a word in memory.

use isa::{Register, Variant};

use super::{Addresses, Execute, Memory, Problem, Tested, Values, WARP};

/// An instruction on a word in memory.
pub struct Word(pub &'static Variant);

impl Word {
    /// Executes the instruction at the addresses of the threads that take part, with the elements of their operands,
    /// and returns the elements of the words as they were. Threads with one address take turns, the lowest first: the
    /// manual has no order.
    ///
    /// # Errors
    /// If memory has no such word, or the unit under test gives no such results.
    pub fn run(
        &self,
        addresses: Addresses,
        parts: &[Values],
        memory: &mut dyn Memory,
        execute: &mut Execute,
    ) -> Result<Vec<Values>, Problem> {
        let tested = Tested::tested_alone(self.0);
        let operand = self.joined(parts);
        let ty = &self.0.results()[0].ty;
        let each = self.0.lane_signature().parts;
        let place = |address: u64, part: usize| address.wrapping_add((part * ty.row_bytes()) as u64);
        let mut left = addresses;
        let mut old: Vec<Values> = vec![[0; WARP]; each];
        while left.iter().any(Option::is_some) {
            let turn = take_turn(&mut left);
            let mut given = load(&self.0.operands()[..each], turn, memory)?;
            given.extend_from_slice(&operand);
            let results = tested.results(execute, &given, self.0.results().len())?;
            for (part, (new, old)) in results.iter().zip(&mut old).enumerate() {
                let before = results.get(each + part).or(given.get(part)).unwrap_or(new);
                for (((address, &new), &before), old) in turn.into_iter().zip(new).zip(before).zip(old) {
                    if let Some(address) = address {
                        let stored = memory.store(place(address, part), ty.row_bytes(), new);
                        stored.map_err(Problem::Memory)?;
                        *old = before;
                    }
                }
            }
        }
        Ok((0..self.0.lane_signature().words()).map(|number| self.part(&old, number)).collect())
    }

    /// Returns the number of elements in a register.
    fn elements(&self) -> usize {
        let signature = self.0.lane_signature();
        (signature.words() / signature.parts).max(1)
    }

    /// Returns the width of an element, in bits.
    fn width(&self) -> u32 {
        self.0.results()[0].ty.width() / self.elements() as u32
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// Joins the elements of an operand into its registers, the first in the low bits of the first.
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

    /// Returns one element of each thread from the words of registers.
    fn part(&self, words: &[Values], number: usize) -> Values {
        let shift = (number % self.elements()) as u32 * self.width();
        let words = words.get(number / self.elements()).unwrap_or(&[0; WARP]);
        words.map(|word| word >> shift & self.mask())
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

/// Takes threads out of `left` of which no two have one address, and returns their addresses.
fn take_turn(left: &mut [Option<u64>; WARP]) -> [Option<u64>; WARP] {
    let mut turn = [None; WARP];
    for (of_turn, one) in turn.iter_mut().zip(0..WARP) {
        let address = left.get(one).copied().flatten();
        let earlier = left.iter().take(one).flatten().any(|&other| Some(other) == address);
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
