//! Digests of columns, as the judging kernel computes them on the device.

use formats::digests::{CHUNK, COLUMN};
use isa::{Register, Variant};

use super::{SUMS, word};
use crate::builder::Body;
use crate::syntax::{
    B32, B64, Immediate, Integer, Notation, Opcode, Operand, PRED, Relation, ShuffleMode, U32, U64, hex,
};

/// The registers with the [`SUMS`], in order.
pub const SUM_NAMES: [&str; SUMS] = ["%inputs", "%results", "%differing"];

/// A column as the kernel digests it: bytes in a row, the word of the row, and the sum that it adds to.
struct Digested {
    bytes: usize,
    word: String,
    /// Number of the column among the operands or the results.
    number: u64,
    sum: &'static str,
}

/// The columns that a kernel digests, and the words it needs.
pub struct Columns {
    each: Vec<Digested>,
    words: Vec<String>,
}

impl Columns {
    /// Returns the columns of a variant's operands and results.
    pub fn of(variant: &Variant) -> Columns {
        let digested = |registers: &[Register], kind: &str, sum| {
            let one = |(number, register): (usize, &Register)| Digested {
                bytes: register.ty.row_bytes(),
                word: word(kind, register),
                number: number as u64,
                sum,
            };
            registers.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let mut each = digested(variant.operands(), "in", "%inputs");
        each.extend(digested(variant.results(), "out", "%results"));
        let words = variant.results().iter().map(|register| word("due", register));
        let words = words.chain(each.iter().map(|column| column.word.clone())).collect();
        Columns { each, words }
    }

    /// Declares the registers that the kernel and its columns compute with, and sets the sums to 0.
    pub fn declare(&self, body: &mut Body) {
        let count = self.each.len();
        body.declare(B32, ["%left", "%low", "%high"]);
        let plain = ["%number", "%row", "%x", "%y", "%wide", "%seed"];
        body.declare(B64, plain.into_iter().chain(SUM_NAMES));
        body.declare(PRED, ["%holds"]);
        body.declare(B64, self.words.iter().cloned());
        body.declare(B64, [("%front", count), ("%back", count)]);
        for sum in SUM_NAMES {
            body.mov(U64, sum, 0);
        }
        for at in 0..count {
            body.mov(U64, &format!("%front{at}"), 0);
            body.mov(U64, &format!("%back{at}"), 0);
        }
    }

    /// Puts a row's words at the back of their chunks, and adds the hashes of the chunks that are full to their sums,
    /// as [`formats::digests::digest`] does.
    pub fn digests(&self, body: &mut Body) {
        for (at, Digested { bytes, word, number, sum }) in self.each.iter().enumerate() {
            let (front, back) = (format!("%front{at}"), format!("%back{at}"));
            // A row of eight bytes takes a whole word, and nothing has to be shifted.
            if *bytes == 8 {
                body.mov(U64, &front, &back);
                body.mov(U64, &back, word);
            } else {
                let bits = 8 * *bytes as u64;
                // Later rows stand in higher bits, as later bytes of a chunk do.
                for (into, from) in [(&front, &back), (&back, word)] {
                    body.shr(U64, into, into, bits);
                    body.shl(B64, "%x", from, 64 - bits);
                    body.or(B64, into, into, "%x");
                }
            }
            // The last row of a chunk is the one before a multiple of the chunk's rows.
            let rows = (CHUNK / bytes) as u64;
            let unfilled = format!("UNFILLED_{at}");
            body.and(B64, "%x", "%number", rows - 1);
            body.setp(Relation::NotEqual, U64, "%holds", "%x", rows - 1);
            body.bra_where("%holds", &unfilled);
            // A chunk's seed is its number in the column, from `COLUMN` times the column's number on.
            body.shr(U64, "%seed", "%number", u64::from(rows.trailing_zeros()));
            body.add(U64, "%seed", "%seed", hex(number * COLUMN));
            hash(body, &front, &back);
            body.add(U64, sum, *sum, "%x");
            body.label(unfilled);
        }
    }
}

/// The constants that XXH3-64 makes of the secret's bytes 24 to 39, and of 40 to 55, for sixteen bytes of input.
const FLIPS: [u64; 2] = [0x6782_737b_ea42_39b9, 0xaf56_bc3b_0996_523a];
/// The multiplier of XXH3-64's last step.
const AVALANCHE: u64 = 0x1656_6791_9e37_79f9;

/// Sets `%x` to the XXH3-64 of a chunk, whose words are in two registers, with the seed in `%seed`.
fn hash(body: &mut Body, front: &str, back: &str) {
    body.add(U64, "%x", "%seed", hex(FLIPS[0]));
    body.xor(B64, "%x", "%x", front);
    body.mov(U64, "%y", hex(FLIPS[1]));
    body.sub(U64, "%y", "%y", "%seed");
    body.xor(B64, "%y", "%y", back);
    // XXH3-64 adds the length, the first word with its bytes reversed, the second, and both halves of the product.
    body.mov(B64, ["%low", "%high"], "%x");
    // The selector 0x0123 reverses the bytes of a half; the halves are exchanged below.
    for half in ["%low", "%high"] {
        let reversed = Notation::Hexadecimal { digits: 4 };
        let reversed = Immediate { value: 0x0123, notation: reversed };
        body.op(Integer::Permute, [half.into(), half.into(), 0.into(), reversed.into()]);
    }
    body.mov(B64, "%seed", ["%high", "%low"]);
    body.add(U64, "%seed", "%seed", "%y");
    body.add(U64, "%seed", "%seed", CHUNK as u64);
    body.mul_hi(U64, "%wide", "%x", "%y");
    body.mul_lo(U64, "%x", "%x", "%y");
    body.xor(B64, "%x", "%x", "%wide");
    body.add(U64, "%x", "%x", "%seed");
    body.shr(U64, "%y", "%x", 37);
    body.xor(B64, "%x", "%x", "%y");
    body.mul_lo(U64, "%x", "%x", hex(AVALANCHE));
    body.shr(U64, "%y", "%x", 32);
    body.xor(B64, "%x", "%x", "%y");
}

/// Adds up the sums of a warp; its first thread adds the totals to the sums in memory.
pub fn add_up(body: &mut Body) {
    for sum in SUM_NAMES {
        // After five exchanges, each with a thread at another distance, every thread has the sum of the warp.
        for distance in [16, 8, 4, 2, 1] {
            // A shuffle moves 32 bits, so a sum goes in two halves.
            body.mov(B64, ["%low", "%high"], sum);
            for half in ["%low", "%high"] {
                let all = hex(u64::from(u32::MAX));
                let operands: [Operand; 5] =
                    [half.into(), half.into(), Operand::from(distance), 31.into(), all.into()];
                body.op(Opcode::Shuffle(ShuffleMode::Butterfly), operands);
            }
            body.mov(B64, "%x", ["%low", "%high"]);
            body.add(U64, sum, sum, "%x");
        }
    }
    body.mov(U32, "%low", "%laneid");
    body.setp(Relation::NotEqual, U32, "%holds", "%low", 0);
    body.ret_where("%holds");
    body.ld_param(U64, "%at", "sums");
    body.to_global("%at");
    for (number, sum) in (0..).zip(SUM_NAMES) {
        body.red_add(U64, "%at", 8 * number, sum);
    }
}
