//! Tests of what `judge` says beside its verdict: contracted expressions, largest errors, names, headings and folders.

use super::{Folder, POWER, STEPS, SUMS, TRICK, printed, said};
use crate::common::assert_refused;

/// A sum of two products, of which the first, the second, or none is fused; or the second with another sign.
const TWO: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) sum(.param .b32 a, .param .b32 b, .param .b32 c)
{
\t.reg .f32 %f<8>;
\tld.param.f32 %f1, [a];
\tld.param.f32 %f2, [b];
\tld.param.f32 %f3, [c];
\tBODY
\tst.param.f32 [r], %f6;
\tret;
}
";

/// A meaning permits each contraction of it, and no other results.
#[test]
fn products_may_be_fused_where_that_is_said() {
    let folder = Folder::with(SUMS);
    for (function, flags, code) in
        [("steps", "", 0), ("fused", "", 1), ("steps", "; contract", 0), ("fused", "; contract nnan", 0)]
    {
        let output = folder.judge(&["--function", function, "--as", &format!("{STEPS}{flags}")]);
        assert_eq!(output.status.code(), Some(code), "{function}{flags}: {}", printed(&output));
    }
    let name = &folder.report().variants[0].variant;
    assert_eq!(name, "add.rn.f32(mul.rn.f32(a, b), c) or fma.rn.f32; nnan");

    let meaning = "add.rn.f32(mul.rn.f32(a, b), mul.rn.f32(b, c))";
    let judge = |body: &str, flags: &str| {
        let folder = Folder::with(&TWO.replace("BODY", body));
        let output = folder.judge(&["--as", &format!("{meaning}{flags}")]);
        (output.status.code(), printed(&output), folder)
    };
    let first = "mul.rn.f32 %f4, %f2, %f3; fma.rn.f32 %f6, %f1, %f2, %f4;";
    let second = "mul.rn.f32 %f4, %f1, %f2; fma.rn.f32 %f6, %f2, %f3, %f4;";
    let wrong = "mul.rn.f32 %f4, %f1, %f2; neg.f32 %f5, %f3; fma.rn.f32 %f6, %f2, %f5, %f4;";
    for fused in [first, second] {
        assert_eq!(judge(fused, "").0, Some(1), "{fused}");
        assert_eq!(judge(fused, "; contract").0, Some(0), "{fused}");
    }
    let (code, text, folder) = judge(wrong, "; contract");
    assert_eq!(code, Some(1), "{text}");
    let report = folder.report();
    let name = &report.variants[0].variant;
    assert_eq!(
        name,
        "add.rn.f32(mul.rn.f32(a, b), mul.rn.f32(b, c)) or fma.rn.f32(a, b, mul.rn.f32(b, c)) or \
         fma.rn.f32(b, c, mul.rn.f32(a, b))"
    );
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#sum"]);
    assert_eq!(again.status.code(), Some(1), "{}{}", printed(&again), said(&again));
}

#[test]
fn a_contraction_that_is_none_is_refused() {
    let folder = Folder::with(SUMS);
    let refused = |meaning: &str, words: &[&str]| {
        assert_refused(&folder.judge(&["--function", "steps", "--as", meaning]), words);
    };
    refused("fma.rn.f32; contract", &["`contract` in --as: there is nothing to fuse"]);
    refused("add.rn.f32(mul.rz.f32(a, b), c); contract", &["there is nothing to fuse"]);
    let mut many = "a".to_owned();
    for _ in 0..60 {
        many = format!("add.rn.f32(mul.rn.f32({many}, b), c)");
    }
    refused(&format!("{many}; contract"), &["at most 64 instructions"]);
    let mut many = "a".to_owned();
    for _ in 0..20 {
        many = format!("add.rn.f32(mul.rn.f32({many}, b), c)");
    }
    refused(&format!("{many}; contract"), &["more than 32 expressions", "with `or`"]);
}

/// The largest error is told with its operands, be it permitted or not, and with the trial that gave it.
#[test]
fn the_largest_error_is_told() {
    let folder = Folder::with(SUMS);
    let fused = |bound: &str| folder.judge(&["--function", "fused", "--as", &format!("{bound}{STEPS}")]);
    let green = fused("within 1e9 ulp of ");
    let text = printed(&green);
    assert!(text.contains("Largest error: "), "{text}");
    let report = folder.report();
    let variant = &report.variants[0];
    let worst = variant.accuracy[0].worst.as_ref().expect("there are errors");
    assert_eq!(variant.accuracy[0].results, variant.vectors);
    assert_eq!(worst.operands.len(), 3);
    let bits = worst.operands.iter().map(|datum| format!("{} = {}", datum.name, datum.bits));
    let bits = bits.collect::<Vec<_>>().join(", ");
    let detail = &report.implementation.details["largest error"];
    assert!(detail.contains(&bits) && text.contains(detail), "{detail}");
    assert!(detail.ends_with("permitted: 1000000000 ulp from the correctly rounded result"), "{detail}");
    // A function without a wrong result has an error of zero.
    let exact = folder.judge(&["--function", "steps", "--as", &format!("within 1 ulp of {STEPS}")]);
    assert_eq!(exact.status.code(), Some(0), "{}", printed(&exact));
    assert!(printed(&exact).contains("Largest error: 0 ulp for a = 0x"), "{}", printed(&exact));
    assert_eq!(folder.report().variants[0].max_ulp, Some(0.0));
    let red = fused("within 1 ulp of ");
    assert_eq!(red.status.code(), Some(1), "{}", printed(&red));
    assert!(printed(&red).contains("permitted: 1 ulp from"), "{}", printed(&red));
    let without = fused("");
    assert!(!printed(&without).contains("Largest error"), "{}", printed(&without));

    let folder = Folder::with(POWER);
    let meaning = "within 9 ulp of ex2.approx.f32(mul.rn.f32(a, 0x3fb8aa3b))";
    let output = folder.judge(&["--as", meaning]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let line = text.lines().find(|line| line.starts_with("Largest error: ")).expect("it is told");
    let ends = ["lowest", "highest"].iter().any(|end| line.contains(&format!("with the {end} results")));
    assert!(ends, "{line}");
    // A function of CUDA C++ has a documented bound.
    let output = folder.judge(&["--as", "expf"]);
    assert!(printed(&output).contains("; permitted: 2 ulp."), "{}", printed(&output));
}

/// A single variant that passes has its whole name.
#[test]
fn a_variant_that_passes_has_its_name() {
    let folder = Folder::with(SUMS);
    let text = printed(&folder.judge(&["--function", "fused", "--as", "fma.rn.f32"]));
    assert!(text.contains("  fma.rn.f32  "), "{text}");
}

/// Vectors that the condition leaves out are no vectors without a result.
#[test]
fn what_the_condition_leaves_out_is_headed_so() {
    let folder = Folder::with(TRICK);
    let output = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a is not nan"]);
    let text = printed(&output);
    assert!(text.contains("left out by --where") && !text.contains("no result"), "{text}");
}

/// Each function has a folder of its own, in which what belongs to it lies.
#[test]
fn reports_of_two_functions_lie_beside_each_other() {
    let folder = Folder::with(SUMS);
    let judge = |function: &str| {
        folder.run(&[
            "judge",
            "own.ptx",
            "--function",
            function,
            "--as",
            "fma.rn.f32",
            "--tier",
            "quick",
        ])
    };
    let (right, wrong) = (judge("fused"), judge("steps"));
    assert_eq!([&right, &wrong].map(|output| output.status.code()), [Some(0), Some(1)]);
    let at = |function: &str| format!("target/judge/own.ptx-{function}/report.json");
    assert!(printed(&right).contains(&format!("Report: {}", at("fused"))), "{}", printed(&right));
    assert!(printed(&wrong).contains(&format!("replay {} ", at("steps"))), "{}", printed(&wrong));
    for function in ["fused", "steps"] {
        let report = reports::load(&folder.0.path().join(at(function))).unwrap();
        assert_eq!(report.implementation.name, format!("code:own.ptx#{function}"));
    }
}
