//! Reading a variant's PTX text, and explaining what is wrong with text that is not legal.

mod nearest;

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::matrix::{self, MatrixVariant};
use crate::slip::{is_known, is_type, slip_cost};
use crate::{Modifier, Operation, Variant};
use nearest::{GivenText, Misspelt};

/// An error for text that is no legal spelling of an instruction in the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not legal: {problem}{}", suggestion(*.nearest))]
#[non_exhaustive]
pub struct SpellingError {
    /// The text as given.
    pub text: String,
    /// The offending part of the text, where there is one (`sat`, `div`): no part is wrong in a spelling that only
    /// lacks something.
    pub offending: Option<String>,
    /// The problem, in words.
    pub problem: String,
    /// The legal spelling that shares most with the text; `None` where the text begins like no instruction.
    pub nearest: Option<&'static str>,
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; the nearest legal spelling is `{nearest}`"))
}

impl FromStr for Variant {
    type Err = Box<SpellingError>;

    fn from_str(text: &str) -> Result<Variant, Box<SpellingError>> {
        Variant::named(text).cloned().ok_or_else(|| Box::new(explain(text)))
    }
}

impl Variant {
    /// Returns the variant whose text is exactly this, or `None` where there is none.
    pub fn named(text: &str) -> Option<&'static Variant> {
        static BY_TEXT: OnceLock<HashMap<&str, &Variant>> = OnceLock::new();
        let by_text = BY_TEXT.get_or_init(|| Variant::all().iter().map(|v| (v.text(), v)).collect());
        by_text.get(text).copied()
    }
}

/// Signs that people put between parts in the place of a dot; two colons belong to `.scaled::n1`.
const SEPARATORS: [char; 7] = [',', ';', '-', '_', '/', '\\', ':'];

/// Explains what is wrong with a text that is no name.
fn explain(text: &str) -> SpellingError {
    if let Some((separator, nearest)) = separated_otherwise(text) {
        let problem = match text.trim_end_matches(SEPARATORS).contains(separator) {
            true => format!("`{separator}` is in the place of a dot"),
            false => format!("`{separator}` cannot be part of a name"),
        };
        let (offending, nearest) = (Some(separator.into()), Some(nearest));
        return SpellingError { text: text.into(), offending, problem, nearest };
    }
    let given = GivenText::read(text);
    let nearest = given.nearest();
    let (offending, problem) = problem(&given, nearest);
    let offending = offending.map(str::to_owned);
    let nearest = given.has_instruction().then(|| nearest.text());
    SpellingError { text: text.into(), offending, problem, nearest }
}

/// Returns the sign that separates parts of an instruction's name in the place of a dot, and the spelling nearest to
/// the name with dots.
fn separated_otherwise(text: &str) -> Option<(char, &'static str)> {
    let name = text.split(|c: char| c == '(' || c.is_whitespace()).next().unwrap_or_default();
    // Separators within a modifier's own text are no mistake: each is masked as a letter for now.
    let mut alone = name.replace("::", "\n\n");
    for known in Modifier::ALL.iter().map(|modifier| modifier.text()).filter(|text| text.contains('_')) {
        let known = known.replace("::", "\n\n");
        if let Some(at) = alone.to_ascii_lowercase().find(&known.to_ascii_lowercase()) {
            let masked = alone[at..at + known.len()].replace('_', "\t");
            alone.replace_range(at..at + known.len(), &masked);
        }
    }
    let separator = alone.chars().find(|c| SEPARATORS.contains(c))?;
    let dotted = alone.replace(SEPARATORS, ".").replace('\n', ":").replace('\t', "_");
    let dotted = dotted.trim_matches('.').to_owned() + &text[name.len()..];
    if matrix::is_matrix(&dotted) {
        let nearest = match dotted.parse::<MatrixVariant>() {
            Ok(legal) => MatrixVariant::all().iter().find(|of| **of == legal)?,
            Err(refusal) => refusal.nearest,
        };
        return Some((separator, nearest.text()));
    }
    // Behind a dot, a part may contain such a sign and be wrong in another way.
    let begins = name.split('.').next().and_then(Operation::named).is_some();
    if begins && Variant::named(&dotted).is_none() {
        return None;
    }
    let given = GivenText::read(&dotted);
    let known = Operation::named(&given.mnemonic().to_ascii_lowercase());
    known.map(|_| (separator, given.nearest().text()))
}

/// Returns the part that offends, where there is one, and the problem in words.
fn problem<'a>(given: &GivenText<'a>, nearest: &'static Variant) -> (Option<&'a str>, String) {
    // One problem is told: parts nearly right come first, then unknown ones, those too many or swapped, those missing.
    let difference = given.difference(nearest);
    let mnemonic = given.mnemonic();
    if let Some(misspelt) = difference.misspelt.first() {
        return (Some(misspelt.given), correction(misspelt, mnemonic));
    }
    if Operation::named(mnemonic).is_none() {
        let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.mnemonic()).collect();
        let (known, matrix) = (known.join(", "), matrix::mnemonics().join(", "));
        let known = format!("{known}; for matrices {matrix}");
        if mnemonic.is_empty() {
            return (None, format!("it does not begin with an instruction ({known})"));
        }
        return (Some(mnemonic), format!("`{mnemonic}` is not an instruction of the table ({known})"));
    }
    let mut surplus = difference.surplus_modifiers.iter().chain(&difference.surplus_types);
    if let Some(&unknown) = surplus.find(|part| !is_known(part)) {
        return (Some(unknown), unknown_part(unknown, nearest));
    }
    if let Some(&modifier) = difference.surplus_modifiers.first() {
        return (Some(modifier), unwelcome(modifier, given, nearest));
    }
    if let Some([first, second]) = difference.swapped {
        let problem = format!("its types `.{first}` and `.{second}` are in each other's place");
        return (Some(first), problem);
    }
    if let Some(&ty) = difference.surplus_types.first() {
        return (Some(ty), format!("`{mnemonic}` does not take the type `.{ty}` here"));
    }
    if let Some(&modifier) = difference.lacking_modifiers.first() {
        return (None, format!("{} is missing", alternatives(modifier, nearest)));
    }
    if let Some(ty) = difference.lacking_types.first() {
        return (None, format!("the type `.{ty}` is missing"));
    }
    match (given.operands(), nearest.form().told_by) {
        (operands, due) if operands == due => (None, "its parts are not in the manual's order".into()),
        (operands, "") => (Some(operands), format!("`{operands}` does not belong to its name")),
        (given, _) if nearest.is_of_tensor_map() => {
            let offending = Some(given).filter(|given| !given.is_empty());
            (
                offending,
                format!("it must end with the type of the tensor's elements: {}", endings(nearest)),
            )
        }
        (_, due) => (None, format!("its operands `{due}` must be part of its name")),
    }
}

/// Lists what can stand in parentheses behind a spelling.
fn endings(of: &Variant) -> String {
    let kin = Variant::all().iter().filter(|kin| kin.spelling() == of.spelling());
    kin.map(|kin| format!("`{}`", kin.form().told_by)).collect::<Vec<_>>().join(", ")
}

/// Says what is right in the place of a part that is only nearly so.
fn correction(&Misspelt { given, legal }: &Misspelt, mnemonic: &str) -> String {
    if given == mnemonic {
        return format!("`{given}` is not an instruction of the table, but `{legal}` is");
    }
    if is_known(given) {
        return format!("`.{given}` is written `.{legal}` here");
    }
    let kind = if is_type(legal) { "type" } else { "modifier" };
    format!("`.{given}` is neither a modifier nor a type, but `.{legal}` is a {kind}")
}

/// Says that a part does not exist, and why it may not be another one that it looks like, if it looks like any.
fn unknown_part(part: &str, nearest: &Variant) -> String {
    let problem = format!("`.{part}` is neither a modifier nor a type");
    let modifiers = Modifier::ALL.iter().map(|modifier| modifier.text());
    match modifiers.filter_map(|legal| Some((slip_cost(part, legal)?, legal))).min() {
        Some((_, meant)) => {
            let base = format!("{}{}", nearest.mnemonic(), nearest.type_suffix());
            format!("{problem}, but `.{meant}` is a modifier, which `{base}` does not take here")
        }
        None => problem,
    }
}

/// Says why a modifier that exists may not stand where it does.
fn unwelcome(modifier: &str, given: &GivenText, nearest: &Variant) -> String {
    let base = format!("{}{}", nearest.mnemonic(), nearest.type_suffix());
    let has = |variant: &Variant, text: &str| variant.modifiers().iter().any(|m| m.text() == text);
    let with: Vec<&Variant> = Variant::all()
        .iter()
        .filter(|kin| kin.operation() == nearest.operation() && kin.printed() == nearest.printed())
        .filter(|kin| has(kin, modifier))
        .collect();
    if with.is_empty() {
        return format!("`{base}` does not take `.{modifier}`");
    }
    if given.modifiers().filter(|&part| part == modifier).count() > 1 {
        return format!("`.{modifier}` is written twice");
    }
    let clash = given.modifiers().find(|&other| {
        other != modifier
            && Modifier::named(other).is_some()
            && !with.iter().any(|variant| has(variant, other))
    });
    match clash {
        Some(other) => format!("`{base}` does not take `.{modifier}` together with `.{other}`"),
        None => format!("`{base}` does not take `.{modifier}` together with the rest of the name"),
    }
}

/// Lists the modifiers that could fill the place of a missing one: those of the other variants that have everything
/// else.
fn alternatives(missing: Modifier, nearest: &Variant) -> String {
    let others = |variant: &Variant| -> Vec<Modifier> {
        let all = variant.modifiers().iter().copied();
        all.filter(|one| *one == missing || !nearest.modifiers().contains(one)).collect()
    };
    let kin = Variant::all().iter().filter(|kin| {
        (kin.operation(), kin.printed()) == (nearest.operation(), nearest.printed())
            && kin.form().told_by == nearest.form().told_by
            && kin.modifiers().len() == nearest.modifiers().len()
    });
    let all: Vec<String> = kin
        .filter_map(|kin| match others(kin)[..] {
            [one] => Some(format!("`{one}`")),
            _ => None,
        })
        .collect();
    match &all[..] {
        [one] => one.clone(),
        _ => format!("one of {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_from_str_are_inverse_over_every_variant() {
        for variant in Variant::all() {
            assert_eq!(variant.to_string().parse::<Variant>().as_ref(), Ok(variant));
        }
    }

    /// Checks the errors of texts: the part that offends, the nearest spelling, and words of the problem.
    fn say(cases: &[(&str, Option<&str>, &str, &str)]) {
        for &(text, offending, nearest, words) in cases {
            let error = text.parse::<Variant>().unwrap_err();
            assert_eq!(error.offending.as_deref(), offending, "{error}");
            assert_eq!(error.nearest.unwrap_or_default(), nearest, "{error}");
            assert!(error.problem.contains(words), "{error}");
        }
    }

    #[test]
    fn errors_name_the_offender_and_the_nearest_legal_spelling() {
        #[rustfmt::skip] // a table
        let cases = [
            ("mul.sat.bf16", Some("sat"), "mul.bf16", "`mul.bf16` does not take `.sat`"),
            ("mul.rn.ftz.bf16x2", Some("ftz"), "mul.rn.bf16x2", "does not take `.ftz`"),
            ("fma.f32.f16", None, "fma.rn.f32.f16", "one of `.rn`, `.rz`, `.rm`, `.rp` is missing"),
            ("fma.rn.sat.relu.f16", Some("relu"), "fma.rn.sat.f16", "`.relu` together with `.sat`"),
            ("fma.rn.oob.ftz.f16", Some("oob"), "fma.rn.ftz.f16", "`.oob` together with `.ftz`"),
            ("fma.f16", None, "fma.rn.f16", "`.rn` is missing"),
            ("fma.rz.f16", Some("rz"), "fma.rn.f16", "`fma.f16` does not take `.rz`"),
            ("add.ftz.f32.f16", Some("ftz"), "add.f32.f16", "does not take `.ftz`"),
            ("add.f32.bf16.sat", None, "add.sat.f32.bf16", "the manual's order"),
            ("fma.rz.sat.f32.f16.sat", Some("sat"), "fma.rz.sat.f32.f16", "twice"),
            ("mul.f64x9", Some("f64x9"), "mul.f64", "neither a modifier nor a type"),
            ("lop.rn.f16", Some("lop"), "", "not an instruction of the table"),
            ("", None, "", "does not begin with an instruction"),
            (".f32", None, "", "does not begin with an instruction"),
            (",", Some(","), "", "not an instruction of the table"),
            ("MUL.f16", Some("MUL"), "mul.f16", "not an instruction of the table, but `mul` is"),
        ];
        say(&cases);
    }

    /// Checks that types count by position, and that parts which are nearly right are corrected, not dropped.
    #[test]
    fn errors_keep_what_was_meant() {
        #[rustfmt::skip] // a table
        let cases = [
            // This text is the manual's own example.
            ("fma.rn.e5m2x4.ue8m0x4.e2m1p4x4.satfinite", None, "fma.rn.satfinite.e5m2x4.ue8m0x4.e2m1p4x4", "the manual's order"),
            ("cvt.f32.s32", None, "cvt.rn.f32.s32", "one of `.rn`, `.rz`, `.rm`, `.rp` is missing"),
            ("cvt.s32.f32", None, "cvt.rni.s32.f32", "one of `.rni`, `.rzi`, `.rmi`, `.rpi` is missing"),
            ("cvt.rn.s32.f32", Some("rn"), "cvt.rni.s32.f32", "`.rn` is written `.rni` here"),
            ("cvt.rz.s32.f32", Some("rz"), "cvt.rzi.s32.f32", "`.rz` is written `.rzi` here"),
            ("cvt.rmi.f32.u64", Some("rmi"), "cvt.rm.f32.u64", "`.rmi` is written `.rm` here"),
            ("fma.rzi.f32", Some("rzi"), "fma.rz.f32", "`.rzi` is written `.rz` here"),
            ("div.f32", None, "div.approx.f32", "one of `.approx`, `.full`, `.rn`, `.rz`, `.rm`, `.rp` is missing"),
            ("sqrt.f64", None, "sqrt.rn.f64", "one of `.rn`, `.rz`, `.rm`, `.rp` is missing"),
            ("cvt.rn.satfinite.f32.e4m3x2", Some("f32"), "cvt.rn.satfinite.e4m3x2.f32", "each other's place"),
            ("set.eq.f16x2.u32", Some("f16x2"), "set.eq.u32.f16x2", "each other's place"),
            ("mul.f32.f16", Some("f16"), "mul.f32", "does not take the type `.f16`"),
            ("cvt.rn.satfinite.e4m3.f32", Some("e4m3"), "cvt.rn.satfinite.e4m3x2.f32", "does not take the type `.e4m3`"),
            ("cvt.rn.satfini3e.e4m3x2.f32", Some("satfini3e"), "cvt.rn.satfinite.e4m3x2.f32", "`.satfinite` is a modifier"),
            ("fma.rn.ftc.f16", Some("ftc"), "fma.rn.ftz.f16", "`.ftz` is a modifier"),
            ("FMA.RN.F16", Some("FMA"), "fma.rn.f16", "`fma` is"),
            ("fma.RN.F16", Some("RN"), "fma.rn.f16", "`.rn` is a modifier"),
            ("min.xorsign.f32", Some("xorsign"), "min.xorsign.abs.f32", "`.xorsign.abs` is a modifier"),
            ("min.xorsing.abs.f16x2", Some("xorsing.abs"), "min.xorsign.abs.f16x2", "`.xorsign.abs` is a modifier"),
            ("max.abs.xorsign.f32", Some("abs.xorsign"), "max.xorsign.abs.f32", "`.xorsign.abs` is a modifier"),
            ("cvt.rn.scaled.n2.ue8m0.bf16x2.e4m3x2", Some("scaled.n2.ue8m0"), "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2", "`.scaled::n2::ue8m0` is a modifier"),
            ("cvt.rn.scaled.n2.ue8m0.f16x2.e4m3x2", Some("scaled.n2.ue8m0"), "cvt.rn.f16x2.e4m3x2", "is a modifier, which `cvt.f16x2.e4m3x2` does not take"),
            ("cvt.rn.satfinite.e4m3x2.f16", Some("f16"), "cvt.rn.satfinite.e4m3x2.f16x2", "does not take the type `.f16`"),
            ("max.nan.f16", Some("nan"), "max.NaN.f16", "`.nan` is written `.NaN` here"),
            ("setp.NaN.f32", Some("NaN"), "setp.nan.f32", "`.NaN` is written `.nan` here"),
            ("fma.rn.bf61", Some("bf61"), "fma.rn.bf16", "`.bf16` is a type"),
            ("fmaa.rn.f16", Some("fmaa"), "fma.rn.f16", "`fma` is"),
            ("testp.inf.f64", Some("inf"), "testp.infinite.f64", "`.infinite` is a modifier"),
            ("cvt.rn.satfinite.scaled::n1::ue8m.e5m2x2.f32", Some("scaled::n1::ue8m"), "cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f32", "is a modifier"),
            ("min.abs.f32", None, "min.abs.f32(a,b,c)", "`(a,b,c)` must be part of its name"),
            ("add.f32(a,b)", Some("(a,b)"), "add.f32", "`(a,b)` does not belong to its name"),
            ("add,f32", Some(","), "add.f32", "in the place of a dot"),
            ("cvt_rn_satfinite_e4m3x2_f32", Some("_"), "cvt.rn.satfinite.e4m3x2.f32", "in the place of a dot"),
            ("fma.rn,sat.f16", Some(","), "fma.rn.sat.f16", "in the place of a dot"),
            ("min-abs.f32(a,b,c)", Some("-"), "min.abs.f32(a,b,c)", "in the place of a dot"),
            ("add.f32;", Some(";"), "add.f32", "cannot be part of a name"),
            ("ADD_F32", Some("_"), "add.f32", "in the place of a dot"),
            ("add:f32", Some(":"), "add.f32", "in the place of a dot"),
            ("cvt:rn.satfinite.scaled::n1::ue8m0.e5m2x2.f32", Some(":"), "cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.f32", "in the place of a dot"),
            ("mma_sync", Some("_"), "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16", "in the place of a dot"),
            ("add ,f32", None, "add.f32", "the type `.f32` is missing"),
            ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16", None, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16", "`.noftz` is missing"),
            ("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16", Some("noftz"), "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16", "`.noftz` together with `.min`"),
            ("cp.reduce.async.bulk.add.f32", None, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "`.global` is missing"),
            ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f61", Some("f61"), "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16", "`.f16` is a type"),
            ("cp_reduce_async_bulk_global_shared::cta_bulk_group_add_f32", Some("_"), "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", "in the place of a dot"),
            ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group", None, "cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group(f16)", "must end with the type of the tensor's elements: `(f16)`, `(bf16)`"),
            ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(f61)", Some("(f61)"), "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group(f32)", "`(f32)`, `(f16)`, `(bf16)`"),
            ("fabric.try_redd.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f32", Some("try_redd.async"), "fabric.try_red.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f32", "`.try_red.async` is a modifier"),
            ("lop_rn.f16", Some("lop_rn"), "", "not an instruction of the table"),
            ("add.f32 d, a, b;", Some(" d, a, b;"), "add.f32", "does not belong to its name"),
        ];
        say(&cases);
    }

    #[test]
    fn whatever_is_typed_has_an_answer() {
        for text in
            ["..", "é.é", "(", "min.", ".f32", "min.xorsign.é", "min.f32.f32.f32.f32.f32.f32", "\n"]
        {
            let error = text.parse::<Variant>().unwrap_err();
            assert!(error.offending.is_none_or(|part| text.contains(&part)), "{text}");
        }
    }
}
