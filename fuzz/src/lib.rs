//! What the fuzz targets share: cases, as bytes that keep their meaning when the instruction table
//! grows, and the trial of a case.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use harness::implementation::Worker;
use harness::judge::{Mismatch, Tally};
use harness::run::{Bench, Judging};
use vectors::Variant;
use vectors::isa::{Register, Type};

/// One vector: a variant and its operands.
///
/// As bytes: the FNV-1a hash of the variant's text (8 bytes), then each operand in as many bytes as
/// its register has, all little-endian; bits of a register that hold no lane are read as zeros. A hash
/// that is no variant's stands for the variant whose hash comes next, so every input is a case, and a
/// new row takes over few of another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The variant.
    pub variant: &'static Variant,
    /// The operands' registers.
    pub operands: Vec<u64>,
}

/// FNV-1a, 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The bits of a register that hold a lane.
fn lanes_mask(ty: &Type) -> u64 {
    (0..ty.lanes).fold(0, |mask, lane| mask | ty.place(ty.format.mask(), lane))
}

/// Every variant, in order of its hash.
fn ring() -> &'static [(u64, &'static Variant)] {
    static RING: OnceLock<Vec<(u64, &Variant)>> = OnceLock::new();
    RING.get_or_init(|| {
        let mut ring: Vec<_> = Variant::all().iter().map(|v| (hash(v.text()), v)).collect();
        ring.sort_by_key(|(hash, _)| *hash);
        ring
    })
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Case> {
        let mut little_endian = |count: usize| {
            let mut wide = [0; 8];
            // What is missing at the end reads as zeros.
            bytes.fill_buffer(&mut wide[..count]).map(|()| u64::from_le_bytes(wide))
        };
        let hash = little_endian(8)?;
        let ring = ring();
        let (_, variant) = ring[ring.partition_point(|(of, _)| *of < hash) % ring.len()];
        let operands = variant
            .operands()
            .iter()
            .map(|Register { ty, .. }| little_endian(ty.row_bytes()).map(|bits| bits & lanes_mask(ty)));
        Ok(Case { variant, operands: operands.collect::<Result<_>>()? })
    }
}

impl Case {
    /// The bytes that read back as this case.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = hash(self.variant.text()).to_le_bytes().to_vec();
        for (operand, bits) in self.variant.operands().iter().zip(&self.operands) {
            bytes.extend_from_slice(&bits.to_le_bytes()[..operand.ty.row_bytes()]);
        }
        bytes
    }

    /// Has `worker` compute the case and MPFR judge it: the mismatch, if there is one.
    ///
    /// # Panics
    /// If the worker breaks.
    pub fn try_on(&self, worker: &mut dyn Worker) -> Option<Mismatch> {
        thread_local! {
            static BENCHES: RefCell<HashMap<&'static str, Bench>> = RefCell::default();
        }
        let tally: Tally = BENCHES.with_borrow_mut(|benches| {
            let bench = benches
                .entry(self.variant.text())
                .or_insert_with(|| Bench::new(self.variant, Judging::Mpfr));
            bench
                .run_rows(std::slice::from_ref(&self.operands), 0, worker)
                .expect("a working implementation")
        });
        tally.classes.into_values().flat_map(|class| class.examples).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harness::implementation::{Canary, Emulator, Implementation, PLANTED};

    /// A case with the same bits in each register, of those that it has.
    fn case(variant: &'static Variant, bits: u64) -> Case {
        let operands = variant.operands().iter().map(|operand| bits & lanes_mask(&operand.ty));
        Case { variant, operands: operands.collect() }
    }

    #[test]
    fn cases_read_back_from_their_bytes() {
        for variant in Variant::all() {
            let case = case(variant, 0x1234_5678_9abc_def0);
            let bytes = case.to_bytes();
            assert_eq!(Case::arbitrary(&mut Unstructured::new(&bytes)), Ok(case));
        }
    }

    /// Whatever the bytes and their number: up to five operands of four bytes follow a hash.
    #[test]
    fn every_input_is_a_case() {
        for length in 0..40 {
            for byte in [0, 0x3c, 0xa5, 0xff] {
                let case = Case::arbitrary(&mut Unstructured::new(&vec![byte; length])).unwrap();
                assert_eq!(Case::arbitrary(&mut Unstructured::new(&case.to_bytes())), Ok(case));
            }
        }
    }

    /// Cases of every shape: several results, five operands, bounds. One variant in seven.
    #[test]
    fn the_emulator_has_every_case_right() {
        let emulator = Emulator::scalar();
        let mut worker = emulator.worker().unwrap();
        for variant in Variant::all().iter().step_by(7) {
            for bits in [0, 0x3c00_3f80_3f80_3838, 0x7fff_ffff_ffff_ffff, 0x8001_0203_8000_0102] {
                let case = case(variant, bits);
                assert_eq!(case.try_on(worker.as_mut()), None, "{case:?}");
            }
        }
    }

    #[test]
    fn a_trial_tells_wrong_from_right() {
        let (text, _) = PLANTED.iter().find(|(text, _)| *text == "mul.rn.f16").unwrap();
        let variant = Variant::all().iter().find(|variant| variant.text() == *text).unwrap();
        // 1.5 × (1 + 3 × 2^-10) lies half-way between two numbers of f16, the lower one even.
        let case = Case { variant, operands: vec![0x3e00, 0x3c03] };
        assert_eq!(case.try_on(Emulator::lanes().worker().unwrap().as_mut()), None);
        assert!(case.try_on(Canary.worker().unwrap().as_mut()).is_some());
    }
}
