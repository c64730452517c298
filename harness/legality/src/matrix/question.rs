//! The questions about matrix instructions: every form of the table, and everything one word away from one.

use std::collections::{HashMap, HashSet};

use formats::FormatId;
use isa::matrix::MatrixVariant;
use isa::{PtxVersion, Target};

use super::super::question::AssemblerQuestion;

/// An instruction to ask about.
#[derive(Debug)]
pub struct MatrixQuestion {
    /// The instruction as it stands in a module.
    pub text: String,
    /// The forms of the table that the instruction is: several, where a descriptor tells them apart; none, if it is
    /// illegal.
    variants: Vec<&'static MatrixVariant>,
}

impl AssemblerQuestion for MatrixQuestion {
    fn text(&self) -> &str {
        &self.text
    }

    fn is_legal(&self, target: Target, ptx: PtxVersion) -> bool {
        self.variants.iter().any(|variant| variant.form().available(Some(target), Some(ptx)))
    }
}

impl MatrixQuestion {
    /// Whether the table has the instruction anywhere.
    pub fn is_of_the_table(&self) -> bool {
        !self.variants.is_empty()
    }
}

/// Returns the name of an instruction: the part of a variant's name that its operands show.
pub fn instruction_name(variant: &MatrixVariant) -> String {
    match variant.text().split_once(',') {
        Some((shown, _)) => format!("{shown})"),
        None => variant.text().to_owned(),
    }
}

/// The kinds of words: words of one kind may stand in each other's place.
const KINDS: &[&[&str]] = &[
    &["row", "col"],
    &["sp", "sp::ordered_metadata"],
    &["kind::f16", "kind::tf32", "kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"],
    &["scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"],
    &["cta_group::1", "cta_group::2"],
    &["a-desc", "a-regs", "a-tmem"],
    &["rn", "rz", "rm", "rp"],
    &["ue8m0", "ue4m3", "ue5m3"],
];

/// The words that people add where they do not belong.
const SURPLUS: &[&str] =
    &["satfinite", "rn", "ftz", "kind::f8f6f4", "block_scale", "scale_vec::1X", "relu"];

/// The types of matrices, and some types that are none.
const TYPES: &[FormatId] = {
    use FormatId::*;
    &[F16, Bf16, Tf32, F32, F64, E4m3, E5m2, E3m2, E2m3, E2m1, Ue8m0, S32, S8]
};

/// The shapes of the table, and some shapes that are none.
const SHAPES: &[&str] = &[
    "m8n8k4",
    "m8n8k16",
    "m16n8k4",
    "m16n8k8",
    "m16n8k16",
    "m16n8k32",
    "m16n8k64",
    "m16n8k128",
    "m16n8k256",
    "m16n16k16",
    "m8n32k16",
    "m32n8k16",
    "m16n16k8",
    "m16n16k32",
    "m64n8k8",
    "m64n8k16",
    "m64n8k32",
    "m64n8k64",
    "m64n12k16",
    "m64n264k16",
    "m64n264k8",
];

/// Returns all questions about variants and about `claimed` names, each once. The legal ones come first, then those
/// one word from them, of which one in `sampling` is kept.
pub fn questions(
    variants: &[&'static MatrixVariant],
    sampling: usize,
    claimed: impl Iterator<Item = String>,
) -> Vec<MatrixQuestion> {
    let mut forms: HashMap<String, Vec<&'static MatrixVariant>> = HashMap::new();
    for variant in MatrixVariant::all() {
        forms.entry(instruction(&instruction_name(variant))).or_default().push(variant);
    }
    let (mut list, mut seen) = (Vec::new(), HashSet::new());
    // Names that differ only in what no operand shows are one instruction.
    let mut add = |name: String| {
        let text = instruction(&name);
        if seen.insert(text.clone()) {
            let variants = forms.get(&text).cloned().unwrap_or_default();
            list.push(MatrixQuestion { text, variants });
        }
    };
    let names: Vec<String> = variants.iter().map(|variant| instruction_name(variant)).collect();
    names.iter().cloned().for_each(&mut add);
    // Of shapes that differ in N alone, one stands for all: a spelling that is illegal beside one is so beside each.
    let is_usual = |name: &&String| !name.starts_with("wgmma") || name.contains(".m64n8k");
    let mut near: Vec<String> =
        names.iter().filter(is_usual).flat_map(|name| neighbours(name)).collect();
    // ptxas takes qualifiers in any order, and that is not asked about.
    let legal: HashSet<Vec<&str>> = names.iter().map(|name| in_one_order(name)).collect();
    near.retain(|name| !legal.contains(&in_one_order(name)));
    near.sort_unstable();
    near.dedup();
    near.into_iter().step_by(sampling).chain(claimed).for_each(&mut add);
    list
}

/// Returns an instruction of this name, with registers.
pub fn instruction(name: &str) -> String {
    ptx::matrix(name.split('(').next().unwrap_or_default(), &words(name)).to_string()
}

/// Splits a name into its words, with what stands in parentheses as the last.
fn words(name: &str) -> Vec<&str> {
    name.split(['.', '(', ')']).filter(|word| !word.is_empty()).collect()
}

/// Returns the words of a name, its types in their order behind the other words, which are in one order for all names.
fn in_one_order(name: &str) -> Vec<&str> {
    let is_type = |word: &&str| TYPES.iter().any(|ty| ty.name() == *word);
    let (types, mut others): (Vec<&str>, Vec<&str>) = words(name).into_iter().partition(is_type);
    others.sort_unstable();
    others.extend(types);
    others
}

/// Returns the names with one word dropped, added, or put in the place of another of its kind.
fn neighbours(name: &str) -> Vec<String> {
    let own = words(name);
    let behind = name.contains('(');
    let join = |words: &[&str]| match words.split_last() {
        Some((last, rest)) if behind => format!("{}({last})", rest.join(".")),
        _ => words.join("."),
    };
    let types: Vec<&str> = TYPES.iter().map(|ty| ty.name()).collect();
    let mut near = Vec::new();
    // The mnemonic stays: `at` begins behind it.
    for at in 1..own.len() {
        let mut with = |other: &str| {
            let mut words = own.clone();
            words[at] = other;
            near.push(join(&words));
        };
        // A shape of `wgmma` that `SHAPES` does not list is exchanged for listed ones, too.
        let kinds = KINDS.iter().copied().chain([SHAPES, &types]);
        for kind in
            kinds.filter(|kind| kind.contains(&own[at]) || *kind == SHAPES && own[at].starts_with("m64"))
        {
            kind.iter().filter(|&&other| other != own[at]).for_each(|other| with(other));
        }
        // How A is given is no word of the spelling, but what the operands show.
        if !own[at].starts_with("a-") {
            near.push(join(&[&own[..at], &own[at + 1..]].concat()));
        }
    }
    let end = own.len() - usize::from(behind);
    let shape = own.iter().position(|word| SHAPES.contains(word)).map_or(end, |shape| shape + 1);
    for surplus in SURPLUS.iter().filter(|surplus| !own.contains(surplus)) {
        let mut words = own.clone();
        words.insert(shape, surplus);
        near.push(join(&words));
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(texts: &[&str]) -> Vec<MatrixQuestion> {
        let named = |variant: &&MatrixVariant| texts.contains(&variant.text());
        let variants: Vec<&MatrixVariant> = MatrixVariant::all().iter().filter(named).collect();
        questions(&variants, 1, std::iter::empty())
    }

    #[test]
    fn instructions_are_asked_once_and_descriptors_tell_none_apart() {
        let questions = around(&[
            "tcgen05.mma.cta_group::1.kind::f16(a-desc,f16.f16.f16,k16)",
            "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.bf16.bf16,k16)",
        ]);
        assert_eq!(questions[0].text, "tcgen05.mma.cta_group::1.kind::f16 [r0], q0, q1, r1, p0;");
        let legal = questions.iter().filter(|question| question.is_of_the_table());
        let legal: Vec<&str> = legal.map(|question| question.text.as_str()).collect();
        let other = "tcgen05.mma.cta_group::2.kind::f16 [r0], q0, q1, r1, p0;";
        assert!(legal.contains(&other), "{legal:?}");
        let mut texts: Vec<&str> = questions.iter().map(|question| question.text.as_str()).collect();
        texts.sort_unstable();
        assert!(texts.is_sorted_by(|a, b| a < b), "an instruction twice");
    }

    #[test]
    fn what_people_write_is_asked() {
        let questions = around(&["mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"]);
        let asked = |rest: &str| {
            let text = instruction(&format!("mma.sync.aligned.{rest}"));
            questions.iter().any(|question| question.text == text && !question.is_of_the_table())
        };
        for rest in [
            "m16n8k32.row.row.f32.e4m3.e4m3.f32",
            "m16n8k32.row.col.e4m3.e4m3.e4m3.f32",
            "m16n8k64.row.col.f32.e4m3.e4m3.f32",
            "m16n8k32.row.col.f32.e2m1.e4m3.f32",
            "m16n8k32.satfinite.row.col.f32.e4m3.e4m3.f32",
        ] {
            assert!(asked(rest), "{rest}");
        }
    }
}
