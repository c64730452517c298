//! Tests of kernels of which each row is a thread, of what runs touch, and of what no row reaches.

use formats::Column;

use super::{STEPS, column, module};
use crate::functions::{
    Argument, Grid, Launch, Nearest, Passed, RunnableFunction, Touched, UnreachedWay,
};
use crate::interpreter::{MemoryError, Problem};

/// A kernel in the manner of Triton: pointers with attributes, loads and stores of one element in braces under a
/// guard, and a conversion of two numbers of which one is never set.
const KERNEL: &str = "
.version 8.4
.target sm_90a
.address_size 64
.visible .entry k(
\t.param .u64 .ptr .global .align 1 k_param_0,
\t.param .u64 .ptr .global .align 1 k_param_1,
\t.param .u32 k_param_2
)
.reqntid 32
{
\t.reg .pred %p<2>; .reg .b16 %rs<3>; .reg .b32 %r<9>; .reg .b64 %rd<7>;
\tld.param.b64 %rd1, [k_param_0];
\tld.param.b64 %rd2, [k_param_1];
\tld.param.b32 %r1, [k_param_2];
\tmov.u32 %r2, %ctaid.x;
\tmov.u32 %r3, %tid.x;
\tmad.lo.u32 %r4, %r2, 32, %r3;
\tsetp.lt.s32 %p1, %r4, %r1;
\tmul.wide.s32 %rd3, %r4, 4;
\tadd.s64 %rd4, %rd1, %rd3;
\tmov.u32 %r6, 0x0;
\t@%p1 ld.global.b32 { %r6 }, [ %rd4 + 0 ];
\tcvt.rn.satfinite.e5m2x2.f32 %rs1, %r8, %r6;
\tmul.wide.s32 %rd5, %r4, 1;
\tadd.s64 %rd6, %rd2, %rd5;
\t@%p1 st.global.b8 [ %rd6 + 0 ], %rs1;
\texit;
}
";

fn kernel(text: &str) -> RunnableFunction {
    RunnableFunction::of_kernel(&module(text), "k", Launch::default())
        .unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// Two numbers, of which each thread reads its own, and a count.
fn arguments(count: u64) -> [Argument; 3] {
    let numbers = column(4, &[0x3f80_0000, 0xc020_0000]);
    let counts = column(4, &[count; 2]);
    [Argument::Behind(numbers), Argument::Behind(column(1, &[0xcd; 2])), Argument::Value(counts)]
}

#[test]
fn each_row_of_a_kernel_is_a_thread_with_memory_of_its_own() {
    let settled = kernel(KERNEL).run_settled(&mut Nearest::default(), 2, &arguments(1), STEPS).unwrap();
    // The register that is never set is half of a word whose other half is stored.
    assert!(settled.unset.is_none());
    // 1 and −2.5
    assert_eq!(settled.each[0].behind[1], column(1, &[0x3c, 0xc1]));
    assert_eq!(settled.each[0].behind[0], column(4, &[0x3f80_0000, 0xc020_0000]));
}

#[test]
fn what_a_thread_may_not_do_names_its_row() {
    let beyond = KERNEL.replace("[ %rd4 + 0 ]", "[ %rd4 + 4 ]");
    let run = |text: &str| {
        kernel(text).run_settled(&mut Nearest::default(), 2, &arguments(1), STEPS).unwrap_err()
    };
    let error = run(&beyond);
    assert_eq!((error.lane, error.instruction), (Some(0), 11), "{error}");
    let error = run(&KERNEL.replace("exit;", "trap;"));
    assert_eq!((error.problem, error.lane), (Problem::Ends, Some(0)));
    let shared = KERNEL.replace("exit;", "bar.sync 0; exit;");
    let errors = RunnableFunction::of_kernel(&module(&shared), "k", Launch::default()).unwrap_err();
    assert!(errors[0].to_string().ends_with("`bar.sync 0;` is not interpreted"), "{}", errors[0]);
}

#[test]
fn special_registers_are_those_of_the_first_thread() {
    let text = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 into)
{
\t.reg .b32 %r<20>; .reg .b64 %rd<2>;
\tld.param.u64 %rd1, [into];
\tmov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.z;
\tmov.u32 %r5, %ntid.x; mov.u32 %r6, %ntid.y; mov.u32 %r7, %nctaid.x; mov.u32 %r8, %laneid;
\tst.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
\tst.global.v4.u32 [%rd1+16], {%r5, %r6, %r7, %r8};
\tret;
}
";
    let launch = Launch { threads: 128, ..Launch::default() };
    let kernel = RunnableFunction::of_kernel(&module(text), "k", launch).unwrap();
    let into = [Argument::Behind(Column::new(32, 1))];
    let settled = kernel.run_settled(&mut Nearest::default(), 1, &into, STEPS).unwrap();
    assert_eq!(settled.each[0].behind[0].elements::<u32>(), [0, 0, 0, 0, 128, 1, 1, 0]);
}

#[test]
fn what_is_read_and_written_behind_pointers_is_recorded() {
    let kernel = kernel(KERNEL);
    let touched = |count: u64| {
        let (mut read, mut written) = (Column::new(64, 1), Column::new(64, 1));
        let count = column(4, &[count]);
        let mut passed =
            [Passed::Behind(&mut read), Passed::Behind(&mut written), Passed::Value(&count)];
        let (touched, outcome) =
            kernel.probe(|_| 0, &mut Nearest::default(), &mut passed, &mut [], STEPS);
        assert_eq!(outcome, Ok(()));
        touched
    };
    let nothing = Touched::default();
    assert_eq!(touched(0), [nothing.clone(), nothing.clone(), nothing.clone()]);
    let reads = Touched { read: 0..4, ..Touched::default() };
    assert_eq!(touched(1), [reads, Touched { written: 0..1, ..Touched::default() }, nothing]);
}

#[test]
fn what_no_row_has_done_is_said() {
    let kernel = kernel(KERNEL);
    let ways = || -> Vec<(usize, UnreachedWay)> {
        kernel.unreached().iter().map(|one| (one.instruction, one.way)).collect()
    };
    let whole = ways();
    assert!(whole.len() == 16 && whole.iter().all(|(_, way)| *way == UnreachedWay::Whole));
    let run = |count: u64| {
        kernel.run_settled(&mut Nearest::default(), 2, &arguments(count), STEPS).unwrap();
    };
    run(1);
    assert_eq!(ways(), [(11, UnreachedWay::HoldsNot), (15, UnreachedWay::HoldsNot)]);
    run(0);
    assert_eq!(ways(), []);
}

/// A selection has been seen both ways when its predicate has been.
#[test]
fn a_selection_is_reached_in_both_ways() {
    let text = "
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) f(.param .b32 a)
{
\t.reg .f32 %f<4>; .reg .pred %p<2>;
\tld.param.f32 %f1, [a];
\tsetp.gt.f32 %p1, %f1, 0f42AC2341;
\tselp.f32 %f2, 0f42AC2341, %f1, %p1;
\tst.param.f32 [r], %f2;
\tret;
}
";
    let function = super::function(text, "f");
    assert_eq!(function.loaded(), [4]);
    assert!(function.constants().contains(&0x42ac_2341));
    super::results(&function, &[column(4, &[0x3f80_0000])], 4).unwrap();
    let unreached = function.unreached();
    assert_eq!(unreached.len(), 1, "{unreached:?}");
    assert_eq!((unreached[0].instruction, unreached[0].way), (3, UnreachedWay::Holds));
    assert!(unreached[0].to_string().contains("its predicate holds for no vector"));
    super::results(&function, &[column(4, &[0x7f80_0000])], 4).unwrap();
    assert_eq!(function.unreached(), []);
}

/// A kernel each of whose threads writes its index, and what special registers tell of the grid.
const INDICES: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 into, .param .u32 n)
{
\t.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p;
\tld.param.u64 %rd1, [into];
\tld.param.u32 %r0, [n];
\tmov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %nctaid.x;
\tmad.lo.u32 %r5, %r1, %r2, %r3;
\tsetp.ge.u32 %p, %r5, %r0;
\t@%p bra END;
\tmul.wide.u32 %rd2, %r5, 8;
\tadd.s64 %rd3, %rd1, %rd2;
\tmov.u32 %r6, %laneid;
\tmad.lo.u32 %r7, %r4, 100, %r6;
\tst.global.v2.u32 [%rd3], {%r5, %r7};
END:
\tret;
}
";

/// Threads of a grid share their memory, and those beyond the last element do nothing.
#[test]
fn rows_of_a_grid_are_its_threads() {
    let kernel = RunnableFunction::of_one_grid(&module(INDICES), "k").unwrap();
    let run = |elements: usize, told: u64| {
        let grid = Grid { blocks: 3, threads: [40, 1, 1] };
        let mut memory = vec![0xcd; 8 * elements];
        let mut count = Column::new(4, grid.all_threads());
        (0..grid.all_threads()).for_each(|row| count.set(row, told));
        let mut passed = [Passed::Common(&mut memory), Passed::Value(&count)];
        let outcome = kernel.run_grid(grid, &mut Nearest::default(), &mut passed, STEPS);
        (memory, outcome.map_err(|error| (error.lane, error.problem)))
    };
    let (memory, outcome) = run(120, 100);
    assert_eq!(outcome, Ok(()));
    let word = |at: usize| u32::from_le_bytes(memory[4 * at..4 * at + 4].try_into().unwrap());
    for index in 0..100 {
        assert_eq!([word(2 * index), word(2 * index + 1)], [index as u32, 300 + index as u32 % 40 % 32]);
    }
    assert!(memory[800..].iter().all(|&byte| byte == 0xcd));
    let (_, outcome) = run(100, 101);
    assert_eq!(outcome, Err((Some(100), Problem::Memory(MemoryError::Address))));
}
