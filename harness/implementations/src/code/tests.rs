//! Tests of functions and kernels as implementations.

mod grids;
mod rounds;
mod structures;

use formats::Column;
use isa::{Variant, columns_for, results_for};

use super::Code;
use crate::{Implementation, RowFailure, Support};

/// Returns a module with a function `f` of words with this body; its parameters are `a` and `b`, its result `r`.
fn function(parameters: &str, result: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param {result} r) f({parameters})\n{{\n\
         .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n{body}\nret;\n}}\n"
    )
}

/// Returns a module with a kernel `k` of these parameters and this body.
fn kernel(parameters: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k({parameters})\n{{\n\
         .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n{body}\nret;\n}}\n"
    )
}

fn variant(text: &str) -> &'static Variant {
    Variant::named(text).expect(text)
}

/// Runs some code on rows of operands, and returns the first register of each result, with the rows that failed.
fn run(code: &Code, of: &str, rows: &[&[u64]]) -> (Vec<u64>, Vec<RowFailure>) {
    let variant = variant(of);
    assert_eq!(code.support(variant), Support::Yes);
    let mut operands = columns_for(variant, rows.len());
    for (row, values) in rows.iter().enumerate() {
        operands.iter_mut().zip(*values).for_each(|(column, bits)| column.set(row, *bits));
    }
    let mut results = results_for(variant, rows.len());
    let mut worker = code.worker().unwrap();
    worker.run(variant, &operands, &mut results).unwrap();
    let results: &Column = &results[0];
    ((0..rows.len()).map(|row| results.get(row)).collect(), worker.faults())
}

fn code(text: &str) -> Code {
    Code::of_text("test.ptx", text, None, None).unwrap()
}

fn refusal(text: &str, function: Option<&str>, launch: Option<&str>) -> String {
    let launch = launch.map(|launch| launch.parse().unwrap());
    match Code::of_text("test.ptx", text, function, launch.as_ref()) {
        Ok(code) => panic!("{} was accepted", code.name),
        Err(error) => format!("{error:#}"),
    }
}

const ADD: &str =
    "ld.param.f32 %f1, [a]; ld.param.f32 %f2, [b]; add.rn.f32 %f3, %f1, %f2; st.param.f32 [r], %f3;";

#[test]
fn a_function_computes_an_instruction() {
    let add = code(&function(".param .b32 a, .param .b32 b", ".b32", ADD));
    assert_eq!(add.describe().name, "code:test.ptx#f");
    let (results, failures) = run(&add, "add.rn.f32", &[&[0x3f80_0000, 0x3f80_0000], &[0, 0x8000_0000]]);
    assert_eq!((results, failures), (vec![0x4000_0000, 0], vec![]));
    // Operands and results of other widths, or more of them, are another instruction's.
    for other in ["add.rn.f64", "fma.rn.f32", "sqrt.rn.f32"] {
        let Support::No(why) = add.support(variant(other)) else { panic!("{other}") };
        assert!(why.starts_with("the code takes 4 and 4 bytes and gives 4 bytes, but "), "{why}");
    }
}

/// Compilers pass 16 bits in 32, and return what the caller cuts off.
#[test]
fn narrow_operands_and_results_may_be_passed_in_words() {
    let body = "ld.param.u16 %h1, [a]; neg.f16 %h2, %h1; cvt.u32.u16 %r1, %h2; or.b32 %r1, %r1, 0xabc0000; \
                st.param.b32 [r], %r1;";
    let code = code(&function(".param .b32 a", ".b32", body));
    assert_eq!(run(&code, "neg.f16", &[&[0x3c00], &[0x8000]]).0, [0xbc00, 0]);
    assert!(code.takes_exactly(variant("neg.f16")) && !code.takes_exactly(variant("neg.f32")));
}

#[test]
fn a_row_that_fails_is_found_among_others() {
    // The table has two elements.
    let body = "ld.param.u32 %r1, [a]; setp.eq.u32 %p1, %r1, 7; @%p1 trap; setp.eq.u32 %p2, %r1, 9; \
                L: @%p2 bra L; st.param.b32 [r], %r1;";
    let code = code(&function(".param .b32 a", ".b32", body));
    let rows: Vec<Vec<u64>> = (0..5000).map(|row| vec![if row == 4321 { 7 } else { 1 }]).collect();
    let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let (results, failures) = run(&code, "neg.f32", &rows);
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0].row, 4321);
    assert!(failures[0].words.contains("the thread ends without a result"), "{}", failures[0].words);
    assert!((0..5000).all(|row| row == 4321 || results[row] == 1));
    // Whether a loop would ever end is not known, so it is no failure.
    let mut operands = columns_for(variant("neg.f32"), 3);
    operands[0].set(1, 9);
    let mut results = results_for(variant("neg.f32"), 3);
    let error = code.worker().unwrap().run(variant("neg.f32"), &operands, &mut results).unwrap_err();
    assert!(
        error.to_string().starts_with("no verdict for the operands 0x00000009: `f`, line "),
        "{error}"
    );
}

#[test]
fn a_result_of_a_register_that_was_never_set_fails() {
    let body = "ld.param.u32 %r1, [a]; setp.eq.u32 %p1, %r1, 7; mov.b32 %r3, %r1; @%p1 mov.b32 %r3, %r2; \
                st.param.b32 [r], %r3;";
    let code = code(&function(".param .b32 a", ".b32", body));
    let (results, failures) = run(&code, "neg.f32", &[&[1], &[7]]);
    assert_eq!((results[0], failures.len(), failures[0].row), (1, 1, 1));
    assert!(failures[0].words.contains("`%r2` is read before it is set"), "{}", failures[0].words);
}

const POINTERS: &str = ".param .u64 x, .param .u64 y, .param .u32 n";

/// Every thread reads and writes so many numbers of f32, if there are as many.
fn negating(each: u32) -> String {
    let offsets = (0..each).map(|at| 4 * at);
    let body: String = offsets
        .map(|at| {
            format!("ld.global.f32 %f1, [%rd1+{at}]; neg.f32 %f2, %f1; st.global.f32 [%rd2+{at}], %f2; ")
        })
        .collect();
    let guard = format!("ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, {each}; @%p1 ret;");
    kernel(POINTERS, &format!("ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; {guard} {body}"))
}

#[test]
fn how_a_kernel_is_launched_is_found_out() {
    for each in [1, 3, 4, 32] {
        let code = code(&negating(each));
        assert_eq!(code.launch().as_deref(), Some("a, &d, rows"));
        let rows: Vec<Vec<u64>> = (0..77).map(|row| vec![row]).collect();
        let rows: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
        let (results, failures) = run(&code, "neg.f32", &rows);
        assert!(failures.is_empty());
        assert!(results.iter().zip(0..).all(|(result, row)| *result == row ^ 0x8000_0000), "{each}");
    }
    // A thread that reads eight bytes reads one number of f64, or two of f32.
    let two = code(&negating(2));
    assert_eq!(two.support(variant("neg.f64")), Support::Yes);
    assert!(matches!(two.support(variant("fma.rn.f32")), Support::No(_)));
}

/// The elements of a thread with another index, and what a thread beyond the end does, are said.
#[test]
fn elements_of_another_thread_are_told() {
    let body = |stride: u32, guard: &str| {
        kernel(
            POINTERS,
            &format!(
                "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n]; mov.u32 %r2, %ctaid.x; \
                 mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4; {guard} \
                 mul.wide.u32 %rd3, %r5, 4; mul.wide.u32 %rd4, %r5, {stride}; add.u64 %rd1, %rd1, %rd3; \
                 add.u64 %rd2, %rd2, %rd4; ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; st.global.f32 [%rd2], %f2;"
            ),
        )
    };
    let guard = "setp.ge.u32 %p1, %r5, %r1; @%p1 ret;";
    let said = |text: &str| code(text).fourth_thread().expect("a kernel");
    let own = "The thread of index 3 reads and writes the elements of index 3";
    assert_eq!(said(&body(4, guard)), format!("{own}, and writes nothing where there are only 3."));
    let late = "setp.gt.u32 %p1, %r5, %r1; @%p1 ret;";
    assert_eq!(said(&body(4, late)), format!("{own}, also where there are only 3."));
    assert_eq!(
        said(&body(0, guard)),
        "The thread of index 3 reads bytes 12 to 15 of `a`, writes bytes 0 to 3 of `d`, and not the elements of index 3 \
         alone."
    );
    // A function has no threads.
    let negates = function(".param .b32 a", ".b32", "ld.param.b32 %r1, [a]; st.param.b32 [r], %r1;");
    assert_eq!(code(&negates).fourth_thread(), None);
}

/// A result that looks like memory that was never written is told from one that is not stored.
#[test]
fn a_result_that_is_not_stored_fails() {
    let body = "ld.param.u32 %r1, [a]; setp.eq.u32 %p1, %r1, 7; @%p1 ret; st.param.b32 [r], %r1;";
    let by_call = code(&function(".param .b32 a", ".b32", body));
    let body = "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 7; \
                @%p1 ret; st.global.u32 [%rd2], %r1;";
    let by_launch = code(&kernel(POINTERS, body));
    for code in [by_call, by_launch] {
        let (results, failures) = run(&code, "neg.f32", &[&[0xcdcd_cdcd], &[7], &[1]]);
        assert_eq!((results[0], results[2]), (0xcdcd_cdcd, 1));
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert_eq!((failures[0].row, &*failures[0].words), (1, "no result is stored"));
    }
}

#[test]
fn an_operand_that_is_overwritten_fails() {
    let body = "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; \
                setp.eq.u32 %p1, %r1, 7; @%p1 st.global.u32 [%rd1], 0;";
    let code = code(&kernel(POINTERS, body));
    let (_, failures) = run(&code, "neg.f32", &[&[1], &[7]]);
    assert_eq!(failures.len(), 1);
    assert_eq!((failures[0].row, &*failures[0].words), (1, "the code overwrites an operand"));
}

#[test]
fn operands_may_be_values_and_results_may_overwrite_operands() {
    let body = "ld.param.u64 %rd1, [y]; ld.param.f32 %f1, [x]; ld.global.f32 %f2, [%rd1]; sub.rn.f32 %f3, %f1, %f2; \
                st.global.f32 [%rd1], %f3;";
    let text = kernel(".param .f32 x, .param .u64 y, .param .u64 n", body);
    let code = code(&text);
    assert_eq!(code.launch().as_deref(), Some("a, &b, rows"));
    assert_eq!(run(&code, "sub.rn.f32", &[&[0x4000_0000, 0x3f80_0000]]).0, [0x3f80_0000]);
    // The user may exchange the operands.
    let exchanged = "b, &a, n=rows".parse().unwrap();
    let code = Code::of_text("test.ptx", &text, Some("k"), Some(&exchanged)).unwrap();
    assert_eq!(code.describe().name, "code:test.ptx#k(b, &a, rows)");
    assert_eq!(run(&code, "sub.rn.f32", &[&[0x4000_0000, 0x3f80_0000]]).0, [0xbf80_0000]);
}

/// Returns what the parameters of a function are given, and what it gives for rows of an instruction.
fn called(text: &str, launch: Option<&str>, of: &str, rows: &[&[u64]]) -> (Option<String>, Vec<u64>) {
    let launch = launch.map(|launch| launch.parse().unwrap());
    let code = Code::of_text("test.ptx", text, None, launch.as_ref()).unwrap();
    let (results, failures) = run(&code, of, rows);
    assert_eq!(failures, []);
    (code.launch(), results)
}

#[test]
fn functions_may_take_pointers_and_constants() {
    // A function that returns nothing, and one that returns its result.
    let negates = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func f(.param .b64 x, .param .b64 y)\n{\n\
                   .reg .b64 %rd<3>; .reg .f32 %f<3>;\nld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; \
                   ld.f32 %f1, [%rd1]; neg.f32 %f2, %f1; st.f32 [%rd2], %f2;\nret;\n}\n";
    let (launch, results) = called(negates, None, "neg.f32", &[&[1], &[0x8000_0000]]);
    assert_eq!((launch.as_deref(), results), (Some("a, &d"), vec![0x8000_0001, 0]));
    let loads = "ld.param.u64 %rd1, [a]; ld.f32 %f1, [%rd1]; ld.param.f32 %f2, [b]; add.rn.f32 %f3, %f1, %f2; \
                 st.param.f32 [r], %f3;";
    let loads = function(".param .b64 a, .param .b32 b", ".b32", loads);
    let ones: &[&[u64]] = &[&[0x3f80_0000, 0x3f80_0000]];
    let (launch, results) = called(&loads, None, "add.rn.f32", ones);
    assert_eq!((launch.as_deref(), results), (Some("a, b"), vec![0x4000_0000]));
    // One parameter has the same number for every vector.
    let add = function(".param .b32 a, .param .b32 b", ".b32", ADD);
    let (launch, results) = called(&add, Some("a, 0x40000000"), "neg.f32", &[&[0x3f80_0000]]);
    assert_eq!((launch.as_deref(), results), (Some("a, 1073741824"), vec![0x4040_0000]));
    // An integer of 64 bits that is no address is an operand.
    let shifts =
        "ld.param.u64 %rd1, [a]; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r1, %rd1; st.param.b32 [r], %r1;";
    let shifts = function(".param .b64 a", ".b32", shifts);
    assert_eq!(called(&shifts, None, "cvt.rn.f32.f64", &[&[7 << 32]]), (None, vec![7]));
}

#[test]
fn vectors_outside_of_the_domain_have_no_result() {
    let traps = "ld.param.u32 %r1, [a]; setp.gt.u32 %p1, %r1, 5; @%p1 trap; st.param.b32 [r], %r1;";
    let code = code(&function(".param .b32 a", ".b32", traps));
    let code = code.within(Some("a <= 0x5 and a is not negative".parse().unwrap()));
    let of = variant("neg.f32");
    let mut operands = columns_for(of, 4);
    [5, 6, 0x8000_0000, 2].into_iter().enumerate().for_each(|(row, bits)| operands[0].set(row, bits));
    let mut results = results_for(of, 4);
    let mut worker = code.worker().unwrap();
    worker.run(of, &operands, &mut results).unwrap();
    assert_eq!((worker.unanswered(), worker.faults()), (vec![1, 2], vec![]));
    assert_eq!((results[0].get(0), results[0].get(3)), (5, 2));
    assert_eq!(code.describe().details["where"], "a <= 0x5 and a is not negative");
    drop(worker);
    let other = code.within(Some("b > 1".parse().unwrap()));
    let Support::No(why) = other.support(of) else { panic!("it has no b") };
    assert_eq!(why, "--where names `b`, and there is only 1 operand");
}

#[test]
fn what_cannot_be_judged_is_one_sentence() {
    let text = function(".param .b32 a, .param .b32 b", ".b32", ADD);
    let two = format!("{text}.visible .func g() {{ ret; }}");
    for (text, function, launch, said) in [
        ("", None, None, "test.ptx is not PTX: it has no `.version`"),
        (".version 8.0 .target sm_80 .address_size 64", None, None, "defines no function and no kernel"),
        (&*text, Some("g"), None, "test.ptx has no function `g`: it has `f`"),
        (&*two, None, None, "has several functions, `f`, `g`: say which, with --function"),
        (
            &*kernel(POINTERS, ""),
            None,
            None,
            "could not be found out by executing its first thread: it wrote nothing",
        ),
        (
            &*negating(1),
            None,
            Some("a, &d"),
            "--launch has 2 words, but the kernel has 3 parameters: x, y, n",
        ),
        (
            &*negating(1),
            None,
            Some("a, b, rows"),
            "--launch names an operand that is overwritten: write `&` before it",
        ),
        (&*negating(1), None, Some("b, &d, rows"), "--launch does not say where the operand `a` goes"),
        (&*negating(1), None, Some("&d, &e, rows"), "--launch has `&` where nothing is written"),
        (
            &*kernel(".param .align 8 .b8 s[56]", ""),
            None,
            None,
            "could not be found out by executing its first thread: it wrote nothing",
        ),
        (
            &*kernel(POINTERS, "bar.sync 0;"),
            None,
            None,
            "could not be found out by executing a block of 32 threads: it wrote nothing",
        ),
    ] {
        let refusal = refusal(text, function, launch);
        assert!(refusal.contains(said), "{refusal}");
    }
    for launch in ["", "a,,b", "x", "&", "rows=3"] {
        if let Ok(read) = launch.parse::<super::LaunchText>() {
            assert_eq!(read.to_string().parse::<super::LaunchText>().unwrap(), read, "{launch}");
        }
    }
    assert!("d".parse::<super::LaunchText>().is_err() && "a b".parse::<super::LaunchText>().is_err());
}
