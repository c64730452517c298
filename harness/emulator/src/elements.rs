//! Kernels over the columns of a variant: elements are taken out of registers, computed with, and put back.

use std::ops::Range;

use formats::{Column, Element};
use isa::{LaneData, LaneSignature, RandomBits, RandomFields, Register};

use super::backend::{LANES, RunColumns};
use super::trace::Trace;

/// The number of elements that are taken out of their registers at a time, so few that they stay in the first-level
/// cache.
const CHUNK: usize = 1 << 11;

/// The preparation of an input before the kernel sees it.
pub enum Preparation<E> {
    /// A conversion of the elements.
    Convert(Box<dyn RunColumns<E>>),
    /// A deal of random bits: each lane takes its own bits of a word that all lanes share.
    Deal(RandomBits),
}

/// The computation of a variant, over elements of the type `E`.
pub struct Elements<E> {
    /// The kernel of each output.
    pub kernels: Vec<Box<dyn RunColumns<E>>>,
    /// The preparation of the last input before the kernels run, if it needs any.
    pub last: Option<Preparation<E>>,
}

/// A computation over columns of registers, such as [`Elements`] of any type.
pub trait ColumnKernel: Send + Sync {
    /// Computes every row of every column of results.
    fn run(&self, signature: &LaneSignature, operands: &[Column], results: &mut [Column]);

    /// Returns, for each output, the steps that the computation takes for an element of the inputs; `None` where those
    /// steps are not all that is done.
    fn traces(&self) -> Option<Vec<Trace>> {
        None
    }
}

impl<E: Element> ColumnKernel for Elements<E> {
    fn run(&self, signature: &LaneSignature, operands: &[Column], results: &mut [Column]) {
        for (kernel, output) in self.kernels.iter().zip(&signature.outputs) {
            self.run_one(kernel.as_ref(), signature, output, operands, results);
        }
    }

    fn traces(&self) -> Option<Vec<Trace>> {
        if self.last.is_some() {
            return None;
        }
        self.kernels.iter().map(|kernel| kernel.trace()).collect()
    }
}

/// A computation with a word in memory, whose second result is that word as it was before.
pub struct InMemory(pub Box<dyn ColumnKernel>);

impl ColumnKernel for InMemory {
    fn run(&self, signature: &LaneSignature, operands: &[Column], results: &mut [Column]) {
        self.0.run(signature, operands, results);
        for (original, word) in results[signature.originals()].iter_mut().zip(operands) {
            original.bytes_mut().copy_from_slice(word.bytes());
        }
    }
}

/// A kernel that is applied twice in turn. It computes what two threads leave in one word, the thread with the first
/// operand first, or the sum of three numbers.
pub struct InTurn {
    /// The kernel that is applied twice, each time to a word and an operand.
    pub kernel: Box<dyn ColumnKernel>,
    /// The signature of the kernel, with a word and an operand.
    pub signature: &'static LaneSignature,
}

impl ColumnKernel for InTurn {
    fn run(&self, _: &LaneSignature, operands: &[Column], results: &mut [Column]) {
        let (first, second) = operands.split_at(self.signature.operands.len());
        self.kernel.run(self.signature, first, results);
        // The first results are operands of the second run, which writes to the same columns.
        let operands: Vec<Column> = results.iter().chain(second).cloned().collect();
        self.kernel.run(self.signature, &operands, results);
    }
}

impl<E: Element> Elements<E> {
    /// Computes one output, in every row. Data that are columns of elements are used in place, others by way of
    /// elements of their own.
    fn run_one(
        &self,
        kernel: &dyn RunColumns<E>,
        signature: &LaneSignature,
        output: &LaneData,
        operands: &[Column],
        results: &mut [Column],
    ) {
        let (rows, lanes) = (operands[0].rows(), output.slots.len());
        let mut views: Vec<Option<&[E]>> =
            signature.inputs.iter().map(|input| input.view(&signature.operands, operands)).collect();
        if let (Some(last), Some(_)) = (views.last_mut(), &self.last) {
            // The preparation changes the last input, which therefore has to be a copy.
            *last = None;
        }
        // Where a column is used in place, only what is too short for that is copied.
        let size = |view: &Option<_>| if view.is_some() { LANES } else { CHUNK };
        let mut copies: Vec<Vec<E>> = views.iter().map(|view| vec![E::default(); size(view)]).collect();
        let mut elements = vec![E::default(); CHUNK];
        let step = CHUNK / lanes;
        for start in (0..rows).step_by(step) {
            let rows = start..rows.min(start + step);
            let range = rows.start * lanes..rows.end * lanes;
            // A kernel needs so many elements at least; what lies beyond the last row does not matter.
            let in_place = range.len() >= LANES;
            let count = range.len().max(LANES);
            let data = signature.inputs.iter().zip(&views);
            for ((input, view), copy) in data.zip(&mut copies) {
                if view.is_none() || !in_place {
                    take(input, &signature.operands, operands, rows.clone(), copy);
                }
            }
            if let (Some(last), Some(preparation)) = (copies.last_mut(), &self.last) {
                prepare(preparation, lanes, &mut last[..count], &mut elements[..count]);
            }
            let inputs = views.iter().zip(&copies).map(|(view, copy)| match view {
                Some(view) if in_place => &view[range.clone()],
                _ => &copy[..count],
            });
            let inputs: Vec<&[E]> = inputs.collect();
            match output.view_mut(&signature.results, results) {
                Some(result) if in_place => kernel.run(&inputs, &mut result[range]),
                _ => {
                    kernel.run(&inputs, &mut elements[..count]);
                    put(output, &signature.results, &elements, rows, results);
                }
            }
        }
    }
}

/// Prepares an input in place; `spare` has room for as many elements.
fn prepare<E: Element>(preparation: &Preparation<E>, lanes: usize, input: &mut [E], spare: &mut [E]) {
    match preparation {
        Preparation::Convert(kernel) => {
            kernel.run(&[input], spare);
            input.copy_from_slice(spare);
        }
        Preparation::Deal(random) => deal(*random, lanes, input),
    }
}

/// Gives each lane its random bits of the word that all lanes share. Of two lanes that share a field the higher one
/// reads it in reverse: the manual does not say so; it was measured.
fn deal<E: Element>(random: RandomBits, lanes: usize, elements: &mut [E]) {
    fn each<E: Element>(elements: &mut [E], lanes: usize, field: impl Fn(usize, u64) -> u16) {
        for (at, element) in elements.iter_mut().enumerate() {
            *element = E::of(field(at % lanes, element.bits()).into());
        }
    }
    let reversed_if_odd = |lane, field: u16| if lane % 2 == 1 { field.reverse_bits() } else { field };
    let mask = u16::MAX >> (16 - random.count);
    match random.fields {
        RandomFields::Halves => each(elements, lanes, |lane, word| (word >> (16 * lane)) as u16 & mask),
        RandomFields::PairsOfHalves => each(elements, lanes, |lane, word| {
            reversed_if_odd(lane, (word >> (16 * (lane / 2))) as u16) & mask
        }),
        RandomFields::PairsOfBytes => each(elements, lanes, |lane, word| {
            let bytes = word >> (8 * (lane / 2));
            reversed_if_odd(lane, (bytes & 0xff | bytes >> 8 & 0xff00) as u16) & mask
        }),
    }
}

/// Takes the elements of some rows out of their registers; see [`LaneData::gather`].
fn take<E: Element>(
    input: &LaneData,
    registers: &[Register],
    columns: &[Column],
    rows: Range<usize>,
    into: &mut [E],
) {
    fn widen<S: Element, E: Element>(from: &[S], into: &mut [E]) {
        into.iter_mut().zip(from).for_each(|(to, from)| *to = E::of(from.bits()));
    }
    let lanes = input.slots.len();
    let range = rows.start * lanes..rows.end * lanes;
    if let Some(dense) = input.view::<u8>(registers, columns) {
        widen(&dense[range], into);
    } else if let Some(dense) = input.view::<u16>(registers, columns) {
        widen(&dense[range], into);
    } else if let Some(dense) = input.view::<u32>(registers, columns) {
        widen(&dense[range], into);
    } else if let Some(dense) = input.view::<u64>(registers, columns) {
        widen(&dense[range], into);
    } else {
        input.gather(registers, columns, rows, into);
    }
}

/// Puts elements back into their rows, and zeros into what lies between them; see [`LaneData::scatter`].
fn put<E: Element>(
    output: &LaneData,
    registers: &[Register],
    elements: &[E],
    rows: Range<usize>,
    columns: &mut [Column],
) {
    fn narrow<E: Element, S: Element>(from: &[E], into: &mut [S]) {
        into.iter_mut().zip(from).for_each(|(to, from)| *to = S::of(from.bits()));
    }
    let lanes = output.slots.len();
    let range = rows.start * lanes..rows.end * lanes;
    if let Some(dense) = output.view_mut::<u8>(registers, columns) {
        narrow(elements, &mut dense[range]);
    } else if let Some(dense) = output.view_mut::<u16>(registers, columns) {
        narrow(elements, &mut dense[range]);
    } else if let Some(dense) = output.view_mut::<u32>(registers, columns) {
        narrow(elements, &mut dense[range]);
    } else if let Some(dense) = output.view_mut::<u64>(registers, columns) {
        narrow(elements, &mut dense[range]);
    } else {
        for place in &output.slots {
            let column = &mut columns[place.register];
            let bytes = rows.start * column.row_bytes()..rows.end * column.row_bytes();
            column.bytes_mut()[bytes].fill(0);
        }
        output.scatter(registers, elements, rows, columns);
    }
}
