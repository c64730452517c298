//! Variants: the legal spellings that the table's rows expand to.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use super::form::Form;
use super::meaning::{Meaning, NanRule};
use super::modifier::Modifier;
use super::operation::Operation;
use super::signature::{LaneData, LaneSignature, Register};
use super::site::Site;
use super::target::{PtxVersion, Target};
use super::types::Type;

/// A legal spelling of an instruction, such as `fma.rn.ftz.relu.f16x2`.
///
/// A variant's PTX text is its name: `Display` prints it and `FromStr` reads it.
#[derive(Clone)]
pub struct Variant {
    text: Box<str>,
    form: &'static Form,
    signature: &'static LaneSignature,
    modifiers: Box<[Modifier]>,
    meaning: Meaning,
}

impl Variant {
    /// Returns every variant of every row, in the table's order.
    pub fn all() -> &'static [Variant] {
        static ALL: OnceLock<Vec<Variant>> = OnceLock::new();
        ALL.get_or_init(|| crate::forms().iter().flat_map(Variant::expand).collect())
    }

    /// Returns the PTX text, with the part in parentheses where the name has one.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the mnemonic with modifiers and types, as it stands before the operands.
    pub fn spelling(&self) -> &str {
        self.text.split('(').next().unwrap_or_default()
    }

    /// Whether the variant is a PTX instruction, and not a cast that PTX lacks.
    pub fn is_ptx(&self) -> bool {
        !self.form.since.is_empty()
    }

    /// Returns the table row that the variant belongs to.
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// Returns the meaning: all that code computing the variant has to know beside its signature.
    pub fn meaning(&self) -> &Meaning {
        &self.meaning
    }

    /// Returns the mnemonic's operation. [`Meaning::op`] says what it computes.
    pub fn operation(&self) -> Operation {
        self.form.operation
    }

    /// Returns the modifiers, in the order of the spelling. [`Self::meaning`] says what they mean.
    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// Whether the variant carries a modifier.
    pub fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// Returns the types and registers, and how lanes lie in them.
    pub fn lane_signature(&self) -> &'static LaneSignature {
        self.signature
    }

    /// Returns where the operands and results are.
    pub fn site(&self) -> Site {
        self.signature.site
    }

    /// Returns the source registers, in order.
    pub fn operands(&self) -> &'static [Register] {
        &self.signature.operands
    }

    /// Returns the destination registers, in order.
    pub fn results(&self) -> &'static [Register] {
        &self.signature.results
    }

    /// Returns the inputs that each lane computes from.
    pub fn inputs(&self) -> &'static [LaneData] {
        &self.signature.inputs
    }

    /// Returns the outputs that each lane gives.
    pub fn outputs(&self) -> &'static [LaneData] {
        &self.signature.outputs
    }

    /// Returns the types that the spelling prints, in order.
    pub fn printed(&self) -> &'static [Type] {
        &self.signature.printed
    }

    /// Returns the types as printed: `.f32.bf16`.
    pub fn type_suffix(&self) -> String {
        self.signature.suffix()
    }

    /// Returns the number of independent lanes.
    pub fn lanes(&self) -> usize {
        self.signature.lanes()
    }

    /// Returns the number of bits of all inputs of one lane together: `2^input_bits` vectors exhaust a lane.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(|input| input.format.width()).sum()
    }

    /// Returns the NaN that a canonical NaN result is.
    pub fn nan(&self) -> u64 {
        match self.meaning.nan {
            NanRule::Canonical64(bits) => bits,
            _ => self.outputs()[0].format.canonical_nan(),
        }
    }

    /// Whether a module for `target` in PTX version `ptx` may use the variant; `None` stands for any.
    pub fn available(&self, target: Option<Target>, ptx: Option<PtxVersion>) -> bool {
        let anywhere = target.is_none() && ptx.is_none();
        anywhere || self.form.since.iter().any(|since| since.covers(target, ptx))
    }
}

impl Variant {
    // Public for the tests of `model`, which try rows that the table does not have.
    /// Expands a row into all its variants.
    #[doc(hidden)]
    pub fn expand(form: &'static Form) -> Vec<Variant> {
        let spell = |modifiers: &[Modifier], signature: &LaneSignature| {
            let modifiers: String = modifiers.iter().map(Modifier::to_string).collect();
            let (mnemonic, types) = (form.operation.mnemonic(), signature.suffix());
            format!("{mnemonic}{modifiers}{types}{}", form.told_by).into()
        };
        let sets = form.modifier_sets();
        let pairs =
            form.signatures.iter().flat_map(|signature| sets.iter().map(move |set| (signature, set)));
        pairs
            .map(|(signature, modifiers)| Variant {
                text: spell(modifiers, signature),
                form,
                signature,
                modifiers: modifiers.as_slice().into(),
                meaning: Meaning::of(form, signature, modifiers),
            })
            .collect()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        // No two variants have one name, as a test checks.
        self.text == other.text
    }
}

impl Eq for Variant {}

impl Hash for Variant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Holds the counts of spellings by family to those that NVIDIA's assembler accepts; docs/what/variants.md has the count of
    /// every instruction.
    #[test]
    fn expansion_has_the_known_counts() {
        use Operation::*;
        let of = |operations: &[Operation], sections: &[&str]| {
            let listed = |v: &&Variant| {
                operations.contains(&v.operation())
                    && sections.iter().any(|section| v.form().section.starts_with(section))
            };
            Variant::all().iter().filter(listed).count()
        };
        let plain = ["9.7.3.", "9.7.4."];
        assert_eq!([Add, Sub, Mul].map(|operation| of(&[operation], &plain)), [55; 3]);
        assert_eq!([Fma, Mad].map(|operation| of(&[operation], &plain)), [52, 20]);
        assert_eq!([Add, Sub, Mul, Fma].map(|o| of(&[o], &["9.7.5."])), [32, 32, 4, 24]);
        assert_eq!([Add, Sub, Mul, Fma].map(|o| of(&[o], &["9.7.6."])), [56, 56, 392, 392]);
        assert_eq!([Div, Rcp, Sqrt, Rsqrt].map(|o| of(&[o], &plain)), [16, 15, 14, 4]);
        assert_eq!([Sin, Cos, Lg2, Ex2, Tanh].map(|o| of(&[o], &plain)), [2, 2, 2, 6, 5]);
        assert_eq!([Abs, Neg, Copysign, Testp].map(|o| of(&[o], &plain)), [9, 9, 2, 12]);
        assert_eq!([Min, Max].map(|o| of(&[o], &plain)), [41; 2]);
        assert_eq!([Set, Setp, Slct].map(|o| of(&[o], &["9.7.7.", "9.7.8."])), [2680, 672, 22]);
        assert_eq!(of(&[Cvt], &["9.7.10."]), 1148);
        assert_eq!([Atom, Red].map(|o| of(&[o], &["9.7.15."])), [89, 110]);
        assert_eq!(of(&[Redux], &["9.7.15."]), 8);
        assert_eq!(of(&[Tcgen05], &["9.7.18."]), 160);
        assert_eq!([Cp, Multimem, Fabric].map(|o| of(&[o], &["9.7.10", "9.7.11"])), [16, 293, 55]);
        assert_eq!(of(&[Cast], &[""]), 234);
    }

    #[test]
    fn no_two_variants_share_a_spelling() {
        let texts: HashSet<&str> = Variant::all().iter().map(Variant::text).collect();
        assert_eq!(texts.len(), Variant::all().len());
    }

    #[test]
    fn availability_is_the_rows() {
        let available = |text: &str, target: &str, ptx: &str| {
            let variant: Variant = text.parse().unwrap();
            variant.available(Some(target.parse().unwrap()), Some(ptx.parse().unwrap()))
        };
        assert!(available("mul.f16", "sm_53", "4.2") && !available("mul.f16", "sm_52", "9.0"));
        assert!(available("mul.bf16", "sm_90", "7.8") && !available("mul.bf16", "sm_90", "7.7"));
        assert!(
            available("add.f32.f16", "sm_100a", "8.6") && !available("add.f32.f16", "sm_90a", "8.6")
        );
    }
}
