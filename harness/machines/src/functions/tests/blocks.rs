//! Tests of kernels of which each row is a grid: shared memory, barriers, exchanges, and what threads may not do.

use formats::Column;

use super::{STEPS, column, module};
use crate::functions::{Argument, Error, Grid, Nearest, RunnableFunction};
use crate::interpreter::Problem;

/// Returns a kernel `k` of a pointer to words that each thread reads, and one to words that each thread writes. The
/// registers `%r1` and `%r2` have the thread and its word, `%r3` what is written.
pub fn text(body: &str) -> String {
    format!(
        "
.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 8 .b32 words[64]; .const .u32 table[2][2] = {{{{10}}, {{30, 40}}}};
.visible .entry k(.param .u64 from, .param .u64 into)
{{
\t.reg .b32 %r<30>; .reg .b64 %rd<20>; .reg .pred %p<9>;
\tld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [into];
\tmov.u32 %r9, %ctaid.x; mov.u32 %r8, %ntid.x; mov.u32 %r1, %tid.x;
\tmad.lo.u32 %r7, %r9, %r8, %r1;
\tmul.wide.u32 %rd3, %r7, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
\tld.global.u32 %r2, [%rd1];
\tmov.u32 %r3, 0; mov.u32 %r4, words; mad.lo.u32 %r5, %r1, 4, %r4;
{body}
\tst.global.u32 [%rd2], %r3;
\tret;
}}
"
    )
}

/// Runs a kernel on rows of words, and returns what each thread wrote.
pub fn run(body: &str, grid: Grid, rows: &[Vec<u32>]) -> Result<Vec<Vec<u32>>, Box<Error>> {
    let kernel = RunnableFunction::of_grid(&module(&text(body)), "k", grid);
    let kernel = kernel.unwrap_or_else(|errors| panic!("{}", errors[0]));
    let bytes = 4 * grid.all_threads();
    let mut from = Column::new(bytes, rows.len());
    for (row, words) in rows.iter().enumerate() {
        let each: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        from.row_bytes_of_mut(row).copy_from_slice(&each);
    }
    let arguments = [Argument::Behind(from), Argument::Behind(Column::new(bytes, rows.len()))];
    let settled = kernel.run_settled(&mut Nearest::default(), rows.len(), &arguments, STEPS)?;
    if let Some(unset) = settled.unset {
        return Err(unset);
    }
    let into = &settled.each[0].behind[1];
    let words = |row: usize| into.row_bytes_of(row).chunks_exact(4);
    let of = |row: usize| words(row).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    Ok((0..rows.len()).map(of).collect())
}

pub fn failure(body: &str, threads: u32) -> Error {
    *run(body, Grid::block(threads), &[(0..threads).collect()]).expect_err(body)
}

/// Each thread has the sum of all words of its block, by way of shared memory.
const SUM: &str = "
    st.shared.u32 [%r5], %r2;
    bar.sync 0;
    mov.u32 %r6, %r8;
NEXT:
    shr.u32 %r6, %r6, 1;
    setp.ge.u32 %p1, %r1, %r6;
    @%p1 bra WAIT;
    mad.lo.u32 %r10, %r6, 4, %r5;
    ld.shared.u32 %r11, [%r10];
    ld.shared.u32 %r12, [%r5];
    add.u32 %r12, %r12, %r11;
    st.shared.u32 [%r5], %r12;
WAIT:
    barrier.sync 0;
    setp.gt.u32 %p2, %r6, 1;
    @%p2 bra NEXT;
    ld.shared.u32 %r3, [words];
";

#[test]
fn a_block_adds_up_what_its_threads_have() {
    for (blocks, threads) in [(1, 1), (1, 32), (1, 64), (3, 2), (2, 64)] {
        let grid = Grid { blocks, threads: [threads, 1, 1] };
        let row = |row: u32| (0..blocks * threads).map(|word| row * 1000 + word * word).collect();
        // More rows than are run together.
        let rows: Vec<Vec<u32>> = (0..300).map(row).collect();
        let given = if threads == 1 { continue } else { run(SUM, grid, &rows).unwrap() };
        for (row, given) in rows.iter().zip(given) {
            let sums = row.chunks(threads as usize).flat_map(|block| {
                let sum: u32 = block.iter().sum();
                vec![sum; block.len()]
            });
            assert!(sums.eq(given), "{blocks} {threads}");
        }
    }
}

#[test]
fn a_barrier_that_is_missing_is_a_race() {
    let error = failure(&SUM.replacen("bar.sync 0;", "", 1), 64);
    assert_eq!(
        error.to_string(),
        "`k`, line 25, instruction 20, `ld.shared.u32 %r11, [%r10];`, row 0, thread 0 of block 0: reads what thread 32 \
         has stored in the shared memory `words` since the last barrier"
    );
    // The threads of a warp do not wait for each other by themselves either.
    let error = failure(&SUM.replacen("bar.sync 0;", "", 1), 32);
    assert!(matches!(error.problem, Problem::Race(_)), "{error}");
    let error = failure(&SUM.replacen("barrier.sync 0;", "", 1), 64);
    assert!(matches!(error.problem, Problem::Race(_)), "{error}");
    let error = failure("st.shared.u32 [words], %r1;", 2);
    assert!(error.to_string().ends_with(
        "thread 1 of block 0: stores another value where thread 0 has stored in the shared memory `words` since the \
         last barrier"
    ), "{error}");
    let body = "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [words+4], 7; bar.sync 0; ld.shared.u32 %r3, [words+4]; \
                st.shared.u32 [words+4], %r1;";
    assert!(
        failure(body, 2).to_string().contains("stores where thread 1 has read"),
        "{}",
        failure(body, 2)
    );
    // A value that is stored twice is no matter of order, and a warp may wait for itself.
    assert_eq!(
        run("st.shared.u32 [words], 7; mov.u32 %r3, 1;", Grid::block(2), &[vec![0, 0]]).unwrap(),
        [[1, 1]]
    );
    let by_warp = "st.shared.u32 [%r5], %r2; bar.warp.sync 0xffffffff; xor.b32 %r6, %r5, 4; ld.shared.u32 %r3, [%r6];";
    let row: Vec<u32> = (0..32).collect();
    let given = run(by_warp, Grid::block(32), std::slice::from_ref(&row)).unwrap();
    assert!(given[0].iter().zip(row).all(|(given, own)| *given == own ^ 1));
}

#[test]
fn shared_memory_has_bounds_and_is_stored_before_it_is_read() {
    let error = failure("st.shared.u32 [%r5+256], %r2;", 2);
    assert!(
        error.to_string().ends_with("thread 0 of block 0: access to memory that is not allocated"),
        "{error}"
    );
    let error = failure("ld.shared.u32 %r3, [%r5];", 2);
    assert!(
        error.to_string().ends_with("the shared memory `words` is read before it is stored there"),
        "{error}"
    );
    // Nothing depends on it.
    let body = "ld.shared.u32 %r6, [%r5]; and.b32 %r6, %r6, 0; or.b32 %r3, %r6, %r2;";
    assert_eq!(run(body, Grid::block(2), &[vec![5, 6]]).unwrap(), [[5, 6]]);
    // Memory whose size the launch says, and generic addresses.
    let body = "mov.u64 %rd4, dynamic; cvta.shared.u64 %rd4, %rd4; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd4; \
                st.u32 [%rd5+4096], %r2; bar.sync 0; cvta.to.shared.u64 %rd6, %rd4; ld.shared.u32 %r3, [%rd6+4100];";
    assert_eq!(run(body, Grid::block(2), &[vec![5, 6]]).unwrap(), [[6, 6]]);
    let body = ".shared .align 8 .b8 own[8]; mov.u32 %r6, own; mad.lo.u32 %r6, %r1, 4, %r6; st.shared.u32 [%r6], %r2; \
                ld.shared.u32 %r3, [%r6];";
    assert_eq!(run(body, Grid::block(2), &[vec![5, 6]]).unwrap(), [[5, 6]]);
    assert!(matches!(failure(body, 3).problem, Problem::Memory(_)));
}

#[test]
fn threads_that_wait_for_ever_are_told() {
    // Threads that have exited are not waited for, and neither are warps of them, unless the barrier names a number.
    for exits in [
        "setp.eq.u32 %p1, %r1, 3; @%p1 ret; bar.sync 0;",
        "setp.ge.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0;",
    ] {
        assert!(run(exits, Grid::block(64), &[vec![5; 64]]).is_ok(), "{exits}");
    }
    let ended = "setp.eq.u32 %p1, %r1, 3; @%p1 ret; bar.sync 0, 64;";
    assert!(run(ended, Grid::block(64), &[vec![5; 64]]).is_ok());
    let ended = "setp.ge.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0, 64;";
    let error = failure(ended, 64);
    assert_eq!(
        error.to_string(),
        "`k`, line 16, instruction 16, `bar.sync 0, 64;`, row 0, thread 0 of block 0: thread 0 waits here for thread \
         32, which has ended"
    );
    let different = "setp.eq.u32 %p1, %r1, 0; @%p1 bar.sync 1;\nbar.sync 0;";
    assert!(
        failure(different, 64)
            .to_string()
            .ends_with("thread 0 waits here for thread 1, which waits at `bar.sync 0;` in line 17"),
        "{}",
        failure(different, 64)
    );
    let aligned = "setp.eq.u32 %p1, %r1, 0; @%p1 bar.sync 0; @!%p1 bar.sync 0;";
    assert!(
        failure(aligned, 32).to_string().contains("the threads of one warp wait at different barriers")
    );
    let named = aligned.replace("bar.sync", "barrier.sync");
    assert!(run(&named, Grid::block(32), &[vec![0; 32]]).is_ok());
    let members = "setp.eq.u32 %p1, %r1, 0; @!%p1 bar.warp.sync 0xffffffff; bar.sync 0;";
    assert!(
        failure(members, 32).to_string().contains(
            "thread 0 waits here for thread 1, which waits at `@!%p1 bar.warp.sync 0xffffffff;`"
        )
    );
    // Some threads of a block may wait for each other.
    let half = "setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 1, 32; mov.u32 %r3, 7;";
    assert_eq!(run(half, Grid::block(64), &[vec![0; 64]]).unwrap(), [[7; 64]]);
    let for_ever = "setp.eq.u32 %p1, %r1, 1; L: @%p1 bra L; bar.sync 0;";
    assert_eq!(failure(for_ever, 2).problem, Problem::Steps);
}

#[test]
fn words_go_from_thread_to_thread() {
    let row: Vec<u32> = (0..64).map(|word| 100 + word).collect();
    let given = |instruction: &str| {
        run(instruction, Grid::block(64), std::slice::from_ref(&row)).unwrap().remove(0)
    };
    let of = |from: fn(u32) -> u32| -> Vec<u32> { (0..64).map(|thread| 100 + from(thread)).collect() };
    let all = "31, 0xffffffff;";
    assert_eq!(given(&format!("shfl.sync.bfly.b32 %r3, %r2, 5, {all}")), of(|thread| thread ^ 5));
    assert_eq!(given(&format!("shfl.sync.idx.b32 %r3, %r2, 3, {all}")), of(|thread| thread & 32 | 3));
    let down = of(|thread| if thread % 32 < 30 { thread + 2 } else { thread });
    assert_eq!(given(&format!("shfl.sync.down.b32 %r3, %r2, 2, {all}")), down);
    let up = of(|thread| if thread % 32 < 2 { thread } else { thread - 2 });
    assert_eq!(given("shfl.sync.up.b32 %r3|%p3, %r2, 2, 0, 0xffffffff;"), up);
    // Segments of eight threads, and the predicate.
    let segments = of(|thread| if thread % 8 < 7 { thread + 1 } else { thread });
    assert_eq!(given("shfl.sync.down.b32 %r3, %r2, 1, 0x1807, 0xffffffff;"), segments);
    let predicate = "shfl.sync.down.b32 %r6|%p3, %r2, 1, 0x1807, 0xffffffff; selp.u32 %r3, 1, 0, %p3;";
    assert!(given(predicate).iter().zip(0..).all(|(is, thread)| *is == u32::from(thread % 8 < 7)));
    assert_eq!(
        given("setp.lt.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r3, %p1, 0xffffffff;")[..33][31..],
        [7, 0]
    );
    let any =
        "setp.eq.u32 %p1, %r1, 40; vote.sync.any.pred %p2, %p1, 0xffffffff; selp.u32 %r3, 1, 0, %p2;";
    assert_eq!(given(any)[30..34], [0, 0, 1, 1]);
    let active = "setp.lt.u32 %p1, %r1, 2; @%p1 activemask.b32 %r3;";
    assert_eq!(given(active)[..3], [3, 3, 0]);
    // Part of a warp exchanges words, and nobody gets one from outside.
    let part =
        "setp.lt.u32 %p1, %r1, 8; mov.u32 %r3, 1; @%p1 shfl.sync.idx.b32 %r3, %r2, 7, 31, 0x000000ff;";
    assert_eq!(given(part)[..9], [107, 107, 107, 107, 107, 107, 107, 107, 1]);
    let outside = part.replace("%r2, 7,", "%r2, 9,");
    assert!(
        failure(&outside, 64).to_string().contains("asks for the word of thread 9 of the warp"),
        "{}",
        failure(&outside, 64)
    );
}

#[test]
fn threads_have_places_in_three_dimensions() {
    let body = "mov.u32 %r10, %tid.y; mov.u32 %r11, %tid.z; mov.u32 %r12, %nctaid.x; mad.lo.u32 %r3, %r10, 10, %r1; \
                mad.lo.u32 %r3, %r11, 100, %r3; mad.lo.u32 %r3, %r12, 1000, %r3;";
    let text = text(body).replace("mad.lo.u32 %r7, %r9, %r8, %r1;", "mov.u32 %r7, 0;");
    let kernel = RunnableFunction::of_grid(&module(&text), "k", Grid { blocks: 2, threads: [2, 3, 4] });
    assert!(kernel.is_ok_and(|kernel| !kernel.shares() || kernel.reads(|one| one.text() == "%tid.z")));
    let values: Vec<u64> = ["%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%laneid"]
        .iter()
        .map(|name| {
            let special = ptx::syntax::Special::read(name).unwrap();
            Grid { blocks: 2, threads: [2, 3, 4] }.value(special, 24 + 17)
        })
        .collect();
    assert_eq!(values, [1, 2, 2, 1, 17]);
    for grid in [
        Grid::block(0),
        Grid::block(1025),
        Grid { blocks: 0, threads: [1; 3] },
        Grid { blocks: 1, threads: [64; 3] },
    ] {
        assert!(RunnableFunction::of_grid(&module(&text), "k", grid).is_err());
    }
    // Both are executed, and a value is handed to every thread.
    let given = column(4, &[1]);
    assert_eq!(given.rows(), 1);
}
