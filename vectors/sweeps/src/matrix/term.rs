//! Terms made to measure: a product of two significands at an exponent, in factors that their formats have.
//!
//! A *place* is the number of a term, or one more than the last term's for the addend. The *exponent* of a product is
//! the sum of its factors' exponents and of its scales', as in [`Unit`](isa::matrix::Unit): the exponent of
//! `1.1 × 1.1` is 0, though its leading bit stands at 1.

use formats::{Format, Scale};

use super::Maker;
use crate::{CounterRng, ExactNumber, bit_length};

/// The exponents that a number with some significand may have in a format.
#[derive(Clone, Copy, Debug)]
pub struct ExponentRange {
    /// The lowest exponent, subnormal numbers included.
    pub low: i32,
    /// The lowest exponent of a normal number.
    pub normal: i32,
    /// The highest exponent.
    pub high: i32,
}

impl ExponentRange {
    /// Returns the exponents of a significand in a format. Only the bits count that the format's precision holds;
    /// leading and trailing zeros of the significand do not.
    pub fn of(format: &Format, significand: u128) -> ExponentRange {
        let precision = format.precision() as i32;
        let odd = significand >> significand.trailing_zeros();
        let digits = bit_length(odd);
        let (largest, _) = format.decode(format.max_finite()).expect("the largest number is one");
        let aligned =
            if digits > precision { odd >> (digits - precision) } else { odd << (precision - digits) };
        ExponentRange {
            low: format.exponent_of_lsb() + digits.min(precision) - 1,
            normal: format.exponent_min(),
            // Where NaN takes a part of the largest binade, a long significand does not fit into it.
            high: format.exponent_max() - i32::from(aligned > u128::from(largest)),
        }
    }
}

/// Returns the datum with this sign and significand whose leading bit is at `exponent`, truncated to the format.
pub fn number(format: &Format, negative: bool, significand: u128, exponent: i32) -> u64 {
    ExactNumber::new(negative, significand, exponent - bit_length(significand) + 1).truncate(format)
}

/// Draws a number of either sign, from 1/4 to almost 8 if the format has it.
pub fn ordinary(format: &Format, draws: &mut CounterRng) -> u64 {
    let negative = draws.flag();
    let significand = draws.significand(format.precision() as i32).into();
    let ExponentRange { normal, high, .. } = ExponentRange::of(format, significand);
    let exponent = draws.common(&[(normal, high), (-2, 2)]);
    number(format, negative, significand, exponent)
}

/// Returns the exponents that a scale may have as a power of two, without and with subnormal numbers.
fn powers(format: &Format) -> [(i32, i32); 2] {
    let ExponentRange { low, normal, high } = ExponentRange::of(format, 1);
    match format.scale {
        Scale::Power => [(normal, high); 2],
        _ => [(normal, high), (low, high)],
    }
}

impl Maker {
    /// Returns how many places there are, the addend's included.
    pub fn places(&self) -> usize {
        self.terms() + 1
    }

    /// Draws an index below `n`.
    pub fn pick(&mut self, n: usize) -> usize {
        self.draws.below(n as i32) as usize
    }

    /// Returns the precisions of A and B.
    pub fn precisions(&self) -> [i32; 2] {
        [self.dot.a, self.dot.b].map(|format| format.precision() as i32)
    }

    /// Returns the precision of the addend.
    pub fn addend_precision(&self) -> i32 {
        self.dot.c.precision() as i32
    }

    /// Returns the largest exponent that both addend and result have.
    pub fn top(&self) -> i32 {
        self.narrower().exponent_max()
    }

    /// Returns the format that overflows first, of the addend's and the result's.
    pub fn narrower(&self) -> &'static Format {
        let (c, d) = (self.dot.c, self.dot.d);
        if c.exponent_max() < d.exponent_max() { c } else { d }
    }

    /// Returns by how many bits the result is more precise than f32.
    pub fn further(&self) -> i32 {
        (self.dot.d.precision() as i32 - 24).max(0)
    }

    /// Whether units may add in fewer bits than f32 has: they may where operands have 8 bits or fewer and no scales.
    pub fn may_be_short(&self) -> bool {
        self.dot.scales.is_none() && self.dot.a.width().min(self.dot.b.width()) <= 8
    }

    /// Returns the largest distance that sweeps move terms apart: beyond what the widest unit keeps.
    pub fn widest(&self) -> i32 {
        // Units that give f16 keep at most 25 bits, and others at most 35.
        match self.dot.d.precision() {
            11 => 30,
            _ => 40 + self.further(),
        }
    }

    /// Draws a significand for A and one for B: both 1, all ones, or patterned, the latter two of full precision.
    pub fn pattern(&mut self) -> (u64, u64) {
        let [a, b] = self.precisions();
        match self.draws.below(3) {
            0 => (1, 1),
            1 => ((1 << a) - 1, (1 << b) - 1),
            _ => (self.draws.significand(a), self.draws.significand(b)),
        }
    }

    /// Draws two significands whose product the addend can hold.
    pub fn short(&mut self) -> (u64, u64) {
        let ([a, b], c) = (self.precisions(), self.addend_precision());
        let first = self.draws.between(1, a.min(c - 1));
        let second = self.draws.between(1, b.min(c - first));
        (self.draws.significand(first), self.draws.significand(second))
    }

    /// Returns the block of a term, where there are scales.
    pub fn block(&self, term: usize) -> usize {
        term * self.scales[0].len() / self.terms()
    }

    /// Returns the exponent of the scales that a term has; 0 without scales.
    pub fn shift(&self, term: usize) -> i32 {
        let Some(scales) = self.dot.scales else { return 0 };
        let leading = |bits: u64| {
            let (significand, exponent) = scales.format.decode(bits).unwrap_or((1, 0));
            exponent + bit_length(significand.max(1).into()) - 1
        };
        let block = self.block(term);
        leading(self.scales[0][block]) + leading(self.scales[1][block])
    }

    /// Gives a block two powers of two as scales, whose product is `2^exponent`, or as near as it can be.
    pub fn scale(&mut self, block: usize, exponent: i32) {
        let Some(scales) = self.dot.scales else { return };
        let [normal, all] = powers(scales.format);
        // Subnormal scales are taken only for exponents that normal ones do not reach.
        let (low, high) = if exponent < 2 * normal.0 { all } else { normal };
        let exponent = exponent.clamp(2 * low, 2 * high);
        let first = self.draws.common(&[(low, high), (exponent - high, exponent - low)]);
        for (side, power) in [first, exponent - first].into_iter().enumerate() {
            self.scales[side][block] = ExactNumber::power(false, power).truncate(scales.format);
        }
    }

    /// Returns the lowest and the highest exponent that the scales of a block have together as normal powers of two;
    /// both are 0 without scales.
    pub fn scale_span(&self) -> (i32, i32) {
        let Some(scales) = self.dot.scales else { return (0, 0) };
        let [(low, high), _] = powers(scales.format);
        (2 * low, 2 * high)
    }

    /// Gives the block of a term scales that let a product of these significands have an exponent, its factors normal
    /// if possible.
    pub fn scale_to(&mut self, term: usize, a: u64, b: u64, exponent: i32) {
        if self.dot.scales.is_none() {
            return;
        }
        let (low, high) = self.reach(term, a, b);
        // Without the scales that the block has had.
        let factors = exponent + self.shift(term);
        let span = self.scale_span();
        let scales = self.draws.common(&[span, (factors - high, factors - low)]);
        self.scale(self.block(term), scales);
    }

    /// Gives all blocks scales of this exponent.
    pub fn scale_all(&mut self, exponent: i32) {
        (0..self.scales[0].len()).for_each(|block| self.scale(block, exponent));
    }

    /// Draws scales that leave the blocks of some places `distance` above the others.
    pub fn separate(&mut self, places: &[usize], distance: i32) {
        if self.dot.scales.is_none() {
            return;
        }
        let base = self.draws.between(-4, 4);
        for block in 0..self.scales[0].len() {
            let kept = places.iter().any(|&at| at < self.terms() && self.block(at) == block);
            self.scale(block, if kept { base } else { base - distance });
        }
    }

    /// Returns the lowest and the highest exponent that a product of these significands may have at a place, its
    /// factors normal.
    pub fn reach(&self, place: usize, a: u64, b: u64) -> (i32, i32) {
        if place == self.terms() {
            let (product, carry) = product(a, b);
            let ExponentRange { normal, high, .. } = ExponentRange::of(self.dot.c, product);
            return (normal - carry, high - carry);
        }
        let (a, b) = (ExponentRange::of(self.dot.a, a.into()), ExponentRange::of(self.dot.b, b.into()));
        let shift = self.shift(place);
        (a.normal + b.normal + shift, a.high + b.high + shift)
    }

    /// Puts two terms that cancel into two places, `depth` above the lowest exponent of other terms, if possible;
    /// returns their exponent.
    pub fn cancelling(&mut self, [i, j]: [usize; 2], depth: i32) -> i32 {
        self.separate(&[i, j], depth);
        let (a, b) = self.short();
        let exponent = self.level(&[i, j], a, b, depth);
        let negative = self.draws.flag();
        self.put(i, a, b, exponent, negative);
        self.put(j, a, b, exponent, !negative);
        exponent
    }

    /// Draws an exponent that products of these significands can have at all of some places. It is at most two below
    /// the largest exponent of the sum, and `depth` above the lowest exponent of other terms, if possible.
    pub fn level(&mut self, places: &[usize], a: u64, b: u64, depth: i32) -> i32 {
        let top = self.top() - 2;
        let mut range = (i32::MIN, top);
        for &place in places {
            let (low, high) = self.reach(place, a, b);
            range = (range.0.max(low), range.1.min(high));
        }
        // The shift is that of the same block, where there are scales: other blocks may be lower.
        let shift = places.iter().map(|&place| self.shift(place % self.terms())).max().unwrap_or(0);
        let normal = self.dot.a.exponent_min() + self.dot.b.exponent_min() + shift;
        let unit = self.dot.d.exponent_of_lsb().max(self.dot.c.exponent_of_lsb());
        let lowest = normal.max(unit) + depth;
        self.draws.common(&[range, (lowest, top)])
    }

    /// Puts a product as [`put`](Self::put) does where the exponent can be had; else does nothing, unless the
    /// `nearest` exponent will do.
    pub fn put_low(
        &mut self,
        place: usize,
        a: u64,
        b: u64,
        exponent: i32,
        negative: bool,
        nearest: bool,
    ) {
        let lowest = match place < self.terms() {
            true => {
                ExponentRange::of(self.dot.a, a.into()).low
                    + ExponentRange::of(self.dot.b, b.into()).low
                    + self.shift(place)
            }
            false => i32::MIN,
        };
        if nearest || exponent >= lowest {
            self.put(place, a, b, exponent, negative);
        }
    }

    /// Puts a product of these significands, of at most their formats' precisions, at a place. Its exponent is the
    /// nearest that can be had, and is returned. An addend counters what becomes of the products' signs. A subnormal
    /// addend lacks the bits that it has no room for.
    pub fn put(&mut self, place: usize, a: u64, b: u64, exponent: i32, negative: bool) -> i32 {
        if place == self.terms() {
            let (product, carry) = product(a, b);
            let ExponentRange { high, .. } = ExponentRange::of(self.dot.c, product);
            let leading = (exponent + carry).clamp(self.dot.c.exponent_of_lsb(), high);
            let negative = negative ^ self.controls.negate_a ^ self.controls.negate_b;
            self.c = number(self.dot.c, negative, product, leading);
            return leading - carry;
        }
        let shift = self.shift(place);
        let spans = [ExponentRange::of(self.dot.a, a.into()), ExponentRange::of(self.dot.b, b.into())];
        // Subnormal factors are taken only for exponents that normal ones do not reach.
        let normal = exponent - shift >= spans[0].normal + spans[1].normal;
        let [low, other] = spans.map(|span| if normal { span.normal } else { span.low });
        let [high, top] = spans.map(|span| span.high);
        let exponent = (exponent - shift).clamp(low + other, high + top);
        let first = self.draws.common(&[(low, high), (exponent - top, exponent - other)]);
        let flip = self.draws.flag();
        self.a[place] = number(self.dot.a, flip, a.into(), first);
        self.b[place] = number(self.dot.b, flip != negative, b.into(), exponent - first);
        exponent + shift
    }
}

/// Returns the product of two significands, and by how much its leading bit is above the sum of theirs.
fn product(a: u64, b: u64) -> (u128, i32) {
    let product = u128::from(a) * u128::from(b);
    (product, bit_length(product) - bit_length(a.into()) - bit_length(b.into()) + 1)
}
