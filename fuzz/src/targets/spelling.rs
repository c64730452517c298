//! The `spelling` target, which reads what a person may type: spellings of variants, patterns for `--only`, targets,
//! versions, shards.

use std::sync::OnceLock;

use implementations::Emulator;
use isa::{Modifier, Operation, PtxVersion, Since, Target as Architecture, Variant};
use runner::{Plan, RunRequest};
use selection::Shard;
use selection::budget::Tier;
use selection::select::select;

use super::{FuzzTarget, nothing};
use crate::{Findings, Random, words};

/// The `spelling` target.
pub const TARGET: FuzzTarget =
    FuzzTarget { name: "spelling", unit: "things read", begin: nothing, seeds, mutate, attempt };

/// Most bytes of an input that are read: the spelling that is nearest to a longer text takes long to find.
const LONGEST: usize = 200;

/// Returns the inputs of a new corpus: every ninth variant's spelling, and examples of the other things that are read.
fn seeds() -> Vec<Vec<u8>> {
    let spellings = Variant::all().iter().step_by(9).map(Variant::text);
    let others = ["fma.rn*", "*.f16x2", "mul.?.f32", "sm_90a", "sm_100f", "8.6", "9.4", "2/4"];
    let others = others.into_iter().chain(["7.8 sm_90", "8.6 sm_100a,sm_120a"]);
    spellings.chain(others).map(|text| text.as_bytes().to_vec()).collect()
}

/// Changes the words of a text; one text in four is a legal spelling.
fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    static VOCABULARY: OnceLock<Vec<&str>> = OnceLock::new();
    let vocabulary = VOCABULARY.get_or_init(|| {
        let modifiers = Modifier::ALL.iter().map(|modifier| modifier.text());
        let mnemonics = Operation::ALL.iter().map(|operation| operation.mnemonic());
        let types = Variant::all().iter().flat_map(|v| v.printed().iter().map(|ty| ty.name));
        let mut words: Vec<&str> = modifiers.chain(mnemonics).chain(types).collect();
        words.sort_unstable();
        words.dedup();
        words.extend([".", "*", "?", "(a,b,c)", "sm_", "a", "f", "/", "18446744073709551615", "é", "+"]);
        words
    });
    let legal = Variant::all()[random.below(Variant::all().len())].text().as_bytes();
    let bytes = if random.below(4) == 0 { legal } else { bytes };
    words::mutate(bytes, b".*?(_/ ,", vocabulary, random)
}

/// Reads the bytes as everything that a person may type, and checks what is read and what is refused.
fn attempt(bytes: &[u8], findings: &mut Findings) {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]);
    let text = text.as_ref();
    match text.parse::<Variant>() {
        Ok(variant) => {
            assert_eq!(variant.to_string(), text);
            let selected = select(&[text.to_owned()], None).expect("a variant's text is a pattern");
            assert_eq!(selected, [&variant], "a pattern without wildcards matches itself alone");
            findings.tried += 1;
            let known = Variant::all().iter().find(|known| **known == variant);
            findings.variants.extend(known.map(Variant::text));
        }
        Err(error) => {
            assert!(error.to_string().contains(error.nearest.unwrap_or_default()));
            assert!(error.offending.is_none_or(|part| text.contains(&part)));
        }
    }
    if text.contains(['*', '?']) && select(&[text.to_owned()], None).is_ok() {
        findings.tried += 1;
    }
    if let Ok(target) = text.parse::<Architecture>() {
        assert_eq!(target.to_string(), text);
        findings.tried += 1;
    }
    if let Ok(version) = text.parse::<PtxVersion>() {
        assert_eq!(version.to_string().parse(), Ok(version));
        findings.tried += 1;
    }
    if let Ok(since) = text.parse::<Since>() {
        assert!(since.targets.iter().all(|&target| since.covers(Some(target), Some(since.ptx))));
        findings.tried += 1;
    }
    if let Ok(shard) = text.parse::<Shard>() {
        cut(shard);
        findings.tried += 1;
    }
}

/// Checks that a shard has its share of a plan, and no more.
fn cut(shard: Shard) {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    let whole = PLAN.get_or_init(|| {
        let request = RunRequest::of(Tier::Quick, vec!["mul.f16".into(), "fma.rn.f32".into()]);
        Plan::new(request, &Emulator::scalar()).expect("both exist")
    });
    let mut plan = whole.clone();
    plan.request.shard = Some(shard);
    let (all, part) = (whole.blocks().len(), plan.blocks().len());
    // Shards differ by one block at most.
    let share = all as u64 / shard.count..=(all as u64).div_ceil(shard.count);
    assert!(share.contains(&(part as u64)), "{part} of {all} blocks for {shard:?}");
    let blocks = (0..part).map(|place| plan.blocks().get(place));
    let vectors: u64 = blocks.map(|block| block.rows as u64).sum();
    assert_eq!(plan.vectors_per_task().iter().sum::<u64>(), vectors);
}
