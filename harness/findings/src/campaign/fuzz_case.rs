//! Reads and writes cases, single vectors, as bytes that keep their meaning when the instruction table grows.

use std::sync::OnceLock;

use formats::RowBits;
use isa::{Register, Variant};
use sweeps::fnv1a;

/// The number of bytes of the hash that a case begins with.
const HASH: usize = 8;

/// A case for the fuzzer: one vector, which is a variant and its operands.
///
/// As bytes: the FNV-1a hash of the variant's text (8 bytes), then each operand in as many bytes as
/// its register has, all little-endian; bits of a register that hold no lane are read as zeros. Every
/// input is a case: [`Ring`] finds a variant for any hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzCase {
    /// The variant that is tried.
    pub variant: &'static Variant,
    /// The registers of the operands.
    pub operands: Vec<RowBits>,
}

/// A ring of variants in the order of the hashes of their texts. Any hash finds a variant: the first whose own hash is
/// not smaller, and behind the largest hash the first of all. So the bytes of any input name a variant, and a variant
/// that is added to the table changes the meaning of few inputs.
pub struct Ring(Vec<(u64, &'static Variant)>);

impl Ring {
    /// Makes a ring of those variants that are `wanted`.
    pub fn of(wanted: impl Fn(&Variant) -> bool) -> Ring {
        let wanted = Variant::all().iter().filter(|variant| wanted(variant));
        let mut ring: Vec<_> = wanted.map(|v| (fnv1a(v.text().as_bytes()), v)).collect();
        ring.sort_by_key(|(hash, _)| *hash);
        Ring(ring)
    }

    /// Returns the ring of all variants.
    pub fn all() -> &'static Ring {
        static ALL: OnceLock<Ring> = OnceLock::new();
        ALL.get_or_init(|| Ring::of(|_| true))
    }

    /// Returns the variants of the ring, in no order that means anything.
    pub fn variants(&self) -> impl ExactSizeIterator<Item = &'static Variant> {
        self.0.iter().map(|(_, variant)| *variant)
    }

    /// Returns the variant of this ring that the hash at the beginning of a case finds; missing bytes are zeros.
    ///
    /// # Panics
    /// If the ring has no variant.
    pub fn variant(&self, bytes: &[u8]) -> &'static Variant {
        let hash = hash(bytes);
        // Behind the largest hash the ring begins again with the smallest.
        self.0[self.0.partition_point(|(of, _)| *of < hash) % self.0.len()].1
    }

    /// Returns the case that bytes stand for, with its variant as [`Ring::variant`] finds it; missing bytes are
    /// zeros.
    pub fn case(&self, bytes: &[u8]) -> FuzzCase {
        let variant = self.variant(bytes);
        let mut rest = bytes.get(HASH..).unwrap_or_default();
        let row = |Register { ty, .. }: &Register| {
            let (head, tail) = rest.split_at(rest.len().min(ty.row_bytes()));
            rest = tail;
            let mut row = head.to_vec();
            row.resize(ty.row_bytes(), 0);
            RowBits::from_bytes(&row)
        };
        FuzzCase::new(variant, &variant.operands().iter().map(row).collect::<Vec<_>>())
    }
}

/// Returns the hash that bytes begin with; missing bytes are zeros.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = [0; HASH];
    let given = bytes.len().min(HASH);
    hash[..given].copy_from_slice(&bytes[..given]);
    u64::from_le_bytes(hash)
}

impl FuzzCase {
    /// Makes a case of a variant and its operands. Bits of an operand that hold no lane are cleared, and missing operands
    /// are zeros.
    pub fn new<B: Clone + Into<RowBits>>(variant: &'static Variant, operands: &[B]) -> FuzzCase {
        let given = operands.iter().map(|bits| bits.clone().into());
        let given = given.chain(std::iter::repeat_with(|| 0.into()));
        let operands = variant.operands().iter().zip(given);
        let operands = operands.map(|(operand, bits)| (bits.word() & operand.ty.mask()).into());
        FuzzCase { variant, operands: operands.collect() }
    }

    /// Returns the bytes that read back as this case.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = fnv1a(self.variant.text().as_bytes()).to_le_bytes().to_vec();
        for (operand, bits) in self.variant.operands().iter().zip(&self.operands) {
            bytes.extend(bits.to_bytes(operand.ty.row_bytes()));
        }
        bytes
    }

    /// Returns the case whose bytes are exactly these.
    ///
    /// # Errors
    /// In words, if the bytes are no case's: of a variant that there is not, or of another length.
    pub fn exactly(bytes: &[u8]) -> Result<FuzzCase, String> {
        let (variant, length) = (Ring::all().variant(bytes), bytes.len());
        // Missing bytes count as zeros elsewhere, and could complete a hash here.
        if length < HASH || fnv1a(variant.text().as_bytes()) != hash(bytes) {
            return Err(format!("its first {HASH} bytes (of {length}) name no variant of this suite"));
        }
        let operands = variant.operands().iter().map(|operand| operand.ty.row_bytes());
        let due = HASH + operands.sum::<usize>();
        if length != due {
            return Err(format!("it has {length} bytes, and a vector of {variant} has {due}"));
        }
        Ok(Ring::all().case(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_read_back_from_their_bytes() {
        for variant in Variant::all() {
            let case = FuzzCase::new(variant, &[0x1234_5678_9abc_def0; 5]);
            assert_eq!(Ring::all().case(&case.to_bytes()), case);
        }
    }

    /// Every input is a case, whatever its bytes and their number: up to five operands of four bytes follow a hash.
    #[test]
    fn every_input_is_a_case() {
        for length in 0..40 {
            for byte in [0, 0x3c, 0xa5, 0xff] {
                let case = Ring::all().case(&vec![byte; length]);
                assert_eq!(Ring::all().case(&case.to_bytes()), case);
            }
        }
    }

    /// Where a row is added to the instruction table, or a variant is not to be had, the other variants' cases stay
    /// what they were.
    #[test]
    fn cases_do_not_depend_on_the_other_variants() {
        let some = Ring::of(|variant| variant.text().starts_with("fma"));
        assert!(some.variants().len() > 100);
        for variant in some.variants() {
            let case = FuzzCase::new(variant, &[0x3c00_7c01_8000_fbff, 7, 1 << 63]);
            assert_eq!(some.case(&case.to_bytes()), case);
        }
        let other = FuzzCase::new(&Variant::all()[0], &[1, 2]);
        assert!(some.case(&other.to_bytes()).variant.text().starts_with("fma"));
    }

    /// An artifact is read as exactly one case, and is never a guess at one.
    #[test]
    fn what_is_no_case_is_said() {
        let case = FuzzCase::new(&Variant::all()[0], &[1, 2]);
        let bytes = case.to_bytes();
        assert_eq!(FuzzCase::exactly(&bytes), Ok(case));
        for length in 0..bytes.len() {
            assert!(
                FuzzCase::exactly(&bytes[..length]).is_err_and(|why| why.contains(&length.to_string()))
            );
        }
        let unknown = [&[!bytes[0]], &bytes[1..]].concat();
        assert!(FuzzCase::exactly(&unknown).is_err_and(|why| why.contains("no variant")));
        let longer = [&*bytes, &[0]].concat();
        assert!(FuzzCase::exactly(&longer).is_err_and(|why| why.contains(Variant::all()[0].text())));
    }
}
