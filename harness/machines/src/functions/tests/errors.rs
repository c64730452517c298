//! Tests that what functions may not do is an error that names its place.

use formats::Column;
use isa::Variant;

use super::texts::{CALLS, MEMORY};
use super::{column, function, module, results};
use crate::functions::{ExecutionUnit, Filling, Nearest, Passed, RunnableFunction};
use crate::interpreter::Problem;

/// Returns the text of a module with a function `f` of a word, which has this body.
fn text(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.extern .global .b32 elsewhere[4];\n\
         .global .b64 pointers[2] = {{elsewhere, 0}};\n.extern .shared .b8 shared[];\n.func g(.param .b64 g_param_0)\n{{\n\tret;\n}}\n\
         .func (.param .b32 r) h(.param .b32 h_param_0)\n{{\n\t.reg .b32 %r<2>;\n\t.param .b32 a;\n\t\
         call (r), h, (h_param_0);\n\tret;\n}}\n\
         .visible .func  (.param .b32 func_retval0) f(\n\t.param .b32 f_param_0\n)\n{{\n\t.reg .b32 %r<9>;\n\t\
         .reg .b64 %rd<9>;\n\t.reg .b16 %rs<9>;\n\t.reg .pred %p<9>;\n\t.local .align 4 .b8 depot[8];\n\t\
         ld.param.b32 %r1, [f_param_0];\n\t{body}\n\tst.param.b32 [func_retval0], %r1;\n\tret;\n}}\n"
    )
}

#[test]
fn what_cannot_be_executed_is_said_when_it_is_loaded() {
    for (body, said) in [
        ("add.u16x2 %r1, %r1, %r1;", "`add.u16x2 %r1, %r1, %r1;` is not interpreted"),
        ("mov.b32 %r1, %r9;", "`%r9` is not declared"),
        ("mov.b32 %r1, %r01;", "`%r01` is not declared"),
        ("mov.b32 %r1, %clocks;", "`%clocks` is not declared"),
        ("mov.b32 %r1, %envreg3;", "the special register `%envreg3` is not interpreted"),
        ("mov.b32 %r1, %lanemask_lt;", "`mov.b32 %r1, %lanemask_lt;` is not interpreted"),
        (
            "atom.global.add.u32 %r1, [%rd1], 1;",
            "atomic operations on global memory are not interpreted: ",
        ),
        ("red.relaxed.gpu.global.add.f32 [%rd1], %r1;", "atomic operations on global memory are not"),
        ("red.global.add.u32 [%rd1], %r1;", "atomic operations on global memory are not interpreted: "),
        (
            "atom.shared.add.u32 %r1, [%rd1], 1;",
            "`atom.shared.add.u32 %r1, [%rd1], 1;` is not interpreted",
        ),
        ("cp.async.wait_all;", "`cp.async.wait_all;` is not interpreted"),
        ("vote.all.pred %p1, %p2;", "`vote.all.pred %p1, %p2;` is not interpreted"),
        ("add.u32 %r1, depot+4, 1;", "`add.u32 %r1, depot+4, 1;` has wrong operands"),
        ("mov.u32 %r1, %tid.x;", "`mov.u32 %r1, %tid.x;` is not interpreted"),
        ("mov.b64 %r1, %rd1;", "`mov.b64 %r1, %rd1;` has wrong operands"),
        ("add.u32 %r1, %r1;", "`add.u32 %r1, %r1;` has wrong operands"),
        ("add.f32 %r1, %r1;", "`add.f32 %r1, %r1;` is not interpreted"),
        ("@%p9 mov.b32 %r1, 0;", "`%p9` is not declared"),
        ("bra.uni L;", "there is no label `L`"),
        ("brx.idx %r1, T;", "there is no label `T`"),
        ("brx.idx %laneid, T;", "`brx.idx %laneid, T;` is not interpreted"),
        ("T: .branchtargets L; brx.idx %r1, T;", "there is no label `L`"),
        ("L: L:", "`L` is declared twice"),
        (".reg .b32 %r<2>, %r<3>;", "`%r` is declared twice"),
        ("ld.shared.b32 %r1, [%rd1];", "`ld.shared.b32 %r1, [%rd1];` is not interpreted"),
        ("ld.local.b32 %r1, [depot+6];", "`ld.local.b32 %r1, [depot+6];` has wrong operands"),
        ("ld.local.b32 %r1, [depot+-4];", "`ld.local.b32 %r1, [depot+-4];` has wrong operands"),
        ("ld.local.v2.b32 {%r1, %r2, %r3}, [depot];", "has wrong operands"),
        ("st.local.b128 [depot], %r1;", "is not interpreted"),
        ("call k, (f_param_0);", "there is no function `k`"),
        ("call g, (f_param_0);", "`call g, (f_param_0);` has wrong operands"),
        ("call (func_retval0), %r1, (f_param_0), proto;", "is not interpreted"),
        ("ld.global.b32 %r1, [elsewhere];", "`elsewhere` is not declared"),
        ("mov.u64 %rd1, pointers;", "`pointers` is not declared"),
        ("mov.u64 %rd1, shared;", "`shared` is not declared"),
        ("bar.sync 0;", "`bar.sync 0;` is not interpreted"),
        (".shared .align 4 .b8 s[4];", "is not interpreted"),
    ] {
        let errors = RunnableFunction::of(&module(&text(body)), "f").expect_err(body);
        assert!(errors[0].to_string().starts_with("`f`"), "{}", errors[0]);
        assert!(errors[0].to_string().contains(said), "{body}: {}", errors[0]);
        assert_eq!(errors.len(), 1, "{body}");
    }
}

#[test]
fn what_a_lane_may_not_do_is_said_of_the_lane() {
    for (body, said) in [
        ("mov.b32 %r1, %r2;", "row 0: `%r2` is read before it is set"),
        (
            "setp.eq.u32 %p1, %r1, 2; @%p1 bra L; mov.b32 %r2, 1; L: mov.b32 %r1, %r2;",
            "row 2: `%r2` is read before it is set",
        ),
        ("addc.u32 %r1, %r1, 0;", "row 0: `CC.CF` is read before it is set"),
        ("L: setp.eq.u32 %p1, %r1, 1; @%p1 bra L;", "row 1: the program does not come to an end"),
        ("L: @!%p1 bra L;", "`%p1` is read before it is set"),
        ("setp.ge.u32 %p1, %r1, 3; @%p1 trap;", "row 3: the thread ends without a result"),
        (
            "L: T: .branchtargets M, M, N; brx.idx %r1, T; N: ret; M:",
            "row 3: a branch to a place beyond its table",
        ),
        ("exit;", "row 0: the thread ends without a result"),
        ("call (func_retval0), h, (f_param_0);", "calls are nested too deeply"),
        (
            "mov.u64 %rd1, depot; mad.wide.u32 %rd2, %r1, 4, %rd1; ld.local.b32 %r1, [%rd2];",
            "row 2: access to memory that is not allocated",
        ),
        (
            "mov.u64 %rd1, depot; mad.wide.u32 %rd2, %r1, 2, %rd1; ld.local.b32 %r1, [%rd2];",
            "row 1: misaligned access to memory",
        ),
        ("mov.u64 %rd1, 0; st.b32 [%rd1], %r1;", "row 0: access to memory that is not allocated"),
        ("mov.u64 %rd1, -8; st.b64 [%rd1+16], %rd1;", "row 0: access to memory that is not allocated"),
    ] {
        let function = function(&text(body), "f");
        let error = results(&function, &[column(4, &[0, 1, 2, 3])], 4).expect_err(body);
        assert!(error.to_string().contains(said), "{body}: {error}");
    }
    // Constants are not written, and neither is what lies beside an array.
    let module = MEMORY.replace("ld.const.b32 \t%r3, [%rd2];", "st.b32 \t[%rd2], %r2; mov.b32 %r3, 0;");
    let error = results(&function(&module, "lookup"), &[column(4, &[5])], 4).unwrap_err();
    assert!(
        error.to_string().contains("row 0: stores to variables of the module are not interpreted"),
        "{error}"
    );
    let sorted = function(MEMORY, "sorted");
    let error = results(&sorted, &[column(4, &[5, 5]), column(4, &[3, 4])], 4).unwrap_err();
    assert!(error.to_string().ends_with("row 1: access to memory that is not allocated"), "{error}");
}

/// The bound holds however few lanes there are: else those that are too many together could be run one by one.
#[test]
fn a_lane_has_so_much_memory_and_no_more() {
    let of = |bytes: usize| {
        let body = format!(".local .b8 l[{bytes}]; mov.b32 %r1, 5;");
        results(&function(&text(&body), "f"), &[column(4, &[3])], 4).map(|result| result.get(0))
    };
    assert_eq!(of(1 << 15).unwrap(), 5);
    assert_eq!(of(1 << 16).unwrap_err().problem, Problem::Depth);
}

/// Registers that are not set hold the bits that they are told to hold, as many as they have.
#[test]
fn what_is_not_set_may_be_read_where_it_is_filled() {
    const ONES: Filling = |_| u64::MAX;
    for (body, unset, result) in [
        ("mov.b32 %r1, %r2;", ONES, 0xffff_ffff),
        ("mov.b32 %r1, %r2;", |_| 7, 7),
        ("and.b32 %r1, %r2, 1;", ONES, 1),
        ("selp.b32 %r1, 5, 6, %p1;", ONES, 5),
        ("setp.eq.u32 %p1, %r2, %r3; selp.b32 %r1, 5, 6, %p1;", |number| number as u64, 6),
    ] {
        let function = function(&text(body), "f");
        let rows = column(4, &[3]);
        let mut results = [column(4, &[0])];
        let mut passed = [Passed::Value(&rows)];
        let mut unit = Nearest::default();
        function.run_filled(unset, &mut unit, &mut passed, &mut results, 9).unwrap();
        assert_eq!(results[0].get(0), result, "{body}");
        assert!(function.run(&mut unit, &mut passed, &mut results, 9).is_err(), "{body}");
    }
}

/// Memory of registers is used again from block to block: no row sees what another one left.
#[test]
fn rows_of_a_later_block_have_registers_of_their_own() {
    const ROWS: u64 = 5000;
    let body = "setp.eq.u32 %p1, %r1, 2; @%p1 bra L; mov.b32 %r2, 1; L: mov.b32 %r1, %r2;";
    let function = function(&text(body), "f");
    // Where the first block has set it, the second one has not.
    let inputs: Vec<u64> = (0..ROWS).map(|row| 2 * u64::from((row % 2 == 0) == (row < 4096))).collect();
    let rows = column(4, &inputs);
    let mut results = [column(4, &[0; ROWS as usize])];
    let mut passed = [Passed::Value(&rows)];
    function.run_filled(|_| 7, &mut Nearest::default(), &mut passed, &mut results, 9).unwrap();
    for (row, input) in inputs.into_iter().enumerate() {
        assert_eq!(results[0].get(row), if input == 2 { 7 } else { 1 }, "{row}");
    }
    let one = column(4, &(0..ROWS).map(|row| 2 * u64::from(row == 4100)).collect::<Vec<_>>());
    let mut passed = [Passed::Value(&one)];
    let error = function.run(&mut Nearest::default(), &mut passed, &mut results, 9).unwrap_err();
    assert!(error.to_string().ends_with("row 4100: `%r2` is read before it is set"), "{error}");
}

/// A variable has one address in all lanes, and other bytes in each.
#[test]
fn a_variable_is_each_lanes_own_and_ends_where_it_does() {
    let stored = "mov.u64 %rd1, depot; st.local.b32 [%rd1+4], %r1; setp.eq.u32 %p1, %r1, 2; @%p1 bra L; \
                  mov.b32 %r2, 9; st.local.b32 [%rd1+4], %r2; L: ld.local.b32 %r1, [%rd1+4];";
    let given = results(&function(&text(stored), "f"), &[column(4, &[1, 2, 3])], 4).unwrap();
    assert_eq!(given, column(4, &[9, 2, 9]));
    for beyond in [
        "ld.local.v2.b32 {%r1, %r2}, [%rd1+8];",
        "ld.local.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];",
        "st.local.v4.b32 [%rd1], {%r1, %r1, %r1, %r1};",
    ] {
        let function = function(&text(&format!("mov.u64 %rd1, depot; {beyond}")), "f");
        let error = results(&function, &[column(4, &[1, 2])], 4).unwrap_err().to_string();
        assert!(error.ends_with("row 0: access to memory that is not allocated"), "{beyond}: {error}");
    }
}

/// The memory of a run is used again by the next one, which must not find what stood there.
#[test]
fn a_variable_that_nobody_stored_is_not_what_another_function_stored() {
    let [stores, loads] = ["st.local.b32 [%rd1+4], %r1;", "ld.local.b32 %r1, [%rd1+4];"]
        .map(|body| function(&text(&format!("mov.u64 %rd1, depot; {body}")), "f"));
    let rows = column(4, &[1, 2, 3]);
    assert_eq!(results(&stores, std::slice::from_ref(&rows), 4).unwrap(), rows);
    assert_eq!(results(&loads, &[rows], 4).unwrap(), column(4, &[0xcdcd_cdcd; 3]));
}

#[test]
fn all_that_cannot_be_executed_is_counted() {
    let errors = RunnableFunction::of(&module(CALLS), "says").unwrap_err();
    let opcodes: Vec<&str> = errors.iter().map(|error| error.opcode.as_str()).collect();
    assert_eq!(opcodes, ["call.uni", "vabsdiff4.u32.u32.u32", "mov.u32"]);
    assert!(errors[0].to_string().ends_with("there is no function `vprintf`"), "{}", errors[0]);
    // Errors in a function that is called are counted, too.
    let called = CALLS.replace("cvt.u16.u32", "cvt.u17.u32");
    let errors = RunnableFunction::of(&module(&called), "mixed").unwrap_err();
    assert_eq!((errors.len(), errors[0].function.as_str()), (1, "halves"));
    let errors = RunnableFunction::of(&module(CALLS), "nothing").unwrap_err();
    assert_eq!(errors[0].to_string(), "`nothing`: there is no function `nothing`");
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let gcd = function(CALLS, "gcd");
    let run = |inputs: &[Column], results: &mut [Column]| {
        let mut passed: Vec<Passed> = inputs.iter().map(Passed::Value).collect();
        gcd.run(&mut Nearest::default(), &mut passed, results, 1000)
    };
    let (one, wide, long) = (Column::new(4, 2), Column::new(8, 2), Column::new(4, 3));
    let both = [one.clone(), one.clone()];
    assert_eq!(run(&both, &mut [one.clone()]), Ok(()));
    for (inputs, mut results) in [
        (vec![one.clone()], vec![one.clone()]),
        (vec![one.clone(), wide.clone()], vec![one.clone()]),
        (vec![one.clone(), long.clone()], vec![one.clone()]),
        (both.to_vec(), vec![wide]),
        (both.to_vec(), vec![long]),
        (both.to_vec(), vec![one.clone(), one.clone()]),
        (both.to_vec(), vec![]),
        (vec![one.clone(), one.clone(), one.clone()], vec![]),
    ] {
        let error = run(&inputs, &mut results).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`gcd`: the arguments of the call do not match the function's parameters"
        );
    }
    let mut pointer = one.clone();
    let mut passed = [Passed::Behind(&mut pointer), Passed::Value(&one)];
    let ran = gcd.run(&mut Nearest::default(), &mut passed, &mut [one.clone()], 1000);
    assert!(ran.is_err(), "4 bytes are no address");
}

#[test]
fn a_unit_that_fails_says_why() {
    struct Broken;
    impl ExecutionUnit for Broken {
        fn execute(
            &mut self,
            _: &'static Variant,
            _: &[Column],
            _: &mut [Column],
        ) -> Result<(), String> {
            Err("broken".into())
        }
    }
    let function = function(&text("add.rn.f32 %r1, %r1, %r1;"), "f");
    let inputs = column(4, &[1]);
    let mut results = [Column::new(4, 1)];
    let error = function.run(&mut Broken, &mut [Passed::Value(&inputs)], &mut results, 99).unwrap_err();
    assert_eq!(error.to_string(), "`f`, line 28, instruction 2, `add.rn.f32 %r1, %r1, %r1;`: broken");
}
