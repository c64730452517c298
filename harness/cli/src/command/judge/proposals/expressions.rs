//! Lists expressions that a function may compute: instructions of the operands in another order, of an operand that is
//! scaled, shifted or clamped by constants of the code, and products and sums in steps.

use implementations::code::Code;
use isa::Variant;

/// The most constants of the code that are tried, and the most pairs of them.
const CONSTANTS_MAX: usize = 8;
/// The types of floating-point operands that expressions are made of.
const TYPES: [(&str, usize); 4] = [("f32", 4), ("f64", 8), ("f16", 2), ("bf16", 2)];
/// Instructions of an operand and a constant.
const WITH_CONSTANT: [&str; 6] = ["mul.rn", "add.rn", "sub.rn", "div.rn", "max", "min"];
/// Expressions of two operands, where `T` is their type.
const OF_TWO: [&str; 6] = [
    "sub.rn.T(b, a)",
    "div.rn.T(b, a)",
    "mul.rn.T(a, rcp.rn.T(b))",
    "fma.rn.T(a, a, b)",
    "mul.rn.T(add.rn.T(a, b), 0.5)",
    "sqrt.rn.T(fma.rn.T(a, a, mul.rn.T(b, b)))",
];
/// Expressions of three operands, where `T` is their type.
const OF_THREE: [&str; 10] = [
    "add.rn.T(mul.rn.T(a, b), c)",
    "sub.rn.T(mul.rn.T(a, b), c)",
    "sub.rn.T(c, mul.rn.T(a, b))",
    "mul.rn.T(add.rn.T(a, b), c)",
    "mul.rn.T(sub.rn.T(a, b), c)",
    "add.rn.T(add.rn.T(a, b), c)",
    "fma.rn.T(sub.rn.T(b, a), c, a)",
    "add.rn.T(a, mul.rn.T(sub.rn.T(b, a), c))",
    "div.rn.T(sub.rn.T(a, b), c)",
    "min.T(max.T(a, b), c)",
];

/// Lists the texts of expressions, the simplest first. `fitting` are the instructions that have the operands and results
/// of the code. Not every text is a meaning that the code can be held to.
pub fn candidates(code: &Code, fitting: &[&'static Variant]) -> Vec<String> {
    let [operands, _] = code.shape();
    let mut all = Vec::new();
    for (ty, bytes) in TYPES.iter().filter(|(_, bytes)| operands.iter().all(|own| own == bytes)) {
        let of_type = |texts: &[&str]| -> Vec<String> {
            texts.iter().map(|text| text.replace(".T", &format!(".{ty}"))).collect()
        };
        all.extend(match operands.len() {
            1 => of_one(ty, &constants(code, *bytes), fitting),
            2 => of_type(&OF_TWO),
            3 => of_type(&OF_THREE),
            _ => Vec::new(),
        });
    }
    all
}

/// Lists expressions of one operand and constants.
fn of_one(ty: &str, constants: &[String], fitting: &[&'static Variant]) -> Vec<String> {
    let takes = |variant: &&&Variant| variant.operands().iter().all(|one| one.ty.to_string() == ty);
    let outer: Vec<&str> = fitting.iter().filter(takes).map(|variant| variant.text()).collect();
    let gives = |variant: &&&Variant| variant.results().iter().all(|one| one.ty.to_string() == ty);
    let inner: Vec<&str> =
        fitting.iter().filter(|one| takes(one) && gives(one)).map(|variant| variant.text()).collect();
    let mut changed: Vec<String> = Vec::new();
    for constant in constants {
        changed.extend(WITH_CONSTANT.iter().map(|name| format!("{name}.{ty}(a, {constant})")));
    }
    for (low, high) in constants.iter().flat_map(|low| constants.iter().map(move |high| (low, high))) {
        if low != high {
            changed.push(format!("min.{ty}(max.{ty}(a, {low}), {high})"));
        }
    }
    let outside = outer.iter().flat_map(|name| changed.iter().map(move |of| format!("{name}({of})")));
    let inside = inner.iter().flat_map(|name| {
        constants.iter().map(move |constant| format!("mul.rn.{ty}({name}(a), {constant})"))
    });
    let all: Vec<String> = outside.chain(inside).collect();
    // The function itself may be one of the changes.
    changed.into_iter().chain(all).collect()
}

/// Returns constants of the code that may be numbers of so many bytes, as texts.
fn constants(code: &Code, bytes: usize) -> Vec<String> {
    let is_usual = |number: f64| (1e-6..=1e9).contains(&number.abs());
    let mut all: Vec<String> = Vec::new();
    for bits in code.constants() {
        let fits = match bytes {
            4 => bits >> 32 == 0 && is_usual(f32::from_bits(bits as u32).into()),
            8 => is_usual(f64::from_bits(bits)),
            _ => bits >> 16 == 0 && bits >> 8 != 0,
        };
        let text = format!("{bits:#x}");
        if fits && !all.contains(&text) {
            all.push(text);
        }
    }
    all.truncate(CONSTANTS_MAX);
    all
}
