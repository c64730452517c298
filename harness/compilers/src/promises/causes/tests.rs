//! Tests of causes, by functions that are wrong in a known way.

use std::sync::Arc;

use isa::Variant;
use machines::functions::RunnableFunction;
use ptx::syntax::Module;

use super::super::body::Body;
use super::super::try_function::try_function;
use super::*;

/// Returns the flaws that explain each class of a function of the parameters `%a`, `%b` and `%c`, whose result is in
/// `%r`. It has the operands of the instruction `shape`, and should compute `promised`.
fn flaws(promised: &str, shape: &str, body: &str) -> Vec<Vec<String>> {
    let shape = Variant::named(shape).expect("an instruction");
    let width = |ty: &isa::Type| format!(".b{}", ty.width());
    let (mut taken, mut loaded) = (Vec::new(), String::new());
    for (at, (register, name)) in shape.operands().iter().zip(["a", "b", "c"]).enumerate() {
        let width = width(&register.ty);
        taken.push(format!(".param {width} f_param_{at}"));
        loaded += &format!(".reg {width} %{name};\nld.param{width} %{name}, [f_param_{at}];\n");
    }
    let gives = width(&shape.results()[0].ty);
    let module: Module = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .func (.param {gives} func_retval0) f({})\n{{\n\
         .reg {gives} %r;\n.reg .b64 %d<4>;\n.reg .b32 %s<4>;\n{loaded}{body}\nst.param{gives} [func_retval0], %r;\n\
         ret;\n}}\n",
        taken.join(", ")
    )
    .parse()
    .expect("a module");
    let function = Arc::new(RunnableFunction::of(&module, "f").expect("a function"));
    let body = Body::of(&module, "f").expect("a body");
    let aim = match Variant::named(promised) {
        Some(variant) => Aim::Instruction(variant),
        None => {
            let means = vec![Expression::parse(promised)];
            Aim::Expected(Arc::new(Expected::new(means, Open::default(), shape)))
        }
    };
    let stop = AtomicBool::new(false);
    let reports = Trial::all(&aim, &function, &body).into_iter().map(|trial| {
        let vectors = TrialVectors::of(&trial, 512).expect("a plan");
        try_function(&trial, &vectors, &stop).expect("a report")
    });
    let wrong = reports.into_iter().find(|report| report.mismatches > 0).expect("wrong results");
    let of_class = |class: Class| {
        let Some(explanation) = class.explanation else { return Vec::new() };
        assert_eq!(explanation.agreeing, wrong.vectors - wrong.mismatches, "{explanation:?}");
        assert!(!explanation.words.is_empty() && explanation.mismatches == class.count);
        explanation.flaws
    };
    wrong.classes.into_iter().map(of_class).collect()
}

/// Asserts that one defect, and no other, explains all classes of a function.
#[track_caller]
fn explained_by(defect: Defect, promised: &str, shape: &str, body: &str) {
    let all = flaws(promised, shape, body);
    assert!(!all.is_empty() && all.iter().all(|flaws| *flaws == [defect.name()]), "{all:?}");
}

#[test]
fn a_contraction_is_told_where_each_operation_is_to_be_rounded() {
    explained_by(
        Defect::Contracted,
        "sub.rn.f64(a, mul.rn.f64(b, 0.265625))",
        "add.rn.f64",
        "fma.rn.f64 %r, %b, 0dBFD1000000000000, %a;",
    );
}

#[test]
fn casts_that_are_left_out_are_told() {
    explained_by(
        Defect::CastsLeftOut,
        "cvt.f32.f16(cvt.rn.f16.f32(cvt.f32.bf16(a)))",
        "cvt.f32.bf16",
        "cvt.f32.bf16 %r, %a;",
    );
    // Between two operations in half precision, nothing is rounded.
    let body = "cvt.f32.bf16 %s0, %a;\ncvt.f32.bf16 %s1, %b;\nmul.rn.f32 %s0, %s0, %s1;\ncvt.f32.bf16 %s1, %c;\n\
                add.rn.f32 %s0, %s0, %s1;\ncvt.rn.bf16.f32 %r, %s0;";
    explained_by(Defect::CastsLeftOut, "add.rn.bf16(mul.rn.bf16(a, b), c)", "fma.rn.bf16", body);
}

#[test]
fn an_approximation_is_told_where_an_exact_root_is_due() {
    explained_by(Defect::Approximation, "sqrt.rn.f32", "sqrt.rn.f32", "sqrt.approx.f32 %r, %a;");
}

#[test]
fn flushing_is_told_where_subnormal_numbers_are_to_be_kept() {
    let body = "mul.rn.f32 %s0, %a, %b;\nadd.rn.ftz.f32 %r, %s0, %c;";
    explained_by(Defect::Flushed, "add.rn.f32(mul.rn.f32(a, b), c)", "fma.rn.f32", body);
}

#[test]
fn a_second_rounding_is_told() {
    let body = "cvt.f64.f32 %d0, %a;\ncvt.f64.f32 %d1, %b;\ncvt.f64.f32 %d2, %c;\nfma.rn.f64 %d0, %d0, %d1, %d2;\n\
                cvt.rn.f32.f64 %r, %d0;";
    explained_by(Defect::RoundedTwice, "fma.rn.f32(b, a, c)", "fma.rn.f32", body);
}

#[test]
fn two_defects_are_told_together() {
    let all = flaws("add.rn.f32(mul.rn.f32(a, b), c)", "fma.rn.f32", "fma.rn.ftz.f32 %r, %a, %b, %c;");
    let both = [Defect::Contracted, Defect::Flushed].map(Defect::name);
    assert!(!all.is_empty() && all.iter().all(|flaws| *flaws == both), "{all:?}");
}

/// What no defect gives stays without an explanation, though the instructions are those of one: this fused
/// multiply-add has another constant.
#[test]
fn instructions_alone_prove_nothing() {
    let all = flaws(
        "sub.rn.f64(a, mul.rn.f64(b, 0.265625))",
        "add.rn.f64",
        "fma.rn.f64 %r, %b, 0dBFD1000000000001, %a;",
    );
    assert!(!all.is_empty() && all.iter().all(Vec::is_empty), "{all:?}");
}
