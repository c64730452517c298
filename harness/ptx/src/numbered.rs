//! Numbered names for registers of which only the class matters.

use isa::Register;

use crate::syntax::{Declaration, Operand, Scalar};

/// The classes of registers, and the letter that the names of each begin with.
const CLASSES: [(Scalar, &str); 5] = [
    (Scalar::Predicate, "p"),
    (Scalar::Bits(8), "c"),
    (Scalar::Bits(16), "h"),
    (Scalar::Bits(32), "r"),
    (Scalar::Bits(64), "q"),
];

/// A source of names for registers of which only the class matters: `p0`, `h1` …, counted by class.
#[derive(Default)]
pub struct RegisterNumbers([usize; CLASSES.len()]);

impl RegisterNumbers {
    /// The number of registers of a class: 128 for columns of tensor memory, one for their result, and one for the
    /// address.
    const EACH: usize = 130;

    /// Returns a register of the class of `register`, with a name that was not given before.
    ///
    /// # Panics
    /// If no instruction has so many registers, or so wide ones.
    pub fn next(&mut self, register: &Register) -> Operand {
        let class = Scalar::of(&register.ty);
        let class = CLASSES.iter().position(|&(one, _)| one == class).expect("a width of registers");
        let number = self.0[class];
        assert!(number < RegisterNumbers::EACH, "too many registers");
        self.0[class] += 1;
        Operand::Register(format!("{}{number}", CLASSES[class].1))
    }

    /// Returns the declarations of all such names, a class a line.
    pub fn declarations() -> String {
        let declared =
            |(ty, letter)| Declaration { ty, names: vec![(letter, RegisterNumbers::EACH).into()] };
        CLASSES.map(|class| format!("{}\n", declared(class))).concat()
    }
}

#[cfg(test)]
mod tests {
    use isa::Variant;

    use super::*;
    use crate::instruction::instruction;

    #[test]
    fn registers_are_untyped_and_as_wide_as_what_they_hold() {
        let numbered = |variant: &str| {
            let variant: Variant = variant.parse().unwrap();
            let mut names = RegisterNumbers::default();
            instruction("", variant.lane_signature(), |register| names.next(register)).to_string()
        };
        assert_eq!(numbered("setp.eq.and.f64"), " p0|p1, q0, q1, p2;");
        assert_eq!(numbered("fma.rn.f32.bf16"), " r0, h0, h1, r1;");
        assert_eq!(numbered("cvt.rn.satfinite.e2m1x2.f32"), " c0, r0, r1;");
        assert_eq!(numbered("set.eq.u32.f16x2"), " r0, r1, r2;");
        for variant in Variant::all() {
            numbered(variant.text());
        }
        assert!(RegisterNumbers::declarations().starts_with(".reg .pred p<130>;\n.reg .b8 c<130>;\n"));
    }
}
