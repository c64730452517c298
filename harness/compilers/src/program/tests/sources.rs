//! Tests of sources, drawn programs and edits.

use super::*;

#[test]
fn sources_say_the_same_in_every_language() {
    let program = Program::new(vec![
        (Type::F32, Node::Parameter),
        (Type::F16, apply(ProgramOperation::Cast, &[0])),
        (Type::F16, Node::Constant(0xbc00)),
        (Type::F16, apply(ProgramOperation::Select(Relation::NotEqual), &[1, 2, 2, 1])),
        (Type::F16, apply(ProgramOperation::Fma, &[3, 1, 2])),
    ]);
    assert_eq!(
        program.text(Language::Cuda, Setting::default(), "f"),
        "#include <cuda_fp16.h>\n\
         extern \"C\" __device__ __half f(float v0) {\n\
         \x20 const __half v1 = __float2half_rn(v0);\n\
         \x20 const __half v2 = __ushort_as_half((unsigned short)0xbc00);\n\
         \x20 const __half v3 = (v1 != v2) ? v2 : v1;\n\
         \x20 const __half v4 = __hfma(v3, v1, v2);\n\
         \x20 return v4;\n}\n"
    );
    assert_eq!(
        program.text(Language::Nvvm, Setting::default(), "f"),
        "define half @f(float %v0) {\n\
         \x20 %v1 = fptrunc float %v0 to half\n\
         \x20 %v2 = bitcast i16 -17408 to half\n\
         \x20 %p3 = fcmp une half %v1, %v2\n\
         \x20 %v3 = select i1 %p3, half %v2, half %v1\n\
         \x20 %v4 = call half @llvm.fma.f16(half %v3, half %v1, half %v2)\n\
         \x20 ret half %v4\n}\n\
         declare half @llvm.fma.f16(half, half, half)\n"
    );
    let llvm = |setting| sum_of_product().text(Language::Llvm, setting, "f");
    let contracted = llvm(Setting::default());
    assert!(contracted.contains("fmul contract float") && contracted.contains("fadd contract float"));
    assert!(contracted.contains(") \"denormal-fp-math-f32\"=\"ieee,ieee\" {\n"));
    let flushed =
        llvm(Setting::default().with_switch(Switch::Ftz, true).with_switch(Switch::Fma, false));
    assert!(flushed.contains("fmul float") && flushed.contains("preserve-sign,preserve-sign"));
}

/// A conversion to an integer and back is two operations of LLVM's language, and two casts of CUDA C++.
#[test]
fn integers_stand_in_the_source() {
    let of = |ty, name: &str, language| {
        let integer = ProgramOperation::Integer(Integer::named(name).expect("a type"));
        let program = Program::new(vec![(ty, Node::Parameter), (ty, apply(integer, &[0]))]);
        program.text(language, Setting::default(), "f")
    };
    let text = of(Type::F64, "s1", Language::Llvm);
    assert!(
        text.contains("  %n1 = fptosi double %v0 to i1\n  %v1 = sitofp i1 %n1 to double\n"),
        "{text}"
    );
    let text = of(Type::Bf16, "u16", Language::Nvvm);
    assert!(
        text.contains("  %n1 = fptoui bfloat %v0 to i16\n  %v1 = uitofp i16 %n1 to bfloat\n"),
        "{text}"
    );
    let text = of(Type::F32, "s8", Language::Cuda);
    assert!(text.contains("const float v1 = (float)(signed char)(v0);"), "{text}");
    let text = of(Type::F16, "u1", Language::Cuda);
    assert!(
        text.contains("const __half v1 = __float2half_rn((float)(bool)(__half2float(v0)));"),
        "{text}"
    );
}

/// Programs with integers are drawn beside the others, which stay what they are.
#[test]
fn programs_with_integers_are_drawn_beside_the_others() {
    let mut kinds = std::collections::HashSet::new();
    for index in 0..2_000 {
        let programs = plan().programs(1, index);
        assert_eq!(programs[0], plan().program(1, index));
        assert_eq!(programs.len(), if index % 8 == 0 { 2 } else { 1 });
        for program in &programs[1..] {
            let all = program.kinds();
            kinds.extend(all.split(' ').filter(|kind| kind.starts_with("as-")).map(str::to_owned));
        }
    }
    // Six integers of four types.
    assert_eq!(kinds.len(), 6 * 4, "{kinds:?}");
    assert_eq!(DrawPlan { integers: Vec::new(), ..plan() }.programs(1, 0).len(), 1);
}

/// Flags stand at every operation that has them, where a dialect takes them.
#[test]
fn flags_stand_in_the_source() {
    let program = f32s(vec![
        Node::Parameter,
        apply(ProgramOperation::Mul, &[0, 0]),
        apply(ProgramOperation::Neg, &[1]),
        apply(ProgramOperation::Sqrt, &[2]),
        apply(ProgramOperation::CopySign, &[3, 0]),
        apply(ProgramOperation::Select(Relation::Less), &[3, 4, 3, 4]),
    ]);
    let setting = Setting::default().with_switch(Switch::Nnan, true).with_switch(Switch::Nsz, true);
    let lines = |language| {
        let text = program.text(language, setting, "f");
        let body = text.lines().filter(|line| line.contains(" = "));
        body.map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let mut expected = [
        "%v1 = fmul contract nnan nsz float %v0, %v0",
        "%v2 = fneg nnan nsz float %v1",
        "%v3 = call nnan nsz float @llvm.sqrt.f32(float %v2)",
        "%v4 = call float @llvm.copysign.f32(float %v3, float %v0)",
        "%p5 = fcmp nnan nsz olt float %v3, %v4",
        "%v5 = select nnan nsz i1 %p5, float %v3, float %v4",
    ];
    assert_eq!(lines(Language::Llvm), expected);
    expected[0] = "%v1 = fmul nnan nsz float %v0, %v0";
    expected[5] = "%v5 = select i1 %p5, float %v3, float %v4";
    assert_eq!(lines(Language::Nvvm), expected);
    let unchanged = program.text(Language::Cuda, setting, "f");
    assert_eq!(unchanged, program.text(Language::Cuda, Setting::default(), "f"));
}

/// A constant stands in the source, is a parameter, or is read from memory, by the spelling; and a spelling may hide
/// a value.
#[test]
fn spellings_show_less() {
    let program = Program::new(vec![
        (Type::F16, Node::Constant(0x3c00)),
        (Type::F16, Node::Parameter),
        (Type::F16, apply(ProgramOperation::Mul, &[1, 0])),
        (Type::F16, apply(ProgramOperation::Neg, &[2])),
    ]);
    let text = |spelling, language| {
        let text = Spelled { program: &program, spelling }.text(language, Setting::default(), "f");
        text.replace("#include <cuda_fp16.h>\n", "").replace("extern \"C\" __device__ ", "")
    };
    assert_eq!(
        text(Spelling::Parameters, Language::Cuda),
        "__half f(__half v1, __half v0) {\n  const __half v2 = v1 * v0;\n  const __half v3 = -v2;\n  \
         return v3;\n}\n"
    );
    assert_eq!(
        text(Spelling::Memory, Language::Cuda),
        "__half f(__half v1, const __half *m0) {\n  const __half v0 = *m0;\n  const __half v2 = v1 * v0;\n  \
         const __half v3 = -v2;\n  return v3;\n}\n"
    );
    assert!(text(Spelling::Opaque(2), Language::Cuda).contains(
        "  unsigned short b2;\n  asm volatile(\"mov.b16 %0, %1;\" : \"=h\"(b2) : \"h\"(__half_as_ushort(v1 * v0)));\n  const __half v2 = __ushort_as_half((unsigned short)b2);\n"
    ));
    assert_eq!(
        text(Spelling::Memory, Language::Nvvm),
        "define half @f(half %v1, half* %m0) {\n  %v0 = load half, half* %m0\n  %v2 = fmul half %v1, %v0\n  \
         %v3 = fneg half %v2\n  ret half %v3\n}\n"
    );
    assert!(text(Spelling::Opaque(2), Language::Nvvm).contains(
        "  %o2 = fmul half %v1, %v0\n  %i2 = bitcast half %o2 to i16\n  %b2 = call i16 asm sideeffect \"mov.b16 $0, $1;\", \"=h,h\"(i16 %i2)\n  %v2 = bitcast i16 %b2 to half\n"
    ));
    assert_eq!(program.opaque(), [Spelling::Opaque(0), Spelling::Opaque(2)]);
    // The constant's neighbours, one, the quotient and the absolute value; then what is simpler.
    let kinds: Vec<String> = program.neighbours().iter().map(Program::kinds).collect();
    assert_eq!(kinds[..4], ["mul.f16 neg.f16", "mul.f16 neg.f16", "div.f16 neg.f16", "mul.f16 abs.f16"]);
}

fn plan() -> DrawPlan {
    DrawPlan {
        language: Language::Llvm,
        types: Type::ALL.to_vec(),
        operations: ProgramOperation::ALL.to_vec(),
        integers: Integer::ALL.to_vec(),
        depth: 3,
    }
}

/// Drawn programs are well formed and permit results, and everything that can be drawn occurs in them.
#[test]
fn drawn_programs_reach_everything() {
    let mut kinds = std::collections::HashSet::new();
    for index in 0..2_000 {
        let program = plan().program(1, index);
        // The constructor looks at types and order.
        let program = Program::new(program.values().to_vec());
        assert!(program.operations() > 0);
        kinds.extend(program.kinds().split(' ').map(str::to_owned));
        let columns = vectors(&program, 1, 16);
        for permitted in program.permitted(BOTH, &columns).into_iter().flatten() {
            assert!(!permitted.is_empty());
        }
    }
    // Twelve operations of four types, two of two, and twelve casts.
    assert_eq!(kinds.len(), 12 * 4 + 2 * 2 + 12);
}

/// Edits come to an end, and each program is simpler than the one before.
#[test]
fn edits_make_simpler() {
    for index in 0..200 {
        let mut program = plan().program(2, index);
        let mut steps = 0;
        while let Some(simpler) = program.simpler().into_iter().next_back() {
            let values = Program::new(simpler.values().to_vec());
            assert!(values.operations() <= program.operations());
            program = values;
            steps += 1;
            assert!(steps < 2_000);
        }
        assert_eq!(program.operations(), 1, "{}", program.text(Language::Nvvm, Setting::default(), "f"));
    }
}
