//! Tests with text that is no kernel: whatever becomes of it, nothing panics and everything ends.

use std::collections::HashMap;

use isa::Variant;
use ptx::syntax::{Entry, Module};
use ptx::{Device, Listing, Printed, constants, kernel, screen};

use super::ALONE;
use crate::interpreter::{Emulated, EntryProgram, Memory, MemoryError, Surroundings, Values};

/// The number of steps that a changed kernel may take.
const STEPS: u64 = 5_000;

/// A memory in which every read finds some value, and every write is forgotten.
struct Anything;

impl Memory for Anything {
    fn load(&mut self, address: u64, _: usize) -> Result<u64, MemoryError> {
        // The constant is 2^64 divided by the golden ratio, so that neighbours have unlike words.
        Ok(address.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn store(&mut self, _: u64, _: usize, _: u64) -> Result<(), MemoryError> {
        Ok(())
    }
}

/// Reads a text and runs it, if it is a kernel. Returns how far that went: 0 if it is no entry, 1 if it is no program,
/// 2 if it did not run to its end, 3 if it did.
fn attempt(text: &str, emulated: &mut Emulated) -> usize {
    let Ok(entry) = text.parse::<Entry>() else { return 0 };
    assert_eq!(entry.to_string().parse().as_ref(), Ok(&entry), "{text}");
    let Ok(program) = EntryProgram::of(&entry) else { return 1 };
    let parameters: HashMap<String, u64> =
        entry.parameters.iter().map(|parameter| parameter.name.clone()).zip(20..).collect();
    let mut execute = |tested: &_, sources: &[Values]| -> Result<Vec<Values>, String> {
        emulated.execute(tested, sources)
    };
    let mut around = Surroundings {
        parameters: &parameters,
        place: ALONE,
        memory: &mut Anything,
        execute: &mut execute,
        steps: STEPS,
    };
    2 + usize::from(program.run(&mut around).is_ok())
}

/// An instruction with all operands that there are.
const SPARSE: &str = "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.\
                      e2m1.e2m1.f32.ue8m0";

/// The bytes that take the place of others: some that PTX is made of, and some that it is not.
const BYTES: &[u8] = b"0 9xaZ%._$@!,;:|+-()[]{}<>/*\n\"\0";

/// Returns the kernels that are changed: of columns, of constants, that judge, and written by hand.
fn entries() -> Vec<String> {
    let variant = |text: &str| -> Variant { text.parse().unwrap() };
    let judged = screen(&variant("abs.f16")).unwrap().to_string();
    let four = variant("cvt.rs.satfinite.e4m3x4.f32");
    vec![
        kernel(&variant("setp.eq.and.f16x2")).to_string(),
        kernel(&four).to_string(),
        constants(&four, "k", &[vec![1, 2, 3, 4, 5]]).to_string(),
        constants(&variant("slct.b64.f32"), "k", &[vec![1, 2, 0x8000_0000]]).to_string(),
        judged,
        super::shared::text(),
        super::warp::text(SPARSE, [(4, 32), (4, 4), (4, 4), (4, 32)], "?; 0; ?; {2, 1}; ?; {0, 3}; "),
    ]
}

#[test]
fn kernels_with_a_byte_changed_or_cut_off_anywhere_are_harmless() {
    let mut emulated = Emulated::default();
    let mut outcomes = [0; 4];
    for text in entries() {
        assert!(attempt(&text, &mut emulated) >= 2, "{text}");
        for end in 0..text.len() {
            outcomes[attempt(&text[..end], &mut emulated)] += 1;
        }
        // Long ones at every few bytes only.
        let step = text.len().div_ceil(1200);
        for (number, place) in (0..text.len()).step_by(step).enumerate() {
            let mut bytes = text.clone().into_bytes();
            for turn in 0..4 {
                bytes[place] = BYTES[(5 * number + 7 * turn) % BYTES.len()];
                let changed = std::str::from_utf8(&bytes).unwrap();
                outcomes[attempt(changed, &mut emulated)] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|&count| count > 50), "{outcomes:?}");
}

/// Any kernel that ends too late, asks for too much, or means nothing gets an error in these words.
#[test]
fn what_cannot_be_run_is_said() {
    let run = |body: &str| {
        let entry: Entry = format!(".visible .entry k(.param .u64 p)\n{{\n{body}\n}}").parse().unwrap();
        let parameters = HashMap::from([("p".to_owned(), 7)]);
        EntryProgram::of(&entry).and_then(|program| {
            program.run(&mut Surroundings {
                parameters: &parameters,
                place: ALONE,
                memory: &mut std::collections::BTreeMap::new(),
                execute: &mut |_, _| Ok(Vec::new()),
                steps: STEPS,
            })
        })
    };
    for (body, said) in [
        ("L:\nbra L;", "instruction 1: the program does not come to an end"),
        (".reg .b32 a<4000000000>;", "instruction 1: there are too many registers"),
        (".reg .b32 a, a;", "instruction 1: `a` is declared twice"),
        ("ret;\nbra L;", "instruction 2: there is no label `L`"),
        ("mov.b32 a, 1;", "instruction 1: `a` is not declared"),
        (".reg .b32 a, b;\nmov.b32 a, b;", "instruction 1: `b` is read before it is set"),
        (".reg .b32 a;\nmov.b32 a;", "instruction 1: `mov.b32 a;` has other operands"),
        (
            ".reg .b64 a;\nmul.wide.u64 a, 1, 2;",
            "instruction 1: `mul.wide.u64 a, 1, 2;` is not interpreted",
        ),
        (
            ".reg .b64 a;\nmov.b64 a, 1;\nld.global.b8 a, [a];",
            "instruction 2: memory that is not allocated",
        ),
        (
            ".reg .b32 a;\nadd.f32 a, 0f00000000, 0f00000000;",
            "instruction 1: `add.f32` has other results",
        ),
        (
            ".reg .pred p;\n.reg .b32 a;\nmov.u32 a, %laneid;\nsetp.eq.u32 p, a, 0;\nL:\n@p bra L;",
            "instruction 3: a warp branches as one",
        ),
        (
            ".reg .pred p;\nmov.pred p, 1;\n@p mov.pred p, 0;",
            "instruction 2: only branches, returns and what changes memory are guarded",
        ),
        (
            ".reg .b32 a;\nshfl.sync.bfly.b32 a, 1, 32, 31, 0xffffffff;",
            "instruction 1: `shfl.sync.bfly.b32 a, 1, 32, 31, 0xffffffff;` is not interpreted",
        ),
        (
            // A clamp of 15 stops at the sixteenth thread.
            ".reg .b32 a;\nshfl.sync.bfly.b32 a, 1, 1, 15, 0xffffffff;",
            "instruction 1: `shfl.sync.bfly.b32 a, 1, 1, 15, 0xffffffff;` is not interpreted",
        ),
        (
            ".reg .b32 a;\nshfl.sync.bfly.b32 a, 1, 1, 31, 0x0000ffff;",
            "instruction 1: `shfl.sync.bfly.b32 a, 1, 1, 31, 0x0000ffff;` is not interpreted",
        ),
        (
            ".reg .b32 a;\nmov.b32 a, 31;\nshfl.sync.bfly.b32 a, a, 1, a, 0xffffffff;",
            "instruction 2: `shfl.sync.bfly.b32 a, a, 1, a, 0xffffffff;` is not interpreted",
        ),
        (
            ".reg .pred a;\nsetp.lo.s32 a, 1, 2;",
            "instruction 1: `setp.lo.s32 a, 1, 2;` is not interpreted",
        ),
        (".reg .b32 a;\nadd.cc.b32 a, 1, 2;", "instruction 1: `add.cc.b32 a, 1, 2;` is not interpreted"),
        (
            ".reg .b64 a;\nmov.b64 a, 8;\nred.global.add.s64 [a], a;",
            "instruction 2: `red.global.add.s64 [a], a;` is not interpreted",
        ),
    ] {
        assert_eq!(run(body).unwrap_err().to_string(), said, "{body}");
    }
    let sound = ".reg .b64 a;\nld.param.u64 a, [p];\nst.global.b64 [a+8], a;\nret;";
    assert_eq!(run(sound), Ok(()));
}

/// A listing is parsed into the tree of its module, and that prints as the listing.
#[test]
fn modules_are_read_from_listings() {
    let device = Device::of(90, "9.5".parse().unwrap()).unwrap();
    let variants: Vec<Variant> = ["fma.rn.f32", "mul.rz.f32"].map(|text| text.parse().unwrap()).into();
    let header = device.header(&variants[0]).unwrap();
    let entries: Vec<Entry> = variants.iter().map(kernel).collect();
    let printed: Vec<Printed> = entries.iter().map(Printed::from).collect();
    let listing = Listing::new(header, &printed);
    let module: Module = listing.text().parse().unwrap();
    assert_eq!(module, Module { header, variables: Vec::new(), functions: Vec::new(), entries });
    assert_eq!(module.to_string(), listing.text());
}
