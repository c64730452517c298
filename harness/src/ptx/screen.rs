//! The kernel that judges a variant where it runs: it makes vectors of the exhaustive sweep from their
//! numbers, executes the variant, computes what the emulator expects from integers alone, and counts
//! the rows that differ.

use std::fmt::Write;

use emulator::{Kernel, Machine, Trace};
use vectors::Variant;
use vectors::digests::{CHUNK, COLUMN};
use vectors::isa::{Place, PtxVersion, Register, Stream};
use vectors::sweep::{Numbering, numbering};

use super::kernel::{declarations, parameter, store};
use super::{Class, Entry, instruction, name, program};

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
    let name = format!("screen_{}", name(variant));
    let columns = Columns::of(variant);
    let mut text = format!("// {variant}, judged where it runs\n");
    text += &format!(".visible .entry {name}(");
    variant.results().iter().for_each(|column| text += &format!(".param .u64 {}, ", parameter(column)));
    text += ".param .u64 sums, .param .u64 first)\n{\n";
    text += &declarations(variant);
    text += &columns.declarations();
    text += &format!(
        "mov.u32 %left, %ctaid.x;\n\
         mov.u32 %low, %ntid.x;\n\
         mov.u32 %high, %tid.x;\n\
         mad.lo.u32 %left, %left, %low, %high;\n\
         mul.wide.u32 %row, %left, {ROWS_EACH};\n\
         ld.param.u64 %number, [first];\n\
         add.u64 %number, %number, %row;\n\
         mov.u32 %left, {ROWS_EACH};\n\
         NEXT:\n"
    );
    text += &operands(variant, &numbering);
    text += &execution(variant);
    text += &expectation(variant, &traces);
    text += &storage(variant);
    text += &comparison(variant);
    text += &columns.digests();
    text += "\
        add.u64 %number, %number, 1;\n\
        add.u64 %row, %row, 1;\n\
        sub.u32 %left, %left, 1;\n\
        setp.ne.u32 %holds, %left, 0;\n\
        @%holds bra NEXT;\n";
    text += &sums();
    text += "ret;\n}\n";
    Some(Entry { name, text })
}

/// Formats lines into a text; memory does not fail.
macro_rules! line {
    ($text:ident, $($format:tt)*) => { writeln!($text, $($format)*).expect("memory") };
}

/// The words of the operands' registers, from the vector's number.
fn operands(variant: &Variant, Numbering { shared, lanes }: &Numbering) -> String {
    let mut text = String::new();
    for register in variant.operands() {
        line!(text, "mov.u64 %in_{}, 0;", register.name);
    }
    for lane in lanes {
        line!(text, "shr.u64 %x, %number, {shared};");
        line!(text, "mul.lo.u64 %x, %x, {:#x};", lane.multiplier);
        line!(text, "add.u64 %x, %x, {:#x};", lane.addend);
        line!(text, "shl.b64 %x, %x, {shared};");
        line!(text, "and.b64 %y, %number, {:#x};", (1_u64 << shared) - 1);
        line!(text, "or.b64 %x, %x, %y;");
        for part in &lane.parts {
            let register = variant.operands()[part.register].name;
            line!(text, "shr.u64 %y, %x, {};", part.from);
            line!(text, "and.b64 %y, %y, {:#x};", part.mask);
            line!(text, "shl.b64 %y, %y, {};", part.shift);
            line!(text, "or.b64 %in_{register}, %in_{register}, %y;");
        }
    }
    text
}

/// The variant itself: its registers from the operands' words, its results to words.
fn execution(variant: &Variant) -> String {
    let mut text = String::new();
    for Register { name, ty } in variant.operands() {
        match Class::of(ty) {
            Class::Predicate => line!(text, "setp.ne.u64 {name}, %in_{name}, 0;"),
            Class::Bits(64) => line!(text, "mov.b64 {name}, %in_{name};"),
            Class::Bits(bits) => line!(text, "cvt.u{bits}.u64 {name}, %in_{name};"),
        }
    }
    text += &instruction(variant.spelling(), variant.results(), variant.operands(), |register| {
        register.name.to_owned()
    });
    text.push('\n');
    for Register { name, ty } in variant.results() {
        match Class::of(ty) {
            Class::Predicate => line!(text, "selp.u64 %out_{name}, 1, 0, {name};"),
            Class::Bits(64) => line!(text, "mov.b64 %out_{name}, {name};"),
            Class::Bits(bits) => line!(text, "cvt.u64.u{bits} %out_{name}, {name};"),
        }
    }
    text
}

/// Stores the results, if there are columns for them.
fn storage(variant: &Variant) -> String {
    let mut text = String::new();
    for (number, result) in variant.results().iter().enumerate() {
        line!(text, "ld.param.u64 %at, [{}];", parameter(result));
        line!(text, "setp.eq.u64 %holds, %at, 0;\n@%holds bra UNSTORED_{number};");
        line!(text, "cvta.to.global.u64 %at, %at;");
        line!(text, "mul.lo.u64 %x, %row, {};\nadd.u64 %at, %at, %x;", result.ty.row_bytes());
        text += &store(result, 0);
        line!(text, "UNSTORED_{number}:");
    }
    text
}

/// The words of the results that the emulator expects, lane by lane.
fn expectation(variant: &Variant, traces: &[Trace]) -> String {
    let mut text = String::new();
    for register in variant.results() {
        line!(text, "mov.u64 %due_{}, 0;", register.name);
    }
    for (trace, output) in traces.iter().zip(variant.outputs()) {
        let bits = trace.bits;
        for (lane, place) in output.places.iter().enumerate() {
            line!(text, "{{\n.reg .b{bits} %input<{}>;\n.reg .b64 %wide;", trace.inputs.max(1));
            for (number, input) in variant.inputs().iter().enumerate() {
                text += &datum(variant, input, lane);
                match bits {
                    64 => line!(text, "mov.b64 %input{number}, %wide;"),
                    _ => line!(text, "cvt.u32.u64 %input{number}, %wide;"),
                }
            }
            let (program, result) = program(trace);
            text += &program;
            match bits {
                64 => line!(text, "mov.b64 %wide, {result};"),
                _ => line!(text, "cvt.u64.u32 %wide, {result};"),
            }
            let name = variant.results()[place.register].name;
            line!(text, "and.b64 %wide, %wide, {:#x};", place.mask);
            line!(text, "shl.b64 %wide, %wide, {};", place.shift);
            line!(text, "or.b64 %due_{name}, %due_{name}, %wide;\n}}");
        }
    }
    text
}

/// `%wide` is an input of a lane.
fn datum(variant: &Variant, input: &Stream, lane: usize) -> String {
    let Place { register, shift, mask, .. } = input.places[lane];
    let name = variant.operands()[register].name;
    format!("shr.u64 %wide, %in_{name}, {shift};\nand.b64 %wide, %wide, {mask:#x};\n")
}

/// Counts a row in which any result is not as expected.
fn comparison(variant: &Variant) -> String {
    let mut text = String::from("mov.u64 %x, 0;\n");
    for Register { name, .. } in variant.results() {
        line!(text, "xor.b64 %y, %out_{name}, %due_{name};");
        line!(text, "or.b64 %x, %x, %y;");
    }
    text + "setp.ne.u64 %holds, %x, 0;\n\
            selp.u64 %x, 1, 0, %holds;\n\
            add.u64 %differing, %differing, %x;\n"
}

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
                word: format!("%{kind}_{}", register.name),
                number: number as u64,
                sum,
            };
            registers.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        let mut each = digested(variant.operands(), "in", "%inputs");
        each.extend(digested(variant.results(), "out", "%results"));
        let words = variant.results().iter().map(|register| format!("%due_{}", register.name));
        let words = words.chain(each.iter().map(|column| column.word.clone())).collect();
        Columns { each, words }
    }

    fn declarations(&self) -> String {
        let mut text = String::from(
            ".reg .b32 %left, %low, %high;\n\
             .reg .b64 %number, %row, %x, %y, %wide, %seed, %inputs, %results, %differing;\n\
             .reg .pred %holds;\n",
        );
        line!(text, ".reg .b64 {};", self.words.join(", "));
        line!(text, ".reg .b64 %front<{0}>, %back<{0}>;", self.each.len());
        for sum in ["%inputs", "%results", "%differing"] {
            line!(text, "mov.u64 {sum}, 0;");
        }
        for at in 0..self.each.len() {
            line!(text, "mov.u64 %front{at}, 0;\nmov.u64 %back{at}, 0;");
        }
        text
    }

    /// Puts a row's words at the back of their chunks, and adds those that are full, as
    /// [`vectors::digests::digest`] does.
    fn digests(&self) -> String {
        let mut text = String::new();
        for (at, Digested { bytes, word, number, sum }) in self.each.iter().enumerate() {
            let (front, back) = (format!("%front{at}"), format!("%back{at}"));
            if *bytes == 8 {
                line!(text, "mov.u64 {front}, {back};\nmov.u64 {back}, {word};");
            } else {
                let (bits, rest) = (8 * bytes, 64 - 8 * bytes);
                line!(text, "shr.u64 {front}, {front}, {bits};\nshl.b64 %x, {back}, {rest};");
                line!(text, "or.b64 {front}, {front}, %x;");
                line!(text, "shr.u64 {back}, {back}, {bits};\nshl.b64 %x, {word}, {rest};");
                line!(text, "or.b64 {back}, {back}, %x;");
            }
            // The last row of a chunk is the one before a multiple of the chunk's rows.
            let rows = CHUNK / bytes;
            line!(text, "and.b64 %x, %number, {};", rows - 1);
            line!(text, "setp.ne.u64 %holds, %x, {};\n@%holds bra UNFILLED_{at};", rows - 1);
            line!(text, "shr.u64 %seed, %number, {};", rows.trailing_zeros());
            line!(text, "add.u64 %seed, %seed, {:#x};", number * COLUMN);
            text += &hash(&front, &back);
            line!(text, "add.u64 {sum}, {sum}, %x;\nUNFILLED_{at}:");
        }
        text
    }
}

/// What XXH3-64 makes of the secret's bytes 24 to 39, and of 40 to 55, for sixteen bytes of input.
const FLIPS: [u64; 2] = [0x6782_737b_ea42_39b9, 0xaf56_bc3b_0996_523a];
/// The multiplier of its last step.
const AVALANCHE: u64 = 0x1656_6791_9e37_79f9;

/// `%x` is the XXH3-64 of a chunk, whose words are in two registers, with the seed in `%seed`.
fn hash(front: &str, back: &str) -> String {
    let mut text = String::new();
    line!(text, "add.u64 %x, %seed, {:#x};\nxor.b64 %x, %x, {front};", FLIPS[0]);
    line!(text, "mov.u64 %y, {:#x};\nsub.u64 %y, %y, %seed;\nxor.b64 %y, %y, {back};", FLIPS[1]);
    // The length, the first word with its bytes reversed, the second, and both halves of the product.
    line!(text, "mov.b64 {{%low, %high}}, %x;");
    line!(text, "prmt.b32 %low, %low, 0, 0x0123;\nprmt.b32 %high, %high, 0, 0x0123;");
    line!(text, "mov.b64 %seed, {{%high, %low}};");
    line!(text, "add.u64 %seed, %seed, %y;\nadd.u64 %seed, %seed, {CHUNK};");
    line!(text, "mul.hi.u64 %wide, %x, %y;\nmul.lo.u64 %x, %x, %y;\nxor.b64 %x, %x, %wide;");
    line!(text, "add.u64 %x, %x, %seed;");
    line!(text, "shr.u64 %y, %x, 37;\nxor.b64 %x, %x, %y;");
    line!(text, "mul.lo.u64 %x, %x, {AVALANCHE:#x};");
    line!(text, "shr.u64 %y, %x, 32;\nxor.b64 %x, %x, %y;");
    text
}

/// Adds up the sums of a warp, and has its first thread add them to those in memory.
fn sums() -> String {
    let mut text = String::new();
    for sum in ["%inputs", "%results", "%differing"] {
        for distance in [16, 8, 4, 2, 1] {
            line!(text, "mov.b64 {{%low, %high}}, {sum};");
            line!(text, "shfl.sync.bfly.b32 %low, %low, {distance}, 31, 0xffffffff;");
            line!(text, "shfl.sync.bfly.b32 %high, %high, {distance}, 31, 0xffffffff;");
            line!(text, "mov.b64 %x, {{%low, %high}};\nadd.u64 {sum}, {sum}, %x;");
        }
    }
    text += "\
        mov.u32 %low, %laneid;\n\
        setp.ne.u32 %holds, %low, 0;\n\
        @%holds ret;\n\
        ld.param.u64 %at, [sums];\n\
        cvta.to.global.u64 %at, %at;\n";
    for (number, sum) in ["%inputs", "%results", "%differing"].into_iter().enumerate() {
        line!(text, "red.global.add.u64 [%at+{}], {sum};", 8 * number);
    }
    text
}
