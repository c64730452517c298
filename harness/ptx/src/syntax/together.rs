//! The instructions of threads that work together, in people's kernels: the suite's own kernels have no need of them.

use std::fmt;

use super::access::Space;
use super::scalar::Scalar;

/// An instruction of threads that work together: `barrier.red.popc.u32 d, 0, p;`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Together {
    /// Operation of the instruction, without what changes no result.
    pub does: TogetherDoes,
    /// Text of the mnemonic with its modifiers and types.
    text: Box<str>,
}

/// The operation of a [`Together`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TogetherDoes {
    /// `bar.arrive 1, 64;`, or `bar.red.and.pred p, 0, q;`
    Barrier {
        /// Threads of a warp come to it by one instruction.
        aligned: bool,
        /// Reduction of the threads' predicates; `None` where threads only arrive.
        reduces: Option<BarrierReduction>,
    },
    /// `redux.sync.add.u32 d, a, members;`, of integers alone
    Reduce(WordOperation, Scalar),
    /// `match.any.sync.b32 d, a, members;`, or `match.all.sync.b32 d|p, a, members;`
    Match {
        /// All words are to be equal, and not any.
        all: bool,
        /// Type of the words.
        ty: Scalar,
    },
    /// `elect.sync d|p, members;`
    Elect,
    /// `atom.shared.add.u32 d, [a], b;`, or `red.shared.add.u32 [a], b;`, of integers and bits alone
    Atomic(Atomic),
    /// `cp.async.ca.shared.global [a], [b], 16;`
    CopyAsync {
        /// Copies have 16 bytes: `.cg`.
        only_16: bool,
    },
    /// `cp.async.commit_group;`
    CopyCommit,
    /// `cp.async.wait_group 1;`
    CopyWaitGroup,
    /// `cp.async.wait_all;`
    CopyWaitAll,
    /// `isspacep.shared p, a;`
    IsInSpace(Space),
    /// `membar.cta;`, or `nanosleep.u32 t;`: changes when something is done, and no result where threads wait for each
    /// other at barriers.
    Nothing {
        /// Number of operands.
        operands: usize,
    },
}

/// An operation that changes a word in memory, for a thread alone: nobody else's comes in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atomic {
    /// Operation on the word.
    pub operation: WordOperation,
    /// Type of the word.
    pub ty: Scalar,
    /// State space of the word.
    pub space: Space,
    /// Word as it was is returned: `atom`, and not `red`.
    pub returns: bool,
}

super::names::named! {
    /// The operation of an atomic instruction or a reduction of integers and bits.
    WordOperation:
    Add "add"
    Min "min"
    Max "max"
    And "and"
    Or "or"
    Xor "xor"
    /// The word plus one; 0 if the word was the second source, or above it:
    Increment "inc"
    /// The word less one; the second source if the word was 0, or above the second source:
    Decrement "dec"
    Exchange "exch"
    /// The third source if the word was the second source; else the word as it was:
    CompareAndSwap "cas"
}

super::names::named! {
    /// The reduction of the predicates of threads at a barrier.
    BarrierReduction:
    And "and"
    Or "or"
    /// The number of those that hold:
    Count "popc"
}

/// Modifiers of atomic operations that change no result where the threads of one block are executed.
const HOW: &[&str] = &["relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys"];

/// Words of `cp.async` that change no result.
const PREFETCHED: &[&str] = &["L2::64B", "L2::128B", "L2::256B"];

impl Together {
    /// Reads a mnemonic with its modifiers and types; `None` if it is no such instruction.
    pub fn read(text: &str) -> Option<Together> {
        let words: Vec<&str> = text.split('.').collect();
        let does = match words.as_slice() {
            ["bar", rest @ ..] => barrier(rest, true)?,
            ["barrier", rest @ ..] => barrier(rest, false)?,
            ["redux", "sync", operation, ty] => reduction(operation, Scalar::read(ty)?)?,
            ["match", how @ ("any" | "all"), "sync", ty @ ("b32" | "b64")] => {
                TogetherDoes::Match { all: *how == "all", ty: Scalar::read(ty)? }
            }
            ["elect", "sync"] => TogetherDoes::Elect,
            [name @ ("atom" | "red"), how @ .., operation, ty] => {
                let space = space_of_atomic(how)?;
                let operation = WordOperation::read(operation)?;
                let of = Atomic { operation, ty: Scalar::read(ty)?, space, returns: *name == "atom" };
                TogetherDoes::Atomic(Some(of).filter(|of| of.is_legal())?)
            }
            ["cp", "async", how @ ("ca" | "cg"), shared, "global", rest @ ..]
                if matches!(*shared, "shared" | "shared::cta")
                    && (rest.is_empty() || matches!(rest, [one] if PREFETCHED.contains(one))) =>
            {
                TogetherDoes::CopyAsync { only_16: *how == "cg" }
            }
            ["cp", "async", "commit_group"] => TogetherDoes::CopyCommit,
            ["cp", "async", "wait_group"] => TogetherDoes::CopyWaitGroup,
            ["cp", "async", "wait_all"] => TogetherDoes::CopyWaitAll,
            ["isspacep", space] => TogetherDoes::IsInSpace(Space::read_qualified(space)?),
            ["membar", "cta" | "gl" | "sys"]
            | ["fence", "sc" | "acq_rel" | "acquire" | "release", "cta" | "cluster" | "gpu" | "sys"] => {
                TogetherDoes::Nothing { operands: 0 }
            }
            ["nanosleep", "u32"]
            | ["prefetch", "L1" | "L2"]
            | ["prefetch", "global" | "local", "L1" | "L2"]
            | ["prefetchu", "L1"]
            | ["pmevent"] => TogetherDoes::Nothing { operands: 1 },
            _ => return None,
        };
        Some(Together { does, text: text.into() })
    }
}

/// Reads the words behind `bar` or `barrier`, but not those of a barrier at which threads only wait.
fn barrier(words: &[&str], aligned: bool) -> Option<TogetherDoes> {
    let words = words.strip_prefix(&["cta"]).unwrap_or(words);
    let (reduces, rest) = match words {
        ["arrive", rest @ ..] => (None, rest),
        ["red", operation, rest @ ..] => {
            let reduces = BarrierReduction::read(operation)?;
            let ty = if reduces == BarrierReduction::Count { "u32" } else { "pred" };
            (Some(reduces), rest.strip_suffix(&[ty])?)
        }
        _ => return None,
    };
    match rest {
        [] => Some(TogetherDoes::Barrier { aligned, reduces }),
        ["aligned"] if !aligned => Some(TogetherDoes::Barrier { aligned: true, reduces }),
        _ => None,
    }
}

/// Reads a reduction of integers across a warp (PTX ISA, `redux.sync`).
fn reduction(operation: &str, ty: Scalar) -> Option<TogetherDoes> {
    let operation = WordOperation::read(operation)?;
    let is_legal = match operation {
        WordOperation::Add | WordOperation::Min | WordOperation::Max => {
            matches!(ty, Scalar::Unsigned(32) | Scalar::Signed(32))
        }
        WordOperation::And | WordOperation::Or | WordOperation::Xor => ty == Scalar::Bits(32),
        _ => false,
    };
    is_legal.then_some(TogetherDoes::Reduce(operation, ty))
}

/// Returns the state space that the words between the name and the operation of an atomic instruction say; `None` if one
/// of them is unknown.
fn space_of_atomic(words: &[&str]) -> Option<Space> {
    let mut space = Space::Generic;
    for word in words.iter().filter(|word| !HOW.contains(word)) {
        space = Space::read_qualified(word)
            .filter(|space| matches!(space, Space::Global | Space::Shared))?;
    }
    Some(space)
}

/// Returns the spelling of an atomic instruction without the words that change no result; `None` if it has none of them.
pub fn plain_atomic(spelling: &str) -> Option<String> {
    let name = spelling.split('.').next()?;
    if !matches!(name, "atom" | "red") {
        return None;
    }
    let kept = spelling.split('.').filter(|word| !HOW.contains(word));
    let kept: Vec<&str> = kept.map(|word| if word == "shared::cta" { "shared" } else { word }).collect();
    Some(kept.join(".")).filter(|plain| plain != spelling)
}

impl Atomic {
    /// Whether PTX has the operation with this type (PTX ISA, `atom` and `red`).
    fn is_legal(self) -> bool {
        let Atomic { operation, ty, returns, .. } = self;
        match operation {
            WordOperation::Add => matches!(ty, Scalar::Unsigned(32 | 64) | Scalar::Signed(32)),
            WordOperation::Min | WordOperation::Max => {
                matches!(ty, Scalar::Unsigned(32 | 64) | Scalar::Signed(32 | 64))
            }
            WordOperation::And | WordOperation::Or | WordOperation::Xor => {
                matches!(ty, Scalar::Bits(32 | 64))
            }
            WordOperation::Increment | WordOperation::Decrement => ty == Scalar::Unsigned(32),
            WordOperation::Exchange => returns && matches!(ty, Scalar::Bits(32 | 64)),
            WordOperation::CompareAndSwap => returns && matches!(ty, Scalar::Bits(16 | 32 | 64)),
        }
    }
}

impl fmt::Display for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_of_several_threads_is_read_from_what_it_prints() {
        for text in [
            "bar.arrive",
            "bar.cta.arrive",
            "barrier.arrive",
            "barrier.cta.arrive.aligned",
            "bar.red.popc.u32",
            "barrier.cta.red.and.aligned.pred",
            "bar.cta.red.or.pred",
            "redux.sync.add.s32",
            "redux.sync.xor.b32",
            "match.any.sync.b64",
            "match.all.sync.b32",
            "elect.sync",
            "atom.shared.add.u32",
            "atom.relaxed.cta.shared::cta.cas.b16",
            "atom.inc.u32",
            "red.global.max.s64",
            "cp.async.ca.shared.global",
            "cp.async.cg.shared::cta.global.L2::128B",
            "cp.async.commit_group",
            "cp.async.wait_group",
            "cp.async.wait_all",
            "isspacep.shared",
            "isspacep.param::entry",
            "membar.gl",
            "fence.acq_rel.gpu",
            "nanosleep.u32",
            "prefetch.global.L2",
        ] {
            assert_eq!(Together::read(text).map(|one| one.to_string()).as_deref(), Some(text));
        }
        for text in [
            "bar.sync",
            "bar.arrive.aligned",
            "bar.red.popc.pred",
            "barrier.cluster.arrive",
            "redux.sync.add.b32",
            "redux.sync.min.f32",
            "match.any.b32",
            "atom.shared.add.f32",
            "atom.shared.add.s64",
            "red.shared.exch.b32",
            "atom.shared.or.u32",
            "atom.local.add.u32",
            "atom.shared.add.L2::cache_hint.u32",
            "cp.async.cg.shared.global.L2::cache_hint",
            "cp.async.bulk.commit_group",
            "isspacep.generic",
            "membar.gpu",
            "fence.proxy.async",
            "prefetch.shared.L1",
        ] {
            assert_eq!(Together::read(text), None, "{text}");
        }
        let barrier = |text: &str| Together::read(text).map(|one| one.does);
        let unaligned = TogetherDoes::Barrier { aligned: false, reduces: Some(BarrierReduction::Or) };
        assert_eq!(barrier("barrier.red.or.pred"), Some(unaligned));
        assert_eq!(
            plain_atomic("atom.acq_rel.gpu.shared::cta.add.f32").as_deref(),
            Some("atom.shared.add.f32")
        );
        assert_eq!(plain_atomic("atom.shared.add.f32"), None);
        assert_eq!(plain_atomic("add.cta.f32"), None);
    }
}
