#![doc = include_str!("../README.md")]
//!
//! ## Words
//!
//! An **element** is one lane of one row: at most three inputs, at most two outputs, each a datum of a
//! [`Format`](formats::Format). Its **exact value** is what mathematics gives; the **rounded** result is the one number
//! of the destination that the rounding makes of it. An **open point** is a choice that the manual
//! leaves and that matters to this element; an [`Interpretation`](judge::Interpretation) makes every
//! such choice. What other interpretations give are **alternatives**. Where the manual promises a bound
//! and no bits, the truth is the **interval** of what is near enough. An **engine** is one kind of
//! mathematics, made ready for one variant.
//!
//! ## Flow
//!
//! [`Oracle::new`] chooses an engine by contract and [`Meaning`](isa::Meaning), and
//! [`Oracle::expect`] fills a [`Truth`].
//!
//! ```text
//! engine.rs        the trait; elements out of registers, results into them
//! arithmetic.rs    one value, rounded once …
//!   operand.rs       bits → MPFR
//!   algorithm.rs     how the exact value comes about
//!   rounded.rs       the one rounding, where MPFR has a mode for it …
//!   fixed.rs         … and where it has none: integers, ties away, random bits
//!   finish.rs        flush, saturate, clamp, force; what is open there
//! in_turn.rs       sums of three, one after the other, in any order
//! compare.rs       a choice among operands, or a statement about them …
//!   order.rs         … and how they compare: of each pair, or of one datum and a run of others
//! accuracy.rs      a value within a bound: 96 bits by MPFR, of f64 192, then the interval …
//!   accuracy/        … from a stated bound, or the minimum where none is stated …
//!   specials.rs      … or what the manual's table says of a special input
//!   accuracy/element_description.rs  … and all of it for people
//! dot/             sums of products in any order: a bound, and where nothing is rounded
//! runs.rs          as arithmetic.rs, but MPFR sees the ends of runs of inputs with one result
//! series/          as accuracy.rs, but MPFR sees one input of some thousands
//! library.rs       MPFR's version and decimals, for those who print them
//! ```
//!
//! Formats are values, and nothing is written per instruction but the mathematics. The oracle shares
//! no arithmetic with the emulator and the model: that the three agree is evidence because of that.

// Only `vectors` reads how a variant is spelled: harness/clippy.toml.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod accuracy;
mod algorithm;
mod arithmetic;
mod compare;
pub mod dot;
mod engine;
mod finish;
mod fixed;
mod in_turn;
mod library;
mod mathematics;
mod operand;
mod order;
mod rounded;
mod runs;
mod series;
mod specials;
#[cfg(test)]
mod tests;
mod written;

use formats::Column;
use isa::{Contract, Family, Op, Variant};
use judge::{OpenPoints, Truth};

use accuracy::Approximate;
pub use accuracy::{ElementDescription, Promise, describe_element};
use arithmetic::Arithmetic;
use compare::Compare;
use engine::{Elements, Elementwise, Engine};
use in_turn::InTurn;
pub use library::{Versions, versions};
pub use mathematics::{FunctionValue, Mathematics, Real};
use runs::Runs;
use series::Series;

// Public for sister crates alone: `cli` prints exact values and chooses the faster oracle, `compilers` prints numbers,
// and `runner` compares a sample of series with MPFR.
#[doc(hidden)]
pub use accuracy::precision;
#[doc(hidden)]
pub use library::decimal;
#[doc(hidden)]
pub use runs::has_runs;
#[doc(hidden)]
pub use series::departure;
pub use written::{WrittenDatum, datum_of_text};

/// The source of truth about one variant. Threads do not share an oracle, because it owns its scratch numbers.
pub struct Oracle {
    engine: Box<dyn Engine>,
}

impl Oracle {
    /// Makes the oracle of a variant.
    pub fn new(variant: &Variant) -> Oracle {
        if variant.in_turn().is_some() {
            return Oracle::elementwise(variant, InTurn::new(variant));
        }
        match variant.form().contract {
            Contract::Within(accuracy) => {
                Oracle::elementwise(variant, Approximate::new(variant, accuracy))
            }
            Contract::Exact if rounds(variant) => Oracle::elementwise(variant, Arithmetic::new(variant)),
            Contract::Exact => Oracle::elementwise(variant, Compare::new(variant)),
        }
    }

    /// Makes an oracle that computes runs of consecutive inputs by series, and all else by MPFR: 50 times as fast on
    /// the sweep `exhaustive`. Returns `None` unless the variant is an approximate function of one f32.
    ///
    /// The truth equals that of [`Oracle::new`] in every bit but those of
    /// [`Interval::exact`](judge::Interval::exact). That field may differ by 2^-38 of itself, and mostly differs by
    /// less than 2^-50. It lies on the same side as the exact value of every number of f32 and every middle between
    /// two, so that no error passes from one bin of a histogram to another.
    pub fn by_series(variant: &Variant) -> Option<Oracle> {
        let Contract::Within(accuracy) = variant.form().contract else { return None };
        let oracle = || Oracle { engine: Box::new(Series::new(variant, accuracy)) };
        variant.approximates_one_f32().then(oracle)
    }

    /// Makes an oracle that asks MPFR about both ends of a run of consecutive inputs, and infers what lies between
    /// where that is sure. The truth equals that of [`Oracle::new`].
    pub fn by_runs(variant: &Variant) -> Oracle {
        match has_runs(variant) {
            true if rounds(variant) => Oracle::elementwise(variant, Runs::new(variant)),
            true => Oracle::elementwise(variant, Compare::by_runs(variant)),
            false => Oracle::new(variant),
        }
    }

    fn elementwise(variant: &Variant, mathematics: impl Elements + 'static) -> Oracle {
        Oracle { engine: Box::new(Elementwise::new(variant, mathematics)) }
    }

    /// Computes into `truth` what `operands` should give. The operands are the variant's columns, all of one length.
    ///
    /// # Panics
    /// If `truth` was made for a variant with a contract of another kind.
    pub fn expect(&mut self, operands: &[Column], truth: &mut Truth) {
        self.engine.expect(operands, truth);
    }
}

/// Whether two variants have the same truth in every batch, because they mean the same and have registers of the same
/// types: `cvt.rni.sat.s32.f32` and `cvt.rni.s32.f32` do. A comparison's integer result has all bits set for yes,
/// with a sign or without, so that `set.lt.s16.f16` and `set.lt.u16.f16` do, too. Callers ask so that MPFR proves
/// only one of the two. For variants with a bound, and for those that choose an operand, the answer is no, which
/// costs nothing but time.
#[doc(hidden)]
pub fn computes_alike(one: &Variant, other: &Variant) -> bool {
    let states = matches!(one.meaning().op, Op::Compare(_));
    let operands = |variant: &Variant| variant.operands().iter().map(|register| register.ty);
    let results = |variant: &Variant| {
        let types = variant.results().iter().map(|register| register.ty);
        types.map(move |ty| (ty.width(), if states && ty.format.is_fixed() { None } else { Some(ty) }))
    };
    one.is_exact()
        && other.is_exact()
        && (rounds(one) || states)
        && one.meaning() == other.meaning()
        && operands(one).eq(operands(other))
        && results(one).eq(results(other))
        && OpenPoints::declared(one) == OpenPoints::declared(other)
}

/// Whether a lane of one variant has the same truth as a lane of another under the first interpretation, because the
/// variants mean the same and have the same formats: lanes of `fma.rn.f16x2` and `fma.rn.f16` do.
#[doc(hidden)]
pub fn lanes_compute_alike(one: &Variant, other: &Variant) -> bool {
    let formats = |variant: &Variant| {
        let data = variant.inputs().iter().chain(variant.outputs());
        data.map(|data| data.format.name).collect::<Vec<_>>()
    };
    let exact = one.is_exact() && other.is_exact() && rounds(one);
    exact && one.meaning() == other.meaning() && formats(one) == formats(other)
}

/// Whether a variant computes a number and rounds it, rather than choose an operand or state something about
/// operands.
fn rounds(variant: &Variant) -> bool {
    variant.meaning().op.family() != Family::Compare
}
