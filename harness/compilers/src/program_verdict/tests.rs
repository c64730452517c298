//! Tests of verdicts on functions that are executed.

use std::sync::Arc;

use super::super::program::{Defect, Node, ProgramOperation};
use super::*;

/// A sum with NaN gives NaN without a flag, and anything under `nnan`.
#[test]
fn what_depends_on_a_register_that_is_not_set_is_right_where_anything_is() {
    const NAN: u64 = 0x7fc0_0000;
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b32 r) f(.param .b32 a)\n\
                {\n.reg .b32 %r<3>;\nst.param.b32 [r], %r2;\nret;\n}\n"
        .to_owned();
    let compiled = Compiled::Ptx(Arc::new(Ptx { tree: text.parse(), text }), "f".into());
    let sum = Node::Apply(ProgramOperation::Add, vec![0, 1]);
    let values = [Node::Parameter, Node::Constant(NAN), sum].map(|node| (Type::F32, node));
    let program = Program::new(values.into());
    let spelled = Spelled { program: &program, spelling: Spelling::Plain };
    let judged = |setting| judge(spelled, rules(Language::Nvvm, setting), &compiled, 0, 8);
    let usual = Setting::default();
    let Fate::Wrong(wrong) = judged(usual) else { panic!("{:?}", judged(usual)) };
    assert_eq!((wrong.result, wrong.mismatches, wrong.lacks), (0, 8, Some(Lack::Set)));
    let flagged = judged(usual.with_switch(Switch::Nnan, true));
    let Fate::Right { judged: 0, undecided } = flagged else { panic!("{flagged:?}") };
    assert_eq!(undecided.len(), 8);
}

/// The reciprocal of the smallest number is an infinity, and under `ninf` an infinity may give anything.
#[test]
fn what_a_defect_leaves_open_it_does_not_explain() {
    let values = [Node::Parameter, Node::Constant(1), Node::Apply(ProgramOperation::Div, vec![0, 1])];
    let program = Program::new(values.map(|node| (Type::F32, node)).into());
    let rules = rules(Language::Llvm, Setting::default().with_switch(Switch::Ninf, true));
    let operands = vectors(&program, 0, 64);
    let due = program.permitted(rules, &operands);
    let defects = Defects::from(Defect::Reciprocal);
    let open = program.permitted(Rules { defects, ..rules }, &operands);
    let results = due.iter().zip(open).map(|(due, by)| match (due, by) {
        (Some(due), None) => due[0] ^ 2,
        (due, _) => due.as_ref().map_or(0, |of| of[0]),
    });
    let fate =
        compared(&program, rules, &operands, &results.collect::<Vec<_>>(), Approximation::Nearest);
    let Fate::Wrong(wrong) = fate else { panic!("{fate:?}") };
    assert_eq!(wrong.explained(&program, rules, 0).defects, None);
}

/// Makes a program, and judges a function of these instructions as what it was compiled to.
fn explained(values: Vec<(Type, Node)>, rules: Rules, body: &str) -> Option<&'static str> {
    let program = Program::new(values);
    let width = |ty: Type| format!(".b{}", ty.format().width());
    let (mut taken, mut loaded) = (Vec::new(), String::new());
    for (at, ty) in program.parameters().into_iter().enumerate() {
        let (width, name) = (width(ty), ["a", "b", "c"][at]);
        taken.push(format!(".param {width} p{at}"));
        loaded += &format!(".reg {width} %{name};\nld.param{width} %{name}, [p{at}];\n");
    }
    let gives = width(program.result());
    let text = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .func (.param {gives} r) f({})\n{{\n\
         .reg {gives} %r;\n.reg .b32 %s<4>;\n.reg .b64 %d<4>;\n{loaded}{body}\nst.param{gives} [r], %r;\nret;\n}}\n",
        taken.join(", ")
    );
    let compiled = Compiled::Ptx(Arc::new(Ptx { tree: text.parse(), text }), "f".into());
    let spelled = Spelled { program: &program, spelling: Spelling::Plain };
    let fate = judge(spelled, rules, &compiled, 0, 256);
    let Fate::Wrong(wrong) = fate else { panic!("{body}: {fate:?}") };
    let defects = wrong.explained(&program, rules, 0).defects?;
    assert_eq!(defects.iter().count(), 1, "{body}: {}", defects.names());
    defects.iter().next().map(Defect::name)
}

/// Functions that are executed do what the rules forbid, and that is named.
#[test]
fn what_a_function_does_and_may_not_is_named() {
    let strict = rules(Language::Llvm, Setting::default().with_switch(Switch::Fma, false));
    let apply = |operation, operands: &[usize]| Node::Apply(operation, operands.to_vec());
    let all = |ty, nodes: Vec<Node>| nodes.into_iter().map(|node| (ty, node)).collect::<Vec<_>>();
    let (parameter, half) = (Node::Parameter, Type::Bf16);
    let difference = |ty, bits| {
        let product = apply(ProgramOperation::Mul, &[1, 2]);
        let sub = apply(ProgramOperation::Sub, &[0, 3]);
        all(ty, vec![parameter.clone(), parameter.clone(), Node::Constant(bits), product, sub])
    };
    let contracted = difference(Type::F64, 0x3fd1_0000_0000_0000);
    let fused = "fma.rn.f64 %r, %b, 0dBFD1000000000000, %a;";
    assert_eq!(explained(contracted.clone(), strict, fused), Some("contracted"));
    // With another constant it is something else.
    let other = "fma.rn.f64 %r, %b, 0dBFD1000000000001, %a;";
    assert_eq!(explained(contracted, strict, other), None);
    let casts = vec![
        (half, parameter.clone()),
        (Type::F16, apply(ProgramOperation::Cast, &[0])),
        (Type::F32, apply(ProgramOperation::Cast, &[1])),
    ];
    assert_eq!(explained(casts, strict, "cvt.f32.bf16 %r, %a;"), Some("casts-left-out"));
    let sums = all(
        half,
        vec![
            parameter.clone(),
            parameter.clone(),
            parameter.clone(),
            apply(ProgramOperation::Add, &[0, 1]),
            apply(ProgramOperation::Add, &[3, 2]),
        ],
    );
    let wide = "cvt.f32.bf16 %s0, %a;\ncvt.f32.bf16 %s1, %b;\nadd.rn.f32 %s0, %s0, %s1;\n\
                cvt.f32.bf16 %s1, %c;\nadd.rn.f32 %s0, %s0, %s1;\ncvt.rn.bf16.f32 %r, %s0;";
    assert_eq!(explained(sums, strict, wide), Some("casts-left-out"));
    let two = |operation| {
        all(Type::F32, vec![parameter.clone(), parameter.clone(), apply(operation, &[0, 1])])
    };
    let flushed = "add.rn.ftz.f32 %r, %a, %b;";
    assert_eq!(explained(two(ProgramOperation::Add), strict, flushed), Some("flushed"));
    let approximate = "div.approx.f32 %r, %a, %b;";
    assert_eq!(explained(two(ProgramOperation::Div), strict, approximate), Some("approximation"));
    let fused = all(
        half,
        vec![parameter.clone(), parameter.clone(), parameter, apply(ProgramOperation::Fma, &[0, 1, 2])],
    );
    let twice = "cvt.f32.bf16 %s0, %a;\ncvt.f32.bf16 %s1, %b;\ncvt.f32.bf16 %s2, %c;\n\
                 fma.rn.f32 %s0, %s0, %s1, %s2;\ncvt.rn.bf16.f32 %r, %s0;";
    assert_eq!(explained(fused, strict, twice), Some("rounded-twice"));
}

/// The instruction `min.NaN.f32` needs PTX 7.0 and sm_80.
#[test]
fn what_a_target_does_not_have_is_illegal() {
    let of = |header: &str| {
        let text = format!(
            "{header}\n.address_size 64\n.visible .func (.param .b32 r) f(.param .b32 a)\n{{\n.reg .f32 %f<3>;\n\
             ld.param.f32 %f1, [a];\nmin.NaN.f32 %f2, %f1, %f1;\nst.param.f32 [r], %f2;\nret;\n}}\n"
        );
        function(&Ptx { tree: text.parse(), text }, "f").map(|_| ())
    };
    assert_eq!(of(".version 7.0\n.target sm_80"), Ok(()));
    for (header, words) in [
        (".version 7.0\n.target sm_75", "min.NaN.f32 for sm_75 in PTX 7.0"),
        (".version 6.5\n.target sm_75", "min.NaN.f32 for sm_75 in PTX 6.5"),
    ] {
        let names = of(header).unwrap_err();
        assert_eq!(names, [words]);
        assert!(is_illegal(&names[0]));
    }
}

#[test]
fn what_ptx_does_not_have_is_told_from_what_is_not_executed() {
    for illegal in ["setp.lt.ftz.bf16", "add.ftz.bf16x2", "cvt.ftz.f64.f16"] {
        assert!(is_illegal(illegal), "{illegal}");
    }
    for unknown in [
        "frobnicate.f32",
        "add.u16x2",
        "dp4a.s32.s32",
        "the program does not come to an end",
        "a module that cannot be read: line 7: a name for min.NaN.f32 is expected",
        "cvt.rzi.f32.f32: `%r8` is read before it is set",
    ] {
        assert!(!is_illegal(unknown), "{unknown}");
    }
}
