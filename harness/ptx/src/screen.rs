//! The kernel that judges a variant where it runs: it makes vectors of the exhaustive sweep from their
//! numbers, executes the variant, computes what the emulator expects from integers alone, and counts
//! the rows that differ.

use emulator::{Kernel, Machine, Trace};
use vectors::Variant;
use vectors::digests::{CHUNK, COLUMN};
use vectors::isa::{PtxVersion, Register, Stream};
use vectors::sweep::{Numbering, numbering};

use crate::builder::Body;
use crate::kernel::{column, declarations, executed, name, parameter, store};
use crate::program;
use crate::syntax::{
    B32, B64, Binary, Entry, Immediate, Integer, Notation, Opcode, Operand, PRED, Parameter, Relation,
    Scalar, U32, U64, hex,
};

/// Vectors that one thread makes, judges and digests: a chunk of the narrowest column.
pub const ROWS_EACH: u32 = CHUNK as u32;
/// Threads that add up what they have found before it is stored. Only whole warps may be started.
pub const WARP: u32 = 32;
/// The version of PTX that it takes, besides what the variant takes: that of `shfl.sync`.
pub const SCREENS_SINCE: PtxVersion = PtxVersion { major: 6, minor: 0 };
/// What is stored, in order and 64 bits each: the digest of the operands, that of the results, and
/// how many rows differ from what the emulator expects.
pub const SUMS: usize = 3;

/// The kernel that judges a variant, if the exhaustive sweep and the emulator's kernel can be printed.
///
/// Parameters: the addresses of the columns of results, each 0 where they are not to be stored; that of
/// the [`SUMS`], to which it adds; and the number of the first vector. Each thread has [`ROWS_EACH`], and
/// all must be in the sweep.
pub fn screen(variant: &Variant) -> Option<Entry> {
    let numbering = numbering(variant)?;
    let traces = Kernel::of(variant, Machine::Scalar)?.traces()?;
    let columns = Columns::of(variant);
    let mut body = declarations(variant);
    columns.declare(&mut body);
    body.mov(U32, "%left", "%ctaid.x");
    body.mov(U32, "%low", "%ntid.x");
    body.mov(U32, "%high", "%tid.x");
    body.mad(Binary::MulLow, U32, "%left", ["%left", "%low"], "%high");
    body.mul_wide(U32, "%row", "%left", u64::from(ROWS_EACH));
    body.ld_param(U64, "%number", "first");
    body.add(U64, "%number", "%number", "%row");
    body.mov(U32, "%left", u64::from(ROWS_EACH));
    body.label("NEXT");
    operands(&mut body, variant, &numbering);
    execution(&mut body, variant);
    expectation(&mut body, variant, &traces);
    storage(&mut body, variant);
    comparison(&mut body, variant);
    columns.digests(&mut body);
    body.add(U64, "%number", "%number", 1);
    body.add(U64, "%row", "%row", 1);
    body.sub(U32, "%left", "%left", 1);
    body.setp(Relation::NotEqual, U32, "%holds", "%left", 0);
    body.bra_where("%holds", "NEXT");
    add_up(&mut body);
    body.ret();
    let more = ["sums", "first"].map(|name| Parameter { ty: U64, name: name.into() });
    Some(Entry {
        comment: Some(format!("{variant}, judged where it runs")),
        name: format!("screen_{}", name(variant)),
        parameters: variant.results().iter().map(column).chain(more).collect(),
        body: body.statements(),
    })
}

/// The register with the word of a row: of an operand (`in`), of a result (`out`), or of a result that
/// is expected (`due`).
fn word(kind: &str, register: &Register) -> String {
    format!("%{kind}_{}", register.name)
}

/// The words of the operands' registers, from the vector's number.
fn operands(body: &mut Body, variant: &Variant, Numbering { shared, lanes }: &Numbering) {
    let shared = u64::from(*shared);
    for register in variant.operands() {
        body.mov(U64, &word("in", register), 0);
    }
    for lane in lanes {
        body.shr(U64, "%x", "%number", shared);
        body.mul_lo(U64, "%x", "%x", hex(lane.multiplier));
        body.add(U64, "%x", "%x", hex(lane.addend));
        body.shl(B64, "%x", "%x", shared);
        body.and(B64, "%y", "%number", hex((1 << shared) - 1));
        body.or(B64, "%x", "%x", "%y");
        for part in &lane.parts {
            let word = word("in", &variant.operands()[part.register]);
            body.shr(U64, "%y", "%x", u64::from(part.from));
            body.and(B64, "%y", "%y", hex(part.mask));
            body.shl(B64, "%y", "%y", u64::from(part.shift));
            body.or(B64, &word, &word, "%y");
        }
    }
}

/// The variant itself: its registers from the operands' words, its results to words.
fn execution(body: &mut Body, variant: &Variant) {
    for register in variant.operands() {
        let (name, word) = (register.name, word("in", register));
        match Scalar::of(&register.ty) {
            PRED => body.setp(Relation::NotEqual, U64, name, &word, 0),
            B64 => body.mov(B64, name, &word),
            ty => body.cvt(Scalar::Unsigned(ty.width()), U64, name, &word),
        }
    }
    body.push(executed(variant));
    for register in variant.results() {
        let (name, word) = (register.name, word("out", register));
        match Scalar::of(&register.ty) {
            PRED => body.selp(U64, &word, 1, 0, name),
            B64 => body.mov(B64, &word, name),
            ty => body.cvt(U64, Scalar::Unsigned(ty.width()), &word, name),
        }
    }
}

/// Stores the results, if there are columns for them.
fn storage(body: &mut Body, variant: &Variant) {
    for (number, result) in variant.results().iter().enumerate() {
        let unstored = format!("UNSTORED_{number}");
        body.ld_param(U64, "%at", parameter(result));
        body.setp(Relation::Equal, U64, "%holds", "%at", 0);
        body.bra_where("%holds", &unstored);
        body.to_global("%at");
        body.mul_lo(U64, "%x", "%row", result.ty.row_bytes() as u64);
        body.add(U64, "%at", "%at", "%x");
        store(body, result, 0);
        body.label(unstored);
    }
}

/// The words of the results that the emulator expects, lane by lane.
fn expectation(body: &mut Body, variant: &Variant, traces: &[Trace]) {
    for register in variant.results() {
        body.mov(U64, &word("due", register), 0);
    }
    for (trace, output) in traces.iter().zip(variant.outputs()) {
        for (lane, place) in output.places.iter().enumerate() {
            let mut inner = Body::default();
            inner.declare(Scalar::Bits(trace.bits), [("%input", trace.inputs.max(1))]);
            inner.declare(B64, ["%wide"]);
            for (number, input) in variant.inputs().iter().enumerate() {
                datum(&mut inner, variant, input, lane);
                let input = format!("%input{number}");
                match trace.bits {
                    64 => inner.mov(B64, &input, "%wide"),
                    _ => inner.cvt(U32, U64, &input, "%wide"),
                }
            }
            let (program, result) = program(trace);
            inner.extend(program);
            match trace.bits {
                64 => inner.mov(B64, "%wide", &result),
                _ => inner.cvt(U64, U32, "%wide", &result),
            }
            let register = &variant.results()[place.register];
            let (ty, due) = (register.ty, word("due", register));
            inner.and(B64, "%wide", "%wide", hex(output.format.mask()));
            inner.shl(B64, "%wide", "%wide", u64::from(place.lane as u32 * ty.stride + ty.offset));
            inner.or(B64, &due, &due, "%wide");
            body.block(inner);
        }
    }
}

/// `%wide` is an input of a lane.
fn datum(body: &mut Body, variant: &Variant, input: &Stream, lane: usize) {
    let place = input.places[lane];
    let register = &variant.operands()[place.register];
    let ty = register.ty;
    let shift = place.lane as u32 * ty.stride + ty.offset;
    body.shr(U64, "%wide", &word("in", register), u64::from(shift));
    body.and(B64, "%wide", "%wide", hex(ty.format.mask()));
}

/// Counts a row in which any result is not as expected.
fn comparison(body: &mut Body, variant: &Variant) {
    body.mov(U64, "%x", 0);
    for register in variant.results() {
        body.xor(B64, "%y", &word("out", register), &word("due", register));
        body.or(B64, "%x", "%x", "%y");
    }
    body.setp(Relation::NotEqual, U64, "%holds", "%x", 0);
    body.selp(U64, "%x", 1, 0, "%holds");
    body.add(U64, "%differing", "%differing", "%x");
}

/// The registers of the [`SUMS`], in order.
const SUM_NAMES: [&str; SUMS] = ["%inputs", "%results", "%differing"];

/// A column as the kernel digests it: bytes in a row, the word of the row, and the sum that it adds to.
struct Digested {
    bytes: usize,
    word: String,
    /// Its number among the operands or the results.
    number: u64,
    sum: &'static str,
}

struct Columns {
    each: Vec<Digested>,
    words: Vec<String>,
}

impl Columns {
    fn of(variant: &Variant) -> Columns {
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

    fn declare(&self, body: &mut Body) {
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

    /// Puts a row's words at the back of their chunks, and adds those that are full, as
    /// [`vectors::digests::digest`] does.
    fn digests(&self, body: &mut Body) {
        for (at, Digested { bytes, word, number, sum }) in self.each.iter().enumerate() {
            let (front, back) = (format!("%front{at}"), format!("%back{at}"));
            if *bytes == 8 {
                body.mov(U64, &front, &back);
                body.mov(U64, &back, word);
            } else {
                let bits = 8 * *bytes as u64;
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
            body.shr(U64, "%seed", "%number", u64::from(rows.trailing_zeros()));
            body.add(U64, "%seed", "%seed", hex(number * COLUMN));
            hash(body, &front, &back);
            body.add(U64, sum, *sum, "%x");
            body.label(unfilled);
        }
    }
}

/// What XXH3-64 makes of the secret's bytes 24 to 39, and of 40 to 55, for sixteen bytes of input.
const FLIPS: [u64; 2] = [0x6782_737b_ea42_39b9, 0xaf56_bc3b_0996_523a];
/// The multiplier of its last step.
const AVALANCHE: u64 = 0x1656_6791_9e37_79f9;

/// `%x` is the XXH3-64 of a chunk, whose words are in two registers, with the seed in `%seed`.
fn hash(body: &mut Body, front: &str, back: &str) {
    body.add(U64, "%x", "%seed", hex(FLIPS[0]));
    body.xor(B64, "%x", "%x", front);
    body.mov(U64, "%y", hex(FLIPS[1]));
    body.sub(U64, "%y", "%y", "%seed");
    body.xor(B64, "%y", "%y", back);
    // The length, the first word with its bytes reversed, the second, and both halves of the product.
    body.mov(B64, ["%low", "%high"], "%x");
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

/// Adds up the sums of a warp, and has its first thread add them to those in memory.
fn add_up(body: &mut Body) {
    for sum in SUM_NAMES {
        for distance in [16, 8, 4, 2, 1] {
            body.mov(B64, ["%low", "%high"], sum);
            for half in ["%low", "%high"] {
                let all = hex(u64::from(u32::MAX));
                let operands: [Operand; 5] =
                    [half.into(), half.into(), Operand::from(distance), 31.into(), all.into()];
                body.op(Opcode::Shuffle, operands);
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
