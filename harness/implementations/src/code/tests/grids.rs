//! Tests of kernels of which each row is a launch of many threads.

use isa::{columns_for, results_for};

use super::{POINTERS, code, kernel, refusal, run, variant};
use crate::code::{Code, LaunchText};
use crate::{Implementation, Support};

/// The sum of the elements of a block, by way of shared memory.
const SUM: &str = "
    .shared .align 4 .b8 words[256];
    ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;
    mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; mov.u32 %r3, words; mad.lo.u32 %r4, %r1, 4, %r3;
    ld.global.f32 %f1, [%rd1];
    st.shared.f32 [%r4], %f1;
    bar.sync 0;
NEXT:
    shr.u32 %r2, %r2, 1; setp.ge.u32 %p1, %r1, %r2; @%p1 bra WAIT;
    mad.lo.u32 %r5, %r2, 4, %r4;
    ld.shared.f32 %f2, [%r5]; ld.shared.f32 %f3, [%r4];
    add.rn.f32 %f3, %f3, %f2;
    st.shared.f32 [%r4], %f3;
WAIT:
    bar.sync 0;
    setp.gt.u32 %p2, %r2, 1; @%p2 bra NEXT;
    setp.ne.u32 %p1, %r1, 0; @%p1 ret;
    ld.shared.f32 %f4, [words]; st.global.f32 [%rd2], %f4;";

/// Each thread of a launch negates an element, which its neighbour loads. `{index}` is the thread's index and `{guard}`
/// follows it.
pub fn negating(index: &str, guard: &str, exchange: &str) -> String {
    kernel(
        POINTERS,
        &format!(
            "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; \
             mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; {index} {guard} mul.wide.u32 %rd3, %r5, 4; \
             add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.f32 %f1, [%rd1]; {exchange} \
             neg.f32 %f2, %f1; st.global.f32 [%rd2], %f2;"
        ),
    )
}

pub const INDEX: &str = "mad.lo.u32 %r5, %r2, %r3, %r4;";
pub const GUARD: &str = "setp.ge.u32 %p1, %r5, %r1; @%p1 ret;";

fn launched(text: &str, launch: &str) -> Code {
    let launch: LaunchText = launch.parse().unwrap();
    Code::of_text("test.ptx", text, None, Some(&launch)).unwrap()
}

/// Returns the other launches of a kernel, and how many of some vectors go wrong in each, with the first words.
pub fn others(text: &str) -> Vec<(String, usize, String)> {
    let code = code(text);
    let of = variant("neg.f32");
    let rows: Vec<Vec<u64>> = (0..200).map(|row| vec![0x3f80_0000 + row]).collect();
    let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let one = |launch: &LaunchText| {
        let other = code.relaunched(launch).unwrap();
        // The name has all that is needed to launch it so again.
        let again = Code::of_text(
            "test.ptx",
            text,
            None,
            Some(&other.name.split_once('(').unwrap().1.trim_end_matches(')').parse().unwrap()),
        );
        assert_eq!(again.unwrap().name, other.name);
        let (results, failures) = run(&other, "neg.f32", &rows);
        let failed = |row: usize| failures.iter().any(|failure| failure.row == row);
        let is_wrong = |row: &usize| failed(*row) || results[*row] != rows[*row][0] ^ 0x8000_0000;
        let wrong = (0..rows.len()).filter(is_wrong).count();
        let words = failures.first().map(|failure| failure.words.clone()).unwrap_or_default();
        (launch.to_string(), wrong, words)
    };
    code.other_launches(of).iter().map(one).collect()
}

#[test]
fn a_block_reduces_elements_to_one_result() {
    let text = kernel(".param .u64 x, .param .u64 y", SUM);
    // Elements beside the operands are zeros that change no sum.
    let launch = "[a, b, 0x80000000...], &d; threads=64";
    let code = launched(&text, launch);
    assert_eq!(code.launch().as_deref(), Some(launch));
    assert_eq!(code.threads().as_deref(), Some("1 block of 64 threads"));
    let rows: &[&[u64]] = &[&[0x3f80_0000, 0x4000_0000], &[0x8000_0000, 0x8000_0000], &[1, 2]];
    assert_eq!(run(&code, "add.rn.f32", rows), (vec![0x4040_0000, 0x8000_0000, 3], vec![]));
    // Without threads, the fewest that fit are taken; without elements, none fits.
    assert_eq!(
        launched(&text, "[0x80000000*3, a, b, 0x80000000...], &d").threads().as_deref(),
        Some("1 block of 32 threads")
    );
    let Support::No(why) = super::code(&text).support(variant("add.rn.f32")) else {
        panic!("128 bytes")
    };
    assert!(why.starts_with("the code takes 128 bytes and gives 4 bytes"), "{why}");
    let without = text.replacen("bar.sync 0;", "", 1);
    let (_, failures) = run(&launched(&without, launch), "add.rn.f32", rows);
    assert_eq!(failures.len(), 3);
    assert_eq!(
        failures[0].words,
        "`k`, line 17, instruction 15, `ld.shared.f32 %f2, [%r5];`, thread 0 of block 0: reads what thread 32 has stored \
         in the shared memory `words` since the last barrier"
    );
}

#[test]
fn what_threads_do_wrong_together_fails() {
    // The thread whose element is 7 comes to another barrier.
    let waits = "mov.b32 %r6, %f1; setp.eq.u32 %p2, %r6, 7; @%p2 bar.sync 1; bar.sync 0;";
    let code = code(&negating(INDEX, GUARD, waits));
    let (results, failures) = run(&code, "neg.f32", &[&[1], &[7]]);
    assert_eq!((results[0], failures.len(), failures[0].row), (0x8000_0001, 1, 1));
    let words = &failures[0].words;
    assert!(words.contains("waits here for thread") && words.contains("bar.sync 1"), "{words}");
}

#[test]
fn words_that_go_round_in_a_warp_are_judged() {
    let load = "xor.b32 %r5, %r5, 1;";
    let back = |distance: u32| {
        format!(
            "mov.b32 %r6, %f1; shfl.sync.bfly.b32 %r6, %r6, {distance}, 31, 0xffffffff; mov.b32 %f1, %r6; \
             xor.b32 %r5, %r5, 1; mul.wide.u32 %rd3, %r5, 4; ld.param.u64 %rd2, [y]; add.u64 %rd2, %rd2, %rd3;"
        )
    };
    let rows: &[&[u64]] = &[&[1], &[2], &[3], &[0x7f80_0000]];
    let index = format!("{INDEX} {load}");
    let right = code(&negating(&index, "", &back(1)));
    assert_eq!(right.launch().as_deref(), Some("a, &d, rows; threads=32"));
    let due = vec![0x8000_0001, 0x8000_0002, 0x8000_0003, 0xff80_0000];
    assert_eq!(run(&right, "neg.f32", rows), (due.clone(), vec![]));
    let wrong = code(&negating(&index, "", &back(3)));
    let (results, failures) = run(&wrong, "neg.f32", rows);
    assert!(failures.is_empty() && results.iter().zip(&due).all(|(result, due)| result != due));
}

#[test]
fn other_threads_of_a_kernel_are_launched_too() {
    let launches = ["", ", rows=53"].map(|rows| format!("a, &d, rows; threads=32, blocks=2{rows}"));
    let other = "a, &d, rows; threads=96, blocks=3, rows=253".to_owned();
    let launches = [&launches[0], &launches[1], &other];
    let right: Vec<_> = launches.map(|launch| (launch.clone(), 0, String::new())).into();
    assert_eq!(others(&negating(INDEX, GUARD, "")), right);
    // The index of every thread is that of the first, and that of a thread in the second block.
    let same = others(&negating("mul.lo.u32 %r5, %r2, %r3;", GUARD, ""));
    assert!(same.iter().all(|(_, wrong, _)| *wrong > 150), "{same:?}");
    let in_block = others(&negating("mov.u32 %r5, %r4;", GUARD, ""));
    assert!(in_block.iter().all(|(_, wrong, _)| (50..150).contains(wrong)), "{in_block:?}");
    assert!(in_block[0].2.ends_with("no result is stored"), "{in_block:?}");
    // A thread beyond the last element does its work, too.
    let late = others(&negating(INDEX, "setp.gt.u32 %p1, %r5, %r1; @%p1 ret;", ""));
    assert_eq!((late[0].1, late[1].1), (0, 200));
    assert!(
        late[1].2.ends_with("thread 21 of block 1: access to memory that is not allocated"),
        "{late:?}"
    );
    let early =
        others(&negating(INDEX, "add.u32 %r6, %r5, 1; setp.gt.u32 %p1, %r6, %r1; @%p1 ret;", ""));
    assert!(early.iter().all(|(_, wrong, _)| *wrong == 0), "{early:?}");
}

/// Blocks whose size is in the text as a constant, or declared, are launched with that size.
#[test]
fn blocks_have_the_size_that_the_text_means() {
    let constant = negating("mad.lo.u32 %r5, %r2, 128, %r4;", GUARD, "");
    let constant = constant.replace("mov.u32 %r3, %ntid.x;", "");
    let of = |launch: &str| (launch.to_owned(), 0, String::new());
    assert_eq!(
        others(&constant),
        [of("a, &d, rows; threads=128, blocks=2"), of("a, &d, rows; threads=128, blocks=2, rows=209")]
    );
    let declared = negating(INDEX, GUARD, "").replace(")\n{", ")\n.reqntid 64, 1, 1\n{");
    assert_eq!(others(&declared)[0].0, "a, &d, rows; threads=64, blocks=2");
    // Blocks of one thread, and one block.
    let blocks = others(&negating("mov.u32 %r5, %ctaid.x;", "", "").replace("mov.u32 %r4, %tid.x;", ""));
    assert_eq!(blocks, [of("a, &d, 1; threads=1, blocks=64")]);
    let one = negating("mov.u32 %r5, %tid.x;", GUARD, "").replace("mov.u32 %r2, %ctaid.x;", "");
    assert_eq!(
        others(&one),
        [
            of("a, &d, rows; threads=32, blocks=1"),
            of("a, &d, rows; threads=32, blocks=1, rows=21"),
            of("a, &d, rows; threads=96, blocks=1, rows=61")
        ]
    );
    // What says nothing of where the elements end stays as it is.
    let mode = negating(INDEX, "", "");
    assert_eq!(
        others(&mode),
        [of("a, &d, 1; threads=32, blocks=2"), of("a, &d, 1; threads=96, blocks=3")]
    );
}

#[test]
fn a_vector_has_one_result_with_whatever_others_it_is_run() {
    let code = launched(&negating("mul.lo.u32 %r5, %r2, %r3;", GUARD, ""), "a, &d, rows; threads=8");
    let of = variant("neg.f32");
    let mut operands = columns_for(of, 300);
    (0..300).for_each(|row| operands[0].set(row, row as u64 % 7));
    let mut results = results_for(of, 300);
    let mut worker = code.worker().unwrap();
    worker.run(of, &operands, &mut results).unwrap();
    let failed: Vec<usize> = worker.faults().iter().map(|failure| failure.row).collect();
    for row in 7..300 {
        assert_eq!(failed.contains(&row), failed.contains(&(row % 7)));
        assert!(failed.contains(&row) || results[0].get(row) == results[0].get(row % 7));
    }
    assert!(!failed.is_empty());
}

#[test]
fn a_launch_is_read_from_what_it_prints() {
    for text in ["a, &d, rows; threads=32", "; threads=32, blocks=2, rows=53", "[a, b*3, 0x0...], &d"] {
        assert_eq!(text.parse::<LaunchText>().unwrap().to_string(), text);
    }
    for (text, said) in [
        ("a; threads", "`threads` in --launch is none of these: `threads=N`"),
        ("a; threads=0", "`threads=0` in --launch has no number that is greater than 0"),
        ("a; lanes=3", "is none of these"),
        ("[a, x]", "`x` in --launch is no element"),
        ("[a*0]", "`a*0` in --launch has no number of elements"),
    ] {
        let error = text.parse::<LaunchText>().unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let function =
        super::function(".param .b32 a", ".b32", "ld.param.b32 %r1, [a]; st.param.b32 [r], %r1;");
    assert!(refusal(&function, None, Some("a; threads=2")).contains("threads are those of a kernel"));
    let text = negating(INDEX, GUARD, "");
    assert!(refusal(&text, None, Some("a, &d, rows; threads=2000")).contains("at most 1024 threads"));
}

#[test]
fn elements_of_a_thread_that_are_apart_are_refused() {
    let text = |between: &str| {
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y)\n{{\n\
             .reg .f32 %f<3>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\n\
             ld.global.f32 %f1, [%rd1];\nneg.f32 %f2, %f1;\nst.global.f32 [%rd2], %f2;\n{between}\
             ld.global.f32 %f1, [%rd1+8];\nst.global.f32 [%rd2+8], %f1;\nret;\n}}\n"
        )
    };
    let why = |between: &str| {
        Code::of_text("k.ptx", &text(between), None, None)
            .map(|_| ())
            .map_err(|error| format!("{error:#}"))
    };
    let apart = why("").unwrap_err();
    assert!(apart.contains("are not adjacent"), "{apart}");
    why("ld.global.f32 %f1, [%rd1+4];\nst.global.f32 [%rd2+4], %f1;\n").unwrap();
}
