//! The budget of a run: the number of vectors that each tier tests, and nothing else.

use std::collections::HashSet;
use std::sync::OnceLock;

use anyhow::Context;
use formats::digests::triples;
use isa::Variant;
use isa::matrix::MatrixVariant;
use reports::excerpt;
use serde::{Deserialize, Serialize};
use sweeps::{Length, Proof, Sweep};

use crate::subject::VectorSource;

/// How deep a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Tier {
    /// Every variant with every sweep, in under a minute on two cores.
    Quick,
    /// Far more vectors of each sweep, in 60 to 90 minutes on two cores.
    Nightly,
    /// Every combination of operands, for each variant that has at most 2^32 of them; on a GPU, also all 2^48
    /// triples of operands of an fma in half precision. Other variants are tested as in nightly.
    Exhaustive,
}

impl Tier {
    /// Returns the tier's name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Quick => "quick",
            Tier::Nightly => "nightly",
            Tier::Exhaustive => "exhaustive",
        }
    }

    /// Returns the tier that has a name.
    ///
    /// # Errors
    /// If no tier has the name.
    pub fn named(name: &str) -> anyhow::Result<Tier> {
        let all = [Tier::Quick, Tier::Nightly, Tier::Exhaustive];
        let tier = all.into_iter().find(|tier| tier.name() == name);
        tier.with_context(|| {
            format!("unknown tier `{}`: write quick, nightly or exhaustive", excerpt(name))
        })
    }

    /// Returns the number of vectors of a sweep without end.
    const fn endless_vectors(self) -> u64 {
        match self {
            Tier::Quick => 1 << 14,
            Tier::Nightly | Tier::Exhaustive => 1 << 20,
        }
    }

    /// Returns the largest number of sums of products of a sweep.
    const fn of_sums(self) -> u64 {
        match self {
            Tier::Quick => 1 << 10,
            Tier::Nightly | Tier::Exhaustive => 1 << 16,
        }
    }

    /// Returns the number of vectors up to which a lane's inputs are exhausted.
    const fn exhausted(self) -> u64 {
        match self {
            Tier::Quick | Tier::Nightly => 1 << 16,
            Tier::Exhaustive => 1 << 32,
        }
    }
}

/// Widest format, in bits, that counts as small: inputs that all have small formats are exhausted in any tier,
/// whatever their number, up to [`SMALL_SPACE`] vectors.
const SMALL_FORMAT: u32 = 8;
/// The number of vectors up to which inputs of small formats ([`SMALL_FORMAT`]) are exhausted in any tier.
const SMALL_SPACE: u64 = 1 << 24;

/// Returns how many vectors are asked of a subject and sweep, where an implementation can be given
/// `vectors_max` of a sweep at most.
pub fn budget_of(tier: Tier, asked: VectorSource, vectors_max: Option<u64>) -> u64 {
    match asked {
        VectorSource::Lanes(variant, sweep) => budget(tier, variant, sweep, vectors_max),
        VectorSource::Dots(variant, sweep) => {
            let most = if is_first(variant) { tier.of_sums() } else { tier.of_sums() / LIKE_ANOTHER };
            let vectors = sweep.length(variant).at_most(most);
            let vectors = if sweep.name == TILE { whole_tiles(tier, variant, vectors) } else { vectors };
            vectors.min(vectors_max.unwrap_or(u64::MAX))
        }
        VectorSource::Given(given) => given.rows.len() as u64,
    }
}

/// Name of the sweep whose vectors are the elements of tiles.
const TILE: &str = "tile";

/// Rounds a number of vectors down to whole tiles, one tile at least: an implementation that computes tiles has
/// all elements of each. The number stays as it is where a tile is too large for the tier, as those of `wgmma`
/// with many columns are for the quick tier.
fn whole_tiles(tier: Tier, variant: &MatrixVariant, vectors: u64) -> u64 {
    let tile = variant.tile().elements() as u64;
    match tile <= tier.of_sums() / 2 {
        true => (vectors / tile).max(1) * tile,
        false => vectors,
    }
}

/// Divisor of the number of vectors for a matrix instruction that computes what an earlier one of its row of
/// the table does. Names of a row that compute the same differ in layout, which few vectors show; so all but
/// the first have only this part of its vectors.
const LIKE_ANOTHER: u64 = 16;

/// Whether a matrix instruction is the first of its row with its dot product and its operand columns.
fn is_first(variant: &MatrixVariant) -> bool {
    static FIRST: OnceLock<HashSet<&str>> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        let mut known = HashSet::new();
        let all = MatrixVariant::all().iter();
        let new = all
            .filter(|v| known.insert(format!("{} {:?} {:?}", v.form().syntax, v.dot(), v.operands())));
        new.map(MatrixVariant::text).collect()
    });
    first.contains(variant.text())
}

/// Returns how many vectors are asked of a variant and a sweep of lanes, where an implementation can be given
/// `vectors_max` of a sweep at most.
pub fn budget(tier: Tier, variant: &Variant, sweep: &Sweep, vectors_max: Option<u64>) -> u64 {
    let vectors_max = vectors_max.unwrap_or(u64::MAX);
    // A space that does not fit is left out whole, since its beginning is no sample of it.
    let exhausted = exhausted(tier, variant).filter(|&all| all <= vectors_max);
    let vectors = match sweep.length(variant) {
        Length::None => 0,
        Length::Finite(_) if sweep.name == Sweep::exhaustive().name => exhausted.unwrap_or(0),
        // Where every input is tried, the only question left is how lanes mix.
        _ if exhausted.is_some() && sweep.name != "lanes" => 0,
        Length::Finite(all) => all,
        Length::Endless => tier.endless_vectors(),
    };
    vectors.min(vectors_max)
}

/// Returns how many vectors a tier has of all triples of a variant, where the implementation judges them
/// itself. Only triples that are proven count; for all else it is 0.
pub fn of_triples(tier: Tier, asked: VectorSource) -> u64 {
    let VectorSource::Lanes(variant, sweep) = asked else { return 0 };
    let all = tier == Tier::Exhaustive && sweep.name == Sweep::exhaustive().name;
    let proven = all && sweeps::has_all_triples(variant);
    Proof::of(variant, sweep.name, triples::ALL).filter(|_| proven).map_or(0, |proof| proof.vectors)
}

/// Whether an instruction has one operand, or no modifiers.
fn is_plain(variant: &Variant) -> bool {
    variant.inputs().len() == 1 || variant.modifiers().is_empty()
}

/// Returns the number of vectors that show every combination of a lane's inputs, where a tier affords them.
/// Below the exhaustive tier four lanes share a large space. All triples are tried where the implementation
/// judges them, and by nobody else ([`of_triples`]).
fn exhausted(tier: Tier, variant: &Variant) -> Option<u64> {
    let sweep = Sweep::exhaustive();
    let Length::Finite(all) = sweep.length(variant) else { return None };
    if sweeps::has_all_triples(variant) {
        return None;
    }
    let small = variant.inputs().iter().all(|input| input.format.width() <= SMALL_FORMAT);
    // Three numbers are added in every order and by every interpretation: eight such spaces are for the night.
    let small = small && (tier != Tier::Quick || variant.in_turn().is_none());
    let limit = match tier {
        // What MPFR has judged once, the emulator screens at a small fraction of the cost. There are hundreds
        // of spaces of pairs: those of forms without modifiers are enough for a night.
        Tier::Nightly if is_plain(variant) && Proof::of(variant, sweep.name, all).is_some() => all,
        // Series do not need MPFR for every vector either.
        Tier::Nightly if variant.approximates_one_f32() => all,
        _ if small => tier.exhausted().max(SMALL_SPACE),
        _ => tier.exhausted(),
    };
    let shared = tier != Tier::Exhaustive && variant.lanes() == 4 && all > tier.exhausted();
    (all <= limit).then_some(if shared { all / 4 } else { all })
}
