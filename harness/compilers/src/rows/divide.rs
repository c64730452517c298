//! Lists the rows of divisions and roots, which options make fast.

use super::{ConditionalPromise, PromiseLine};

const PREC_DIV: &str = "NVRTC and libnvvm, -prec-div: \"IEEE round-to-nearest mode\" for division and reciprocals of \
                        single precision, or a faster approximation";
const PREC_SQRT: &str = "NVRTC and libnvvm, -prec-sqrt: \"IEEE round-to-nearest mode\" for square roots of single \
                         precision, or a faster approximation";
const FAST: &str =
    "CUDA C++ Programming Guide, intrinsic functions: --use_fast_math turns x / y into __fdividef(x, y)";
const SUBSTITUTED: &str = "CUDA C++ Programming Guide, intrinsic functions: what --use_fast_math makes of a function, with the error that the \
                           instruction has";
const DERIVED: &str = "CUDA C++ Programming Guide, intrinsic functions: __tanf is derived from its implementation as \
                       __sinf(x) * (1/__cosf(x)), __powf as exp2f(y * __log2f(x)), each what --use_fast_math substitutes; that this exp2f is \
                       the instruction under every option is the header's, and no document's";
const REPLACED: &str = "CUDA C++ Programming Guide, intrinsic functions, functions affected by -use_fast_math: the function is the intrinsic \
                        one; of what instructions that is made the guide does not say";
/// An expression that is never true: no number is less than itself.
const NEVER: &str = "set.lt.s32.f32(a, a)";
/// The promise of `__tanf`, which `tanf` is under fast mathematics: a quotient by `div.approx` is computed as a product
/// with the reciprocal (PTX ISA 9.7.3.8).
pub const TANGENT: &str = "div.approx{.z}.f32(sin.approx{.z}.f32(a), cos.approx{.z}.f32(a)) or \
                           mul.rn{.z}.f32(sin.approx{.z}.f32(a), rcp.approx{.z}.f32(cos.approx{.z}.f32(a)))";
pub const POWER: &str = "ex2.approx{.z}.f32(mul.rn{.z}.f32(b, lg2.approx{.z}.f32(a)))";
const IEEE: &str =
    "CUDA C++ Programming Guide, floating-point standard: as IEEE 754 has it in double precision";

#[rustfmt::skip] // a table
pub const LINES: &[PromiseLine] = &[
    PromiseLine { name: "operator/div.f32", cuda: "a / b", ir: "fdiv float %a, %b", types: "f32 f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "fast-math", means: "div.approx{.z}.f32", source: FAST },
            ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32", source: PREC_DIV },
            ConditionalPromise { when: "", means: "div.full{.z}.f32", source: PREC_DIV },
        ] },
    PromiseLine { name: "operator/reciprocal.f32", cuda: "1.0f / a", ir: "fdiv float 1.0, %a", types: "f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "fast-math", means: "rcp.approx{.z}.f32(a) or div.approx{.z}.f32(1.0, a)", source: FAST },
            ConditionalPromise { when: "prec-div", means: "rcp.rn{.z}.f32", source: PREC_DIV },
            ConditionalPromise { when: "", means: "rcp.approx{.z}.f32", source: PREC_DIV },
        ] },
    // LLVM writes constants of single precision by the bits that they have in double precision.
    PromiseLine { name: "operator/div-by-{name}.f32", cuda: "a / {c}f", ir: "fdiv float %a, {ir}", types: "f32 -> f32",
        over: &[(&["name", "c", "ir"], &[
            &["three", "3.0", "3.0"], &["two", "2.0", "2.0"], &["most", "3.4028234663852886e38", "0x47EFFFFFE0000000"],
            &["least-normal", "1.1754943508222875e-38", "0x3810000000000000"],
        ])],
        cases: &[ConditionalPromise { when: "prec-div", means: "div.rn{.z}.f32(a, {c})", source: PREC_DIV }] },
    // Two quotients at once, both of which are in the result.
    PromiseLine { name: "operator/div-by-three-twice.f32", cuda: "", types: "f32 f32 -> f32", over: &[],
        ir: "%u = insertelement <2 x float> undef, float %a, i32 0; %v = insertelement <2 x float> %u, float %b, i32 1; \
             %q = fdiv <2 x float> %v, <float 3.0, float 3.0>; %l = extractelement <2 x float> %q, i32 0; \
             %h = extractelement <2 x float> %q, i32 1; fadd float %l, %h",
        cases: &[ConditionalPromise { when: "prec-div", means: "add.rn{.z}.f32(div.rn{.z}.f32(a, 3.0), div.rn{.z}.f32(b, 3.0))", source: PREC_DIV }] },
    PromiseLine { name: "operator/div-by-three.f64", cuda: "a / 3.0", ir: "fdiv double %a, 3.0", types: "f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "div.rn.f64(a, 3.0)", source: IEEE }] },
    PromiseLine { name: "operator/reciprocal.f64", cuda: "1.0 / a", ir: "fdiv double 1.0, %a", types: "f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "rcp.rn.f64", source: IEEE }] },
    PromiseLine { name: "function/sqrt.f32", cuda: "sqrtf(a)", ir: "call float @llvm.sqrt.f32(float %a)", types: "f32 -> f32", over: &[],
        cases: &[
            ConditionalPromise { when: "prec-sqrt", means: "sqrt.rn{.z}.f32", source: PREC_SQRT },
            ConditionalPromise { when: "", means: "sqrt.approx{.z}.f32", source: PREC_SQRT },
        ] },
    PromiseLine { name: "function/sqrt.f64", cuda: "sqrt(a)", ir: "call double @llvm.sqrt.f64(double %a)", types: "f64 -> f64", over: &[],
        cases: &[ConditionalPromise { when: "", means: "sqrt.rn.f64", source: IEEE }] },
    PromiseLine { name: "fast-math/{name}f", cuda: "{name}f(a)", ir: "", types: "f32 -> f32", over: &[(&["name", "z"], &[&["sin", "{.z}"], &["cos", "{.z}"], &["tanh", ""]])],
        cases: &[ConditionalPromise { when: "fast-math", means: "{name}.approx{z}.f32", source: SUBSTITUTED }] },
    PromiseLine { name: "fast-math/log2f", cuda: "log2f(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "fast-math", means: "lg2.approx{.z}.f32", source: SUBSTITUTED }] },
    PromiseLine { name: "intrinsic/__{name}f", cuda: "__{name}f(a)", ir: "", types: "f32 -> f32",
        over: &[(&["name", "ptx", "z"], &[&["sin", "sin", "{.z}"], &["cos", "cos", "{.z}"], &["log2", "lg2", "{.z}"], &["tanh", "tanh", ""]])],
        cases: &[ConditionalPromise { when: "", means: "{ptx}.approx{z}.f32", source: SUBSTITUTED }] },
    PromiseLine { name: "fast-math/{name}f-is-__{name}f", cuda: "__float_as_int({name}f(a)) != __float_as_int(__{name}f(a))", ir: "", types: "f32 -> s32",
        over: &[(&["name"], &[&["sin"], &["cos"], &["tan"], &["tanh"], &["exp"], &["exp10"], &["log"], &["log2"], &["log10"]])],
        cases: &[ConditionalPromise { when: "fast-math", means: NEVER, source: REPLACED }] },
    PromiseLine { name: "fast-math/sincosf-is-__sincosf", ir: "", types: "f32 -> s32", over: &[],
        cuda: "float s, c, t, d; sincosf(a, &s, &c); __sincosf(a, &t, &d); __float_as_int(s) != __float_as_int(t) || __float_as_int(c) != __float_as_int(d)",
        cases: &[ConditionalPromise { when: "fast-math", means: NEVER, source: REPLACED }] },
    PromiseLine { name: "fast-math/{name}", cuda: "__float_as_int({fast}) != __float_as_int({own})", ir: "", types: "f32 f32 -> s32",
        over: &[(&["name", "fast", "own"], &[&["powf-is-__powf", "powf(a, b)", "__powf(a, b)"], &["div-is-__fdividef", "a / b", "__fdividef(a, b)"]])],
        cases: &[ConditionalPromise { when: "fast-math", means: NEVER, source: REPLACED }] },
    PromiseLine { name: "fast-math/sincosf-{name}", cuda: "float s, c; sincosf(a, &s, &c); {v}", ir: "", types: "f32 -> f32", over: &[(&["name", "v"], &[&["sin", "s"], &["cos", "c"]])],
        cases: &[ConditionalPromise { when: "fast-math", means: "{name}.approx{.z}.f32", source: SUBSTITUTED }] },
    PromiseLine { name: "intrinsic/__sincosf-{name}", cuda: "float s, c; __sincosf(a, &s, &c); {v}", ir: "", types: "f32 -> f32", over: &[(&["name", "v"], &[&["sin", "s"], &["cos", "c"]])],
        cases: &[ConditionalPromise { when: "", means: "{name}.approx{.z}.f32", source: SUBSTITUTED }] },
    PromiseLine { name: "fast-math/tanf", cuda: "tanf(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "fast-math", means: TANGENT, source: DERIVED }] },
    PromiseLine { name: "intrinsic/__tanf", cuda: "__tanf(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: TANGENT, source: DERIVED }] },
    PromiseLine { name: "fast-math/powf", cuda: "powf(a, b)", ir: "", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "fast-math", means: POWER, source: DERIVED }] },
    PromiseLine { name: "intrinsic/__powf", cuda: "__powf(a, b)", ir: "", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: POWER, source: DERIVED }] },
    PromiseLine { name: "function/rsqrtf", cuda: "rsqrtf(a)", ir: "", types: "f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "rsqrt.approx{.z}.f32", source: "CUDA C++ Programming Guide, mathematical functions: rsqrtf, at most 2 ulp" }] },
    PromiseLine { name: "intrinsic/__fdividef", cuda: "__fdividef(a, b)", ir: "", types: "f32 f32 -> f32", over: &[],
        cases: &[ConditionalPromise { when: "", means: "div.approx{.z}.f32", source: "CUDA C++ Programming Guide, intrinsic functions: 2 ulp for 2^-126 <= |y| <= 2^126" }] },
];
