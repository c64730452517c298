//! Contraction: which products and sums of a program may be rounded once.

use super::arithmetic::OperationEvaluator;
use super::permitted::{Evaluation, ValueOrConstant};
use super::{Node, Program, ProgramOperation, Type};

/// A product that a sum may take unrounded, as its two factors.
#[derive(Clone)]
struct UnroundedProduct {
    factors: [ValueOrConstant; 2],
    /// Whether the product is taken with the other sign.
    negate: bool,
    /// Pairs of a value that chooses between others and of the value that it has to have chosen: the sum may take the
    /// product only where all of these choices are so.
    chosen: Vec<[usize; 2]>,
}

/// A fused multiply-add that may stand in the place of an operation of the program.
pub(super) struct Fused {
    pub operands: [ValueOrConstant; 3],
    /// Whether each of the three operands is taken with the other sign.
    pub signs: [bool; 3],
    /// Pairs of a value that chooses between others and of the value that it has to have chosen, as in
    /// [`UnroundedProduct`].
    pub chosen: Vec<[usize; 2]>,
}

impl Evaluation<'_> {
    /// Returns the fused multiply-adds that an operation may be; none where the rules do not permit contraction.
    pub(super) fn contractions(&self, operation: ProgramOperation, operands: &[usize]) -> Vec<Fused> {
        if !self.rules.contracts() {
            return Vec::new();
        }
        let one = |place: usize| self.known[place] == Some(self.bits_of_one(place));
        let (a, b, difference) = match (operation, operands) {
            (ProgramOperation::Add, &[a, b]) => (a, b, false),
            (ProgramOperation::Sub, &[a, b]) => (a, b, true),
            // x · 1 + y is a sum, so x may be a product.
            (ProgramOperation::Fma, &[a, b, c]) if one(b) => (a, c, false),
            (ProgramOperation::Fma, &[a, b, c]) if one(a) => (b, c, false),
            _ => return Vec::new(),
        };
        let fused = |product: UnroundedProduct, other: usize, signs: [bool; 2]| {
            let UnroundedProduct { factors: [x, y], negate, chosen } = product;
            let [turn, difference] = signs;
            // A sign of the product is put on its first factor: (−x)·y is −(x·y).
            let signs = [negate != turn, false, difference];
            Fused { operands: [x, y, ValueOrConstant::Value(other)], signs, chosen }
        };
        let of_first = self.products(a).into_iter();
        let of_first = of_first.map(|product| fused(product, b, [false, difference]));
        let of_second = self.products(b).into_iter();
        let of_second = of_second.map(|product| fused(product, a, [difference, false]));
        of_first.chain(of_second).collect()
    }

    /// Returns the bits of the number one in the type of the value at this place.
    fn bits_of_one(&self, place: usize) -> u64 {
        self.program.values()[place].0.format().one()
    }

    /// Returns the factors of a value that is a product, or that compilers know to be one: with another sign,
    /// multiplied or divided by one, zero added, the same taken twice, widened and narrowed again. A value that is
    /// chosen between two has the factors of both, each where the value is that one.
    fn products(&self, place: usize) -> Vec<UnroundedProduct> {
        let (ty, Node::Apply(operation, operands)) = &self.program.values()[place] else {
            return Vec::new();
        };
        let magnitude = ty.format().magnitude_mask();
        let magnitude_of = |place: usize| self.known[place].map(|bits| bits & magnitude);
        let negative = |place: usize| self.known[place].is_some_and(|bits| bits & !magnitude != 0);
        let of = |place: usize, turn: bool| -> Vec<UnroundedProduct> {
            let products = self.products(place).into_iter();
            products.map(|of| UnroundedProduct { negate: of.negate != turn, ..of }).collect()
        };
        let product = |a, b| UnroundedProduct { factors: [a, b], negate: false, chosen: Vec::new() };
        let chosen = |among: [usize; 2]| -> Vec<UnroundedProduct> {
            let of =
                among.into_iter().flat_map(|one| of(one, false).into_iter().map(move |of| (one, of)));
            let with = |(one, mut of): (usize, UnroundedProduct)| {
                of.chosen.push([place, one]);
                of
            };
            of.map(with).collect()
        };
        match (operation, &operands[..]) {
            (ProgramOperation::Mul, &[a, b]) => {
                let by_one = [(a, b), (b, a)].into_iter();
                let by_one = by_one.filter(|&(_, one)| magnitude_of(one) == Some(self.bits_of_one(one)));
                let by_one = by_one.flat_map(|(product, one)| of(product, negative(one)));
                by_one.chain([product(ValueOrConstant::Value(a), ValueOrConstant::Value(b))]).collect()
            }
            // A division by a power of two is exact, but where the quotient is subnormal, which a fused operation
            // keeps.
            (ProgramOperation::Div, &[a, b]) => {
                let reciprocal = self.known[b].and_then(|bits| reciprocal(*ty, bits));
                let by_one = magnitude_of(b) == Some(self.bits_of_one(b));
                let products = if by_one { of(a, negative(b)) } else { Vec::new() };
                let divided = reciprocal
                    .map(|bits| product(ValueOrConstant::Value(a), ValueOrConstant::Constant(bits)));
                products.into_iter().chain(divided).collect()
            }
            (ProgramOperation::Fma, &[a, b, c]) if magnitude_of(c) == Some(0) => {
                vec![product(ValueOrConstant::Value(a), ValueOrConstant::Value(b))]
            }
            (ProgramOperation::Neg, &[a]) => of(a, true),
            (ProgramOperation::Add, &[a, b]) if magnitude_of(b) == Some(0) => of(a, false),
            (ProgramOperation::Add, &[a, b]) if magnitude_of(a) == Some(0) => of(b, false),
            (ProgramOperation::Sub, &[a, b]) if magnitude_of(b) == Some(0) => of(a, false),
            (ProgramOperation::Sub, &[a, b]) if magnitude_of(a) == Some(0) => of(b, true),
            (ProgramOperation::Min | ProgramOperation::Max, &[a, b]) => chosen([a, b]),
            (ProgramOperation::CopySign, &[a, b]) if a == b => of(a, false),
            (ProgramOperation::Cast, &[of_cast]) => self.cast_products(*ty, of_cast),
            (ProgramOperation::Select(_), &[_, _, a, b]) => chosen([a, b]),
            _ => Vec::new(),
        }
    }

    /// Returns the factors of a value that is narrowed to a type: those of a value that was widened, or of the
    /// product of two that were.
    fn cast_products(&self, ty: Type, wide: usize) -> Vec<UnroundedProduct> {
        let values = self.program.values();
        let (wide_type, Node::Apply(operation, operands)) = &values[wide] else {
            return Vec::new();
        };
        if wide_type.format().width() <= ty.format().width() {
            return Vec::new();
        }
        let narrow = |place: usize| match &values[place].1 {
            Node::Apply(ProgramOperation::Cast, inner) if values[inner[0]].0 == ty => Some(inner[0]),
            _ => None,
        };
        match (operation, &operands[..]) {
            (ProgramOperation::Cast, _) => {
                narrow(wide).map_or_else(Vec::new, |place| self.products(place))
            }
            (ProgramOperation::Mul, &[a, b]) => {
                let factors = narrow(a).zip(narrow(b));
                let product = factors.map(|(a, b)| UnroundedProduct {
                    factors: [a, b].map(ValueOrConstant::Value),
                    negate: false,
                    chosen: Vec::new(),
                });
                product.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Program {
    /// Returns, for each value of the program, its bits if a compiler can know them: those of constants, of what is
    /// made of constants alone, and of what is chosen among equal ones.
    pub(super) fn known_bits(&self, arithmetic: &mut OperationEvaluator) -> Vec<Option<u64>> {
        let mut known: Vec<Option<u64>> = Vec::new();
        for (ty, node) in self.values() {
            known.push(match node {
                Node::Parameter => None,
                Node::Constant(bits) => Some(*bits),
                Node::Apply(ProgramOperation::Select(_), operands)
                    if known[operands[2]] == known[operands[3]] =>
                {
                    known[operands[2]]
                }
                Node::Apply(operation, operands) => {
                    let of: Option<Vec<u64>> = operands.iter().map(|&operand| known[operand]).collect();
                    let types = [self.values()[operands[0]].0, *ty];
                    let apply = |row: Vec<u64>| {
                        let result = arithmetic.apply(*operation, types, std::slice::from_ref(&row))[0];
                        match operation {
                            ProgramOperation::Select(_) => row[if result == 1 { 2 } else { 3 }],
                            _ => result,
                        }
                    };
                    of.map(apply)
                }
            });
        }
        known
    }
}

/// Returns the reciprocal of a power of two, if it is one and the format has its reciprocal as a normal number.
fn reciprocal(ty: Type, bits: u64) -> Option<u64> {
    let format = ty.format();
    let field = (bits & format.exponent_mask()) >> format.trailing_bits;
    // The bias is the largest exponent, so the fields of a number and of its reciprocal add up to twice that.
    let inverse = (2 * format.exponent_max() as u64).checked_sub(field)?;
    let normal = bits & format.trailing_mask() == 0 && field > 0 && inverse > 0;
    normal.then_some(bits & format.sign_mask() | inverse << format.trailing_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_have_reciprocals() {
        let of = |bits| reciprocal(Type::F32, bits);
        assert_eq!(
            [of(0x3f80_0000), of(0x4000_0000), of(0xbe80_0000)].map(Option::unwrap),
            [0x3f80_0000, 0x3f00_0000, 0xc080_0000]
        );
        assert_eq!([of(0x4040_0000), of(0), of(0x7f00_0000)], [None; 3]);
        assert_eq!(reciprocal(Type::F16, 0x4000), Some(0x3800));
    }
}
