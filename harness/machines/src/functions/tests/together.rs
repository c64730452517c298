//! Tests of barriers at which threads arrive or reduce, and of what a warp finds out together.

use super::STEPS;
use super::blocks::{failure, run, text};
use super::module;
use crate::functions::{Argument, Column, Grid, Nearest, RunnableFunction};
use crate::interpreter::Problem;

/// Returns what is wrong with a kernel when it is loaded.
fn refused(body: &str) -> String {
    let errors = RunnableFunction::of_grid(&module(&text(body)), "k", Grid::block(64));
    errors.expect_err(body)[0].to_string()
}

/// Returns what each of the threads writes whose words are their numbers.
fn given(body: &str, threads: u32) -> Vec<u32> {
    let rows = [(0..threads).collect()];
    run(body, Grid::block(threads), &rows).unwrap_or_else(|error| panic!("{body}: {error}")).remove(0)
}

#[test]
fn barriers_that_no_block_has_are_refused() {
    for (body, said) in [
        ("bar.sync 16;", "there is no barrier 16: a block has barriers 0 to 15"),
        ("bar.sync -1;", "there is no barrier -1: a block has barriers 0 to 15"),
        (
            "barrier.cta.sync 0, 33;",
            "a barrier counts whole warps, and 33 threads are no multiple of 32",
        ),
        ("bar.sync 0, -32;", "a barrier for 4294967264 threads is never passed"),
        ("bar.arrive 1, 0;", "a barrier for 0 threads is not interpreted"),
        ("bar.arrive 1;", "`bar.arrive 1;` has wrong operands"),
        ("bar.red.popc.u32 %r3, 0, 48, %p1;", "48 threads are no multiple of 32"),
        ("bar.red.and.pred %p1, %p2;", "`bar.red.and.pred %p1, %p2;` has wrong operands"),
    ] {
        let error = refused(body);
        assert!(error.starts_with("`k`, line 16, instruction 14, `") && error.contains(said), "{error}");
    }
    // What is in a register is known when it is executed.
    let error = failure("mov.u32 %r6, 16; bar.sync %r6;", 32);
    assert!(
        error.to_string().ends_with("there is no barrier 16: a block has barriers 0 to 15"),
        "{error}"
    );
    let error = failure("setp.lt.u32 %p1, %r1, 9; @%p1 bra L; mov.u32 %r6, 33; bar.sync 0, %r6; L:", 32);
    assert!(error.to_string().ends_with("33 threads are no multiple of 32"), "{error}");
}

/// A kernel of two warps: the first stores words and goes on by `bar.arrive`, and the second waits by `bar.sync`.
const PRODUCED: &str = "
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra PRODUCE;
    barrier.sync 1, 64;
    xor.b32 %r6, %r1, 32;
    mad.lo.u32 %r6, %r6, 4, %r4;
    ld.shared.u32 %r3, [%r6];
    bra DONE;
PRODUCE:
    st.shared.u32 [%r5], %r2;
    bar.arrive 1, 64;
DONE:
";

#[test]
fn threads_arrive_and_go_on() {
    let expected: Vec<u32> = (0..64).map(|thread: u32| thread.saturating_sub(32)).collect();
    assert_eq!(given(PRODUCED, 64), expected);
    // What an arriving thread does afterwards is not waited for.
    let late = PRODUCED.replace(
        "st.shared.u32 [%r5], %r2;\n    bar.arrive 1, 64;",
        "bar.arrive 1, 64; st.shared.u32 [%r5], %r2;",
    );
    let error = failure(&late, 64);
    assert!(
        matches!(&error.problem, Problem::Race(words) if words.contains("since the last barrier")),
        "{error}"
    );
    // Two buffers in turn: who has read one goes on, and reads the other before the first is stored to again.
    let buffers = "
        mov.u32 %r10, 0;
        xor.b32 %r6, %r1, 32; mad.lo.u32 %r6, %r6, 4, %r4; mov.u32 %r12, dynamic; mad.lo.u32 %r13, %r1, 4, %r12;
        xor.b32 %r14, %r1, 32; mad.lo.u32 %r14, %r14, 4, %r12;
        setp.lt.u32 %p1, %r1, 32;
        @%p1 bra PRODUCE;
        barrier.arrive 3, 64; barrier.arrive 4, 64;
    CONSUME:
        barrier.sync 1, 64; ld.shared.u32 %r11, [%r6]; add.u32 %r3, %r3, %r11; bar.arrive 3, 64;
        barrier.sync 2, 64; ld.shared.u32 %r11, [%r14]; add.u32 %r3, %r3, %r11; bar.arrive 4, 64;
        add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 3; @%p2 bra CONSUME;
        bra DONE;
    PRODUCE:
        barrier.sync 3, 64; st.shared.u32 [%r5], %r2; bar.arrive 1, 64; add.u32 %r2, %r2, 1;
        barrier.sync 4, 64; st.shared.u32 [%r13], %r2; bar.arrive 2, 64; add.u32 %r2, %r2, 1;
        add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 3; @%p2 bra PRODUCE;
    DONE:";
    let sums: Vec<u32> =
        (0..64u32).map(|thread| thread.checked_sub(32).map_or(0, |word| 6 * word + 15)).collect();
    assert_eq!(given(buffers, 64), sums);
    let early = buffers.replace(
        "ld.shared.u32 %r11, [%r6]; add.u32 %r3, %r3, %r11; bar.arrive 3, 64;",
        "bar.arrive 3, 64; ld.shared.u32 %r11, [%r6];",
    );
    assert!(matches!(failure(&early, 64).problem, Problem::Race(_)));
    let twice = PRODUCED
        .replace("bar.arrive 1, 64;", "bar.arrive 1, 96; bar.arrive 1, 96;")
        .replace("1, 64", "1, 96");
    assert!(
        failure(&twice, 64)
            .to_string()
            .contains("comes to barrier 1 again before the barrier is passed")
    );
    let other = PRODUCED.replace("bar.arrive 1, 64", "bar.arrive 1, 96");
    assert!(
        failure(&other, 64).to_string().contains("different numbers of threads"),
        "{}",
        failure(&other, 64)
    );
    // Nobody is blamed who has come.
    let alone = PRODUCED.replace("1, 64", "1, 96");
    assert_eq!(
        failure(&alone, 64).to_string(),
        "`k`, line 19, instruction 16, `barrier.sync 1, 96;`, row 0, thread 32 of block 0: fewer threads come to the \
         barrier than it waits for"
    );
    // A warp counts as one, however many threads a block has in it.
    assert_eq!(given("bar.sync 0, 64; mov.u32 %r3, 7;", 40), [7; 40]);
}

#[test]
fn barriers_reduce_predicates() {
    let odd = "and.b32 %r6, %r2, 1; setp.eq.u32 %p1, %r6, 1; setp.lt.u32 %p2, %r2, 64;";
    assert_eq!(given(&format!("{odd} bar.red.popc.u32 %r3, 0, %p1;"), 64), [32; 64]);
    assert_eq!(given(&format!("{odd} barrier.cta.red.popc.u32 %r3, 1, 64, !%p1;"), 64), [32; 64]);
    for (instruction, result) in [
        ("bar.red.and.pred %p3, 0, %p1;", 0),
        ("bar.cta.red.or.pred %p3, 0, %p1;", 1),
        ("barrier.red.and.aligned.pred %p3, 15, %p2;", 1),
        ("bar.red.or.pred %p3, 0, !%p2;", 0),
    ] {
        let body = format!("{odd} {instruction} selp.u32 %r3, 1, 0, %p3;");
        assert_eq!(given(&body, 64), [result; 64], "{instruction}");
    }
    // Threads wait, too.
    let body = "st.shared.u32 [%r5], %r2; setp.eq.u32 %p1, %r2, 5; bar.red.popc.u32 %r7, 0, %p1; xor.b32 %r6, %r5, 4; \
                ld.shared.u32 %r3, [%r6]; add.u32 %r3, %r3, %r7;";
    assert_eq!(given(body, 64)[..4], [2, 1, 4, 3]);
    let mixed =
        "setp.lt.u32 %p1, %r2, 32; @%p1 bra L; bar.red.popc.u32 %r3, 0, %p1; bra E; L: bar.sync 0; E:";
    assert!(failure(mixed, 64).to_string().contains("of which some reduce, and others do not"));
}

#[test]
fn a_warp_reduces_words() {
    let all = "0xffffffff;";
    assert_eq!(given(&format!("redux.sync.add.u32 %r3, %r2, {all}"), 64)[31..33], [496, 1520]);
    assert_eq!(given(&format!("redux.sync.max.u32 %r3, %r2, {all}"), 40)[31..33], [31, 39]);
    assert_eq!(
        given(&format!("sub.u32 %r2, %r2, 5; redux.sync.min.s32 %r3, %r2, {all}"), 32),
        [-5i32 as u32; 32]
    );
    assert_eq!(given(&format!("sub.u32 %r2, %r2, 5; redux.sync.max.s32 %r3, %r2, {all}"), 32), [26; 32]);
    assert_eq!(given(&format!("or.b32 %r2, %r2, 64; redux.sync.and.b32 %r3, %r2, {all}"), 32), [64; 32]);
    assert_eq!(given(&format!("redux.sync.xor.b32 %r3, %r2, {all}"), 32), [0; 32]);
    let part = "setp.lt.u32 %p1, %r1, 5; mov.u32 %r3, 1; @%p1 redux.sync.or.b32 %r3, %r2, 31;";
    assert_eq!(given(part, 32)[3..6], [7, 7, 1]);
    // Numbers are reduced by the table's instruction: 3.5 is the largest magnitude of −3.5, 2 and NaN.
    let numbers = "setp.eq.u32 %p1, %r1, 7; selp.b32 %r6, 0xc0600000, 0x40000000, %p1; setp.eq.u32 %p2, %r1, 8; \
                   selp.b32 %r6, 0x7fc00000, %r6, %p2;";
    assert_eq!(
        given(&format!("{numbers} redux.sync.max.abs.f32 %r3, %r6, {all}"), 32),
        [0x4060_0000; 32]
    );
    assert_eq!(
        given(&format!("{numbers} redux.sync.min.NaN.f32 %r3, %r6, {all}"), 32),
        [0x7fff_ffff; 32]
    );
    assert_eq!(given(&format!("{numbers} redux.sync.min.f32 %r3, %r6, {all}"), 32), [0xc060_0000; 32]);
}

#[test]
fn a_warp_finds_equal_words() {
    let third = "rem.u32 %r6, %r2, 3;";
    let any = given(&format!("{third} match.any.sync.b32 %r3, %r6, 0xffffffff;"), 64);
    assert_eq!(any[..3], [0x4924_9249, 0x9249_2492, 0x2492_4924]);
    let all = format!("{third} match.all.sync.b32 %r3|%p1, %r6, 0xffffffff; @!%p1 mov.u32 %r3, 9;");
    assert_eq!(given(&all, 32), [9; 32]);
    let wide =
        "cvt.u64.u32 %rd4, %r2; shl.b64 %rd5, %rd4, 60; match.any.sync.b64 %r3, %rd5, 0xffffffff;";
    assert_eq!(given(wide, 32)[..2], [0x0001_0001, 0x0002_0002]);
    let same = "mov.u32 %r6, 4; match.all.sync.b32 %r3|%p1, %r6, 0xffffffff; @!%p1 mov.u32 %r3, 9;";
    assert_eq!(given(same, 32), [u32::MAX; 32]);
}

#[test]
fn special_registers_tell_the_place_in_a_warp() {
    let masks = |name: &str| given(&format!("mov.u32 %r3, %lanemask_{name};"), 64);
    assert_eq!([masks("eq")[33], masks("lt")[34], masks("le")[2]], [2, 3, 7]);
    assert_eq!([masks("ge")[62], masks("gt")[62], masks("gt")[31]], [0xc000_0000, 0x8000_0000, 0]);
    assert_eq!(given("mov.u32 %r3, %laneid;", 40)[31..34], [31, 0, 1]);
}

/// An endless loop around a barrier ends soon, however many threads a block has.
#[test]
fn a_block_has_so_many_steps_and_no_more() {
    let body = "L: bar.sync 0; add.u32 %r3, %r3, 1; bra L;";
    let kernel = RunnableFunction::of_grid(&module(&text(body)), "k", Grid::block(1024)).unwrap();
    let arguments = || [Argument::Behind(Column::new(4096, 1)), Argument::Behind(Column::new(4096, 1))];
    let error = kernel.run_settled(&mut Nearest::default(), 1, &arguments(), 1 << 16).unwrap_err();
    assert_eq!(error.problem, Problem::StepsOfBlock(1 << 23));
    let text_of = error.to_string();
    assert!(text_of.ends_with("do not come to an end within 8388608 steps together"), "{text_of}");
    assert_eq!(error.line, 16, "{error}");
    // A single thread may take all steps that a thread may take.
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; L: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3000; @%p2 bra L; END:";
    let kernel = RunnableFunction::of_grid(&module(&text(body)), "k", Grid::block(1024)).unwrap();
    assert!(kernel.run_settled(&mut Nearest::default(), 1, &arguments(), STEPS).is_ok());
    assert!(kernel.run_settled(&mut Nearest::default(), 1, &arguments(), 8000).is_err());
}
