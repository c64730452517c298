//! Tests which mutants are made.

use super::*;

fn texts(instructions: &str) -> Vec<(Edit, String)> {
    let module: Module = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .visible .func (.param .b32 func_retval0) f(.param .b32 f_param_0)\n{{\n\
         .reg .b32 %f<5>;\n.reg .b16 %h<5>;\n.reg .b32 %r<5>;\nld.param.b32 %f1, [f_param_0];\n\
         {instructions}\nst.param.b32 [func_retval0], %f2;\nret;\n}}\n"
    )
    .parse()
    .expect("a module");
    let all = mutants(&module).into_iter();
    all.map(|one| (one.edit, one.text.split_once(" → ").expect("an arrow").1.to_owned())).collect()
}

fn of(edit: Edit, instructions: &str) -> Vec<String> {
    texts(instructions).into_iter().filter(|(own, _)| *own == edit).map(|(_, text)| text).collect()
}

#[test]
fn names_change_to_those_that_the_table_has() {
    let sum = "add.ftz.f32 %f2, %f1, %f1;";
    assert_eq!(of(Edit::Flushing, sum), ["add.f32 %f2, %f1, %f1;"]);
    let rounded = ["add.rz.ftz", "add.rm.ftz", "add.rp.ftz"].map(|n| format!("{n}.f32 %f2, %f1, %f1;"));
    assert_eq!(of(Edit::Rounding, sum), rounded);
    let root = "sqrt.rn.f32 %f2, %f1;";
    assert_eq!(of(Edit::Precision, root), ["sqrt.approx.f32 %f2, %f1;"]);
    assert_eq!(of(Edit::Flushing, root), ["sqrt.rn.ftz.f32 %f2, %f1;"]);
    let quotient = of(Edit::Precision, "div.full.f32 %f2, %f1, %f1;");
    assert_eq!(quotient, ["div.rn.f32 %f2, %f1, %f1;", "div.approx.f32 %f2, %f1, %f1;"]);
    assert_eq!(of(Edit::Rounding, "cvt.rni.s32.f32 %r2, %f1;").len(), 3);
    assert_eq!(
        of(Edit::Clamp, "fma.rn.relu.f16 %h2, %h1, %h1, %h1;"),
        ["fma.rn.f16 %h2, %h1, %h1, %h1;"]
    );
}

#[test]
fn what_is_called_changes_too() {
    let function = |name: &str, instructions: &str| {
        format!(
            ".func (.param .b32 r) {name}()\n{{\n.reg .b32 %f<3>;\n{instructions}\nst.param.b32 [r], %f2;\nret;\n}}\n"
        )
    };
    let call = "{ .param .b32 p; call.uni (p), called, (); ld.param.b32 %f1, [p]; }\nabs.f32 %f2, %f1;";
    let called = function("called", "neg.f32 %f2, %f1;");
    let module =
        format!(".version 8.0\n.target sm_90\n.address_size 64\n{called}{}", function("f", call));
    let module: Module = module.parse().expect("a module");
    let all: Vec<String> = mutants(&module).into_iter().map(|one| one.text).collect();
    for instruction in ["neg.f32", "abs.f32"] {
        let flushed = format!("→ {}", instruction.replace('.', ".ftz."));
        assert_eq!(all.iter().filter(|text| text.contains(&flushed)).count(), 1, "{all:?}");
    }
}

#[test]
fn products_and_sums_are_merged_and_parted() {
    let both = "mul.rn.f32 %f3, %f1, %f4;\nadd.rn.f32 %f2, %f0, %f3;";
    assert_eq!(of(Edit::Contracted, both), ["fma.rn.f32 %f2, %f1, %f4, %f0;"]);
    assert_eq!(of(Edit::Contracted, "add.rn.f32 %f2, %f0, %f3;"), [""; 0]);
    assert_eq!(
        of(Edit::TakenApart, "fma.rz.ftz.f32 %f2, %f1, %f3, %f4;"),
        ["{ .reg .b32 %product; mul.rz.ftz.f32 %product, %f1, %f3; \
         add.rz.ftz.f32 %f2, %product, %f4; }"]
    );
}

#[test]
fn operands_change_too() {
    let quotient = "div.rn.f32 %f2, 0f3f800000, %f1;";
    assert_eq!(of(Edit::Constant, quotient), ["div.rn.f32 %f2, 0f3f800001, %f1;"]);
    assert_eq!(of(Edit::Exchanged, quotient), ["div.rn.f32 %f2, %f1, 0f3f800000;"]);
    assert_eq!(of(Edit::Exchanged, "sub.rn.f32 %f2, %f1, %f1;"), [""; 0]);
    assert_eq!(of(Edit::Dropped, quotient), ["mov.b32 %f2, 0f3f800000;"]);
    assert_eq!(of(Edit::Constant, "shl.b32 %r2, %r1, 16;"), ["shl.b32 %r2, %r1, 17;"]);
    let moved = texts("mov.b32 %f2, %f1;");
    assert!(moved.is_empty(), "{moved:?}");
}

/// Registers that nobody uses take no room.
#[test]
fn registers_by_the_billion_are_no_trouble() {
    let body = ".reg .b32 %x<4294967295>; mul.f32 %x7, %f1, %f1; sub.f32 %f2, %x7, %f1;";
    assert_eq!(of(Edit::Contracted, body).len(), 1);
    assert!(of(Edit::Dropped, body).contains(&"mov.b32 %x7, %f1;".to_owned()));
}

#[test]
fn functions_by_hand_have_the_mistakes_of_people() {
    let of = |instruction: &str| -> Vec<String> {
        let module: Module = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n\
             .visible .entry f()\n{{\n.reg .f32 %f<5>;\n.reg .b32 %r<5>;\n.reg .pred %p<3>;\n{instruction}\nret;\n}}\n"
        )
        .parse()
        .expect("a module");
        let before = mutants(&module).len();
        let all = mutants_by_hand(&module).into_iter().skip(before);
        all.map(|one| one.text.split_once(" → ").expect("an arrow").1.to_owned()).collect()
    };
    assert_eq!(of("setp.lt.f32 %p1, %f1, %f2;"), ["setp.le.f32 %p1, %f1, %f2;"]);
    let compared = of("setp.ge.u32 %p1, %r1, %r2;");
    assert_eq!(compared, ["setp.gt.u32 %p1, %r1, %r2;", "setp.ge.s32 %p1, %r1, %r2;"]);
    assert_eq!(of("and.b32 %r1, %r2, %r3;"), ["or.b32 %r1, %r2, %r3;"]);
    assert_eq!(of("shl.b32 %r1, %r2, 3;"), ["shr.b32 %r1, %r2, 3;"]);
    let shifted = of("shr.s32 %r1, %r2, 3;");
    assert_eq!(shifted, ["shl.b32 %r1, %r2, 3;", "shr.u32 %r1, %r2, 3;"]);
    assert_eq!(of("add.rn.f32 %f1, %f2, %f3;"), ["sub.rn.f32 %f1, %f2, %f3;"]);
    assert_eq!(of("selp.b32 %r1, %r2, %r3, %p1;"), ["selp.b32 %r1, %r3, %r2, %p1;"]);
    assert_eq!(of("@%p1 mov.b32 %r1, %r2;"), ["@!%p1 mov.b32 %r1, %r2;"]);
    assert_eq!(of("fma.rn.f32 %f1, %f2, %f3, %f4;"), [""; 0]);
}
