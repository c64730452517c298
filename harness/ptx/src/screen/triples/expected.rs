//! The expected results of a fused multiply-add in half precision, computed by way of f32.

use formats::Format;
use isa::{Clamp, Meaning};

use crate::builder::Body;
use crate::syntax::{B16, B32, F32, Opcode, Operand, PRED, Relation, U16, U32, hex};

/// The rules by which results are expected: the format, and how inputs and results are changed.
pub struct Expectation {
    format: &'static Format,
    flush_inputs: bool,
    flush_result: bool,
    clamp: Clamp,
    out_of_bounds: bool,
}

/// Returns the register with a pair's result, which is zero above its lowest 16 bits.
pub fn result(pair: usize) -> String {
    format!("%result{pair}")
}

/// Declares the registers that `pairs` pairs of factors need.
pub fn declare(body: &mut Body, pairs: usize) {
    body.declare(F32, [("%product", pairs)]);
    body.declare(F32, ["%number", "%other", "%down", "%up"]);
    body.declare(B32, [("%result", pairs), ("%kept", pairs)]);
    body.declare(B32, ["%bits"]);
    body.declare(B16, ["%half"]);
    body.declare(PRED, ["%odd"]);
}

impl Expectation {
    /// Returns the expectation for what a variant means, in a format.
    pub fn of(meaning: &Meaning, format: &'static Format) -> Expectation {
        Expectation {
            format,
            flush_inputs: meaning.flush.inputs[0],
            flush_result: meaning.flush.result,
            clamp: meaning.clamp,
            out_of_bounds: meaning.out_of_bounds,
        }
    }

    /// Whether products leave the range of f32: then all numbers are made a quarter as large. A product that is even so
    /// above the range is infinite with any addend. One below the range is less than any bit that counts, so that the
    /// odd bit stands for it.
    fn is_wide(&self) -> bool {
        *self.format == formats::BF16
    }

    /// Computes `%product` of a pair from the data in `%high` and `%low`, which it changes.
    pub fn product(&self, body: &mut Body, pair: usize) {
        if self.out_of_bounds {
            let kept = format!("%kept{pair}");
            body.mov(U32, kept.as_str(), hex(self.format.mask()));
            for datum in ["%high", "%low"] {
                // The out-of-bounds NaN, of either sign.
                body.and(B32, "%bits", datum, hex(self.format.magnitude_mask()));
                body.setp(Relation::Equal, U32, "%odd", "%bits", hex(0x7ff7));
                body.selp(B32, &kept, 0, kept.as_str(), "%odd");
            }
        }
        self.number(body, "%high", "%number");
        self.number(body, "%low", "%other");
        if self.is_wide() {
            float(body, "mul.rn.f32", ["%number"; 2], Operand::Single(0.25f32.to_bits()));
        }
        to_odd(body, "mul", ["%number", "%other"], &format!("%product{pair}"));
    }

    /// Computes `%number` from the addend in `%c`.
    pub fn addend(&self, body: &mut Body) {
        body.mov(U32, "%due", "%c");
        self.number(body, "%due", "%number");
        if self.is_wide() {
            float(body, "mul.rn.f32", ["%number"; 2], Operand::Single(0.25f32.to_bits()));
        }
    }

    /// Computes the result of a pair from its product and `%number`.
    pub fn result(&self, body: &mut Body, pair: usize) {
        to_odd(body, "add", [&format!("%product{pair}"), "%number"], "%other");
        if self.is_wide() {
            float(body, "mul.rn.f32", ["%other"; 2], Operand::Single(4f32.to_bits()));
        }
        let zero = || Operand::Single(0);
        match self.clamp {
            Clamp::None => {}
            // `.relu` keeps a NaN. `.sat` makes it zero, as `max` without `.NaN` does.
            Clamp::Positive => float(body, "max.NaN.f32", ["%other"; 2], zero()),
            Clamp::Unit => {
                float(body, "max.f32", ["%other"; 2], zero());
                float(body, "min.f32", ["%other"; 2], Operand::Single(1f32.to_bits()));
            }
        }
        let result = result(pair);
        let convert = format!("cvt.rn.{}.f32", self.format.name);
        add_instruction(body, &convert, ["%half".into(), "%other".into()]);
        body.cvt(U32, U16, &result, "%half");
        if self.flush_result {
            // A result is flushed if it is tiny before it is rounded.
            body.and(B32, "%bits", "%other", hex(0x7fff_ffff));
            // The smallest normal number of the format, as the bits of an f32.
            let least = i64::from(self.format.exponent_min() + 127) << 23;
            body.setp(Relation::Less, U32, "%odd", "%bits", hex(least as u64));
            body.and(B32, "%bits", result.as_str(), hex(self.format.sign_mask()));
            body.selp(B32, &result, "%bits", result.as_str(), "%odd");
        }
        if self.out_of_bounds {
            body.and(B32, &result, result.as_str(), format!("%kept{pair}").as_str());
        }
    }

    /// Converts a datum to f32, flushed first where the variant flushes inputs.
    fn number(&self, body: &mut Body, datum: &str, into: &str) {
        if self.flush_inputs {
            // Zeros have this exponent too, and are what they were afterwards.
            body.and(B32, "%bits", datum, hex(self.format.exponent_mask()));
            body.setp(Relation::Equal, U32, "%odd", "%bits", 0);
            body.and(B32, "%bits", datum, hex(self.format.sign_mask()));
            body.selp(B32, datum, "%bits", datum, "%odd");
        }
        if self.is_wide() {
            // A bf16 is the upper half of an f32.
            body.shl(B32, "%bits", datum, 16);
            body.mov(B32, into, "%bits");
        } else {
            body.cvt(U16, U32, "%half", datum);
            add_instruction(body, "cvt.f32.f16", [into.into(), "%half".into()]);
        }
    }
}

/// Computes an operation of f32, rounded to odd: of the neighbours below and above, the one whose last bit is set.
/// Where both are the same number, or zeros, that is the result as it is rounded to nearest.
fn to_odd(body: &mut Body, operation: &str, [a, b]: [&str; 2], into: &str) {
    float(body, &format!("{operation}.rm.f32"), ["%down", a], b.into());
    float(body, &format!("{operation}.rp.f32"), ["%up", a], b.into());
    body.and(B32, "%bits", "%down", 1);
    body.setp(Relation::NotEqual, U32, "%odd", "%bits", 0);
    body.selp(B32, into, "%down", "%up", "%odd");
}

/// Adds an instruction of f32 with two sources.
fn float(body: &mut Body, spelling: &str, [d, a]: [&str; 2], b: Operand) {
    add_instruction(body, spelling, [d.into(), a.into(), b]);
}

/// Adds an instruction of the table that is not under test here.
fn add_instruction<const N: usize>(body: &mut Body, spelling: &str, operands: [Operand; N]) {
    body.op(Opcode::Tested(spelling.into()), operands);
}
