//! Refusals: why a text is no legal spelling of a matrix instruction, and which spelling is nearest.

use super::variant::{MatrixVariant, words};

/// An error for text that is no name of the table of matrix instructions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not legal: {problem}; the nearest legal spelling is `{nearest}`")]
#[non_exhaustive]
pub struct Refusal {
    /// The text as given.
    pub text: String,
    /// The problem, in words.
    pub problem: String,
    /// The legal name that shares most with the text.
    pub nearest: &'static MatrixVariant,
}

/// The cost of a word too many or too few.
const WORD: u32 = 10;
/// The cost of a word in the place of another that is of a different kind, or where a word has no kind.
const OTHER: u32 = 11;
/// The costs of a word in the place of another of its kind, from the kind that is soonest mistaken: a layout, a
/// rounding, a type, a qualifier, a shape.
const KIN: [u32; 5] = [4, 5, 7, 8, 9];
/// The cost of a word that only operands say, left out or added: the spelling is the same.
const BEHIND: u32 = 1;

/// A rule among the words of a text: returns, in words, what breaks it, or `None`.
type WordRule = fn(&[&str]) -> Option<String>;

/// The rules that people break; of several broken rules, the first is reported.
const RULES: &[WordRule] = &[
    transposed,
    accumulator,
    layout_of_b,
    kind_of_narrow_types,
    scales_of_kind,
    one_accumulator,
    one_type,
];

const ACCUMULATORS: &[&str] = &["f16", "f32", "f64"];
const NARROW: &[&str] = &["e3m2", "e2m3", "e2m1"];
const EIGHT: &[&str] = &["e4m3", "e5m2"];

/// Returns the types among words that stand for matrices, in order.
fn types<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_type = |word: &&str| {
        [ACCUMULATORS, NARROW, EIGHT, &["bf16", "tf32"]].iter().any(|kind| kind.contains(word))
    };
    words.iter().copied().filter(is_type).collect()
}

fn is_shape(word: &str) -> bool {
    word.starts_with('m') && word.ends_with(|c: char| c.is_ascii_digit())
}

fn has(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

/// Refuses a word that says how elements lie, which is no part of a name.
fn transposed(words: &[&str]) -> Option<String> {
    let word = words.iter().find(|word| word.starts_with("trans") || word.starts_with("imm-trans"))?;
    Some(format!("`{word}` says where elements lie, which changes no result: leave it out of the name"))
}

/// Refuses a D, or a C, of a type that no form accumulates in.
fn accumulator(words: &[&str]) -> Option<String> {
    let types = types(words);
    let [d, .., c] = types[..] else { return None };
    // Names of `wgmma` and `tcgen05` end with the type of B.
    let ends_with_c = words.first() == Some(&"mma") || words.first() == Some(&"wmma");
    let wrong = [("D", d), ("C", c)]
        .into_iter()
        .take(1 + usize::from(ends_with_c))
        .find(|(_, ty)| !ACCUMULATORS.contains(ty))?;
    let (matrix, ty) = wrong;
    Some(format!("{matrix} has the type `.{ty}`, and every form accumulates in f16, f32 or f64"))
}

/// Refuses layouts of `mma` other than `.row.col`, which m8n8k4 of f16 alone may have.
fn layout_of_b(words: &[&str]) -> Option<String> {
    let shape = words.iter().position(|word| is_shape(word))?;
    let layouts = (words.get(shape + 1)?, words.get(shape + 2)?);
    let free = words[shape] == "m8n8k4" && has(words, "f16");
    let wrong = words[0] == "mma" && !free && (*layouts.0 == "col" || *layouts.1 == "row");
    wrong.then(|| "the layouts must be `.row.col`, except for m8n8k4 of f16".to_owned())
}

/// Refuses types of 6 and 4 bits in an `mma` without a kind.
fn kind_of_narrow_types(words: &[&str]) -> Option<String> {
    let narrow = words.iter().find(|word| NARROW.contains(word))?;
    let lacking = words[0] == "mma" && !words.iter().any(|word| word.starts_with("kind::"));
    lacking.then(|| format!("`.{narrow}` requires `.kind::f8f6f4`, or a kind that is scaled"))
}

/// Refuses scales that a kind does not have, or their lack.
fn scales_of_kind(words: &[&str]) -> Option<String> {
    let kind = words.iter().find_map(|word| word.strip_prefix("kind::"))?;
    let vectors = words.iter().find_map(|word| word.strip_prefix("scale_vec::"));
    let scaled = has(words, "block_scale");
    let (legal, may) = match kind {
        "f8f6f4" | "f16" | "tf32" => ("takes no scales", &[][..]),
        "mxf8f6f4" => ("scales by `.ue8m0` with `.scale_vec::1X`", &["1X"][..]),
        "mxf4" => ("scales by `.ue8m0` with `.scale_vec::2X`", &["2X"][..]),
        "mxf4nvf4" => (
            "scales by `.ue8m0` with `.scale_vec::2X` or `4X`, or by `.ue4m3` with `.scale_vec::4X`",
            &["2X", "4X"][..],
        ),
        _ => return None,
    };
    let wrong = scaled == may.is_empty()
        || vectors.is_some_and(|vectors| !may.contains(&vectors))
        || has(words, "ue4m3") && (kind != "mxf4nvf4" || vectors == Some("2X"));
    wrong.then(|| format!("`.kind::{kind}` {legal}"))
}

/// Refuses a C of another type than D, which m8n8k4 alone may have.
fn one_accumulator(words: &[&str]) -> Option<String> {
    let types = types(words);
    let [d, _, _, c] = types[..] else { return None };
    (d != c && !has(words, "m8n8k4"))
        .then(|| format!("D has the type `.{d}` and C the type `.{c}`, and they must be the same"))
}

/// Refuses an A and a B of different types, unless both are of 8 bits at most.
fn one_type(words: &[&str]) -> Option<String> {
    let types = types(words);
    let (a, b) = (types.get(1)?, types.get(2)?);
    let small = |ty| EIGHT.contains(ty) || NARROW.contains(ty);
    (types.len() > 2 && a != b && !(small(a) && small(b))).then(|| {
        format!(
            "A has the type `.{a}` and B the type `.{b}`, and only types of at most 8 bits may differ"
        )
    })
}

impl Refusal {
    /// Explains what is wrong with a text that is no name.
    pub(super) fn of(text: &str) -> Refusal {
        let given = words(text);
        // Another mnemonic is another instruction, whatever the rest.
        let mnemonic = super::mnemonic_of(text);
        let nearest = MatrixVariant::all()
            .iter()
            .filter(|variant| mnemonic.is_none_or(|mnemonic| variant.mnemonic() == mnemonic))
            .min_by_key(|variant| distance(&given, &variant.words()))
            .expect("the table has rows");
        let told = RULES.iter().find_map(|rule| rule(&given));
        let problem = told.unwrap_or_else(|| difference(&given, nearest));
        Refusal { text: text.into(), problem, nearest }
    }
}

/// Describes the first word that differs from the nearest name, and what may stand in its place.
fn difference(given: &[&str], nearest: &MatrixVariant) -> String {
    let legal = nearest.words();
    let at = given.iter().zip(&legal).take_while(|(a, b)| a == b).count();
    match (given.get(at), legal.get(at)) {
        (Some(word), Some(legal)) if at == 0 => {
            format!("`{word}` is not a matrix instruction of the table, but `{legal}` is")
        }
        (Some(word), None) => format!("it must end before `.{word}`"),
        (None, Some(word)) => format!("`{word}` is missing after it"),
        (Some(word), Some(_)) => {
            let with_the_rest =
                |words: &&Vec<&str>| words.len() == given.len() && words[at + 1..] == given[at + 1..];
            let names = MatrixVariant::all().iter().map(MatrixVariant::words);
            let alike: Vec<Vec<&str>> =
                names.filter(|words| words.len() > at && words[..at] == given[..at]).collect();
            let fitting: Vec<&Vec<&str>> = alike.iter().filter(with_the_rest).collect();
            let (words, rest) = match fitting.is_empty() {
                true => (alike.iter().collect(), ""),
                false => (fitting, " with the words after it"),
            };
            let mut may: Vec<&str> = words.iter().map(|words| words[at]).collect();
            may.sort_unstable();
            may.dedup();
            let shown: Vec<String> = may.iter().take(SHOWN).map(|word| format!("`{word}`")).collect();
            let more = if may.len() > SHOWN { ", …" } else { "" };
            format!("`{word}` is not legal there{rest}; legal: {}{more}", shown.join(", "))
        }
        (None, None) => "its parts are not separated as in the table".into(),
    }
}

/// The number of words that a message lists for a place.
const SHOWN: usize = 8;

/// Returns the cost of making a legal name of a text, word by word.
fn distance(given: &[&str], legal: &[&str]) -> u32 {
    // `k16` to `k128`, and not `kind::f16`.
    let is_k = |word: &str| word.starts_with('k') && word.len() < 5;
    let behind = |word: &str| word.starts_with("a-") || is_k(word) || word == "v1";
    let cost = |word: &str| if behind(word) { BEHIND } else { WORD };
    let mut row: Vec<u32> = std::iter::once(0)
        .chain(legal.iter().scan(0, |sum, word| {
            *sum += cost(word);
            Some(*sum)
        }))
        .collect();
    for one in given {
        // The cell above and to the left, which `row` no longer has when it is needed.
        let mut diagonal = row[0];
        row[0] += cost(one);
        for (at, other) in legal.iter().enumerate() {
            let swapped = diagonal + exchange(one, other);
            diagonal = row[at + 1];
            row[at + 1] = swapped.min(diagonal + cost(one)).min(row[at] + cost(other));
        }
    }
    row[legal.len()]
}

/// Returns the cost of one word in the place of another.
fn exchange(given: &str, legal: &str) -> u32 {
    let kind = |word: &str| match word {
        "row" | "col" => Some(0),
        "rn" | "rz" | "rm" | "rp" => Some(1),
        _ if types(&[word]).len() == 1 => Some(2),
        _ if word.contains("::") => Some(3),
        _ if is_shape(word) => Some(4),
        _ => None,
    };
    match kind(given) {
        _ if given == legal => 0,
        Some(number) if kind(legal) == Some(number) => KIN[number],
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_refused_with_the_reason() {
        #[rustfmt::skip] // a table
        let cases = [
            ("mma.sync.aligned.m16n8k32.row.col.e4m3.e4m3.e4m3.e4m3", "every form accumulates in", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"),
            ("mma.sync.aligned.m16n8k16.row.col.bf16.bf16.bf16.bf16", "D has the type `.bf16`", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"),
            ("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", "must be `.row.col`", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32", "A has the type `.f16` and B the type `.bf16`", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            ("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32", "must be the same", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"),
            ("mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32", "requires `.kind::f8f6f4`", "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32"),
            ("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0", "`.kind::mxf4` scales by `.ue8m0` with `.scale_vec::2X`", "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"),
            ("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue4m3", "scales by `.ue8m0`", "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"),
            ("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0", "takes no scales", "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0"),
            ("mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", "with the words after it; legal: `m16n8k4`, `m16n8k8`", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32"),
            ("mma.sync.m16n8k16.row.col.f32.f16.f16.f32", "legal: `aligned`", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
            ("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16(a-desc)", "`m64n12k16` is not legal there", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-desc)"),
            ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-desc,trans-b)", "leave it out of the name", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-desc)"),
            ("mma", "`sync` is missing after it", "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"),
            ("mmma.sync", "`mma` is", "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"),
            ("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16", "is missing after it", "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16(a-desc)"),
        ];
        for (text, words, nearest) in cases {
            let refusal = text.parse::<MatrixVariant>().unwrap_err();
            assert!(refusal.problem.contains(words), "{refusal}");
            assert_eq!(refusal.nearest.text(), nearest, "{refusal}");
        }
    }

    #[test]
    fn whatever_is_typed_has_an_answer() {
        for text in [
            "",
            "..",
            "mma",
            "é.é",
            "mma.",
            "mma.sync.aligned.m16n8k16.row",
            "(",
            "\n",
            "wmma.mma.mma.k",
        ] {
            assert!(!text.parse::<MatrixVariant>().unwrap_err().problem.is_empty(), "{text}");
        }
    }
}
