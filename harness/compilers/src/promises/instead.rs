//! Expressions that a wrong compiler computes in the place of a promised one, by the defect that it has.

use isa::Variant;

use crate::program::Defect;
use crate::rows::{Expression, MeaningOperand};

/// The defects that expressions are rewritten by, those first that say more.
pub(super) const DEFECTS: [Defect; 6] = [
    Defect::Contracted,
    Defect::CastsLeftOut,
    Defect::RoundedTwice,
    Defect::Reciprocal,
    Defect::Flushed,
    Defect::Approximation,
];

/// The largest number of instructions of an expression of which each set is flushed by itself.
const FLUSHED: usize = 4;

/// Returns the expressions that a compiler with a defect may compute in the place of a promised one; none where the
/// compiled instructions, whose names are `made`, are not what the defect makes.
pub(super) fn instead(promised: &Expression, defect: Defect, made: &[String]) -> Vec<Expression> {
    let starts = |with: &str| made.iter().any(|name| name.starts_with(with));
    let all = match defect {
        Defect::Contracted if starts("fma.") => {
            [false, true].map(|last| everywhere(promised, &|of| contracted(of, last))).to_vec()
        }
        Defect::CastsLeftOut => {
            let there_and_back = everywhere(promised, &there_and_back);
            unrounded(promised).into_iter().chain([there_and_back]).collect()
        }
        Defect::RoundedTwice => {
            let vias = ["f32", "f64", "f16", "bf16"];
            vias.map(|via| everywhere(promised, &|of| through(of, via))).to_vec()
        }
        Defect::Reciprocal if !starts("div.") => {
            let kinds =
                [".rn", ".approx"].map(|kind| everywhere(promised, &|of| by_reciprocal(of, kind)));
            kinds.to_vec()
        }
        Defect::Flushed if made.iter().any(|name| name.contains(".ftz")) => flushed(promised),
        Defect::Approximation => {
            let of_one = |name: &String| {
                let variant = Variant::named(name).filter(|variant| !variant.is_exact())?;
                Some(everywhere(promised, &|of| approximated(of, variant)))
            };
            made.iter().filter_map(of_one).collect()
        }
        _ => Vec::new(),
    };
    let mut distinct: Vec<Expression> = Vec::new();
    for one in all {
        if one != *promised && !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

/// Makes the expression of an instruction of this name; `None` if there is none, or it takes another number of
/// operands.
fn of(name: &str, operands: Vec<MeaningOperand>) -> Option<Expression> {
    let variant = Variant::named(name).filter(|of| of.operands().len() == operands.len())?;
    Some(Expression { variant, operands })
}

/// Makes an operand of an expression.
fn inner(expression: Expression) -> MeaningOperand {
    MeaningOperand::Of(Box::new(expression))
}

/// Rewrites an expression from the inside out: each of its instructions, where `rewrite` gives another expression.
fn everywhere(
    expression: &Expression,
    rewrite: &dyn Fn(&Expression) -> Option<Expression>,
) -> Expression {
    let operand = |operand: &MeaningOperand| match operand {
        MeaningOperand::Of(inside) => inner(everywhere(inside, rewrite)),
        other => other.clone(),
    };
    let operands = expression.operands.iter().map(operand).collect();
    let new = Expression { variant: expression.variant, operands };
    rewrite(&new).unwrap_or(new)
}

/// Splits the name of an instruction into its mnemonic, what stands between, and its type.
fn parts(expression: &Expression) -> Option<(&'static str, &'static str, &'static str)> {
    let (mnemonic, rest) = expression.variant.text().split_once('.')?;
    let (between, ty) = rest.rsplit_once('.').unwrap_or(("", rest));
    Some((mnemonic, between, ty))
}

/// Splits the name of a conversion into what stands between, with the mnemonic, and its types: the result's and the
/// operand's.
fn conversion(expression: &Expression) -> Option<(&'static str, &'static str, &'static str)> {
    let (rest, from) = expression.variant.text().rsplit_once('.')?;
    let (before, to) = rest.rsplit_once('.')?;
    matches!(before.split('.').next()?, "cvt" | "cast").then_some((before, to, from))
}

/// Fuses a sum with a product that it has as a term; `last` says that the second term is looked at first.
fn contracted(sum: &Expression, last: bool) -> Option<Expression> {
    let (name, between, ty) = parts(sum)?;
    let [one, other] = &sum.operands[..] else { return None };
    let factors = |term: &MeaningOperand| match term {
        MeaningOperand::Of(product) if parts(product)?.0 == "mul" && parts(product)?.2 == ty => {
            Some(product.operands.clone())
        }
        _ => None,
    };
    let mut sides = [(one, other, true), (other, one, false)];
    if last {
        sides.reverse();
    }
    let (mut product, addend, is_first) =
        sides.into_iter().find_map(|(of, addend, first)| Some((factors(of)?, addend, first)))?;
    let negated = |operand: MeaningOperand| of(&format!("neg.{ty}"), vec![operand]).map(inner);
    let mut addend = addend.clone();
    match (name, is_first) {
        ("add", _) => {}
        ("sub", true) => addend = negated(addend)?,
        ("sub", false) => product[0] = negated(product[0].clone())?,
        _ => return None,
    }
    product.push(addend);
    of(&format!("fma.{between}.{ty}"), product)
}

/// Leaves out a conversion to a narrower type and the one back from it.
fn there_and_back(back: &Expression) -> Option<Expression> {
    let (_, to, narrow) = conversion(back)?;
    let [MeaningOperand::Of(there)] = &back.operands[..] else { return None };
    let (_, also_narrow, from) = conversion(there)?;
    let width = |of: &Expression| of.variant.operands()[0].ty.width();
    if narrow != also_narrow || width(back) >= width(there) {
        return None;
    }
    // A conversion from a type to itself leaves a number as it is.
    let names = [format!("cvt.{to}.{from}"), format!("cvt.rn.{to}.{from}")];
    names.into_iter().find_map(|name| of(&name, there.operands.clone()))
}

/// Computes an expression of several operations in half precision in single precision, and rounds once at the end.
fn unrounded(expression: &Expression) -> Option<Expression> {
    let (_, between, ty) = parts(expression)?;
    let is_half = |ty: &str| matches!(ty, "f16" | "bf16");
    // What is widened at the end is not even rounded there.
    if let (Some((_, "f32", from)), [MeaningOperand::Of(inside)]) =
        (conversion(expression), &expression.operands[..])
        && is_half(from)
        && conversion(inside).is_none()
    {
        return widened(&MeaningOperand::Of(inside.clone()), from).and_then(|operand| match operand {
            MeaningOperand::Of(wide) => Some(*wide),
            _ => None,
        });
    }
    let computes = |operand: &MeaningOperand| matches!(operand, MeaningOperand::Of(_));
    let is_chain = is_half(ty) && conversion(expression).is_none();
    if !is_chain || between.is_empty() || !expression.operands.iter().any(computes) {
        return None;
    }
    let wide = widened(&inner(expression.clone()), ty)?;
    of(&format!("cvt.rn.{ty}.f32"), vec![wide])
}

/// Computes an operand of a type of half precision in single precision, unrounded.
fn widened(operand: &MeaningOperand, half: &str) -> Option<MeaningOperand> {
    if let MeaningOperand::Of(inside) = operand {
        if let Some((_, to, from)) = conversion(inside) {
            return (to == half && from == "f32").then(|| inside.operands[0].clone());
        }
        let name = inside.variant.text().strip_suffix(half)?;
        let operands = inside.operands.iter().map(|operand| widened(operand, half));
        return of(&format!("{name}f32"), operands.collect::<Option<_>>()?).map(inner);
    }
    of(&format!("cvt.f32.{half}"), vec![operand.clone()]).map(inner)
}

/// Computes an operation in the wider type `via`, or a conversion by way of that type, and rounds the result once more.
fn through(expression: &Expression, via: &str) -> Option<Expression> {
    if let Some((before, to, from)) = conversion(expression) {
        let mut firsts = [format!("cvt.{via}.{from}"), format!("cvt.rn.{via}.{from}")].into_iter();
        let first = firsts.find_map(|name| of(&name, expression.operands.clone()))?;
        // From `via`, integers have no modifiers but the rounding.
        let mut seconds = [format!("{before}.{to}.{via}"), format!("cvt.rn.{to}.{via}")].into_iter();
        return seconds.find_map(|name| of(&name, vec![inner(first.clone())]));
    }
    let (mnemonic, between, ty) = parts(expression)?;
    let wide =
        |operand: &MeaningOperand| of(&format!("cvt.{via}.{ty}"), vec![operand.clone()]).map(inner);
    let operands = expression.operands.iter().map(wide).collect::<Option<_>>()?;
    let wide = of(&format!("{mnemonic}.{between}.{via}"), operands)?;
    let rounds = between.split('.').any(|word| word == "rn") && ty != via;
    of(&format!("cvt.rn.{ty}.{via}"), vec![inner(wide)]).filter(|_| rounds)
}

/// Multiplies with the reciprocal of a divisor; `kind` says how exact that is.
fn by_reciprocal(quotient: &Expression, kind: &str) -> Option<Expression> {
    let ("div", between, ty) = parts(quotient)? else { return None };
    let [dividend, divisor] = &quotient.operands[..] else { return None };
    let names = ["", ".ftz"].map(|ftz| format!("rcp{kind}{ftz}.{ty}"));
    let reciprocal = names.into_iter().find_map(|name| of(&name, vec![divisor.clone()]))?;
    of(&format!("mul.{between}.{ty}"), vec![dividend.clone(), inner(reciprocal)])
}

/// Puts an approximate instruction in the place of an instruction of its mnemonic and type.
fn approximated(exact: &Expression, approximate: &'static Variant) -> Option<Expression> {
    let (mnemonic, _, ty) = parts(exact)?;
    let text = approximate.text();
    let is_alike = text.split('.').next() == Some(mnemonic) && text.rsplit('.').next() == Some(ty);
    (is_alike && exact.variant.is_exact()).then(|| of(text, exact.operands.clone()))?
}

/// Flushes in some of an expression's instructions: in all, then in each set of them.
fn flushed(expression: &Expression) -> Vec<Expression> {
    let count = expression.instructions().len();
    let sets = 1..=(1_u32 << count.min(FLUSHED)) - 1;
    let of_set = |set: u32| {
        let mut number = 0;
        flushed_in(expression, &mut number, set | if count > FLUSHED { !0 } else { 0 })
    };
    sets.rev().map(of_set).collect()
}

/// Flushes in those of an expression's instructions whose bits are in a set; `number` counts them from the inside out.
fn flushed_in(expression: &Expression, number: &mut u32, set: u32) -> Expression {
    let mut operands = Vec::new();
    for operand in &expression.operands {
        operands.push(match operand {
            MeaningOperand::Of(inside) => inner(flushed_in(inside, number, set)),
            other => other.clone(),
        });
    }
    let is_in = set >> (*number).min(31) & 1 == 1;
    *number += 1;
    let words: Vec<&str> = expression.variant.text().split('.').collect();
    // The table knows where the modifier stands.
    let mut names = (1..words.len()).map(|at| [&words[..at], &["ftz"], &words[at..]].concat().join("."));
    let flushing = names.find_map(|name| Variant::named(&name)).filter(|_| is_in);
    Expression { variant: flushing.unwrap_or(expression.variant), operands }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(text: &str, defect: Defect, made: &[&str]) -> Vec<String> {
        let made: Vec<String> = made.iter().map(|name| (*name).to_owned()).collect();
        let all = instead(&Expression::parse(text), defect, &made);
        all.iter().map(Expression::to_string).collect()
    }

    #[test]
    fn each_defect_has_its_expressions() {
        let fma = ["fma.rn.f64"];
        for (text, defect, made, due) in [
            ("add.rn.f64(mul.rn.f64(a, b), c)", Defect::Contracted, &fma[..], &["fma.rn.f64"][..]),
            (
                "sub.rn.f64(a, mul.rn.f64(b, 0.265625))",
                Defect::Contracted,
                &fma,
                &["fma.rn.f64(neg.f64(b), 0x3fd1000000000000, a)"],
            ),
            (
                "add.rn.f32(mul.rn.f32(a, b), mul.rn.f32(b, c))",
                Defect::Contracted,
                &fma,
                &["fma.rn.f32(a, b, mul.rn.f32(b, c))", "fma.rn.f32(b, c, mul.rn.f32(a, b))"],
            ),
            // Without a fused instruction, nothing was contracted.
            ("add.rn.f64(mul.rn.f64(a, b), c)", Defect::Contracted, &["mul.rn.f64"], &[]),
            (
                "cvt.f32.f16(cvt.rn.f16.f32(cvt.f32.bf16(a)))",
                Defect::CastsLeftOut,
                &[],
                &["cvt.f32.f32(cvt.f32.bf16(a))"],
            ),
            ("cvt.f64.f32(cvt.rn.f32.f64(a))", Defect::CastsLeftOut, &[], &["cvt.f64.f64"]),
            // Widening and narrowing again changes nothing, so nothing is left out.
            ("cvt.rn.f16.f32(cvt.f32.f16(a))", Defect::CastsLeftOut, &[], &[]),
            (
                "add.rn.f16(mul.rn.f16(a, b), c)",
                Defect::CastsLeftOut,
                &[],
                &[
                    "cvt.rn.f16.f32(add.rn.f32(mul.rn.f32(cvt.f32.f16(a), cvt.f32.f16(b)), cvt.f32.f16(c)))",
                ],
            ),
            ("sqrt.rn.f32", Defect::Approximation, &["sqrt.approx.f32"], &["sqrt.approx.f32"]),
            ("sqrt.rn.f32", Defect::Approximation, &["sqrt.rn.f32"], &[]),
            (
                "div.rn.f32",
                Defect::Reciprocal,
                &["rcp.rn.f32"],
                &["mul.rn.f32(a, rcp.rn.f32(b))", "mul.rn.f32(a, rcp.approx.f32(b))"],
            ),
        ] {
            let found = of_text(text, defect, made);
            let normal = |text: &str| text.replace(' ', "");
            let due: Vec<String> = due.iter().map(|text| normal(text)).collect();
            let found: Vec<String> = found.iter().map(|text| normal(text)).collect();
            assert_eq!(found, due, "{text} {defect:?}");
        }
        let twice = of_text("fma.rn.bf16", Defect::RoundedTwice, &[]);
        assert!(twice[0].starts_with("cvt.rn.bf16.f32(fma.rn.f32(cvt.f32.bf16(a)"), "{twice:?}");
        let twice = of_text("cvt.rn.bf16.s32", Defect::RoundedTwice, &[]);
        assert!(twice.contains(&"cvt.rn.bf16.f32(cvt.rn.f32.s32(a))".into()), "{twice:?}");
        let flushed = of_text("add.rn.f32(mul.rn.f32(a, b), c)", Defect::Flushed, &["add.ftz.f32"]);
        assert_eq!(flushed.len(), 3, "{flushed:?}");
        assert_eq!(flushed[0], "add.rn.ftz.f32(mul.rn.ftz.f32(a, b), c)");
    }
}
