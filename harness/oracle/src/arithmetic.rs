//! Operations with one exact value, which is rounded once: arithmetic and conversions.

use std::cmp::Ordering;

use formats::{Class, Format};
use isa::limits::OUTPUTS_MAX;
use isa::{NanRule, Op, Relaxation, Rounding, Variant};
use judge::{Accepted, Alternative, FIRST, Interpretation, OpenPoints};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use super::algorithm::{Algorithm, operate, power};
use super::engine::{Elements, alternatives};
use super::finish::{Finish, OutOfBounds};
use super::fixed::{Alignment, Fixed, GuardBits, random_field};
use super::operand::{Operand, flush, formats};
use super::rounded::{Rounded, Rounder};

/// Arithmetic of one variant: everything that computing its results takes, made once.
pub struct Arithmetic {
    op: Op,
    rounding: Rounding,
    arity: usize,
    formats: [&'static Format; 3],
    result: &'static Format,
    lanes: usize,
    /// Whether each input is flushed.
    flushed: [bool; 3],
    /// Whether `.satfinite` applies: a conversion is then beyond the largest number if its input is.
    satfinite: bool,
    /// The bits of a result that is not a number.
    nan: u64,
    algorithm: Algorithm,
    operands: [Operand; 3],
    scratch: Float,
    rounder: Rounder,
    finish: Finish,
    /// The open points that the variant declares, and whether any of them depends on inputs alone.
    declared: OpenPoints,
    inputs_matter: bool,
}

/// The findings about one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementResult {
    /// The result, under the first interpretation of every open point.
    pub result: u64,
    /// The result before modifiers.
    pub rounded: Rounded,
    /// The open points that matter to this element.
    pub open: OpenPoints,
}

/// The open points that [`Arithmetic::round`] reads; all others are read by [`Finish`].
const BEFORE_ROUNDING: [Relaxation; 12] = [
    Relaxation::FtzIgnored,
    Relaxation::VectorFlush,
    Relaxation::FlushSign,
    Relaxation::TruncatedNan,
    Relaxation::RandomLayout,
    Relaxation::RandomAlignment,
    Relaxation::FactorConversion,
    Relaxation::ScaleSaturation,
    Relaxation::UnsignedNegative,
    Relaxation::AbsentNumber,
    Relaxation::CastNan,
    Relaxation::FixedMinimum,
];

/// Whether the results of other interpretations depend on more than the first interpretation's [`ElementResult`].
pub fn looks_at_inputs(open: OpenPoints) -> bool {
    BEFORE_ROUNDING.into_iter().any(|point| open.contains(point))
}

impl Arithmetic {
    /// Makes the arithmetic of a variant with one result.
    pub fn new(variant: &Variant) -> Arithmetic {
        let formats = formats(variant);
        let result = variant.outputs()[0].format;
        let arity = variant.inputs().len();
        let used = &formats[..arity];
        let precision = used.iter().map(|f| f.precision()).max().unwrap_or(1).max(result.precision());
        let meaning = variant.meaning();
        let rounding = meaning.rounding;
        let nan = match meaning.nan {
            NanRule::Bits(bits) => bits,
            NanRule::Canonical | NanRule::Operand => result.canonical_nan(),
            NanRule::Unchanged | NanRule::Canonical64(_) => unreachable!("of what rounds nothing here"),
        };
        let declared = OpenPoints::declared(variant);
        let mut operands = [(); 3].map(|()| Operand::new(precision));
        if meaning.op == Op::Rcp {
            operands[1].set(result, result.one());
        }
        Arithmetic {
            op: meaning.op,
            rounding,
            arity,
            formats,
            result,
            lanes: variant.lanes(),
            flushed: meaning.flush.inputs,
            satfinite: meaning.satfinite,
            nan,
            algorithm: Algorithm::of(meaning),
            operands,
            scratch: Float::new(64),
            rounder: Rounder::new(result, rounding, nan),
            finish: Finish::of(variant),
            declared,
            inputs_matter: looks_at_inputs(declared),
        }
    }

    /// Computes the result of one element of a batch, and adds what else is right to `alternatives`.
    #[inline]
    pub fn element(
        &mut self,
        bits: [u64; 3],
        element: usize,
        alternatives: &mut Vec<Alternative>,
    ) -> ElementResult {
        let rounded = self.round(bits, element, FIRST);
        let out_of_bounds = self.finish.find_out_of_bounds(bits);
        let mut open = self.finish.open(rounded, out_of_bounds);
        if self.inputs_matter {
            self.open_inputs(bits, rounded, &mut open);
        }
        let mut open = open.and(self.declared);
        if !open.is_empty() {
            open = self.closed(bits, element, out_of_bounds, open);
            for interpretation in open.interpretations() {
                let again = BEFORE_ROUNDING.iter().any(|&point| interpretation[point as usize] != 0);
                let rounded =
                    if again { self.round_otherwise(bits, element, interpretation) } else { rounded };
                let bits = self.finish.finish(rounded, out_of_bounds, interpretation);
                alternatives.push(Alternative { element, bits, interpretation, open });
            }
        }
        let result = self.finish.finish(rounded, out_of_bounds, FIRST);
        ElementResult { result, rounded, open }
    }

    /// Returns the open points given, and those that arise only where one of them is read otherwise. An example: it
    /// is open whether −0 stays where an input that becomes −0 may be flushed or not.
    fn closed(
        &mut self,
        bits: [u64; 3],
        element: usize,
        out_of_bounds: OutOfBounds,
        mut open: OpenPoints,
    ) -> OpenPoints {
        if !looks_at_inputs(open) {
            return open;
        }
        loop {
            let mut more = open;
            for interpretation in open.interpretations() {
                let rounded = self.round_otherwise(bits, element, interpretation);
                more = more.union(self.finish.open(rounded, out_of_bounds).and(self.declared));
            }
            if more == open {
                return open;
            }
            open = more;
        }
    }

    /// Adds the open points that depend on the inputs, and on what they give under the first interpretation.
    fn open_inputs(&self, bits: [u64; 3], rounded: Rounded, open: &mut OpenPoints) {
        let class = self.formats[0].class(bits[0]);
        let (subnormal, nan) = (class == Class::Subnormal, class == Class::Nan);
        let absent = class == Class::Zero || self.formats[0].is_negative(bits[0]) && !nan;
        let points = [
            (Relaxation::FtzIgnored, self.any_subnormal(bits)),
            (Relaxation::VectorFlush, rounded.tiny_exact || self.any_subnormal(bits)),
            (Relaxation::FlushSign, subnormal && self.formats[0].is_negative(bits[0])),
            (Relaxation::TruncatedNan, nan),
            (Relaxation::CastNan, nan),
            (Relaxation::AbsentNumber, absent),
            (Relaxation::RandomLayout, true),
            (Relaxation::RandomAlignment, rounded.tiny_exact),
            (Relaxation::FactorConversion, true),
            (Relaxation::ScaleSaturation, rounded.overflowed),
            (Relaxation::UnsignedNegative, self.is_unsigned_open(bits[0], rounded)),
        ];
        let arise =
            points.into_iter().filter(|(point, arises)| *arises && self.declared.contains(*point));
        arise.for_each(|(point, _)| open.insert(point));
    }

    /// Whether any input is subnormal.
    fn any_subnormal(&self, bits: [u64; 3]) -> bool {
        let mut inputs = self.formats.into_iter().zip(bits).take(self.arity);
        inputs.any(|(format, bits)| format.class(bits) == Class::Subnormal)
    }

    /// Whether it is open what the first input gives because it is negative. It is not open beyond the largest number
    /// with `.satfinite`: magnitudes beyond that give "a positive MAX_NORM". Nor is it open where the result is not a
    /// number, by its scale: NaN has no sign.
    fn is_unsigned_open(&self, bits: u64, rounded: Rounded) -> bool {
        let decided = rounded.nan || self.satfinite && (rounded.beyond || rounded.overflowed);
        self.formats[0].is_negative(bits) && !self.formats[0].is_nan(bits) && !decided
    }

    /// Computes as [`Arithmetic::round`] does, under another interpretation than the first.
    #[inline(never)]
    fn round_otherwise(
        &mut self,
        bits: [u64; 3],
        element: usize,
        interpretation: Interpretation,
    ) -> Rounded {
        self.round(bits, element, interpretation)
    }

    /// Computes the exact result, rounded once, under an interpretation of what concerns the inputs.
    #[inline(always)] // so that the first interpretation, which nearly all elements have alone, costs nothing
    fn round(&mut self, mut bits: [u64; 3], element: usize, interpretation: Interpretation) -> Rounded {
        let read = |relaxation: Relaxation| interpretation[relaxation as usize];
        for ((bits, format), flushed) in bits.iter_mut().zip(self.formats).zip(self.flushed) {
            if flushed && read(Relaxation::FtzIgnored) == 0 && read(Relaxation::VectorFlush) == 0 {
                *bits = flush(format, *bits);
            }
        }
        if read(Relaxation::FlushSign) == 1 {
            // The sign of zero is open for negative numbers that were just flushed.
            bits[0] &= self.formats[0].magnitude_mask();
        }
        if read(Relaxation::TruncatedNan) == 1 {
            // Integer code cuts the low bits off whatever is not finite.
            let cut = self.formats[0].trailing_bits - self.result.trailing_bits;
            return Rounded::exact(bits[0] >> cut);
        }
        match read(Relaxation::CastNan) {
            0 => {}
            1 => return Rounded::exact(0),
            _ => return Rounded::exact(self.result.sign_mask()),
        }
        if read(Relaxation::AbsentNumber) == 1 {
            return Rounded::nan(self.nan);
        }
        if !self.result.signed && !self.result.is_fixed() {
            match read(Relaxation::UnsignedNegative) {
                // Integers are rounded to nearest alone, which is the same for both signs.
                0 if !self.formats[0].is_fixed() => bits[0] &= self.formats[0].magnitude_mask(),
                1 => return Rounded::exact(0),
                // Its sign tells which way is up, and the result has none.
                _ => {}
            }
        }
        let inputs = self.formats.into_iter().zip(bits).take(self.arity);
        for (operand, (format, bits)) in self.operands.iter_mut().zip(inputs) {
            operand.set(format, bits);
        }
        let Arithmetic { op, operands, scratch, rounder, .. } = self;
        match self.algorithm {
            Algorithm::Rounded => rounder.round(|result, round| operate(*op, result, operands, round)),
            Algorithm::ConvertedFactor(factor) => {
                if read(Relaxation::FactorConversion) == 0 {
                    let value = operands[factor].get();
                    let converted = rounder.round(|result, round| result.assign_round(&*value, round));
                    operands[factor].set(self.result, converted.bits);
                }
                rounder.round(|result, round| operate(*op, result, operands, round))
            }
            Algorithm::Scaled(scaling) => {
                if self.formats[1].is_nan(bits[1]) {
                    return Rounded::nan(self.nan);
                }
                let saturates = read(Relaxation::ScaleSaturation) == 1;
                if saturates && self.formats[0].class(bits[0]) == Class::Infinity {
                    let sign =
                        if self.formats[0].is_negative(bits[0]) { self.result.sign_mask() } else { 0 };
                    operands[0].set(self.result, sign | self.result.max_finite());
                }
                let (value, power) = (operands[0].get(), power(scaling, bits[1]));
                rounder.round(|result, round| result.assign_round(&*value << power, round))
            }
            Algorithm::NearestAway => {
                GuardBits::half().round(scratch, self.result, self.nan, &operands[0])
            }
            Algorithm::Stochastic(random) => {
                let reversed = read(Relaxation::RandomLayout) == 0;
                let added = random_field(random, element % self.lanes, bits[1], reversed);
                let alignment = match read(Relaxation::RandomAlignment) {
                    0 => Alignment::Highest,
                    1 => Alignment::Lowest(self.formats[0]),
                    _ => Alignment::AsOfNormal(self.formats[0]),
                };
                let guard = GuardBits { count: random.count, added, alignment };
                guard.round(scratch, self.result, self.nan, &operands[0])
            }
            Algorithm::Fixed(scaling) => {
                if scaling.is_some() && self.formats[1].is_nan(bits[1]) {
                    return Rounded::exact(self.nan);
                }
                let power = scaling.map_or(0, |scaling| power(scaling, bits[1]));
                let fixed = Fixed { result: self.result, nan: self.nan };
                let to_minimum = read(Relaxation::FixedMinimum) == 1;
                fixed.round(scratch, &operands[0], power, self.rounding, to_minimum)
            }
            Algorithm::Integral => {
                let (value, rounding) = (operands[0].get(), self.rounding);
                let rounded = rounder.round(|result, _| {
                    result.assign_round(&*value, Round::Zero);
                    super::fixed::to_integer(result, rounding);
                    Ordering::Equal
                });
                Rounded { zero: value.is_zero(), ..rounded }
            }
        }
    }
}

impl Elements for Arithmetic {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        [output, _]: [&mut [u64]; OUTPUTS_MAX],
        first: usize,
        accepted: &mut Accepted,
    ) {
        let alternatives = alternatives(accepted);
        for (at, output) in output.iter_mut().enumerate() {
            *output = self.element(inputs.map(|input| input[at]), first + at, alternatives).result;
        }
    }
}
