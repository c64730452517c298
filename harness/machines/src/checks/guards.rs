//! Tests of guards: threads in which a guard does not hold keep what they have.

use std::collections::{BTreeMap, HashMap};

use ptx::syntax::Entry;

use super::ALONE;
use crate::interpreter::{Emulated, EntryProgram, Error, Memory, STEPS, Surroundings, WARP};

/// The address at which the memory of these kernels begins: a word of 8 bytes for each thread, and as much for its
/// results.
const WORDS: u64 = 1 << 32;
/// The address at which the results of the threads begin, behind their words.
const RESULTS: u64 = WORDS + 8 * WARP as u64;

/// Runs statements in a warp, and returns the memory. The address of a thread's word is in `%word`, that of its results
/// in `%out`, and `%p` holds in threads of an even number. All words are 1.0 in f32, twice.
fn run(body: &str) -> Result<BTreeMap<u64, u8>, Error> {
    let text = format!(
        ".visible .entry k(.param .u64 words)\n{{\n.reg .b64 %word, %out, %wide, %kept;\n.reg .b32 %lane, %odd, %d<4>;\n\
         .reg .b16 %h<4>;\n.reg .pred %p;\n\
         ld.param.u64 %word, [words];\nmov.u32 %lane, %laneid;\nmul.wide.u32 %wide, %lane, 8;\n\
         add.u64 %word, %word, %wide;\nadd.u64 %out, %word, {};\n\
         and.b32 %odd, %lane, 1;\nsetp.eq.u32 %p, %odd, 0;\n{body}\nret;\n}}",
        RESULTS - WORDS
    );
    let entry: Entry = text.parse().unwrap();
    let mut memory = BTreeMap::new();
    for thread in 0..WARP as u64 {
        memory.store(WORDS + 8 * thread, 8, 0x3f80_0000_3f80_0000).unwrap();
    }
    let mut emulated = Emulated::default();
    EntryProgram::of(&entry)?.run(&mut Surroundings {
        parameters: &HashMap::from([("words".to_owned(), WORDS)]),
        place: ALONE,
        memory: &mut memory,
        execute: &mut |tested, sources| emulated.execute(tested, sources),
        steps: STEPS,
    })?;
    Ok(memory)
}

/// Reads the word of 8 bytes of each thread, from an address on.
fn words(memory: &mut BTreeMap<u64, u8>, from: u64) -> Vec<u64> {
    (0..WARP as u64).map(|thread| memory.load(from + 8 * thread, 8).unwrap()).collect()
}

#[test]
fn threads_that_take_no_part_keep_their_results() {
    // One register, two in braces, and one of shared memory: what the threads that take part have, what is in their
    // words then, and what the others have besides their number.
    for (body, given, word, kept) in [
        (
            "mov.b32 %d0, %lane;\nmov.b32 %d1, 0x40000000;\n\
             @%p atom.global.add.f32 %d0, [%word], 0f3f800000;\nmov.b64 %kept, {%d0, %d1};",
            0x4000_0000_3f80_0000,
            0x3f80_0000_4000_0000,
            0x4000_0000_0000_0000,
        ),
        (
            "cvt.u16.u32 %h0, %lane;\nmov.b16 %h1, 7;\nmov.b16 %h2, 0;\nmov.b32 %d1, 9;\n\
             @%p atom.global.add.noftz.v2.bf16 {%h0, %h1}, [%word], {%h2, %h2};\nmov.b32 %d0, {%h0, %h1};\n\
             mov.b64 %kept, {%d0, %d1};",
            0x0000_0009_3f80_0000,
            0x3f80_0000_3f80_0000,
            0x0000_0009_0007_0000,
        ),
        (
            ".shared .align 4 .b8 %shared[4];\n.reg .b32 %at;\nmov.u32 %at, %shared;\nst.shared.b32 [%at], 0;\n\
             mov.b32 %d0, %lane;\nmov.b32 %d1, 5;\n@%p atom.shared.add.noftz.f16x2 %d0, [%at], 0;\n\
             mov.b64 %kept, {%d0, %d1};",
            0x0000_0005_0000_0000,
            0x3f80_0000_3f80_0000,
            0x0000_0005_0000_0000,
        ),
    ] {
        let mut memory = run(&format!("{body}\nst.global.b64 [%out], %kept;"))
            .unwrap_or_else(|error| panic!("{body}: {error}"));
        let results = words(&mut memory, RESULTS);
        let changed = words(&mut memory, WORDS);
        for (thread, (&result, &changed)) in results.iter().zip(&changed).enumerate() {
            let due = match thread % 2 {
                0 => (given, word),
                _ => (kept | thread as u64, 0x3f80_0000_3f80_0000),
            };
            assert_eq!((result, changed), due, "thread {thread}: {body}");
        }
    }
}

/// A register that only some threads were given a result in is set in those alone.
#[test]
fn what_a_guard_leaves_unset_is_not_read() {
    let atom = "@%p atom.global.add.f32 %d0, [%word], 0f3f800000;\n";
    assert!(run(&format!("{atom}@%p st.global.b32 [%out], %d0;")).is_ok());
    let error = run(&format!("{atom}st.global.b32 [%out], %d0;")).unwrap_err();
    assert_eq!(error.to_string(), "instruction 9: `%d0` is read before it is set");
}
