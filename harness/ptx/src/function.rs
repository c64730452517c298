//! Writes a variant as a compiler would: a function whose one instruction is the variant.

use isa::{Register, Variant};

use crate::instruction::instruction;
use crate::syntax::{Operand, PRED, Scalar};

/// Returns the text of a module whose function `f` executes a variant of registers alone, in the manner of a
/// compiler. Operands come from parameters, typed as they are loaded, and results go to others. Tests check with it
/// the code that executes functions.
pub fn function(variant: &Variant) -> String {
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    let (mut registers, mut loads, mut stores) = (String::new(), String::new(), String::new());
    let mut declare = |register: &Register| {
        let ty = Scalar::of(&register.ty);
        registers += &format!("\t.reg {ty} \t%{};\n", register.name);
        // In a parameter a predicate is a byte.
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
