//! Explanations of results: what happens to the inputs of one lane, stage by stage.

mod change;

use isa::{Conversion, Op};

use super::Model;
use super::datum::Datum;
use super::number::{Cut, Number};
use super::stages::{Convert, Decode, Lanes, Operate, Plain, Round, StochasticBits, VariantFacts};

pub use change::{LateStage, StageChange};

/// The stages of one lane of one vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedStages {
    /// For each input, whether it is flushed.
    pub flushed: Vec<bool>,
    /// Whether an input is the out-of-bounds NaN, so that nothing is computed.
    pub out_of_bounds: bool,
    /// The intermediate sums, where three devices' words are added; otherwise none.
    pub sums: Vec<ExactValue>,
    /// The exact result, where the instruction computes one: its sign, significand and exponent. Quotients and
    /// roots have 62 bits and a sticky one, and sums of terms that lie far apart 119 and a sticky one.
    pub exact: Option<ExactValue>,
    /// Whether `exact` is the exact result. Otherwise its lowest bit is the sticky one, and stands for all that follow.
    pub is_whole: bool,
    /// The input that is rounded to the result's format before the operation, by its index, and the number that it
    /// becomes; `None` if that is the number that it was.
    pub converted: Option<(usize, ExactValue)>,
    /// Whether the exact result loses its sign before it is rounded, because the result's format has none.
    pub unsigned: bool,
    /// The cut that rounds the exact result; `None` if it is flushed or no bit is cut off.
    pub cutting: Option<Cutting>,
    /// Whether the exact result is flushed instead of rounded.
    pub result_flushed: bool,
    /// The value after flushing or rounding, before any of `changes`.
    pub rounded: Option<ExactValue>,
    /// The stages that make another value of `rounded`, in order.
    pub changes: Vec<StageChange>,
    /// The bits of the results.
    pub results: Vec<u64>,
}

/// An exact result, or the value that a stage makes of it. Equal numbers have one representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactValue {
    /// Not a number.
    Nan,
    /// An infinity; `true` is negative.
    Infinity(bool),
    /// `±significand × 2^exponent`.
    Finite {
        /// Whether the number is negative.
        negative: bool,
        /// The significand.
        significand: u128,
        /// The exponent of the significand's lowest bit.
        exponent: i32,
    },
}

/// An exact significand cut where it is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// The bits of the significand that are kept.
    pub kept: u128,
    /// The exponent of the lowest kept bit, which is worth 2 to the power of this.
    pub unit: i32,
    /// The first bit behind the kept ones.
    pub guard: bool,
    /// Whether any bit behind the guard bit is set.
    pub sticky: bool,
    /// The bits behind the guard bit, and how many they are.
    pub rest: (u128, u32),
    /// Whether the magnitude is rounded up.
    pub up: bool,
    /// The random bits, where these decide whether the magnitude is rounded up.
    pub drawn: Option<Drawn>,
}

/// The random bits of a stochastic rounding, and the bits that they are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The random bits of the lane.
    pub bits: u64,
    /// How many random bits there are.
    pub count: u32,
    /// The first `count` of the bits that are cut off.
    pub first: u128,
}

impl Drawn {
    /// Returns the sum of `first` and `bits`; the bit above its lowest `count` ones is the carry.
    pub fn sum(self) -> u128 {
        self.first + u128::from(self.bits)
    }
}

impl Model {
    /// Explains what happens to the inputs of one lane where nothing is wrong.
    pub fn explain(&self, lane: usize, inputs: &[u64]) -> ExplainedStages {
        let stages = self.plain();
        let variant = stages.variant();
        let out_of_bounds = stages.out_of_bounds(inputs);
        let exact = match () {
            () if out_of_bounds => None,
            () if variant.is_arithmetic() => Some(stages.exact(inputs)),
            () if variant.converts() => Some(stages.unconverted(inputs)),
            () => None,
        };
        let flushed = inputs.iter().enumerate();
        let flushed = flushed.map(|(index, &bits)| stages.flushed(index, bits) != bits);
        let unsigned = !stages.output().signed && !stages.output().is_fixed();
        let unsigned = unsigned && exact.is_some_and(Datum::is_negative);
        let magnitude = exact.map(|exact| if unsigned { exact.with_sign(false) } else { exact });
        let number = match magnitude {
            Some(Datum::Finite(number)) if number.significand != 0 => Some(number),
            _ => None,
        };
        let result_flushed = number.is_some_and(|number| stages.flushes(number));
        let random = random(&stages, lane, inputs);
        let rounded = magnitude.map(|exact| change::rounded(&stages, exact, random));
        ExplainedStages {
            flushed: flushed.collect(),
            out_of_bounds,
            sums: if variant.is_of_three_devices() { sums(&stages, inputs) } else { vec![] },
            exact: exact.map(ExactValue::from),
            is_whole: is_whole(&stages, inputs, exact),
            converted: exact.and(converted(&stages, inputs)),
            unsigned,
            cutting: number
                .filter(|_| !result_flushed)
                .and_then(|number| cutting(&stages, number, random)),
            result_flushed,
            rounded: rounded.map(ExactValue::from),
            changes: rounded.map_or(vec![], |rounded| change::changes(&stages, rounded)),
            // A lane of the model always has two results; most variants have one.
            results: stages.lane(lane, inputs)[..variant.outputs().len()].to_vec(),
        }
    }
}

/// Returns the random bits of a lane; there are none unless the conversion is stochastic.
fn random(stages: &Plain, lane: usize, inputs: &[u64]) -> StochasticBits {
    match stages.meaning().op {
        Op::Convert(Conversion::Stochastic(bits)) => stages.random(bits, lane, inputs[1]),
        _ => StochasticBits::default(),
    }
}

/// Whether an exact result has all of its bits.
fn is_whole(stages: &Plain, inputs: &[u64], exact: Option<Datum>) -> bool {
    let Some(Datum::Finite(result)) = exact else { return true };
    let input = |index: usize| stages.converted_first(index, stages.decoded(index, inputs[index]));
    let terms = match (stages.meaning().op, inputs.len()) {
        (Op::Add | Op::Sub, 2) => (input(0), input(1)),
        (Op::Add, _) => (stages.on_the_way(stages.sum(input(0), input(1))), input(2)),
        (Op::Fma, _) => (stages.product(input(0), input(1)), input(2)),
        (Op::Div | Op::Rcp | Op::Sqrt, _) => return result.significand & 1 == 0,
        _ => return true,
    };
    match terms {
        (Datum::Finite(x), Datum::Finite(y)) => x.sum_is_whole(y),
        _ => true,
    }
}

/// Returns the sum of the first two of three words and, where `.acc` has sums made in another format than the
/// result's, the sum of all three in that format.
fn sums(stages: &Plain, inputs: &[u64]) -> Vec<ExactValue> {
    let [a, b, c] = std::array::from_fn(|index| stages.decoded(index, inputs[index]));
    let first = stages.on_the_way(stages.sum(a, b));
    let second = stages.meaning().accumulator.map(|_| stages.on_the_way(stages.sum(first, c)));
    [first].into_iter().chain(second).map(ExactValue::from).collect()
}

/// Returns the index and the new value of the input that is rounded first, if that makes another number of it.
fn converted(stages: &Plain, inputs: &[u64]) -> Option<(usize, ExactValue)> {
    let index = stages.meaning().converted?;
    let given = stages.decoded(index, inputs[index]);
    let [given, becomes] = [given, stages.converted_first(index, given)].map(ExactValue::from);
    (given != becomes).then_some((index, becomes))
}

/// Returns where a number is cut to be rounded; `None` if no bit of it is cut off.
fn cutting(stages: &Plain, number: Number, random: StochasticBits) -> Option<Cutting> {
    let (precision, unit) = stages.grid();
    let unit = unit.max(number.leading()? - precision as i32 + 1);
    // Nothing is cut off where the lowest bit is that of the unit or above it.
    let width = u32::try_from(unit - number.exponent).ok().filter(|width| *width > 0)?;
    // A cut may lie above all 128 bits.
    let kept = number.significand.checked_shr(width).unwrap_or(0);
    let cut = number.significand - kept.checked_shl(width).unwrap_or(0);
    let guard = cut.checked_shr(width - 1).unwrap_or(0) & 1;
    let rest = cut - guard.checked_shl(width - 1).unwrap_or(0);
    let StochasticBits { bits, count } = random;
    let first = Cut::new(number.negative, kept, cut, width).first_bits(count);
    Some(Cutting {
        kept,
        unit,
        guard: guard == 1,
        sticky: rest != 0,
        rest: (rest, width - 1),
        up: stages.rounded(number, random).significand != kept,
        drawn: (count > 0).then_some(Drawn { bits, count, first }),
    })
}

impl From<Datum> for ExactValue {
    fn from(datum: Datum) -> ExactValue {
        match datum {
            Datum::Nan(_) => ExactValue::Nan,
            Datum::Infinity(negative) => ExactValue::Infinity(negative),
            Datum::Finite(Number { negative, significand: 0, .. }) => {
                ExactValue::Finite { negative, significand: 0, exponent: 0 }
            }
            Datum::Finite(Number { negative, significand, exponent }) => {
                let zeros = significand.trailing_zeros();
                let (significand, exponent) = (significand >> zeros, exponent + zeros as i32);
                ExactValue::Finite { negative, significand, exponent }
            }
        }
    }
}
