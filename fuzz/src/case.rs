//! Cases, as bytes that keep their meaning when the instruction table grows.

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Result, Unstructured};
use vectors::isa::Register;
use vectors::sweep::fnv1a;
use vectors::{RowBits, Variant};

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
    pub operands: Vec<RowBits>,
}

/// Variants in the order of their hashes.
pub struct Ring(Vec<(u64, &'static Variant)>);

impl Ring {
    /// Those of all variants that are `wanted`.
    pub fn of(wanted: impl Fn(&Variant) -> bool) -> Ring {
        let wanted = Variant::all().iter().filter(|variant| wanted(variant));
        let mut ring: Vec<_> = wanted.map(|v| (fnv1a(v.text().as_bytes()), v)).collect();
        ring.sort_by_key(|(hash, _)| *hash);
        Ring(ring)
    }

    /// All variants.
    pub fn all() -> &'static Ring {
        static ALL: OnceLock<Ring> = OnceLock::new();
        ALL.get_or_init(|| Ring::of(|_| true))
    }

    /// The variants, in no order that means anything.
    pub fn variants(&self) -> impl ExactSizeIterator<Item = &'static Variant> {
        self.0.iter().map(|(_, variant)| *variant)
    }

    /// The case that bytes stand for where there are no other variants than these, of which there is
    /// at least one.
    ///
    /// # Errors
    /// None: what is missing at the end of the bytes reads as zeros.
    pub fn read(&self, bytes: &mut Unstructured) -> Result<Case> {
        let mut hash = [0; 8];
        bytes.fill_buffer(&mut hash)?;
        let hash = u64::from_le_bytes(hash);
        let (_, variant) = self.0[self.0.partition_point(|(of, _)| *of < hash) % self.0.len()];
        let mut row = |Register { ty, .. }: &Register| {
            let mut row = vec![0; ty.row_bytes()];
            bytes.fill_buffer(&mut row).map(|()| RowBits::from_bytes(&row))
        };
        let operands = variant.operands().iter().map(&mut row).collect::<Result<Vec<_>>>()?;
        Ok(Case::new(variant, &operands))
    }

    /// The same, of bytes that nothing else is read from.
    pub fn case(&self, bytes: &[u8]) -> Case {
        self.read(&mut Unstructured::new(bytes)).expect("every input is a case")
    }
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Case> {
        Ring::all().read(bytes)
    }
}

impl Case {
    /// With operands of which only the bits count that hold a lane; missing ones are zeros.
    pub fn new<B: Clone + Into<RowBits>>(variant: &'static Variant, operands: &[B]) -> Case {
        let given = operands.iter().map(|bits| bits.clone().into());
        let given = given.chain(std::iter::repeat_with(|| 0.into()));
        let operands = variant.operands().iter().zip(given);
        let operands = operands.map(|(operand, bits)| (bits.word() & operand.ty.mask()).into());
        Case { variant, operands: operands.collect() }
    }

    /// The bytes that read back as this case.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = fnv1a(self.variant.text().as_bytes()).to_le_bytes().to_vec();
        for (operand, bits) in self.variant.operands().iter().zip(&self.operands) {
            bytes.extend(bits.to_bytes(operand.ty.row_bytes()));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_read_back_from_their_bytes() {
        for variant in Variant::all() {
            let case = Case::new(variant, &[0x1234_5678_9abc_def0; 5]);
            assert_eq!(Ring::all().case(&case.to_bytes()), case);
        }
    }

    /// Whatever the bytes and their number: up to five operands of four bytes follow a hash.
    #[test]
    fn every_input_is_a_case() {
        for length in 0..40 {
            for byte in [0, 0x3c, 0xa5, 0xff] {
                let case = Ring::all().case(&vec![byte; length]);
                assert_eq!(Ring::all().case(&case.to_bytes()), case);
            }
        }
    }

    /// Where a row is added, or a variant is not to be had, the others' cases stay what they were.
    #[test]
    fn cases_do_not_depend_on_the_other_variants() {
        let some = Ring::of(|variant| variant.text().starts_with("fma"));
        assert!(some.variants().len() > 100);
        for variant in some.variants() {
            let case = Case::new(variant, &[0x3c00_7c01_8000_fbff, 7, 1 << 63]);
            assert_eq!(some.case(&case.to_bytes()), case);
        }
        let other = Case::new(&Variant::all()[0], &[1, 2]);
        assert!(some.case(&other.to_bytes()).variant.text().starts_with("fma"));
    }
}
