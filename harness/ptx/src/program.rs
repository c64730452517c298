//! Writes the emulator's kernels as integer PTX: code that judges results on a device must not use the unit that is
//! under test there.

use emulator::{Binary as Two, Trace, TraceStep, Unary as One};

use crate::builder::Body;
use crate::syntax::{B32, Binary, PRED, Relation, Scalar, U32, U64, Unary, hex};

/// Returns a trace as PTX, and the name of the register with its result. It reads the registers `%input0`, `%input1`
/// …; all of them are of the trace's width.
///
/// The body declares its own registers; put it in braces where it stands beside another. Its instructions are those
/// of PTX ISA 9.4, 9.7.1 and 9.7.9, all of them of integers.
pub fn program(trace: &Trace) -> (Body, String) {
    let mut words = WordWriter { bits: trace.bits, body: Body::default() };
    words.body.declare(words.untyped(), [("%w", trace.steps.len())]);
    words.body.declare(B32, ["%count"]);
    words.body.declare(PRED, ["%holds"]);
    let name = |number: u32| format!("%w{number}");
    for (number, step) in trace.steps.iter().enumerate() {
        let d = format!("%w{number}");
        match *step {
            TraceStep::Input(input) => {
                words.body.mov(words.untyped(), d.as_str(), &format!("%input{input}"));
            }
            TraceStep::Constant(constant) => words.body.mov(words.untyped(), d.as_str(), hex(constant)),
            TraceStep::Unary(unary, word) => words.unary(unary, &d, &name(word)),
            TraceStep::Binary(binary, one, other) => words.binary(binary, &d, &name(one), &name(other)),
        }
    }
    (words.body, name(trace.result))
}

/// A writer of instructions on words of one width.
struct WordWriter {
    bits: u32,
    body: Body,
}

impl WordWriter {
    fn untyped(&self) -> Scalar {
        Scalar::Bits(self.bits)
    }

    fn unsigned(&self) -> Scalar {
        Scalar::Unsigned(self.bits)
    }

    fn signed(&self) -> Scalar {
        Scalar::Signed(self.bits)
    }

    fn unary(&mut self, unary: One, d: &str, a: &str) {
        match unary {
            One::Not => self.body.unary(Unary::Not, self.untyped(), d, a),
            One::Abs => self.body.unary(Unary::Abs, self.signed(), d, a),
            One::LeadingZeros if self.bits == 32 => {
                self.body.unary(Unary::CountLeadingZeros, self.untyped(), d, a);
            }
            // A count has 32 bits, whatever the width of the counted word.
            One::LeadingZeros => {
                self.body.unary(Unary::CountLeadingZeros, self.untyped(), "%count", a);
                self.body.cvt(U64, U32, d, "%count");
            }
        }
    }

    fn binary(&mut self, binary: Two, d: &str, a: &str, b: &str) {
        let (untyped, unsigned, signed) = (self.untyped(), self.unsigned(), self.signed());
        let (plain, ty) = match binary {
            Two::Add => (Binary::Add, unsigned),
            Two::Sub => (Binary::Sub, unsigned),
            Two::Mul => (Binary::MulLow, unsigned),
            Two::And => (Binary::And, untyped),
            Two::Or => (Binary::Or, untyped),
            Two::Xor => (Binary::Xor, untyped),
            Two::Min => (Binary::Min, unsigned),
            Two::Max => (Binary::Max, unsigned),
            Two::MaxSigned => (Binary::Max, signed),
            Two::Shl => return self.shift(Binary::ShiftLeft, untyped, d, a, b),
            Two::Shr => return self.shift(Binary::ShiftRight, unsigned, d, a, b),
            Two::ShrSigned => return self.shift(Binary::ShiftRight, signed, d, a, b),
            Two::Equals => return self.mask(Relation::Equal, d, a, b),
            Two::Exceeds => return self.mask(Relation::Greater, d, a, b),
            Two::Quotient => {
                self.body.binary(Binary::Div, unsigned, d, a, b);
                // "Division by zero yields an unspecified, machine-specific value."
                self.body.setp(Relation::Equal, unsigned, "%holds", b, 0);
                return self.body.selp(untyped, d, 0, d, "%holds");
            }
        };
        self.body.binary(plain, ty, d, a, b);
    }

    /// Sets `d` to all ones where a relation holds, otherwise to 0.
    fn mask(&mut self, relation: Relation, d: &str, a: &str, b: &str) {
        let ones = u64::MAX >> (64 - self.bits);
        self.body.setp(relation, self.unsigned(), "%holds", a, b);
        self.body.selp(self.untyped(), d, hex(ones), 0, "%holds");
    }

    /// Adds a shift. "Shift amounts greater than the register width N are clamped to N", and have 32 bits.
    fn shift(&mut self, binary: Binary, ty: Scalar, d: &str, a: &str, b: &str) {
        if self.bits == 32 {
            return self.body.binary(binary, ty, d, a, b);
        }
        // The conversion would cut the upper bits of a large amount off, so that is clamped before.
        self.body.min(U64, d, b, 64);
        self.body.cvt(U32, U64, "%count", d);
        self.body.binary(binary, ty, d, a, "%count");
    }
}
