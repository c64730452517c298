//! Variants: the legal spellings that the table's rows expand to.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use super::contract::{Contract, Relaxation};
use super::form::Form;
use super::modifier::{Modifier, Operation, Rounding};
use super::signature::{Register, Signature, Stream};
use super::target::{PtxVersion, Target};
use super::types::Type;

/// One legal spelling of an instruction, such as `fma.rn.ftz.relu.f16x2`.
///
/// Its PTX text is its name: `Display` prints it and `FromStr` reads it.
#[derive(Clone)]
pub struct Variant {
    text: Box<str>,
    form: &'static Form,
    signature: &'static Signature,
    modifiers: Box<[Modifier]>,
}

impl Variant {
    /// Every variant of every row, in the table's order.
    pub fn all() -> &'static [Variant] {
        static ALL: OnceLock<Vec<Variant>> = OnceLock::new();
        ALL.get_or_init(|| super::forms().iter().flat_map(Variant::expand).collect())
    }

    /// The PTX text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The row that it belongs to.
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// What it computes.
    pub fn operation(&self) -> Operation {
        self.form.operation
    }

    /// Its modifiers, in the order of the spelling.
    pub fn modifiers(&self) -> &[Modifier] {
        &self.modifiers
    }

    /// Whether it carries a modifier.
    pub fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// How its result is rounded; without a rounding modifier, to nearest even.
    pub fn rounding(&self) -> Rounding {
        self.modifiers.iter().find_map(|m| m.rounding()).unwrap_or(Rounding::NearestEven)
    }

    /// Its source registers, in order.
    pub fn operands(&self) -> &'static [Register] {
        &self.signature.operands
    }

    /// Its destination registers, in order.
    pub fn results(&self) -> &'static [Register] {
        &self.signature.results
    }

    /// What each lane computes from.
    pub fn inputs(&self) -> &'static [Stream] {
        &self.signature.inputs
    }

    /// What each lane gives.
    pub fn outputs(&self) -> &'static [Stream] {
        &self.signature.outputs
    }

    /// The types that its spelling prints, in order.
    pub fn printed(&self) -> &'static [Type] {
        &self.signature.printed
    }

    /// Its types as printed: `.f32.bf16`.
    pub fn type_suffix(&self) -> String {
        self.signature.suffix()
    }

    /// Number of independent lanes.
    pub fn lanes(&self) -> usize {
        self.signature.lanes()
    }

    /// Bits of all inputs of one lane together: `2^input_bits` vectors exhaust a lane.
    pub fn input_bits(&self) -> u32 {
        self.inputs().iter().map(|input| input.format.width()).sum()
    }

    /// The choices that the manual leaves an implementation in this variant.
    pub fn relaxations(&self) -> impl Iterator<Item = Relaxation> + '_ {
        let Contract::Exact(relaxations) = self.form.contract;
        relaxations.iter().copied().filter(|relaxation| relaxation.concerns(&self.modifiers))
    }

    /// Whether a module for `target` in PTX version `ptx` may use it; `None` asks for any.
    pub fn available(&self, target: Option<Target>, ptx: Option<PtxVersion>) -> bool {
        self.form.since.iter().any(|since| since.covers(target, ptx))
    }
}

impl Variant {
    /// Every variant of a row.
    pub fn expand(form: &'static Form) -> Vec<Variant> {
        let spell = |modifiers: &[Modifier], signature: &Signature| {
            let modifiers: String = modifiers.iter().map(Modifier::to_string).collect();
            format!("{}{modifiers}{}", form.operation.mnemonic(), signature.suffix()).into()
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

    fn count(prefix: &str, suffix: &str) -> usize {
        let matches = |v: &&Variant| v.text().starts_with(prefix) && v.text().ends_with(suffix);
        Variant::all().iter().filter(matches).count()
    }

    /// The catalogue's counts, which the real assembler confirmed.
    #[test]
    fn expansion_has_the_catalogues_counts() {
        assert_eq!(Variant::all().len(), 100);
        assert_eq!(Variant::all().iter().filter(|v| v.form().section.starts_with("9.7.4")).count(), 44);
        assert_eq!([count("mul", ".f16"), count("mul", "bf16x2")], [8, 2]);
        assert_eq!([count("fma.rn", ".f16x2"), count("fma.rn", ".bf16")], [8, 6]);
        assert_eq!([count("add", ".f32.f16"), count("sub", ".f32.bf16")], [10, 10]);
        assert_eq!([count("fma", ".f32.f16"), count("fma", ".f32.bf16")], [8, 8]);
        assert_eq!(count("fma.rn.oob", ""), 8);
    }

    #[test]
    fn no_two_variants_share_a_spelling() {
        let texts: HashSet<&str> = Variant::all().iter().map(Variant::text).collect();
        assert_eq!(texts.len(), Variant::all().len());
    }

    #[test]
    fn relaxations_follow_from_the_modifiers() {
        use Relaxation::*;
        let of = |text: &str| text.parse::<Variant>().unwrap().relaxations().collect::<Vec<_>>();
        assert_eq!(of("mul.bf16"), [AnyNan]);
        assert_eq!(of("mul.ftz.f16"), [AnyNan, FtzTininess]);
        assert_eq!(of("fma.rn.ftz.sat.f16x2"), [FtzTininess, ZeroSign]);
        assert_eq!(of("fma.rn.relu.bf16"), [ZeroSign]);
        assert_eq!(of("fma.rn.oob.f16"), [AnyNan, OobPattern, OobAddend]);
        assert_eq!(of("fma.rn.oob.bf16"), [AnyNan, OobAddend]);
        assert_eq!(of("add.rm.f32.f16"), [AnyNan]);
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
