//! The list of places where ptxas and the table are known to disagree, with the reasons why the table has it its way.

use std::sync::OnceLock;

use isa::{Contract, Form, Modifier, OperandList, PtxVersion, Target, Type};

use super::Direction;
use super::compare::KnownDisagreement;
use super::question::{InstructionQuestion, Questions};
use super::spelling::Spelling;

/// A known disagreement.
pub struct SpellingDisagreement {
    /// The spellings as the table would have them, or `*.` with parts that ptxas takes on top of any legal spelling.
    pub syntax: &'static str,
    /// The direction: which of ptxas and the table takes the spellings.
    pub direction: Direction,
    /// The reason why the table has it its way.
    pub reason: &'static str,
    what: What,
    /// The version from which the table has the spellings too, where it has them later than ptxas.
    before: Option<PtxVersion>,
    /// The targets: the row holds for each of them and for whatever offers the same, see [`Target::offers`].
    targets: Vec<Target>,
}

enum What {
    /// Every spelling of a row that the table does not have.
    Row(Box<Form>),
    /// A legal spelling with one of these modifiers or types on top.
    Superfluous(Vec<Modifier>, Vec<Type>),
}

/// Builds the list of known disagreements. Each row holds for every spelling and target that it names, and one that no
/// longer does fails the run: it must say what ptxas does, no more and no less.
#[rustfmt::skip] // one row, one line
fn rows() -> Vec<SpellingDisagreement> {
    let takes = SpellingDisagreement::accepted;
    vec![
        takes("testp.f32|f64",                                             "p:pred, a",                          "sm_20",   "the property is missing, and the manual has no default"),
        takes("fma.rz|rm|rp{.relu}.bf16|bf16x2",                           "d, a, b, c",                         "sm_80",   "the manual has .rn alone; the code is wrong"),
        takes("fma.rz|rm|rp.oob{.relu}.bf16|bf16x2",                       "d, a, b, c",                         "sm_90",   "the manual has .rn alone; the code is wrong"),
        takes("fma.rn.oob.sat.f16|f16x2",                                  "d, a, b, c",                         "sm_90",   "the manual has .oob with .relu alone"),
        takes("rcp.rnd.ftz.f64",                                           "d, a",                               "sm_20",   "the manual has .ftz with .approx alone; ignored"),
        takes("add.ftz.f16x2.f32x2.f32x2",                                 "d:dtype, a:atype, c:btype",          "sm_107f", "the manual requires .rz"),
        takes("add.bf16x2.f32x2.f32x2",                                    "d:dtype, a:atype, c:btype",          "sm_107f", "the manual requires .rz"),
        takes("sub.ftz.f16x2.f32x2.f32x2",                                 "d:dtype, a:atype, c:btype",          "sm_107f", "the manual requires .rz"),
        takes("sub.bf16x2.f32x2.f32x2",                                    "d:dtype, a:atype, c:btype",          "sm_107f", "the manual requires .rz"),
        takes("set.cmp{.bool}.bf16.bf16",                                  "d:dtype, a:atype, b:atype",          "sm_90",   "the manual does not have bf16 compared as bf16"),
        takes("set.lo|ls|hi|hs{.bool}.f16.u16|u32|u64",                    "d:dtype, a:atype, b:atype",          "sm_53",   "the manual has these comparisons with other results alone"),
        takes("set.lo|ls|hi|hs{.bool}.bf16.u16|u32|u64",                   "d:dtype, a:atype, b:atype",          "sm_90",   "the manual has these comparisons with other results alone"),
        takes("setp.cmp{.bool}{.ftz}.f16x2",                               "p:pred, a, b",                       "sm_53",   "the manual always has |q; the same comparison"),
        takes("setp.cmp{.bool}.bf16x2",                                    "p:pred, a, b",                       "sm_90",   "the manual always has |q; the same comparison"),
        takes("slct.f32|f64.s32",                                          "d:dtype, a:dtype, b:dtype, c:atype", "sm_20",   "selects by an integer: documented, outside the table"),
        takes("cvt.rnd.f32.bf16",                                          "d:dtype, a:atype",                   "sm_80",   "the manual rounds no conversion to a wider type"),
        takes("cvt.rnd.ftz.f32.bf16",                                      "d:dtype, a:atype",                   "sm_90",   "the manual rounds no conversion to a wider type"),
        takes("cvt.rnd.f64.bf16",                                          "d:dtype, a:atype",                   "sm_90",   "the manual rounds no conversion to a wider type"),
        takes("cvt.bf16.f16",                                              "d:dtype, a:atype",                   "sm_90",   "the manual requires a rounding"),
        takes("cvt.f16.bf16",                                              "d:dtype, a:atype",                   "sm_90",   "the manual requires a rounding"),
        takes("cvt.rm|rp.pzo.f16|bf16.f32",                                "d:dtype, a:atype",                   "sm_107f", "the manual has .pzo with .rn and .rz alone"),
        takes("cvt.rnd.ftz.pzo.bf16.f32",                                  "d:dtype, a:atype",                   "sm_107f", "the manual does not have .pzo with .ftz"),
        takes("cvt.rnd.e2m1p4x4.f32",                                      "d:dtype, a:atype, b:atype",          "sm_20",   "cvt has no such type, nor are two sources four data"),
        takes("cvt.rnd.satfinite.e2m1p4x4.f32",                            "d:dtype, a:atype, b:atype",          "sm_70",   "cvt has no such type, nor are two sources four data"),
        takes("cvt.rn|rz{.satfinite}.relu.e2m1p4x4.f32",                   "d:dtype, a:atype, b:atype",          "sm_80",   "cvt has no such type, nor are two sources four data"),
        takes("neg{.ftz}.f16|f16x2",                                       "d, a",                               "sm_53",   "the manual has it from 6.0").before_version("6.0"),
        takes("multimem.red{.global}.min|max.v2.f16",                       "[m]:f16x2, [a]:f16x2, b:f16x2",      "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v4.f16",                       "[m]:f16x4, [a]:f16x4, b:f16x4",      "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v2.f16x2",                     "[m]:f16x4, [a]:f16x4, b:f16x4",      "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v8.f16",                       "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4","sm_90","the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v4.f16x2",                     "[m0+m1]:f16x4, [a0+a1]:f16x4, b0+b1:f16x4","sm_90","the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v2.bf16",                      "[m]:bf16x2, [a]:bf16x2, b:bf16x2",   "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v4.bf16",                      "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v2.bf16x2",                    "[m]:bf16x4, [a]:bf16x4, b:bf16x4",   "sm_90",    "the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v8.bf16",                      "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4","sm_90","the manual has .add alone"),
        takes("multimem.red{.global}.min|max.v4.bf16x2",                    "[m0+m1]:bf16x4, [a0+a1]:bf16x4, b0+b1:bf16x4","sm_90","the manual has .add alone"),
        takes("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.add.f32|f64|f16|bf16", "[m], [a], b", "sm_100", "the manual requires .relaxed.sys"),
        takes("fabric.try_red.async{.multimem}.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.min|max.f16|bf16", "[m], [a], b", "sm_100", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.sync.add.f32|f16|bf16", "[m], [a], b", "sm_100", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.sync.min|max.f16|bf16", "[m], [a], b", "sm_100", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.sync.add.acc::f32.f16|bf16", "[m], [a], b", "sm_100f,sm_110f,sm_120f", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.sync.add.acc::f16.e4m3|e5m2", "[m], [a], b", "sm_100f,sm_110f,sm_120f", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.sync.min|max.e4m3|e5m2", "[m], [a], b", "sm_100f,sm_110f,sm_120f", "the manual requires .relaxed.sys"),
        takes("fabric.try_pullred.async.multimem.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.sync.add.acc::f32.e4m3|e5m2", "[m], [a], b", "sm_100f,sm_110f,sm_120f", "the manual has .acc::f16 with these types"),
        takes("fabric.try_atom.async.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.relaxed.sys.add.f16|bf16", "[m], [a], b", "sm_100", "the manual has .f16x2 and .bf16x2 alone"),
        takes("fabric.try_red.async.tensor{.multimem}.1d.shared::cta.tile.mbarrier::complete_tx::16B.mbarrier::report::fabric.override::global_address.add|min|max", "[m0+m1]:f16x4, [a0+a1]:f16x4, [b0+b1]:f16x4", "sm_107f", "the manual requires .relaxed.sys"),
        takes("*.acc::f32|acc::f16",                                       "",                                   "sm_20",   "checked in multimem.ld_reduce and fabric.try_pullred alone"),
        takes("*.b2",                                                      "",                                   "sm_20",   "checked with .spcompress alone, and ignored in other loads of tensor memory"),
        takes("*.finite|infinite|number|notanumber|normal|subnormal",      "",                                   "sm_20",   "checked in testp alone, and ignored elsewhere"),
        takes("*.pred",                                                    "",                                   "sm_20",   "a type .pred among the others is ignored"),
    ]
}

/// Returns the list of known disagreements, read once.
pub fn all() -> &'static [SpellingDisagreement] {
    static ALL: OnceLock<Vec<SpellingDisagreement>> = OnceLock::new();
    ALL.get_or_init(rows)
}

/// Returns the instructions that the rows of a list make claims on.
pub fn claims(list: &[SpellingDisagreement]) -> impl Iterator<Item = (Spelling, &OperandList)> {
    list.iter().flat_map(SpellingDisagreement::claims)
}

/// Returns for each row of a list the numbers of the questions that it makes a claim on.
pub fn claimed(questions: &Questions, list: &[SpellingDisagreement]) -> Vec<Vec<u32>> {
    list.iter().map(|row| questions.numbers(row.claims())).collect()
}

impl SpellingDisagreement {
    /// Makes a row of spellings that ptxas accepts on these targets, and that the table does not have.
    ///
    /// # Panics
    /// On a malformed text, which the tests would find.
    fn accepted(
        syntax: &'static str,
        registers: &'static str,
        targets: &'static str,
        reason: &'static str,
    ) -> SpellingDisagreement {
        let targets = targets.split(',').map(|target| target.parse().expect("a target")).collect();
        let what = match syntax.strip_prefix("*.") {
            None => What::Row(Box::new(Form::new(syntax, registers, Contract::Exact, "", ""))),
            Some(parts) => What::Superfluous(
                parts.split('|').filter_map(Modifier::named).collect(),
                parts.split('|').filter_map(Type::named).collect(),
            ),
        };
        SpellingDisagreement {
            syntax,
            direction: Direction::Accepted,
            reason,
            what,
            before: None,
            targets,
        }
    }

    /// Limits the row to versions before this one, in which the table has the spellings too.
    fn before_version(self, version: &str) -> SpellingDisagreement {
        SpellingDisagreement { before: Some(version.parse().expect("a version")), ..self }
    }

    /// Returns the instructions that the row makes a claim on, one by one.
    pub fn claims(&self) -> Vec<(Spelling, &OperandList)> {
        let What::Row(form) = &self.what else { return Vec::new() };
        let sets = form.modifier_sets();
        let spell = |set: &Vec<Modifier>, types: &[Type]| {
            (Spelling::new(form.operation, set.clone(), types.to_vec()), &form.plain_operands)
        };
        form.signatures
            .iter()
            .flat_map(|signature| sets.iter().map(|set| spell(set, &signature.printed)))
            .collect()
    }
}

impl KnownDisagreement<InstructionQuestion> for SpellingDisagreement {
    fn says(&self) -> (&'static str, Direction, &'static str) {
        (self.syntax, self.direction, self.reason)
    }

    fn concerns(&self, target: Target) -> bool {
        // A target that came in the version `before` or later was never without the spelling.
        let is_there = |version| target.since().is_some_and(|since| since < version);
        self.targets.iter().any(|&first| target.offers(first)) && self.before.is_none_or(is_there)
    }

    fn holds_in(&self, ptx: PtxVersion) -> bool {
        self.before.is_none_or(|before| ptx < before)
    }

    /// Whether the spelling is a legal one with something on top that this row is about.
    fn covers(&self, question: &InstructionQuestion, target: Target, ptx: PtxVersion) -> bool {
        let What::Superfluous(modifiers, types) = &self.what else { return false };
        let spelling = &question.spelling;
        let modifiers = modifiers.iter().filter(|modifier| spelling.modifiers.contains(modifier));
        let modifiers = modifiers.map(|&modifier| spelling.without_modifier(modifier));
        let types = (0..spelling.types.len()).filter(|&at| types.contains(&spelling.types[at]));
        let types = types.map(|at| spelling.without_type(at));
        modifiers.chain(types).any(|rest| rest.is_legal(target, ptx))
    }
}

#[cfg(test)]
mod tests {
    use isa::{Operation, Variant};

    use super::*;

    #[test]
    fn rows_claim_what_the_table_does_not_have_and_no_two_the_same() {
        let mut claimed = Vec::new();
        for row in all().iter().filter(|row| row.before.is_none()) {
            for (spelling, operands) in row.claims() {
                claimed.push(spelling.instruction(operands));
            }
        }
        let count = claimed.len();
        claimed.sort_unstable();
        claimed.dedup();
        assert_eq!(claimed.len(), count);
        let legal = Variant::all().iter().filter(|variant| variant.is_ptx());
        for variant in legal {
            let text = Spelling::of(variant).instruction(&variant.form().plain_operands);
            assert!(claimed.binary_search(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn rows_of_versions_end_where_the_table_begins() {
        let row = all().iter().find(|row| row.before.is_some()).unwrap();
        let (before, after): (PtxVersion, PtxVersion) = ("5.1".parse().unwrap(), "6.0".parse().unwrap());
        assert!(row.holds_in(before) && !row.holds_in(after));
        let concerns = |target: &str| row.concerns(target.parse().unwrap());
        assert!(concerns("sm_53") && concerns("sm_70"));
        assert!(!concerns("sm_52") && !concerns("sm_80"), "before 6.0 there was no sm_80");
        for (spelling, _) in row.claims() {
            let has = |ptx| spelling.is_legal("sm_53".parse().unwrap(), ptx);
            assert!(!has(before) && has(after));
        }
    }

    #[test]
    fn something_on_top_needs_a_legal_spelling_below() {
        let row = SpellingDisagreement::accepted("*.finite|pred", "", "sm_90", "");
        let is_on_top = |modifiers: &[Modifier], types: &[&str], target: &str| {
            let types = types.iter().map(|name| Type::named(name).unwrap()).collect();
            let spelling = Spelling::new(Operation::Add, modifiers.to_vec(), types);
            let question = InstructionQuestion { text: String::new(), spelling, variant: None };
            row.covers(&question, target.parse().unwrap(), "9.5".parse().unwrap())
        };
        assert!(is_on_top(&[Modifier::Finite], &["f32"], "sm_90"));
        assert!(is_on_top(&[Modifier::Sat], &["pred", "f32"], "sm_90"));
        assert!(!is_on_top(&[Modifier::Finite], &["f32x2"], "sm_90"), "sm_90 has no f32x2");
        assert!(!is_on_top(&[Modifier::Normal], &["f32"], "sm_90"));
        assert!(!is_on_top(&[Modifier::Finite, Modifier::Relu], &["f32"], "sm_90"));
    }
}
