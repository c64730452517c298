//! Measures the time that the evaluator takes to execute a compiled function, per instruction and lane; and the time that
//! `judge` takes for a vector of a function of 20 instructions.

use divan::Bencher;
use divan::counter::ItemsCount;
use formats::Column;
use implementations::Implementation;
use implementations::code::Code;
use machines::functions::{Nearest, Passed, RunnableFunction};
use ptx::syntax::Module;
use runner::{BLOCK, Block, BlockJudge, Judging, Plan, RunRequest};
use selection::budget::Tier;

fn main() {
    divan::main();
}

/// The number of instructions in the measured function.
const OPERATIONS: usize = 10;

/// Returns a function of two 32-bit words that consists of [`OPERATIONS`] copies of one instruction, each of which
/// takes the result of the one before.
fn function(operation: &str) -> RunnableFunction {
    let operations = format!("{operation}\n").repeat(OPERATIONS);
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b32 func_retval0) f(.param \
         .b32 f_param_0, .param .b32 f_param_1)\n{{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\nld.param.b32 %r1, \
         [f_param_0];\nld.param.b32 %r2, [f_param_1];\n{operations}st.param.b32 [func_retval0], \
         %r1;\nret;\n}}\n"
    );
    let module: Module = text.parse().expect("a module");
    RunnableFunction::of(&module, "f").expect("a function")
}

fn run(bencher: Bencher, operation: &str, rows: usize) {
    let function = function(operation);
    let mut unit = Nearest::default();
    let mut inputs = [(); 2].map(|()| Column::new(4, rows));
    for (number, input) in inputs.iter_mut().enumerate() {
        for row in 0..rows {
            input.set(row, 0x3f80_0000 + 0x1_2345 * (row + number) as u64);
        }
    }
    let mut results = [Column::new(4, rows)];
    bencher.counter(ItemsCount::new(rows * OPERATIONS)).bench_local(|| {
        let mut passed = inputs.each_ref().map(Passed::Value);
        function.run(&mut unit, &mut passed, &mut results, 1000).expect("results");
    });
}

/// Measures f32 instructions, with the given number of lanes (`rows`).
#[divan::bench(sample_count = 100, args = [32, 256, 1024, 4096])]
fn straight(bencher: Bencher, rows: usize) {
    run(bencher, "fma.rn.f32 %r1, %r1, %r2, %r2;", rows);
}

/// Measures integer instructions.
#[divan::bench(sample_count = 100, args = ["add.s32 %r1, %r1, %r2;", "mad.lo.s32 %r1, %r1, %r2, %r2;"])]
fn integers(bencher: Bencher, operation: &str) {
    run(bencher, operation, 1024);
}

/// Measures instructions that only every other lane executes.
#[divan::bench(sample_count = 100)]
fn diverged(bencher: Bencher) {
    let operation =
        "{ .reg .b32 %o; and.b32 %o, %r1, 1; setp.ne.u32 %p1, %o, 0; @%p1 add.rn.f32 %r1, %r1, %r2; }";
    run(bencher, operation, 1024);
}

/// A conversion to bf16 by integers, in 20 instructions: rounded to nearest, ties to even, and a NaN stays one.
const TO_BF16: &str = ".version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b16 r) to_bf16(.param .b32 a)
{
.reg .b32 %r<14>; .reg .b16 %h<2>; .reg .pred %p<3>;
ld.param.b32 %r1, [a];
shr.u32 %r2, %r1, 16;
and.b32 %r3, %r2, 1;
add.u32 %r4, %r1, 0x7fff;
add.u32 %r5, %r4, %r3;
shr.u32 %r6, %r5, 16;
and.b32 %r7, %r1, 0x7fffffff;
setp.gt.u32 %p1, %r7, 0x7f800000;
mov.b32 %r8, 0x7fff;
selp.b32 %r9, %r8, %r6, %p1;
and.b32 %r10, %r9, 0x7fff;
and.b32 %r11, %r9, 0x8000;
or.b32 %r12, %r10, %r11;
setp.eq.u32 %p2, %r7, 0;
and.b32 %r13, %r2, 0x8000;
selp.b32 %r12, %r13, %r12, %p2;
and.b32 %r12, %r12, 0xffff;
cvt.u16.u32 %h1, %r12;
st.param.b16 [r], %h1;
ret;
}
";

/// Measures a block of all inputs of a function: vectors are made, executed and judged as `judge` does it in one thread.
#[divan::bench(sample_count = 50)]
fn judged(bencher: Bencher) {
    let code = Code::of_text("bench", TO_BF16, None, None).expect("a function");
    assert_eq!(code.instructions(), 20);
    let request = RunRequest::of(Tier::Exhaustive, vec!["cvt.rn.bf16.f32".into()]);
    let plan = Plan::new(request, &code).expect("a plan");
    let task = plan.tasks.iter().max_by_key(|task| task.vectors).expect("all inputs");
    assert_eq!(task.vectors, 1 << 32);
    let mut judge = BlockJudge::new(task.subject(), Judging::Screened);
    let mut worker = code.worker().expect("a worker");
    // MPFR judges block 0 as a sample, and no other of those that are measured.
    let mut number = 0;
    bencher.counter(ItemsCount::new(BLOCK)).bench_local(|| {
        number = number % 36 + 1;
        let block = Block { task: 0, number, first: number * BLOCK, rows: BLOCK as usize };
        let tally = judge.run_block(task, block, 0, worker.as_mut()).expect("a verdict");
        assert_eq!(tally.mismatches, 0);
    });
}
