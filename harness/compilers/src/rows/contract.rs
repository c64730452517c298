//! Permits contraction: writes down every expression that comes of one where any of its products is fused with the sum
//! or difference that it feeds.

use isa::{Type, Variant};

use super::meaning::{Expression, MeaningOperand};

/// The most alternatives of one expression: each is computed wherever the ones before it do not give a result.
const ALTERNATIVES_MAX: u64 = 32;

/// A sum or difference one of whose operands is a product that may be fused with it.
struct Pair<'a> {
    /// The fused instruction.
    fma: &'static Variant,
    /// The factors of the product.
    factors: [&'a MeaningOperand; 2],
    /// The number of the operand that is the product, and that of the other one.
    product: usize,
    other: usize,
    /// Whether the product, and whether the other operand, is taken with the other sign.
    signs: [bool; 2],
}

impl Expression {
    /// Returns the expression, and all others that come of it by fusing some of its products with the sums or
    /// differences that they feed; the expression itself is the first.
    ///
    /// # Errors
    /// If there are too many, or PTX has no instruction for the sign that one needs, says so.
    pub fn contractions(&self) -> Result<Vec<Expression>, String> {
        if self.count() > ALTERNATIVES_MAX {
            return Err(format!(
                "fusing some of the products of `{self}` gives more than {ALTERNATIVES_MAX} expressions: write those that \
                 are permitted with `or`"
            ));
        }
        self.alternatives()
    }

    /// Counts the alternatives of the expression.
    fn count(&self) -> u64 {
        let each: Vec<u64> = self
            .operands
            .iter()
            .map(|operand| match operand {
                MeaningOperand::Of(inner) => inner.count(),
                MeaningOperand::Parameter(_) | MeaningOperand::Constant(_) => 1,
            })
            .collect();
        let mut all = each.iter().copied().fold(1, u64::saturating_mul);
        for Pair { product, other, .. } in self.pairs() {
            // A product is no sum, so its alternatives are those of its factors.
            let [of_product, of_other] = [product, other].map(|at| each.get(at).copied().unwrap_or(1));
            all = all.saturating_add(of_product.saturating_mul(of_other));
        }
        all
    }

    fn alternatives(&self) -> Result<Vec<Expression>, String> {
        let variant = self.variant;
        let each: Vec<&MeaningOperand> = self.operands.iter().collect();
        let mut all: Vec<Expression> =
            choices(&each)?.into_iter().map(|operands| Expression { variant, operands }).collect();
        for Pair { fma, factors: [a, b], other, signs: [turns_product, turns_other], .. } in self.pairs()
        {
            let Some(other) = self.operands.get(other) else { continue };
            for mut operands in choices(&[a, b, other])? {
                for (at, turns) in [(0, turns_product), (2, turns_other)] {
                    let (true, Some(operand)) = (turns, operands.get_mut(at)) else { continue };
                    let ty = fma.operands().get(at).map(|register| &register.ty);
                    *operand = negated(operand, ty).ok_or_else(|| {
                        format!(
                            "{variant} has no fused form here, because PTX has no `neg` of its type: write the \
                             expressions that are permitted with `or`"
                        )
                    })?;
                }
                all.push(Expression { variant: fma, operands });
            }
        }
        Ok(all)
    }

    /// Returns the ways in which the outermost instruction can be fused with a product.
    fn pairs(&self) -> Vec<Pair<'_>> {
        let Some((is_difference, fma, due)) = fused(self.variant) else { return Vec::new() };
        let pair = |product: usize, other: usize, signs| {
            let MeaningOperand::Of(inner) = self.operands.get(product)? else { return None };
            let [a, b] = inner.operands.as_slice() else { return None };
            let fits = shape(inner.variant).is_some_and(|of| of == due);
            fits.then_some(Pair { fma, factors: [a, b], product, other, signs })
        };
        // a·b − c is fma(a, b, −c), and c − a·b is fma(−a, b, c).
        let both = [pair(0, 1, [false, is_difference]), pair(1, 0, [is_difference, false])];
        both.into_iter().flatten().collect()
    }
}

/// Returns every choice of an alternative for each operand.
fn choices(operands: &[&MeaningOperand]) -> Result<Vec<Vec<MeaningOperand>>, String> {
    let mut all = vec![Vec::new()];
    for operand in operands {
        let each: Vec<MeaningOperand> = match operand {
            MeaningOperand::Of(inner) => {
                let alternatives = inner.alternatives()?.into_iter();
                alternatives.map(|one| MeaningOperand::Of(Box::new(one))).collect()
            }
            other => vec![(*other).clone()],
        };
        all = all
            .into_iter()
            .flat_map(|known| {
                each.iter().map(move |one| [&known[..], std::slice::from_ref(one)].concat())
            })
            .collect();
    }
    Ok(all)
}

/// The parts of an instruction's name that a product and a sum must share: its rounding, whether it flushes, and its
/// types.
#[derive(PartialEq, Eq)]
struct Shape<'a> {
    name: &'a str,
    rounding: &'a str,
    flushes: bool,
    clamps: bool,
    types: Vec<&'a str>,
}

/// Returns the parts of an instruction's name; `None` if it has others than these.
fn shape(variant: &'static Variant) -> Option<Shape<'static>> {
    let mut words = variant.text().split('.');
    let name = words.next()?;
    let mut shape = Shape { name, rounding: "rn", flushes: false, clamps: false, types: Vec::new() };
    for word in words {
        match word {
            "rn" | "rz" | "rm" | "rp" if shape.types.is_empty() => shape.rounding = word,
            "ftz" => shape.flushes = true,
            "sat" => shape.clamps = true,
            _ => shape.types.push(word),
        }
    }
    Some(shape)
}

/// Returns, for a sum or difference, whether it is a difference, the instruction that is fused of it and a product, and
/// the product that it is fused with. `None` for other instructions, and where PTX has no fused one.
fn fused(sum: &'static Variant) -> Option<(bool, &'static Variant, Shape<'static>)> {
    let of = shape(sum)?;
    let is_difference = match of.name {
        "add" => false,
        "sub" => true,
        _ => return None,
    };
    let flush = if of.flushes { ".ftz" } else { "" };
    let clamp = if of.clamps { ".sat" } else { "" };
    let fma = Variant::named(&format!("fma.{}{flush}{clamp}.{}", of.rounding, of.types.join(".")))?;
    // A product that is clamped is another number than the one that an `fma` takes.
    Some((is_difference, fma, Shape { name: "mul", clamps: false, ..of }))
}

/// Returns an operand of a type with the other sign; `None` if PTX cannot negate that type.
fn negated(operand: &MeaningOperand, ty: Option<&Type>) -> Option<MeaningOperand> {
    let ty = ty?;
    if let MeaningOperand::Constant(bits) = operand {
        let signs = (0..ty.lanes).map(|lane| ty.place(ty.format.sign_mask(), lane));
        return Some(MeaningOperand::Constant(signs.fold(*bits, |bits, sign| bits ^ sign)));
    }
    let variant = Variant::named(&format!("neg.{ty}"))?;
    Some(MeaningOperand::Of(Box::new(Expression { variant, operands: vec![operand.clone()] })))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the alternatives of an expression as texts.
    fn all(text: &str) -> Vec<String> {
        let all = Expression::parse(text).contractions().unwrap_or_else(|error| panic!("{error}"));
        all.iter().map(Expression::to_string).collect()
    }

    #[test]
    fn any_products_are_fused_with_what_they_feed() {
        assert_eq!(
            all("add.rn.f32(mul.rn.f32(a, b), c)"),
            ["add.rn.f32(mul.rn.f32(a, b), c)", "fma.rn.f32"]
        );
        assert_eq!(
            all("add.f32(mul.f32(a, b), mul.f32(b, c))"),
            [
                "add.f32(mul.f32(a, b), mul.f32(b, c))",
                "fma.rn.f32(a, b, mul.f32(b, c))",
                "fma.rn.f32(b, c, mul.f32(a, b))"
            ]
        );
        // A chain: each of two sums may be fused with its product or not.
        let chain = all("add.rn.f32(mul.rn.f32(add.rn.f32(mul.rn.f32(a, b), b), b), c)");
        assert_eq!(
            chain,
            [
                "add.rn.f32(mul.rn.f32(add.rn.f32(mul.rn.f32(a, b), b), b), c)",
                "add.rn.f32(mul.rn.f32(fma.rn.f32(a, b, b), b), c)",
                "fma.rn.f32(add.rn.f32(mul.rn.f32(a, b), b), b, c)",
                "fma.rn.f32(fma.rn.f32(a, b, b), b, c)"
            ]
        );
    }

    #[test]
    fn a_difference_is_fused_with_the_sign_that_it_needs() {
        assert_eq!(all("sub.rn.f32(mul.rn.f32(a, b), c)")[1..], ["fma.rn.f32(a, b, neg.f32(c))"]);
        assert_eq!(all("sub.rn.f32(c, mul.rn.f32(a, b))")[1..], ["fma.rn.f32(neg.f32(a), b, c)"]);
        assert_eq!(all("sub.rn.f32(mul.rn.f32(a, b), 1)")[1..], ["fma.rn.f32(a, b, 0xbf800000)"]);
        assert_eq!(all("sub.f16x2(mul.f16x2(a, b), c)")[1..], ["fma.rn.f16x2(a, b, neg.f16x2(c))"]);
    }

    #[test]
    fn what_rounds_or_flushes_otherwise_is_not_fused() {
        for alone in [
            "add.rz.f32(mul.rn.f32(a, b), c)",
            "add.rn.ftz.f32(mul.rn.f32(a, b), c)",
            "add.rn.f32(mul.rn.sat.f32(a, b), c)",
            "min.f32(mul.rn.f32(a, b), c)",
            "mul.rn.f32(add.rn.f32(a, b), c)",
        ] {
            assert_eq!(all(alone), [alone]);
        }
        assert_eq!(all("add.rz.ftz.sat.f32(mul.rz.ftz.f32(a, b), c)")[1..], ["fma.rz.ftz.sat.f32"]);
    }

    #[test]
    fn too_many_are_refused() {
        let mut text = "a".to_owned();
        for _ in 0..5 {
            text = format!("add.rn.f32(mul.rn.f32({text}, b), c)");
        }
        assert_eq!(all(&text).len(), 32);
        let more = Expression::parse(&format!("add.rn.f32(mul.rn.f32({text}, b), c)"));
        let error = more.contractions().unwrap_err();
        assert!(error.contains("more than 32 expressions"), "{error}");
    }
}
