//! Tests of the compilers that come with the suite, where they are installed.

use std::process::Command;

use base::terminal::say;
use compilers::{CompileOutcome, CompileRequest, Compiler};
use implementations::bundled::compilers as known;
use implementations::bundled::compilers::Want;

use super::{request, suite};

const CUDA: &str = "extern \"C\" __device__ float f(float a, float b) { return a / b; }";
const IR: &str = "define float @f(float %a, float %b) {\n  %d = fdiv float %a, %b\n  ret float %d\n}";

/// Connects to the compiler of this name, where it is installed.
pub fn installed(name: &str) -> Option<Compiler> {
    suite();
    let known = known::find(name).unwrap().unwrap();
    if let Err(missing) = known.command() {
        say(&format!("SKIPPED: {missing}"));
        return None;
    }
    Some(Compiler::connect(name, 2).unwrap())
}

/// Returns the opcodes in PTX, without those that bring operands to instructions.
fn opcodes(text: &str) -> Vec<&str> {
    let body = text.split_once("\n{").map_or("", |(_, body)| body);
    let words = body.lines().filter_map(|line| line.split_whitespace().next());
    let carriers = ["ld.", "st.", "mov.", "ret;"];
    words
        .filter(|word| word.starts_with(char::is_alphabetic))
        .filter(|word| !carriers.iter().any(|carrier| word.starts_with(carrier)))
        .collect()
}

/// Returns what a compiler makes of one source, which must be PTX.
fn ptx(compiler: &Compiler, source: &str, options: &[&str], target: &str) -> String {
    let language = &compiler.introduction().languages[0];
    match &compiler.compile(&[request(language, source, options, target)]).unwrap()[..] {
        [CompileOutcome::Ptx(text)] => text.clone(),
        outcomes => panic!("{}: {outcomes:?}", compiler.name()),
    }
}

/// A division is one instruction in each of the three languages.
#[test]
fn a_division_is_one_instruction_in_every_language() {
    for (name, source, target, exact, other, option) in [
        ("nvrtc", CUDA, "compute_90", "div.rn.f32", "div.full.f32", "--prec-div=false"),
        ("nvvm", IR, "compute_90", "div.rn.f32", "div.full.f32", "-prec-div=0"),
        ("llvm", IR, "sm_90", "div.rn.f32", "div.approx.f32", "-nvptx-prec-divf32=0"),
    ] {
        let Some(compiler) = installed(name) else { continue };
        for (options, expected) in [(&[][..], exact), (&[option], other)] {
            let text = ptx(&compiler, source, options, target);
            say(&format!("{name} {target} {options:?}: {}", opcodes(&text).join(" ")));
            assert_eq!(opcodes(&text), [expected]);
        }
    }
}

/// The mode of subnormal results, which stands first, decides on `.ftz`, be it of f32 or of all types.
#[test]
fn modes_of_subnormal_numbers_choose_instructions() {
    for name in ["llvm", "llvm@20.1.8"] {
        let Some(compiler) = installed(name) else { continue };
        for (mode, expected) in [
            ("preserve-sign,preserve-sign", "add.rn.ftz.f32"),
            ("preserve-sign,ieee", "add.rn.ftz.f32"),
            ("ieee,preserve-sign", "add.rn.f32"),
            ("positive-zero,positive-zero", "add.rn.f32"),
            ("dynamic,dynamic", "add.rn.f32"),
        ] {
            for attribute in ["denormal-fp-math", "denormal-fp-math-f32"] {
                let source = IR
                    .replace("fdiv", "fadd")
                    .replace(") {", &format!(") \"{attribute}\"=\"{mode}\" {{"));
                assert_eq!(
                    opcodes(&ptx(&compiler, &source, &[], "sm_90")),
                    [expected],
                    "{attribute}={mode}"
                );
            }
        }
    }
}

/// Libnvvm ignores modes of subnormal numbers: an option decides, and the attribute changes nothing.
#[test]
fn libnvvm_ignores_modes_of_subnormal_numbers() {
    let Some(compiler) = installed("nvvm") else { return };
    let source = IR.replace("fdiv", "fadd");
    for target in ["compute_90", "compute_100"] {
        for (option, flushes) in [("-ftz=0", false), ("-ftz=1", true)] {
            let without = ptx(&compiler, &source, &[option], target);
            assert_eq!(without.contains(".ftz"), flushes, "{target} {option}");
            for mode in ["preserve-sign,preserve-sign", "ieee,ieee"] {
                for attribute in ["denormal-fp-math", "denormal-fp-math-f32"] {
                    let with = source.replace(") {", &format!(") \"{attribute}\"=\"{mode}\" {{"));
                    let with = ptx(&compiler, &with, &[option], target);
                    assert_eq!(with, without, "{target} {option} {attribute}={mode}");
                }
            }
        }
    }
}

/// Libdevice flushes as the option says: nothing is refused where it flushes and the function that calls it says
/// that it does not, or the reverse.
#[test]
fn libdevice_flushes_as_the_option_says() {
    let Some(compiler) = installed("nvvm") else { return };
    for target in ["compute_90", "compute_100"] {
        for (option, expected) in [("-ftz=0", "sqrt.rn.f32"), ("-ftz=1", "sqrt.rn.ftz.f32")] {
            for mode in ["preserve-sign,preserve-sign", "ieee,ieee"] {
                let source = format!(
                    "declare float @__nv_sqrtf(float)\n\
                     define float @f(float %a) \"denormal-fp-math-f32\"=\"{mode}\" {{\n  \
                     %d = call float @__nv_sqrtf(float %a)\n  ret float %d\n}}"
                );
                let text = ptx(&compiler, &source, &[option], target);
                assert_eq!(opcodes(&text), [expected], "{target} {option} {mode}");
            }
        }
    }
}

/// Targets tell which compiler is behind them, within one library.
#[test]
fn targets_tell_which_compiler_is_behind_them() {
    for name in ["nvrtc", "nvvm"] {
        let Some(compiler) = installed(name) else { continue };
        let introduction = compiler.introduction();
        let behind = |name: &str| {
            let target = introduction.targets.iter().find(|target| target.name == name);
            target.map(|target| &*target.compiler).expect(name)
        };
        assert_eq!(behind("compute_80"), behind("compute_90"));
        assert_eq!(behind("compute_100"), behind("compute_120"));
        assert_ne!(behind("compute_90"), behind("compute_100"));
    }
}

/// A crash is the outcome of the request that it came of, among others that have their outcomes.
#[test]
fn a_crash_is_the_outcome_of_the_request_that_it_came_of() {
    let exp = "declare float @llvm.exp.f32(float)\ndefine float @f(float %a) {\n  \
               %d = call float @llvm.exp.f32(float %a)\n  ret float %d\n}";
    for (name, target, words) in
        [("nvvm", "compute_90", "signal 11"), ("llvm", "sm_90", "exit code 1: error: no libcall")]
    {
        let Some(compiler) = installed(name) else { continue };
        let language = &compiler.introduction().languages[0];
        let sources = [IR, exp, IR, IR, "define", exp];
        let requests = sources.map(|source| request(language, source, &[], target));
        let outcomes = compiler.compile(&requests).unwrap();
        let kinds = outcomes.iter().map(|outcome| match outcome {
            CompileOutcome::Ptx(_) => "ptx",
            CompileOutcome::Refused(words) if words.contains("error") || words.contains("expected") => {
                "refused"
            }
            CompileOutcome::Died(how) if how.starts_with(words) => "died",
            outcome => panic!("{name}: {outcome:?}"),
        });
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            ["ptx", "died", "ptx", "ptx", "refused", "died"],
            "{name}"
        );
    }
}

/// A compiler refuses in its own words what it does not know.
#[test]
fn what_is_unknown_is_refused() {
    for (name, source, target, option) in [
        ("nvrtc", CUDA, "compute_90", "unrecognized option --nonsense"),
        ("nvvm", IR, "compute_90", "--nonsense is an unsupported option"),
        ("llvm", IR, "sm_90", "unknown option --nonsense"),
    ] {
        let Some(compiler) = installed(name) else { continue };
        let language = &compiler.introduction().languages[0];
        let refused = |language: &str, options: &[&str], target: &str, words: &str| {
            let outcomes = compiler.compile(&[request(language, source, options, target)]).unwrap();
            assert!(
                matches!(&outcomes[..], [CompileOutcome::Refused(said)] if said.contains(words)),
                "{outcomes:?}"
            );
        };
        refused(language, &["--nonsense"], target, option);
        refused(language, &[], "compute_1", "");
        refused("c", &[], target, "does not compile `c`");
    }
}

#[test]
fn every_version_is_the_one_that_its_name_says() {
    for known in known::KNOWN {
        for version in known.versions {
            let Some(compiler) = installed(&format!("{}@{version}", known.name)) else { continue };
            assert_eq!(compiler.introduction().version, *version, "{}", known.name);
        }
    }
}

/// Two versions stand side by side and differ in more than their names: a division by a constant under `--ftz=true`
/// became a multiplication for targets that 12.8 was the first to have.
#[test]
fn versions_stand_side_by_side() {
    let source = CUDA.replace("a / b", "a / 3.0f");
    let texts = ["nvrtc@12.8.93", "nvrtc"].map(|name| {
        installed(name).map(|compiler| {
            let version = compiler.introduction().version.clone();
            (version, ptx(&compiler, &source, &["--ftz=true"], "compute_100"))
        })
    });
    let [Some((old, before)), Some((new, now))] = texts else { return };
    assert_eq!((&*old, &*new), ("12.8.93", "13.5.37"));
    let version = |text: &str| text.lines().find(|line| line.starts_with(".version")).map(str::to_owned);
    say(&format!("{old}: {:?} {:?}", version(&before), opcodes(&before)));
    say(&format!("{new}: {:?} {:?}", version(&now), opcodes(&now)));
    assert_ne!(version(&before), version(&now));
    assert_eq!(opcodes(&before).len(), opcodes(&now).len());
}

const TILE: &str = "
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, CallingConvention, KernelSignature

@ct.kernel
def kernel(x, y, out):
    a, b = ct.load(x, (0,), (128,)), ct.load(y, (0,), (128,))
    ct.store(out, (0,), ct.truediv(a, b, rounding_mode=ct.RoundingMode.MODE))

known = {'stride_lower_bound_incl': 0, 'alias_groups': [], 'may_alias_internally': False}
array = ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_constant=[1], **known)
signature = KernelSignature([array] * 3, CallingConvention.cutile_python_v1())
";

/// The compiler of tiles gives machine code of a division, and nothing else.
#[test]
fn a_division_of_tiles_is_machine_code() {
    let Some(compiler) = installed("tile") else { return };
    let ask = |source: &str, target: &str, want| CompileRequest {
        want,
        ..request("cutile", source, &[], target)
    };
    let source = TILE.replace("MODE", "APPROX");
    let requests = [
        ask(&source, "sm_90", Want::Code),
        ask(&source, "sm_90", Want::Ptx),
        ask(&TILE.replace("MODE", "NONE"), "sm_90", Want::Code),
        ask(&source, "sm_1", Want::Code),
        ask("import nothing", "sm_90", Want::Code),
        CompileRequest { options: vec!["-O0".into()], ..ask(&source, "sm_90", Want::Code) },
    ];
    let outcomes = compiler.compile(&requests).unwrap();
    let CompileOutcome::Code(code) = &outcomes[0] else { panic!("{:?}", outcomes[0]) };
    assert!(code.contains("MUFU.RCP") && !code.contains("FFMA"), "{code}");
    let refusals = ["tile gives code", "NONE", "sm_1", "ModuleNotFoundError", "unknown option -O0"];
    for (outcome, words) in outcomes[1..].iter().zip(refusals) {
        assert!(matches!(outcome, CompileOutcome::Refused(said) if said.contains(words)), "{outcome:?}");
    }
}

/// The code that the clients share passes its own tests, with libnvvm where it is installed.
#[test]
fn what_the_clients_share_passes_its_own_tests() {
    suite();
    let environment = known::find("nvvm").unwrap().unwrap().environment;
    let python = std::path::absolute(environment.python()).unwrap();
    let python = if python.exists() { python } else { "python3".into() };
    let mut tests = Command::new(python);
    tests.args(["-B", "-m", "unittest", "test_compilers", "test_nvidia", "test_triton"]);
    let output = tests.current_dir("harness/third-party/python").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    if said.contains("skipped=") {
        say("SKIPPED: libnvvm is not installed, so its crashes were not tried");
    }
}

/// The functions of libdevice and CUDA's headers are there.
#[test]
fn libraries_and_headers_are_there() {
    if let Some(compiler) = installed("nvvm") {
        let source = "declare float @__nv_sqrtf(float)\ndefine float @f(float %a) {\n  \
                      %d = call float @__nv_sqrtf(float %a)\n  ret float %d\n}";
        assert_eq!(opcodes(&ptx(&compiler, source, &[], "compute_100")), ["sqrt.rn.f32"]);
    }
    for name in known::KNOWN[0].versions.iter().map(|version| format!("nvrtc@{version}")) {
        let Some(compiler) = installed(&name) else { continue };
        let headers =
            ["fp16", "bf16", "fp8", "fp6", "fp4"].map(|format| format!("#include <cuda_{format}.h>\n"));
        let source = headers.concat()
            + "#include <cuda/std/cstdint>\n\
               extern \"C\" __device__ __half f(__half a, __half b) { return __hmul_rn(a, b); }";
        let text = ptx(&compiler, &source, &[], "compute_100");
        assert!(text.contains("mul.rn.f16") || text.contains("mul.f16"), "{name}: {text}");
    }
}
