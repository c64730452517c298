//! The backends that instructions run on, and the loop that applies an instruction to columns of elements.

mod processor;

use formats::Element;

use super::instruction::Instruction;
use super::trace::Trace;
use super::words::{Unsigned, Words};

/// A way of running kernels on this CPU. All backends compute the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// A single element at a time.
    Scalar,
    /// Eight elements at a time, with the best instructions that this CPU has.
    Lanes,
    /// Eight elements at a time with AVX2.
    Avx2,
    /// Eight elements at a time with AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Backend {
    /// Every backend, available here or not.
    pub const ALL: [Backend; 4] = [Backend::Scalar, Backend::Lanes, Backend::Avx2, Backend::Avx512];

    /// Whether this CPU can run the backend and it was compiled in: `build.rs` chooses which of AVX2 and AVX-512 are
    /// compiled.
    pub fn available(self) -> bool {
        match self {
            Backend::Scalar | Backend::Lanes => true,
            Backend::Avx2 => cfg!(lanes = "avx2") && processor::has_avx2(),
            Backend::Avx512 => cfg!(lanes = "avx512") && processor::has_avx512(),
        }
    }

    /// Lists the backends that differ on this CPU, each once. [`Backend::Lanes`] is among them only where it stands for
    /// no other backend. On x86-64 without AVX2, or in a build for another processor, [`Backend::Scalar`] is the only
    /// one.
    pub fn distinct() -> impl Iterator<Item = Backend> {
        Backend::ALL.into_iter().filter(|backend| backend.available() && backend.resolve() == *backend)
    }

    /// Returns the backend that [`Backend::Lanes`] stands for on this CPU, and any other backend unchanged. Without
    /// shifts by a different count in each lane, which x86-64 has from AVX2 on, lanes are slower than scalars.
    fn resolve(self) -> Backend {
        let preferred = [Backend::Avx512, Backend::Avx2];
        match self {
            Backend::Lanes if cfg!(target_arch = "x86_64") => {
                preferred.into_iter().find(|backend| backend.available()).unwrap_or(Backend::Scalar)
            }
            backend => backend,
        }
    }
}

/// The number of integers that a word of lanes holds side by side. Sixteen were slower, even with AVX-512.
pub const LANES: usize = 8;

/// A computation with `N` inputs over words of `W` integers of the type `U` side by side.
pub trait Compute<U, const W: usize, const N: usize>: Copy + Send + Sync + 'static {
    /// Returns the results for as many elements as a word holds.
    fn of_words(&self, inputs: [Words<U, W>; N]) -> Words<U, W>;
}

impl<U: Unsigned, const W: usize, I: Instruction<N>, const N: usize> Compute<U, W, N> for I {
    #[inline(always)]
    fn of_words(&self, inputs: [Words<U, W>; N]) -> Words<U, W> {
        self.compute(inputs)
    }
}

/// The loop that applies an instruction to all elements, compiled for a backend.
///
/// # Safety
/// The CPU must have the backend's instructions.
type LaneLoop<I, E, const N: usize> = unsafe fn(&I, [&[E]; N], &mut [E]);

/// An instruction that is ready to run over columns of elements.
pub struct LaneKernel<I, E, const N: usize> {
    instruction: I,
    entry: LaneLoop<I, E, N>,
    /// The function that records the instruction as a [`Trace`], if that is possible.
    trace: fn(&I) -> Option<Trace>,
}

/// A kernel that runs over columns of elements of the type `E`, such as a [`LaneKernel`] of any instruction.
pub trait RunColumns<E>: Send + Sync {
    /// Computes every element of `results`, which has [`LANES`] elements or more, as many as each input.
    fn run(&self, inputs: &[&[E]], results: &mut [E]);

    /// Returns the steps that the kernel takes for one element, if words of 64 bits are enough for them.
    fn trace(&self) -> Option<Trace> {
        None
    }
}

impl<I: Instruction<N>, E: Element, const N: usize> RunColumns<E> for LaneKernel<I, E, N> {
    fn run(&self, inputs: &[&[E]], results: &mut [E]) {
        let inputs: [&[E]; N] = inputs.try_into().expect("as many inputs as the instruction has");
        assert!(results.len() >= LANES && inputs.iter().all(|input| input.len() == results.len()));
        // SAFETY: `entry` and `wide_kernel` give a function that this CPU can run.
        unsafe { (self.entry)(&self.instruction, inputs, results) }
    }

    fn trace(&self) -> Option<Trace> {
        (self.trace)(&self.instruction)
    }
}

/// Returns the kernel of `instruction` over words of `U` for `backend`, if this CPU can run that backend.
pub fn lane_kernel<U: Unsigned, I: Instruction<N>, E: Element, const N: usize>(
    backend: Backend,
    instruction: I,
) -> Option<Box<dyn RunColumns<E>>> {
    let entry = entry::<U, I, E, N>(backend)?;
    let trace = |instruction: &I| Some(Trace::of::<U, N>(instruction));
    Some(Box::new(LaneKernel { instruction, entry, trace }))
}

/// Returns the loop over words of `U` for `backend`, if this CPU can run that backend.
fn entry<U: Unsigned, I: Compute<U, 1, N> + Compute<U, LANES, N>, E: Element, const N: usize>(
    backend: Backend,
) -> Option<LaneLoop<I, E, N>> {
    backend.available().then(|| match backend.resolve() {
        Backend::Scalar => elements::<U, 1, I, E, N> as LaneLoop<I, E, N>,
        // The loops over lanes take two thirds of the compile time. Unit tests have the scalar loop alone; the
        // integration tests in `tests` compare all backends.
        #[cfg(test)]
        _ => elements::<U, 1, I, E, N>,
        #[cfg(all(lanes = "avx2", not(test)))]
        Backend::Avx2 => elements_avx2::<U, I, E, N>,
        #[cfg(all(lanes = "avx512", not(test)))]
        Backend::Avx512 => elements_avx512::<U, I, E, N>,
        #[cfg(all(not(target_arch = "x86_64"), not(test)))]
        Backend::Lanes => elements::<U, LANES, I, E, N>,
        #[cfg(not(test))]
        backend => unreachable!("{backend:?} is neither available nor resolved"),
    })
}

/// Returns the kernel of `instruction` over words of 128 bits, if this CPU can run `backend`. No CPU has such words
/// side by side, so the kernel computes one element at a time.
pub fn wide_kernel<I: Instruction<N>, E: Element, const N: usize>(
    backend: Backend,
    instruction: I,
) -> Option<Box<dyn RunColumns<E>>> {
    backend.available().then(|| {
        let entry = elements::<u128, 1, I, E, N> as LaneLoop<I, E, N>;
        Box::new(LaneKernel { instruction, entry, trace: |_| None }) as Box<dyn RunColumns<E>>
    })
}

/// A kernel that runs an estimate over lanes, and the definition on the elements that the estimate leaves undecided.
struct Screened<I, E, D> {
    estimate: I,
    entry: LaneLoop<I, E, 1>,
    undecided: u64,
    definition: D,
}

impl<I: Send + Sync, E: Element, D: RunColumns<E>> RunColumns<E> for Screened<I, E, D> {
    fn run(&self, inputs: &[&[E]], results: &mut [E]) {
        let (input, undecided) = (inputs[0], E::of(self.undecided));
        assert!(results.len() >= LANES && input.len() == results.len());
        // SAFETY: `entry` gives a function that this CPU can run.
        unsafe { (self.entry)(&self.estimate, [input], results) }
        for (input, results) in input.chunks(LANES).zip(results.chunks_mut(LANES)) {
            // All are compared without a branch, since most often none is undecided.
            if !results.iter().fold(false, |any, result| any | (*result == undecided)) {
                continue;
            }
            for (input, result) in input.chunks(1).zip(results.chunks_mut(1)) {
                if result[0] == undecided {
                    self.definition.run(&[input], result);
                }
            }
        }
    }
}

/// Returns the kernel of `definition`, screened for `backend` by an `estimate` that gives `undecided` where it cannot
/// tell the result. There is none if this CPU cannot run the backend. On the backend that computes one element at a
/// time, the kernel is the definition alone.
pub fn screened_kernel<I: Compute<u64, 1, 1> + Compute<u64, LANES, 1>, E: Element>(
    backend: Backend,
    estimate: I,
    undecided: u64,
    definition: impl RunColumns<E> + 'static,
) -> Option<Box<dyn RunColumns<E>>> {
    if backend.available() && backend.resolve() == Backend::Scalar {
        return Some(Box::new(definition));
    }
    let entry = entry::<u64, I, E, 1>(backend)?;
    Some(Box::new(Screened { estimate, entry, undecided, definition }))
}

#[cfg(all(lanes = "avx2", not(test)))]
#[target_feature(enable = "avx2")]
fn elements_avx2<U: Unsigned, I: Compute<U, LANES, N>, E: Element, const N: usize>(
    instruction: &I,
    inputs: [&[E]; N],
    results: &mut [E],
) {
    elements::<U, LANES, I, E, N>(instruction, inputs, results);
}

#[cfg(all(lanes = "avx512", not(test)))]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn elements_avx512<U: Unsigned, I: Compute<U, LANES, N>, E: Element, const N: usize>(
    instruction: &I,
    inputs: [&[E]; N],
    results: &mut [E],
) {
    elements::<U, LANES, I, E, N>(instruction, inputs, results);
}

/// Applies the instruction to all elements, a word's worth at a time.
#[inline(always)]
fn elements<U: Unsigned, const W: usize, I: Compute<U, W, N>, E: Element, const N: usize>(
    instruction: &I,
    inputs: [&[E]; N],
    results: &mut [E],
) {
    // A copy, which no store to the results can change.
    let instruction = *instruction;
    // A kernel asserts that there are as many elements as lanes, at least.
    let last = results.len() - W;
    for start in (0..results.len()).step_by(W) {
        // Where the last word would reach beyond the end, it does some elements again.
        let at = start.min(last);
        // Not `map`, which is not always inlined.
        let mut words = [Words::<U, W>::from(0); N];
        for (word, input) in words.iter_mut().zip(&inputs) {
            *word = Words::load(input, at);
        }
        instruction.of_words(words).store(results, at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_backends_begin_with_scalars_and_have_the_best_lanes_once() {
        let distinct: Vec<Backend> = Backend::distinct().collect();
        assert_eq!(distinct.first(), Some(&Backend::Scalar));
        assert_eq!(distinct.iter().filter(|backend| **backend == Backend::Lanes.resolve()).count(), 1);
        assert_eq!(distinct.contains(&Backend::Lanes), Backend::Lanes.resolve() == Backend::Lanes);
        assert!(distinct.iter().all(|backend| backend.available()));
    }
}
