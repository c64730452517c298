//! The kernel that judges a variant on the device that runs it. It makes vectors of the exhaustive sweep from their
//! numbers, executes the variant, computes what the emulator expects from integers alone, and counts the rows that
//! differ.

mod digest;
mod triples;

use emulator::{Backend, Kernel, Trace};
use formats::digests::CHUNK;
use isa::{LaneData, PtxVersion, Register, Variant};
use sweeps::{Numbering, numbering};

use crate::builder::Body;
use crate::kernel::name;
use crate::program::program;
use crate::row::{declarations, declared, executed, named, parameter, parameters, store};
use crate::syntax::{B32, B64, Binary, Entry, PRED, Parameter, Relation, Scalar, U32, U64, hex};
use digest::{Columns, add_up};
pub use triples::TRIPLES_OF_WARP;
use triples::triples;

/// Vectors that one thread makes, judges and digests: as many as a chunk of the narrowest column has rows.
pub const ROWS_EACH: u32 = CHUNK as u32;
/// The version of PTX that the kernel takes, besides the variant's own version: that of `shfl.sync`.
pub const SCREENS_SINCE: PtxVersion = PtxVersion { major: 6, minor: 0 };
/// The number of sums that the kernel stores, 64 bits each. In order: the digest of the operands, the digest of the
/// results, and how many rows differ from what the emulator expects.
pub const SUMS: usize = 3;

/// Returns the kernel that judges a variant, if the exhaustive sweep and the emulator's kernel can be printed.
///
/// Parameters: the addresses of the columns of results, each 0 where that is not to be stored; the address of the
/// [`SUMS`], to which the kernel adds; and the number of the first vector. Each thread takes [`ROWS_EACH`] vectors,
/// and all must be in the sweep. Where the sweep is all triples of operands there are no columns, each warp takes
/// [`TRIPLES_OF_WARP`] vectors, and digests are those of [`Weights`](formats::digests::triples::Weights).
pub fn screen(variant: &Variant) -> Option<Entry> {
    if !variant.is_of_registers() {
        return None;
    }
    if sweeps::has_all_triples(variant) {
        return triples(variant);
    }
    let numbering = numbering(variant)?;
    let traces = Kernel::of(variant, Backend::Scalar)?.traces()?;
    let columns = Columns::of(variant);
    let mut body = declarations(variant);
    body.declare(B32, ["%bits"]);
    columns.declare(&mut body);
    // `%left`, `%low` and `%high` are free before the loop: with them the thread's number is computed.
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
    let more = ["sums", "first"].map(|name| Parameter::new(U64, name));
    Some(Entry {
        comment: Some(format!("{variant}, judged where it runs")),
        name: format!("screen_{}", name(variant)),
        parameters: parameters(variant, variant.results()).chain(more).collect(),
        block: None,
        body: body.statements(),
    })
}

/// Returns the register with the word of a row: the word of an operand (`in`), of a result (`out`), or of a result
/// that is expected (`due`).
fn word(kind: &str, register: &Register) -> String {
    format!("%{kind}_{}", register.name)
}

/// Computes the words of the operands' registers from the vector's number.
fn operands(body: &mut Body, variant: &Variant, Numbering { shared, lanes }: &Numbering) {
    let shared = u64::from(*shared);
    for register in variant.operands() {
        body.mov(U64, &word("in", register), 0);
    }
    for lane in lanes {
        // This is the formula of `sweeps::Numbering`: the bits above `shared` are mixed, and those below it kept.
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

/// Executes the variant: fills its registers from the operands' words, and moves its results to words.
fn execution(body: &mut Body, variant: &Variant) {
    for register in variant.operands() {
        let (name, word) = (named(register), word("in", register));
        match declared(&register.ty) {
            PRED => body.setp(Relation::NotEqual, U64, &name, &word, 0),
            // No `cvt` of integers has registers of f32.
            Scalar::Float(_, 32) => {
                body.cvt(U32, U64, "%bits", &word);
                body.mov(B32, name.as_str(), "%bits");
            }
            ty if ty.width() == 64 => body.mov(B64, name.as_str(), &word),
            _ => body.cvt(Scalar::Unsigned(register.ty.width()), U64, &name, &word),
        }
    }
    body.push(executed(variant));
    for register in variant.results() {
        let (name, word) = (named(register), word("out", register));
        match declared(&register.ty) {
            PRED => body.selp(U64, &word, 1, 0, &name),
            Scalar::Float(_, 32) => {
                body.mov(B32, "%bits", name.as_str());
                body.cvt(U64, U32, &word, "%bits");
            }
            ty if ty.width() == 64 => body.mov(B64, word.as_str(), name.as_str()),
            _ => body.cvt(U64, Scalar::Unsigned(register.ty.width()), &word, &name),
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

/// Computes the words of the results that the emulator expects, lane by lane.
fn expectation(body: &mut Body, variant: &Variant, traces: &[Trace]) {
    for register in variant.results() {
        body.mov(U64, &word("due", register), 0);
    }
    for (trace, output) in traces.iter().zip(variant.outputs()) {
        for (lane, place) in output.slots.iter().enumerate() {
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

/// Sets `%wide` to an input of a lane, taken from the word of its operand.
fn datum(body: &mut Body, variant: &Variant, input: &LaneData, lane: usize) {
    let place = input.slots[lane];
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
