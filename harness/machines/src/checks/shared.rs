//! Tests of the interpreter with kernels that are written by hand: their threads exchange words through shared memory,
//! meet at barriers and return early, and move matrices.

use std::collections::{BTreeMap, HashMap};

use ptx::syntax::Entry;

use super::ALONE;
use crate::interpreter::{EntryProgram, Error, Memory, STEPS, Surroundings, WARP, WarpPlace};

/// The address at which the memory of these kernels begins.
const OUT: u64 = 1 << 32;

/// Runs a body with the address of memory in `%out`. The kernel is read from text, printed and read again.
fn run(body: &str, place: WarpPlace, memory: &mut BTreeMap<u64, u8>) -> Result<(), Error> {
    let start = ".reg .b64 %out;\nld.param.u64 %out, [out];";
    let text = format!(".visible .entry k(.param .u64 out)\n{{\n{start}\n{body}\nret;\n}}");
    let entry: Entry = text.parse().unwrap();
    assert_eq!(entry.to_string().parse().as_ref(), Ok(&entry), "{text}");
    let parameters = HashMap::from([("out".to_owned(), OUT)]);
    EntryProgram::of(&entry)?.run(&mut Surroundings {
        parameters: &parameters,
        place,
        memory,
        execute: &mut |_, _| Err("nothing is tested here".into()),
        steps: STEPS,
    })
}

/// Runs a body in a single warp, and returns the first 32 words of 32 bits of memory; `None` where the body has stored
/// none.
fn stored(body: &str) -> Vec<Option<u64>> {
    let mut memory = BTreeMap::new();
    run(body, ALONE, &mut memory).unwrap();
    (0..WARP as u64).map(|word| memory.load(OUT + 4 * word, 4).ok()).collect()
}

/// A body in which each thread reads what another one has written, and those of an even number store it.
const EXCHANGE: &str = ".shared .align 16 .b8 first[20];\n\
    .shared .align 128 .b8 words[128];\n\
    .reg .b32 %lane, %at, %from, %word, %odd;\n\
    .reg .pred %is_odd;\n\
    mov.u32 %lane, %tid.x;\n\
    mov.u32 %at, words;\n\
    shl.b32 %from, %lane, 2;\n\
    add.u32 %at, %at, %from;\n\
    mul.lo.u32 %word, %lane, 3;\n\
    st.shared.b32 [%at+0], %word;\n\
    bar.warp.sync 0xffffffff;\n\
    xor.b32 %at, %at, 4;\n\
    ld.shared.b32 %word, [%at];\n\
    cvt.u64.u32 %wide, %from;\n\
    add.u64 %out, %out, %wide;\n\
    and.b32 %odd, %lane, 1;\n\
    setp.ne.u32 %is_odd, %odd, 0;\n\
    @!%is_odd st.global.b32 [%out], %word;\n\
    bar.sync 0;";

#[test]
fn threads_exchange_words_and_a_guard_keeps_some_from_storing() {
    let wanted = |lane: u64| (lane & 1 == 0).then_some(3 * (lane ^ 1));
    let found = stored(&format!(".reg .b64 %wide;\n{EXCHANGE}"));
    assert_eq!(found, (0..WARP as u64).map(wanted).collect::<Vec<_>>());
}

/// The odd threads return first, and then those even ones that are above 27.
#[test]
fn those_who_have_returned_are_gone_and_all_others_go_on() {
    let found = stored(
        ".reg .b32 %lane, %odd, %at;\n\
        .reg .b64 %wide;\n\
        .reg .pred %p;\n\
        mov.u32 %lane, %tid.x;\n\
        and.b32 %odd, %lane, 1;\n\
        setp.ne.u32 %p, %odd, 0;\n\
        @%p ret;\n\
        setp.gt.u32 %p, %lane, 27;\n\
        @%p ret;\n\
        shl.b32 %at, %lane, 2;\n\
        cvt.u64.u32 %wide, %at;\n\
        add.u64 %out, %out, %wide;\n\
        st.global.b32 [%out], %lane;",
    );
    let wanted = |lane: u64| (lane & 1 == 0 && lane <= 27).then_some(lane);
    assert_eq!(found, (0..WARP as u64).map(wanted).collect::<Vec<_>>());
}

#[test]
fn variables_lie_behind_each_other_where_they_are_aligned() {
    let body = ".shared .align 16 .b8 first[20];\n\
        .shared .align 128 .b8 words[8];\n\
        .reg .b32 %a;\n\
        mov.u32 %a, words;\n\
        st.shared.b32 [words+4], %a;\n\
        ld.shared.b32 %a, [words+4];\n\
        st.global.b32 [%out], %a;\n\
        ld.shared.b32 %a, [first];\n\
        st.global.b32 [%out+4], %a;";
    // `words` begins at 128, behind the 20 bytes of `first`, where nothing was stored.
    assert_eq!(stored(body)[..3], [Some(128), Some(0xcdcd_cdcd), None]);
}

/// A matrix of 16 × 16 goes to registers by rows and to memory by columns, with its rows apart.
#[test]
fn matrices_are_loaded_and_stored_by_rows_and_by_columns() {
    for (kind, bytes, stride) in [("f32", 4, 20), ("f16", 2, 24)] {
        let names: Vec<String> =
            (0..if kind == "f32" { 8 } else { 4 }).map(|register| format!("%c{register}")).collect();
        let names = names.join(", ");
        let body = format!(
            ".reg .b32 %c<8>;\n.reg .b64 %to;\n.reg .b32 %stride;\n\
             mov.u32 %stride, {stride};\n\
             add.u64 %to, %out, 8192;\n\
             wmma.load.c.sync.aligned.row.m16n16k16.global.{kind} {{{names}}}, [%out], %stride;\n\
             wmma.store.d.sync.aligned.col.m16n16k16.global.{kind} [%to], {{{names}}}, 16;"
        );
        let mut memory = BTreeMap::new();
        for row in 0..16 {
            for column in 0..16 {
                let at = OUT + (row * stride + column) * bytes;
                memory.store(at, bytes as usize, 100 * row + column).unwrap();
            }
        }
        run(&body, ALONE, &mut memory).unwrap();
        for row in 0..16 {
            for column in 0..16 {
                let at = OUT + 8192 + (row + column * 16) * bytes;
                assert_eq!(memory.load(at, bytes as usize), Ok(100 * row + column), "{row} {column}");
            }
        }
    }
}

#[test]
fn what_shared_memory_and_barriers_cannot_do_is_said() {
    let refused = |body: &str, place| run(body, place, &mut BTreeMap::new()).unwrap_err().to_string();
    let tile = |arguments: &str| {
        format!(
            ".shared .align 128 .b8 m[4096];\n.reg .b32 %c<8>, %x;\nmov.u32 %x, %laneid;\n\
             wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {arguments};"
        )
    };
    let eight = "{%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}";
    for (body, said) in [
        (
            ".shared .align 4 .b8 a[0];".into(),
            "the size or alignment of the shared memory `a` is not possible",
        ),
        (
            ".shared .align 2147483648 .b8 a[1];".into(),
            "the size or alignment of the shared memory `a` is not possible",
        ),
        (
            ".shared .align 4 .b8 a[16777216];".into(),
            "the size or alignment of the shared memory `a` is not possible",
        ),
        (
            ".shared .align 4 .b8 a[30000];\n.shared .align 4 .b8 b[30000];".into(),
            "the size or alignment of the shared memory `b` is not possible",
        ),
        (".shared .align 4 .b8 a[4];\n.reg .b32 a;".into(), "`a` is declared twice"),
        (".shared .align 4 .b8 a[4];\n.reg .b16 %h;\nmov.u16 %h, a;".into(), "`a` is not declared"),
        (".shared .align 4 .b8 a[4];\n.reg .b32 %h;\nadd.u32 %h, a, 1;".into(), "`a` is not declared"),
        (".shared .align 4 .b8 a[4];\nst.global.b32 [a], 1;".into(), "`a` is not declared"),
        (
            ".shared .align 4 .b8 a[4];\nst.shared.b32 [a+4], 1;".into(),
            "access to memory that is not allocated",
        ),
        (".shared .align 4 .b8 a[4];\nst.shared.b16 [a+1], 1;".into(), "misaligned access to memory"),
        ("st.shared.b32 [%out], 1;".into(), "access to memory that is not allocated"),
        ("bar.warp.sync 0xffff;".into(), "`bar.warp.sync 0xffff;` is not interpreted"),
        ("bar.sync 1;".into(), "`bar.sync 1;` is not interpreted"),
        ("bar.sync;".into(), "`bar.sync;` has wrong operands"),
        (
            ".reg .pred %p;\nmov.pred %p, 1;\n@%p bar.sync 0;".into(),
            "only branches, returns and instructions that change memory can have a guard",
        ),
        (tile("{%c0, %c1}, [m], 16"), "has wrong operands"),
        (tile(&format!("{eight}, [m], 15")), "the rows of the matrix are misaligned"),
        (tile(&format!("{eight}, [m], 17")), "the rows of the matrix are misaligned"),
        (tile(&format!("{eight}, [m], 0xffffffffffffffff")), "the rows of the matrix are misaligned"),
        (tile(&format!("{eight}, [m], 4096")), "access to memory that is not allocated"),
        (tile(&format!("{eight}, [m+16], 16")), "misaligned access to memory"),
        (tile(&format!("{eight}, [m], %x")), "the threads of the warp do not move one matrix"),
        (tile(&format!("{eight}, [%x], 16")), "the threads of the warp do not move one matrix"),
    ] {
        let found = refused(&body, ALONE);
        assert!(found.ends_with(said), "{body}: {found}");
    }
    let two = WarpPlace { threads: 2 * WARP as u64, ..ALONE };
    assert!(
        refused("bar.sync 0;", two)
            .ends_with("warps cannot wait for each other: the warps of a block run one after the other")
    );
    let few = WarpPlace { threads: 20, ..ALONE };
    let waits = refused("bar.warp.sync 0xffffffff;", few);
    assert!(waits.ends_with("not all threads of the warp exchange words"), "{waits}");
}

/// Returns a kernel with [`EXCHANGE`] in the braces of its entry, for those who change it.
pub(super) fn text() -> String {
    format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %out, %wide;\nld.param.u64 %out, [out];\n\
         .reg .b32 %c<8>;\n{}\nret;\n}}\n",
        EXCHANGE.replace("\nbar.sync 0;", "\nbar.sync 0;\n\
            wmma.load.c.sync.aligned.row.m16n16k8.shared.f32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [first], 16;")
    )
}
