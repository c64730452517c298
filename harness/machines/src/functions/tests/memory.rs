//! Tests of shared memory that threads change atomically or copy to, and of the spaces of addresses.

use super::blocks::{failure, run, text};
use super::module;
use crate::functions::{Grid, RunnableFunction};
use crate::interpreter::Problem;

/// Returns what each of 64 threads writes whose words are their numbers.
fn given(body: &str) -> Vec<u32> {
    let rows = [(0..64).collect()];
    run(body, Grid::block(64), &rows).unwrap_or_else(|error| panic!("{body}: {error}")).remove(0)
}

/// Returns a kernel that stores a word in shared memory, then has each thread do something, and reads the word.
fn around(start: &str, body: &str) -> String {
    format!(
        "setp.eq.u32 %p9, %r1, 0; @%p9 st.shared.b32 [words], {start}; bar.sync 0;\n{body}\nbar.sync 0; ld.shared.u32 %r3, [words];"
    )
    .replace("%p9", "%p8")
}

#[test]
fn integers_are_changed_atomically() {
    for (start, body, result) in [
        ("5", "red.shared.add.u32 [words], %r2;", 5 + 2016),
        ("5", "red.shared::cta.add.s32 [words], %r2;", 5 + 2016),
        ("5", "atom.relaxed.cta.shared.max.u32 _, [words], %r2;", 63),
        ("-5", "red.shared.max.s32 [words], %r2;", 63),
        ("-5", "red.shared.min.s32 [words], %r2;", -5i32 as u32),
        ("-5", "red.shared.min.u32 [words], %r2;", 0),
        ("0xf0", "red.shared.or.b32 [words], %r2;", 0xff),
        ("0xf0", "red.shared.and.b32 [words], 0x31;", 0x30),
        ("3", "red.shared.xor.b32 [words], %r2;", 3),
        ("0", "red.shared.inc.u32 [words], 9;", 4),
        ("3", "red.shared.dec.u32 [words], 9;", 9),
        // Generic addresses, and functions of values that nobody asks for.
        ("1", "mov.u64 %rd4, words; cvta.shared.u64 %rd4, %rd4; red.add.u32 [%rd4], 2;", 129),
        ("1", "cvta.shared.u64 %rd4, words+4; atom.add.u32 %r6, [%rd4+-4], 0;", 1),
        ("7", "@%p8 atom.shared.exch.b32 %r6, [words], 9;", 9),
        ("7", "@%p8 atom.shared.cas.b32 %r6, [words], 7, 8;", 8),
        ("7", "@%p8 atom.shared.cas.b32 %r6, [words], 6, 8;", 7),
    ] {
        assert_eq!(given(&around(start, body)), [result; 64], "{body}");
    }
    // Each thread has a word of its own, and is given it as it was.
    let own = "st.shared.u32 [%r5], %r2; atom.shared.add.u32 %r3, [%r5], 7; ld.shared.u32 %r6, [%r5]; mad.lo.u32 %r3, %r6, 100, %r3;";
    assert_eq!(given(own), (0..64).map(|word| (word + 7) * 100 + word).collect::<Vec<u32>>());
    let wide = "mov.u64 %rd4, -1; mov.u32 %r6, words; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u64 [words], %rd4; bar.sync 0; \
                red.shared.add.u64 [words], 1; bar.sync 0; ld.shared.u32 %r3, [words];";
    assert_eq!(given(wide), [63; 64]);
}

#[test]
fn what_depends_on_the_order_of_threads_is_told() {
    // The words as they were depend on the order, and here nothing depends on them but which thread has which place.
    let places = around("0", "atom.shared.add.u32 %r6, [words], 1;");
    assert_eq!(given(&places), [64; 64]);
    let last = around(
        "0",
        "atom.shared.inc.u32 %r6, [words], 1000; setp.eq.u32 %p1, %r6, 63; @%p1 st.shared.u32 [words+8], 5;",
    );
    assert_eq!(given(&format!("{last} ld.shared.u32 %r3, [words+8];")), [5; 64]);
    for body in [
        "atom.shared.add.u32 %r7, [words], 1; mov.u32 %r9, %r7;",
        "atom.shared.exch.b32 %r9, [words], %r2;",
        "mov.u32 %r9, 0; red.shared.inc.u32 [words], %r2;",
    ] {
        let body = around("0", body) + "add.u32 %r3, %r3, %r9;";
        let error = failure(&body, 64);
        let Problem::Open(words) = &error.problem else { panic!("{body}: {error}") };
        assert!(words.starts_with("whether it comes before or behind thread "), "{error}");
    }
    // Of two instructions one is always the first.
    for body in [
        "setp.lt.u32 %p1, %r2, 9; @%p1 red.shared.add.u32 [words], 3; @!%p1 red.shared.max.u32 [words], 5;",
        "setp.lt.u32 %p1, %r2, 9; @%p1 atom.shared.add.u32 %r6, [words], 3; @!%p1 atom.shared.add.u32 %r6, [words], 5;",
    ] {
        let error = failure(&around("0", body), 64);
        let Problem::Refused(words) = &error.problem else { panic!("{body}: {error}") };
        assert!(words.ends_with("; both orders of two instructions are not tried"), "{error}");
    }
    let adds = "setp.lt.u32 %p1, %r2, 9; @%p1 red.shared.add.u32 [words], 3; @!%p1 red.shared.add.u32 [words], 5;";
    assert_eq!(given(&around("0", adds)), [302; 64]);
    // Adding by comparing and swapping again and again has one result.
    let swaps = around(
        "100",
        "ld.shared.u32 %r6, [words]; bar.sync 0; L: add.u32 %r7, %r6, %r2; atom.shared.cas.b32 %r9, [words], %r6, %r7; \
         setp.ne.u32 %p1, %r9, %r6; mov.u32 %r6, %r9; @%p1 bra L;",
    );
    assert_eq!(given(&swaps), [2116; 64]);
}

#[test]
fn numbers_are_added_where_the_order_is_no_matter() {
    // 0.5 for each thread.
    assert_eq!(
        given(&around("0f3f800000", "red.shared.add.f32 [words], 0f3f000000;")),
        [33f32.to_bits(); 64]
    );
    // Two terms that are not zero: 0.1 and 0.2.
    let two = "mov.u32 %r6, 0x80000000; setp.eq.u32 %p1, %r2, 7; @%p1 mov.u32 %r6, 0x3dcccccd; setp.eq.u32 %p1, %r2, 40; \
               @%p1 mov.u32 %r6, 0x3e4ccccd;";
    let sum = (0.1f32 + 0.2).to_bits();
    assert_eq!(given(&around("0", &format!("{two} red.shared.add.f32 [words], %r6;"))), [sum; 64]);
    let generic =
        format!("{two} cvta.shared.u64 %rd4, words; atom.acq_rel.gpu.add.f32 %r7, [%rd4], %r6;");
    assert_eq!(given(&around("0", &generic)), [sum; 64]);
    // The smallest number is not flushed in shared memory, as it is in global memory.
    let small = "cvta.shared.u64 %rd4, words; mov.u32 %r6, 1; red.add.f32 [%rd4], %r6;";
    assert_eq!(given(&around("0", small)), [64; 64]);
    let halves = "mov.u32 %r6, 0x38003c00; red.shared.add.noftz.f16x2 [words], %r6;";
    assert_eq!(given(&around("0", halves)), [0x5000_5400; 64]);
    let doubles = "setp.eq.u32 %p1, %r1, 0; mov.u64 %rd4, 0; @%p1 st.shared.u64 [words], %rd4; bar.sync 0; \
                   red.shared.add.f64 [words], 0d3ff0000000000000; bar.sync 0; ld.shared.u32 %r3, [words+4];";
    assert_eq!(given(doubles), [0x4050_0000; 64]);
    // 0.1 + i for each thread.
    let other =
        "cvt.rn.f32.u32 %r6, %r2; add.rn.f32 %r6, %r6, 0f3dcccccd; red.shared.add.f32 [words], %r6;";
    assert!(matches!(failure(&around("0", other), 64).problem, Problem::Open(_)));
}

#[test]
fn atomic_operations_need_barriers_as_others_do() {
    for (body, said) in [
        (
            "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [words], 0; red.shared.add.u32 [words], 1;",
            "changes what thread 0 has stored in the shared memory `words` since the last barrier",
        ),
        (
            "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [words], 0; bar.sync 0; red.shared.add.u32 [words], 1; \
          ld.shared.u32 %r3, [words];",
            "reads what thread 63 has changed in the shared memory `words` since the last barrier",
        ),
        (
            "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [words], 0; bar.sync 0; red.shared.add.u32 [words], 1; \
          @%p1 st.shared.u32 [words], 7;",
            "stores where thread 63 has changed the shared memory `words`",
        ),
        (
            "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [words], 0; bar.sync 0; ld.shared.u32 %r6, [words]; \
          red.shared.add.u32 [words], 1;",
            "changes what thread 63 has read in the shared memory `words`",
        ),
        (
            "red.shared.add.u32 [words], 1; bar.sync 0; ld.shared.u32 %r3, [words];",
            "the shared memory `words` is read before it is stored there",
        ),
        ("red.shared.add.u32 [words+256], 1;", "access to memory that is not allocated"),
        ("red.shared.add.u64 [words+4], 1;", "misaligned access to memory"),
        ("red.add.u32 [%rd1], 1;", "atomic operations on global memory are not interpreted"),
    ] {
        let error = failure(body, 64).to_string();
        assert!(error.contains(said), "{body}: {error}");
    }
    for body in [
        "red.global.add.u32 [%rd1], 1;",
        "atom.global.cas.b64 %rd4, [%rd1], %rd2, %rd2;",
        "atom.global.add.f32 %r6, [%rd1], %r2;",
    ] {
        let errors = RunnableFunction::of_grid(&module(&text(body)), "k", Grid::block(32)).unwrap_err();
        assert!(
            errors[0].to_string().contains("atomic operations on global memory are not interpreted"),
            "{}",
            errors[0]
        );
    }
}

/// Each thread copies its neighbour's word to its own place.
const COPY: &str = "cp.async.ca.shared.global [%r5], [%rd1], 4;";

#[test]
fn copies_are_there_when_their_thread_has_waited() {
    let words = |body: &str| given(&format!("{body} ld.shared.u32 %r3, [%r5];"));
    let numbers: Vec<u32> = (0..64).collect();
    assert_eq!(words(&format!("{COPY} cp.async.wait_all;")), numbers);
    assert_eq!(words(&format!("{COPY} cp.async.commit_group; cp.async.wait_group 0;")), numbers);
    // A second group may go on.
    let two = "cp.async.commit_group; mov.u64 %rd4, dynamic; mad.wide.u32 %rd4, %r1, 8, %rd4; setp.lt.u32 %p1, %r1, 63; \
               and.b64 %rd5, %rd1, -8; cp.async.ca.shared::cta.global.L2::128B [%rd4], [%rd5], 8; cp.async.commit_group; \
               cp.async.wait_group 1;";
    assert_eq!(words(&format!("{COPY} {two}")), numbers);
    let next = "bar.sync 0; xor.b32 %r5, %r1, 32; mad.lo.u32 %r5, %r5, 4, %r4;";
    assert_eq!(words(&format!("{COPY} cp.async.wait_all; {next}"))[32..34], [0, 1]);
    // Bytes that are not read are 0.
    let some = "cp.async.ca.shared.global [%r5], [%rd1], 4, %r6; cp.async.wait_all;";
    assert_eq!(words(&format!("mov.u32 %r6, 0; {some}")), [0; 64]);
    let ignored =
        "setp.lt.u32 %p1, %r1, 9; cp.async.ca.shared.global [%r5], [%rd1], 4, %p1; cp.async.wait_all;";
    assert_eq!(words(ignored)[7..11], [0, 0, 9, 10]);
    let sixteen = "mov.u64 %rd4, dynamic; mad.wide.u32 %rd4, %r1, 16, %rd4; and.b64 %rd5, %rd1, -16; \
                   cp.async.cg.shared.global [%rd4], [%rd5], 16, 9; cp.async.wait_all; ld.shared.v4.u32 {%r6, %r7, %r10, %r11}, [%rd4];
                   mad.lo.u32 %r3, %r7, 1000, %r6; mad.lo.u32 %r3, %r11, 7, %r3;";
    assert_eq!(given(sixteen)[5..9], [5004, 5004, 5004, 9008]);
}

#[test]
fn copies_that_nobody_has_waited_for_are_a_race() {
    for (body, said) in [
        (
            format!("{COPY} ld.shared.u32 %r3, [%r5];"),
            "uses what `cp.async` of thread 0 copies to the shared memory `words`, before the thread has waited for it",
        ),
        (
            format!("{COPY} cp.async.wait_group 0; ld.shared.u32 %r3, [%r5];"),
            "uses what `cp.async` of thread 0 copies",
        ),
        (
            format!("{COPY} cp.async.commit_group; cp.async.wait_group 1; ld.shared.u32 %r3, [%r5];"),
            "uses what `cp.async` of thread 0",
        ),
        (
            format!("{COPY} bar.sync 0; ld.shared.u32 %r3, [%r5];"),
            "uses what `cp.async` of thread 0 copies",
        ),
        (format!("{COPY} st.shared.u32 [%r5], 1;"), "uses what `cp.async` of thread 0 copies"),
        (format!("{COPY} red.shared.add.u32 [%r5], 1;"), "uses what `cp.async` of thread 0 copies"),
        (
            format!(
                "{COPY} cp.async.wait_all; xor.b32 %r5, %r1, 1; mad.lo.u32 %r5, %r5, 4, %r4; ld.shared.u32 %r3, [%r5];"
            ),
            "reads what thread 1 has stored",
        ),
        ("cp.async.ca.shared.global [%r5], [%rd1], 4, 5;".to_owned(), "copies 5 bytes into 4"),
        ("cp.async.ca.shared.global [%r5+2], [%rd1], 4;".to_owned(), "misaligned access to memory"),
        (
            "cp.async.ca.shared.global [%r5+256], [%rd1], 4;".to_owned(),
            "access to memory that is not allocated",
        ),
        (
            "cp.async.ca.shared.global [%r5], [%rd1+256], 4;".to_owned(),
            "access to memory that is not allocated",
        ),
    ] {
        let error = failure(&body, 64);
        assert!(error.to_string().contains(said) && error.line >= 16, "{body}: {error}");
    }
    for body in [
        "cp.async.cg.shared.global [%r5], [%rd1], 8;",
        "cp.async.ca.shared.global [%r5], [%rd1], 12;",
        "cp.async.wait_group %r1;",
    ] {
        let errors = RunnableFunction::of_grid(&module(&text(body)), "k", Grid::block(32)).unwrap_err();
        assert!(errors[0].to_string().ends_with("has wrong operands"), "{}", errors[0]);
    }
}

#[test]
fn addresses_tell_their_space() {
    let is = |space: &str, address: &str| {
        let body = format!(
            ".local .b32 own[2]; {address} isspacep.{space} %p1, %rd4; selp.u32 %r3, 1, 0, %p1;"
        );
        given(&body)[5]
    };
    let spaces = ["shared", "shared::cta", "global", "local", "const", "param", "param::entry"];
    for (address, due) in [
        ("cvta.shared.u64 %rd4, words;", [1, 1, 0, 0, 0, 0, 0]),
        ("mov.u64 %rd4, dynamic; cvta.shared::cta.u64 %rd4, %rd4;", [1, 1, 0, 0, 0, 0, 0]),
        ("mov.u64 %rd4, %rd1;", [0, 0, 1, 0, 0, 0, 0]),
        ("cvta.local.u64 %rd4, own+4;", [0, 0, 0, 1, 0, 0, 0]),
        ("cvta.const.u64 %rd4, table;", [0, 0, 0, 0, 1, 0, 0]),
        ("cvta.param.u64 %rd4, from;", [0, 0, 1, 0, 0, 1, 1]),
    ] {
        let found: Vec<u32> = spaces.iter().map(|space| is(space, address)).collect();
        assert_eq!(found, due, "{address}");
    }
    // An address goes to the generic ones and back, and means the same word.
    let body = "mov.u32 %r6, words; cvt.u64.u32 %rd4, %r6; cvta.shared.u64 %rd4, %rd4; mul.wide.u32 %rd5, %r1, 4; \
                add.u64 %rd4, %rd4, %rd5; st.u32 [%rd4], %r2; cvta.to.shared.u64 %rd6, %rd4; cvt.u32.u64 %r7, %rd6; \
                ld.shared.u32 %r6, [%r7]; ld.u32 %r3, [%rd4]; add.u32 %r3, %r3, %r6;";
    assert_eq!(given(body)[..4], [0, 2, 4, 6]);
}

#[test]
fn fences_and_delays_change_no_result() {
    let body = "st.shared.u32 [%r5], %r2; membar.cta; fence.acq_rel.gpu; nanosleep.u32 20; prefetch.global.L2 [%rd1]; bar.sync 0; \
                xor.b32 %r6, %r1, 1; mad.lo.u32 %r6, %r6, 4, %r4; ld.shared.u32 %r3, [%r6];";
    assert_eq!(given(body)[..4], [1, 0, 3, 2]);
    // A fence is no barrier.
    assert!(matches!(failure(&body.replace("bar.sync 0;", ""), 64).problem, Problem::Race(_)));
    let errors = RunnableFunction::of_grid(&module(&text("nanosleep.u32 %none;")), "k", Grid::block(32))
        .unwrap_err();
    assert!(errors[0].to_string().ends_with("`%none` is not declared"), "{}", errors[0]);
}

#[test]
fn arrays_have_two_dimensions_and_offsets_are_expressions() {
    let body = ".shared .f32 tile[2][33]; .reg .v2 .u32 %v; mov.u32 %r6, tile+33*4; mad.lo.u32 %r6, %r2, 4, %r6; \
                setp.lt.u32 %p1, %r1, 33; @%p1 st.shared.u32 [%r6], %r2; bar.sync 0; ld.shared.u32 %r3, [tile+4*(33+7)]; \
                ld.const.v2.u32 %v, [table+(1<<3)]; mad.lo.u32 %r3, %v.x, 1000, %r3; add.u32 %r3, %r3, %v.y;";
    assert_eq!(given(body), [30_047; 64]);
    let error =
        failure(".shared .f32 tile[2][33]; mov.u32 %r6, tile; st.shared.u32 [%r6+4*66], %r2;", 2);
    assert!(matches!(error.problem, Problem::Memory(_)), "{error}");
}
