//! Tests of `judge`: functions and kernels of one's own, from the file to the report.

mod answers;
mod kernels;
mod launches;
mod sources;

use std::path::Path;
use std::process::{Command, Output};

use reports::Report;

use crate::common::assert_refused;

/// A conversion to bf16 as people write it: rounded to nearest, ties to even, and NaN forgotten.
const TRICK: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) to_bf16(.param .b32 a)
{
\t.reg .b32 %r<8>;
\tld.param.b32 %r1, [a];
\tshr.u32 %r2, %r1, 16;
\tand.b32 %r3, %r2, 1;
\tadd.u32 %r4, %r1, 0x7fff;
\tadd.u32 %r5, %r4, %r3;
\tshr.u32 %r6, %r5, 16;
\tst.param.b32 [r], %r6;
\tret;
}
";

/// A fused product and sum, and the two in steps.
const SUMS: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) fused(.param .b32 a, .param .b32 b, .param .b32 c)
{
\t.reg .f32 %f<5>;
\tld.param.f32 %f1, [a];
\tld.param.f32 %f2, [b];
\tld.param.f32 %f3, [c];
\tfma.rn.f32 %f4, %f1, %f2, %f3;
\tst.param.f32 [r], %f4;
\tret;
}
.visible .func (.param .b32 r) steps(.param .b32 a, .param .b32 b, .param .b32 c)
{
\t.reg .f32 %f<6>;
\tld.param.f32 %f1, [a];
\tld.param.f32 %f2, [b];
\tld.param.f32 %f3, [c];
\tmul.rn.f32 %f4, %f1, %f2;
\tadd.rn.f32 %f5, %f4, %f3;
\tst.param.f32 [r], %f5;
\tret;
}
";

/// A power of two, clamped, of a scaled argument.
const POWER: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) power(.param .b32 a)
{
\t.reg .f32 %f<6>;
\tld.param.f32 %f1, [a];
\tmul.rn.f32 %f2, %f1, 0f3FB8AA3B;
\tex2.approx.f32 %f3, %f2;
\tst.param.f32 [r], %f3;
\tret;
}
";

const STEPS: &str = "add.rn.f32(mul.rn.f32(a, b), c)";

/// A folder with a file of PTX.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(text: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        std::fs::write(folder.0.path().join("own.ptx"), text).unwrap();
        folder
    }

    /// Runs the program in the folder.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_conformance"))
            .current_dir(self.0.path())
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Judges the file on the quick tier.
    fn judge(&self, arguments: &[&str]) -> Output {
        self.run(&[&["judge", "own.ptx", "--tier", "quick", "--out", "out"][..], arguments].concat())
    }

    fn report(&self) -> Report {
        reports::load(&self.0.path().join("out/report.json")).unwrap()
    }
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The forgotten NaN is found and named; what was found can be run again; a waiver covers it.
#[test]
fn what_a_function_gets_wrong_is_found_and_named() {
    let folder = Folder::with(TRICK);
    let output = folder.judge(&["--as", "cvt.rn.bf16.f32"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("cvt.rn.bf16.f32/nan-lost"), "{text}");
    assert!(text.contains("a NaN is rounded like a number"), "{text}");
    assert!(!text.contains("REDUCED"), "{text}");
    // What the code does on the simplest of them, with every register.
    assert!(text.contains("What the code does for a = 0x7f800001:"), "{text}");
    assert!(text.contains("5  add.u32 %r5, %r4, %r3;  →  %r5 = 0x7f808000\n"), "{text}");
    let report = folder.report();
    assert_eq!(report.implementation.name, "code:own.ptx#to_bf16");
    assert_eq!(report.variants.len(), 1);

    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#to_bf16"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(
        printed(&again).contains("mismatches occur with code:own.ptx#to_bf16"),
        "{}",
        printed(&again)
    );
    let without = folder.run(&["replay", "out/report.json"]);
    assert_refused(&without, &["name what to test with --impl"]);
}

#[test]
fn an_expression_is_a_meaning_and_so_is_one_of_several() {
    let folder = Folder::with(SUMS);
    let right = folder.judge(&["--function", "steps", "--as", STEPS]);
    assert_eq!(right.status.code(), Some(0), "{}", printed(&right));
    let wrong = folder.judge(&["--function", "fused", "--as", STEPS]);
    let text = printed(&wrong);
    assert_eq!(wrong.status.code(), Some(1), "{text}");
    assert!(text.contains("add.rn.f32(mul.rn.f32(a, b), c)/ulp-above"), "{text}");
    // An expression is no instruction to be explained, and its mismatches can be run again.
    assert!(!text.contains("explain:"), "{text}");
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#fused"]);
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
    let other = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#steps"]);
    assert_eq!(other.status.code(), Some(0), "{}", printed(&other));
    for function in ["steps", "fused"] {
        let either = folder.judge(&["--function", function, "--as", &format!("{STEPS} or fma.rn.f32")]);
        assert_eq!(either.status.code(), Some(0), "{function}: {}", printed(&either));
    }
}

#[test]
fn a_function_is_held_to_another_ones_bits() {
    let folder = Folder::with(SUMS);
    let same = folder.judge(&["--function", "fused", "--against", "own.ptx#fused"]);
    assert_eq!(same.status.code(), Some(0), "{}", printed(&same));
    assert!(printed(&same).contains("agrees with code:own.ptx#fused"), "{}", printed(&same));
    let other = folder.judge(&["--function", "fused", "--against", "own.ptx#steps"]);
    assert_eq!(other.status.code(), Some(1), "{}", printed(&other));
    let replay = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#fused"]);
    assert_refused(&replay, &["held to the bits of code:own.ptx#steps"]);
    std::fs::write(folder.0.path().join("trick.ptx"), TRICK).unwrap();
    let unlike = folder.judge(&["--function", "fused", "--against", "trick.ptx#to_bf16"]);
    assert_refused(&unlike, &["cannot be compared with"]);
}

/// With the ends of a bound, too, each instruction is as the meaning's is.
#[test]
fn approximations_are_tried_at_the_ends_of_their_bounds() {
    let folder = Folder::with(POWER);
    let meaning = "ex2.approx.f32(mul.rn.f32(a, 0x3fb8aa3b))";
    let right = folder.judge(&["--as", meaning]);
    assert_eq!(right.status.code(), Some(0), "{}", printed(&right));
    assert!(
        said(&right).contains("with the nearest, the lowest and the highest results"),
        "{}",
        said(&right)
    );
    assert_eq!(folder.report().implementation.details["approximate instructions"], "highest");
    let wrong = folder.judge(&["--as", "ex2.approx.f32(mul.rn.f32(a, 0x3fb8aa3c))"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", printed(&wrong));
}

/// A wrong result in the quick tier is told at once; of a right function, all operands are tried.
#[test]
fn a_first_look_comes_before_all_operands() {
    let folder = Folder::with(TRICK);
    let output =
        folder.run(&["judge", "own.ptx", "--as", "cvt.rn.bf16.f32", "--jobs", "1", "--out", "out"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let text = said(&output);
    assert!(text.contains("The quick tier is tried first."), "{text}");
    assert!(text.contains("These results come from the quick tier. With --tier exhaustive"), "{text}");
    assert_eq!(folder.report().plan.tier, "quick");
    assert!(!folder.0.path().join("out/quick/state.json").exists());
}

/// A replay in which no mismatch could be run is no verdict.
#[test]
fn a_replay_outside_of_the_domain_has_no_verdict() {
    let folder = Folder::with(TRICK);
    let wrong = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a is nan"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", printed(&wrong));
    let path = folder.0.path().join("out/report.json");
    let report = std::fs::read_to_string(&path).unwrap();
    let report = report.replace("\"where\": \"a is nan\"", "\"where\": \"a is zero\"");
    let without: Vec<&str> = report.lines().filter(|line| !line.contains("\"checksum\"")).collect();
    let report = without.join("\n");
    std::fs::write(&path, report).unwrap();
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#to_bf16"]);
    assert_eq!(again.status.code(), Some(2), "{}{}", printed(&again), said(&again));
}

/// A product that is rounded otherwise is the first value that the meaning, or the other function, does not have.
#[test]
fn where_the_code_leaves_its_meaning_is_said() {
    let folder = Folder::with(&SUMS.replace("mul.rn.f32 %f4", "mul.rz.f32 %f4"));
    let output = folder.judge(&["--function", "steps", "--as", STEPS]);
    let text = printed(&output);
    assert!(text.contains("The values of the meaning, and where the code has them:"), "{text}");
    assert!(
        text.contains("\n  mul.rn.f32(a, b) = 0x") && text.contains(": no register has it\n"),
        "{text}"
    );
    std::fs::write(folder.0.path().join("other.ptx"), SUMS).unwrap();
    let output = folder.judge(&["--function", "steps", "--against", "other.ptx"]);
    let text = printed(&output);
    let first =
        "The first value that code:other.ptx#steps does not compute:\n    4  mul.rz.f32 %f4, %f1, %f2;";
    assert!(text.contains(first), "{text}");
    let other =
        "The first value that only code:other.ptx#steps computes:\n    4  mul.rn.f32 %f4, %f1, %f2;";
    assert!(text.contains(other), "{text}");
}

/// Outside of its domain a function may do anything, and the report says what was left out.
#[test]
fn a_function_is_judged_in_its_domain() {
    let folder = Folder::with(TRICK);
    let right = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a is not nan"]);
    assert_eq!(right.status.code(), Some(0), "{}", printed(&right));
    assert!(
        printed(&right).contains("were left out, because they do not fulfil --where 'a is not nan'."),
        "{}",
        printed(&right)
    );
    let report = folder.report();
    assert_eq!(report.implementation.details["where"], "a is not nan");
    assert!(report.totals.unanswered > 0);
    // A wrong result in the domain is replayed in it, and vectors outside of it are not.
    let wrong = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a is nan or a is zero"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", printed(&wrong));
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#to_bf16"]);
    assert_eq!(again.status.code(), Some(1), "{}", printed(&again));
    assert!(!printed(&again).contains("untested"), "{}", printed(&again));
    let none = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a < 1 and a > 1"]);
    assert_refused(&none, &["none of the vectors that are tried fulfils --where 'a < 1 and a > 1'"]);
    let other = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "b < 1"]);
    assert_refused(&other, &["--where names `b`, and there is only 1 operand"]);
    let neither = folder.judge(&["--as", "cvt.rn.bf16.f32", "--where", "a <"]);
    assert_refused(&neither, &["--where", "character 4: expected `a`", "but the text ends"]);
}

/// An error is permitted by a number of ulp, or by what a document says of a function.
#[test]
fn errors_are_permitted_up_to_a_bound() {
    let folder = Folder::with(POWER);
    let code = |meaning: &str| folder.judge(&["--as", meaning]).status.code();
    assert_eq!(code("within 2 ulp of ex2.approx.f32(mul.rn.f32(a, 0x3fb8aa3b))"), Some(0));
    assert_eq!(code("within 0.25 ulp of ex2.approx.f32(mul.rn.f32(a, 0x3fb8aa3b))"), Some(1));
    // The product is rounded, so its exponential is not that of the operand.
    assert_eq!(code("expf"), Some(1));
    assert_eq!(folder.report().variants[0].classes[0].id, "expf/number");
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#power"]);
    assert_eq!(again.status.code(), Some(1), "{}", printed(&again));
    let near = folder.judge(&["--as", "within 200 ulp of expf; ftz"]);
    assert_eq!(near.status.code(), Some(0), "{}", printed(&near));
    for (meaning, words) in [
        ("within 2 of expf", &["write `within N ulp of`"][..]),
        ("within x ulp of expf", &["`x` is no number of ulp"]),
        ("within 2 ulp of cvt.rni.s32.f32", &["the result s32 has no ulp"]),
        ("expf; nsz", &["`nsz` in --as: behind the name of a function, only `ftz`"]),
    ] {
        assert_refused(&folder.judge(&["--as", meaning]), words);
    }
}

/// A function may take pointers, and a number in the place of an operand.
#[test]
fn parameters_of_a_function_may_be_said() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func scaled(.param .b64 x, .param .b64 y, .param \
                .b32 mode)\n{\n.reg .f32 %f<3>; .reg .b64 %rd<3>; .reg .b32 %r1; .reg .pred %p1;\nld.param.u64 %rd1, [x]; \
                ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [mode];\nld.f32 %f1, [%rd1];\nsetp.eq.s32 %p1, %r1, 1;\n\
                mul.rn.f32 %f2, %f1, 0f3f000000;\n@%p1 mul.rn.f32 %f2, %f1, 0f40000000;\nst.f32 [%rd2], %f2;\nret;\n}\n";
    let folder = Folder::with(text);
    let doubles = folder.judge(&["--as", "mul.rn.f32(a, 2)", "--launch", "a, &d, mode=1"]);
    assert_eq!(doubles.status.code(), Some(0), "{}", said(&doubles));
    let halves = folder.judge(&["--as", "mul.rn.f32(a, 2)", "--launch", "a, &d, mode=0"]);
    assert_eq!(halves.status.code(), Some(1), "{}", said(&halves));
    let found = folder.judge(&["--as", "mul.rn.f32(a, 2)"]);
    assert!(
        said(&found).contains("The function is called with --launch 'a, &d, b'."),
        "{}",
        said(&found)
    );
    assert_eq!(found.status.code(), Some(2));
    assert!(said(&found).contains("takes 4 and 4 bytes and gives 4 bytes"), "{}", said(&found));
}

#[test]
fn without_a_meaning_instructions_are_proposed() {
    let folder =
        Folder::with(&TRICK.replace("shr.u32 %r6", "setp.nan.f32 %p, %f1, %f1;\n\tshr.u32 %r6"));
    let undeclared = folder.run(&["judge", "own.ptx"]);
    assert_refused(&undeclared, &["own.ptx cannot be executed here", "`%p` is not declared"]);
    let folder = Folder::with(SUMS);
    let output = folder.run(&["judge", "own.ptx", "--function", "fused", "--jobs", "1"]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("  --as fma.rn.f32  ("), "{text}");
    assert!(!text.contains("fma.rz.f32"), "{text}");
}

/// A threshold in the code is where it breaks: no sweep has this number.
#[test]
fn constants_of_the_code_are_operands() {
    let body = "add.rn.f64 %fd3, %fd1, %fd2;\n\tsetp.eq.f64 %p1, %fd1, 0d4005BF0A8B145769;\n\t\
                @%p1 mov.f64 %fd3, 0d0000000000000000;";
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b64 r) sum(.param .b64 a, .param .b64 \
         b)\n{{\n\t.reg .f64 %fd<4>; .reg .pred %p<2>;\n\tld.param.f64 %fd1, [a];\n\tld.param.f64 %fd2, [b];\n\t{body}\n\t\
         st.param.f64 [r], %fd3;\n\tret;\n}}\n"
    );
    let folder = Folder::with(&text);
    let output = folder.judge(&["--as", "add.rn.f64"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let sweeps = &folder.report().variants[0].sweeps;
    let wrong: Vec<&str> =
        sweeps.iter().filter(|sweep| sweep.mismatches > 0).map(|sweep| &*sweep.name).collect();
    assert_eq!(wrong, ["constants"]);
    let again = folder.run(&["replay", "out/report.json", "--impl", "code:own.ptx#sum"]);
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
}

#[test]
fn what_no_vector_reaches_is_part_of_the_answer() {
    let unreachable = "setp.eq.u32 %p, %r2, 0xffffffff;\n\t@%p mov.b32 %r6, 7;\n\tst.param";
    let text = TRICK
        .replace(".reg .b32 %r<8>;", ".reg .b32 %r<8>; .reg .pred %p;")
        .replace("st.param", unreachable);
    let folder = Folder::with(&text);
    let text = printed(&folder.judge(&["--as", "cvt.rn.bf16.f32"]));
    assert!(text.contains("Not reached, so nothing is known about:"), "{text}");
    assert!(
        text.contains("instruction 8, `@%p mov.b32 %r6, 7;`: its predicate holds for no vector"),
        "{text}"
    );
    assert!(folder.report().implementation.details["not reached"].contains("instruction 8"));
}

#[test]
fn what_cannot_be_judged_is_refused_in_a_sentence() {
    let folder = Folder::with(SUMS);
    for (arguments, words) in [
        (&["--as", "fma.rn.f32"][..], &["several functions, `fused`, `steps`", "--function"][..]),
        (
            &["--function", "f", "--as", "fma.rn.f32"],
            &["own.ptx has no function `f`: it has `fused`, `steps`"],
        ),
        (&["--function", "steps", "--as", "fma.rn.f16x2.f32"], &["fma.rn.f16x2.f32", "not legal"]),
        (
            &["--function", "steps", "--as", "sqrt.rn.f32"],
            &["the code takes 4, 4 and 4 bytes and gives 4 bytes, but sqrt.rn.f32 takes 4 bytes"],
        ),
        (
            &["--function", "steps", "--as", "add.rn.f32(mul.rn.f32(a, b)"],
            &["character 28: expected `,`, because add.rn.f32 has 2 operands, but the text ends"],
        ),
        (
            &["--function", "steps", "--as", "add.rn.f32(mul.rn.f32(a, b), d)"],
            &["character 30: expected the name of an instruction, found `d`"],
        ),
        (&["--function", "steps", "--as", "add.rn.f32(a, c)"], &["`c` is used, but not `b`"]),
        (
            &["--function", "steps", "--as", "fma.rn.f32; nnan what"],
            &["`what` in --as leaves nothing open"],
        ),
        (
            &["--function", "steps", "--as", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"],
            &["matrix instruction"],
        ),
        (&["--function", "steps", "--as", "fma.rn.f32", "--launch", "a, x"], &["`x` in --launch"]),
        (
            &["--function", "steps", "--as", "fma.rn.f32", "--launch", "a, b"],
            &["--launch has 2 words, but the function has 3 parameters"],
        ),
    ] {
        let output = folder.judge(arguments);
        assert_refused(&output, words);
    }
    let nowhere = folder.run(&["judge", "nowhere.ptx", "--as", "fma.rn.f32"]);
    assert_refused(&nowhere, &["nowhere.ptx cannot be opened"]);
    let compiled = folder.judge(&["--function", "steps", "--as", "fma.rn.f32", "--every-setting"]);
    assert_refused(&compiled, &["own.ptx is PTX, which is not compiled"]);
    assert!(!folder.0.path().join("out").exists());
}

/// A project keeps its judgements in a file: all are made, and the gravest decides.
#[test]
fn a_list_of_judgements_is_carried_out() {
    let folder = Folder::with(SUMS);
    std::fs::write(folder.0.path().join("trick.ptx"), TRICK).unwrap();
    let right = "[[judge]]\nfile = 'own.ptx'\nfunction = 'fused'\nas = 'fma.rn.f32'\ntier = 'quick'\n";
    let wrong = "[[judge]]\nfile = 'trick.ptx'\nas = 'cvt.rn.bf16.f32'\ntier = 'quick'\nquiet = true\n";
    let neither = "[[judge]]\nfile = 'nowhere.ptx'\nas = 'fma.rn.f32'\n";
    for (list, code, said) in [
        (right.to_owned(), 0, "1 judgement: 1 agree, 0 disagree, 0 without a verdict"),
        (format!("{right}{neither}"), 2, "2 judgements: 1 agree, 0 disagree, 1 without a verdict"),
        (
            format!("{neither}{wrong}{right}"),
            1,
            "3 judgements: 1 agree, 1 disagree, 1 without a verdict",
        ),
    ] {
        std::fs::write(folder.0.path().join("conformance.toml"), list).unwrap();
        let output = folder.run(&["judge", "--jobs", "1"]);
        assert_eq!(output.status.code(), Some(code), "{}", printed(&output));
        assert!(printed(&output).contains(said), "{}", printed(&output));
    }
    assert!(folder.0.path().join("target/judge/2/report.json").exists());
    // Paths start from the folder of the list.
    let inner = folder.0.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("list.toml"), right.replace("own.ptx", "../own.ptx")).unwrap();
    let output = folder.run(&["judge", "inner/list.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let unknown = format!("{right}sed = 7\n");
    std::fs::write(folder.0.path().join("other.toml"), unknown).unwrap();
    let output = folder.run(&["judge", "other.toml"]);
    assert!(said(&output).contains("--sed"), "{}", said(&output));
    std::fs::remove_file(folder.0.path().join("conformance.toml")).unwrap();
    assert_refused(&folder.run(&["judge"]), &["name a FILE to judge", "conformance.toml"]);
}

/// The code comes from standard input, and is shown without being judged.
#[test]
fn code_is_read_from_standard_input_and_shown() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(["judge", "-", "--show"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(TRICK.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(printed(&output).contains("add.u32 %r5, %r4, %r3;"), "{}", printed(&output));
    assert!(!Path::new("target/judge").join("state.json").exists());
}
