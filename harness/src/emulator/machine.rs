//! The machines that run kernels, and the loop over a column.

use vectors::Column;

use super::instruction::Instruction;
use super::lanes::Lanes;
use super::load::HostWord;
use super::word::Scalar;

/// What runs a kernel. All compute the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Machine {
    /// One element at a time.
    Scalar,
    /// Eight elements at a time, with the best instructions that this CPU has.
    Lanes,
    /// Eight elements at a time with AVX2.
    Avx2,
    /// Eight elements at a time with AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Machine {
    /// Every machine, available here or not.
    pub const ALL: [Machine; 4] = [Machine::Scalar, Machine::Lanes, Machine::Avx2, Machine::Avx512];

    /// Whether this CPU can run it.
    pub fn available(self) -> bool {
        match self {
            Machine::Scalar | Machine::Lanes => true,
            #[cfg(target_arch = "x86_64")]
            Machine::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Machine::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Machine::Avx2 | Machine::Avx512 => false,
        }
    }

    /// What [`Machine::Lanes`] stands for on this CPU. Without shifts by a different count in each
    /// lane, which x86-64 has from AVX2 on, lanes are slower than scalars.
    fn resolve(self) -> Machine {
        let preferred = [Machine::Avx512, Machine::Avx2];
        match self {
            Machine::Lanes if cfg!(target_arch = "x86_64") => {
                preferred.into_iter().find(|machine| machine.available()).unwrap_or(Machine::Scalar)
            }
            machine => machine,
        }
    }
}

/// An instruction compiled for a machine: from operand columns to result columns, which have
/// [`MIN_ROWS`] rows at least.
///
/// # Safety
/// The CPU must have the machine's instructions.
pub type Entry = unsafe fn(&[Column], &mut [Column]);

/// The fewest rows that an [`Entry`] takes.
pub const MIN_ROWS: usize = Lanes::COUNT;

/// `I` compiled for `machine`, if this CPU can run it.
pub fn entry<I: Instruction>(machine: Machine) -> Option<Entry> {
    machine.available().then(|| match machine.resolve() {
        Machine::Scalar => rows::<I, Scalar> as Entry,
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2 => rows_avx2::<I>,
        #[cfg(target_arch = "x86_64")]
        Machine::Avx512 => rows_avx512::<I>,
        #[cfg(not(target_arch = "x86_64"))]
        Machine::Lanes => rows::<I, Lanes>,
        machine => unreachable!("{machine:?} is neither available nor resolved"),
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn rows_avx2<I: Instruction>(operands: &[Column], results: &mut [Column]) {
    rows::<I, Lanes>(operands, results);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn rows_avx512<I: Instruction>(operands: &[Column], results: &mut [Column]) {
    rows::<I, Lanes>(operands, results);
}

/// All rows, a word's worth at a time.
#[inline(always)]
fn rows<I: Instruction, W: HostWord>(operands: &[Column], results: &mut [Column]) {
    let operands = I::operands(operands);
    let results = results[0].elements_mut::<I::Result>();
    let last = results.len() - W::COUNT;
    for start in (0..results.len()).step_by(W::COUNT) {
        // Where the last word would reach beyond the end, it does some rows again.
        let at = start.min(last);
        I::compute::<W>(operands, at).store(results, at);
    }
}
