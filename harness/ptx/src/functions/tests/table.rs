//! Every variant of the table as a function, held against the emulator's kernel.

use emulator::{Backend, Kernel};
use vectors::Variant;
use vectors::isa::Register;
use vectors::sweep::{Length, Sweep, columns_for, results_for};

use super::{STEPS, function};
use crate::functions::{Nearest, Passed};
use crate::instruction;
use crate::syntax::{Operand, PRED, Scalar};

const ROWS: usize = 20;

/// A variant in the manner of a compiler: operands from parameters, typed as they are loaded, results to
/// others.
fn text(variant: &Variant) -> String {
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    let (mut registers, mut loads, mut stores) = (String::new(), String::new(), String::new());
    let mut declare = |register: &Register| {
        let ty = Scalar::of(&register.ty);
        registers += &format!("\t.reg {ty} \t%{};\n", register.name);
        if ty == PRED { Scalar::Bits(8) } else { ty }
    };
    for (number, register) in variant.operands().iter().enumerate() {
        let (ty, name) = (declare(register), register.name);
        parameters.push(format!("\n\t.param {ty} f_param_{number}"));
        loads += &match Scalar::of(&register.ty) {
            PRED => format!(
                "\tld.param.u8 \t%flag, [f_param_{number}];\n\tsetp.ne.u16 \t%{name}, %flag, 0;\n"
            ),
            _ => format!("\tld.param{ty} \t%{name}, [f_param_{number}];\n"),
        };
    }
    for (number, register) in variant.results().iter().enumerate() {
        let (ty, name) = (declare(register), register.name);
        results.push(format!(".param {ty} func_retval{number}"));
        stores += &match Scalar::of(&register.ty) {
            PRED => {
                format!(
                    "\tselp.u16 \t%flag, 1, 0, %{name};\n\tst.param.b8 \t[func_retval{number}+0], %flag;\n"
                )
            }
            _ => format!("\tst.param{ty} \t[func_retval{number}+0], %{name};\n"),
        };
    }
    let name = |register: &Register| Operand::Register(format!("%{}", register.name));
    let tested = instruction(variant.spelling(), variant.lane_signature(), name);
    format!(
        ".version 9.0\n.target sm_100a\n.address_size 64\n\n.visible .func  ({}) f({}\n)\n{{\n\t.reg .b16 \
         \t%flag;\n{registers}\n{loads}\t// begin inline asm\n\t{{{tested}\n}}\n\t// end inline asm\n{stores}\
         \tret;\n\n}}\n",
        results.join(", "),
        parameters.join(","),
    )
}

#[test]
fn every_variant_is_executed_as_a_function() {
    let mut unit = Nearest::default();
    let alone =
        |variant: &&Variant| variant.is_ptx() && !variant.is_of_memory() && !variant.is_of_warp();
    for variant in Variant::all().iter().filter(alone) {
        let function = function(&text(variant), "f");
        let kernel = Kernel::of(variant, Backend::Scalar).unwrap();
        for sweep in ["uniform", "boundary"].map(|name| Sweep::named(name).unwrap()) {
            let rows = match sweep.length(variant) {
                Length::Finite(rows) if rows < ROWS as u64 => rows as usize,
                _ => ROWS,
            };
            let mut operands = columns_for(variant, rows);
            sweep.fill(variant, 5, 0, &mut operands);
            let [mut expected, mut given] = [(); 2].map(|()| results_for(variant, rows));
            kernel.run(&operands, &mut expected);
            let mut passed: Vec<Passed> = operands.iter().map(Passed::Value).collect();
            let ran = function.run(&mut unit, &mut passed, &mut given, STEPS);
            assert_eq!(ran, Ok(()), "{variant}");
            assert_eq!(given, expected, "{variant}");
        }
    }
}
