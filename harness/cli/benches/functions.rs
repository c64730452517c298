//! Measures the time that the evaluator takes to execute a compiled function: per instruction and lane.

use divan::Bencher;
use divan::counter::ItemsCount;
use formats::Column;
use machines::functions::{Nearest, Passed, RunnableFunction};
use ptx::syntax::Module;

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
