//! Tests of sources that `judge` has compiled: LLVM bitcode, and kernels of Triton. Where a compiler is not set up, what
//! needs it is skipped, and a message says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base::terminal::say;

use super::{printed, said};
use crate::common::assert_refused;

/// A quotient, as LLVM's language has it.
const IR: &str = "define float @f(float %a, float %b) {\n  %d = fdiv float %a, %b\n  ret float %d\n}\n";

/// Kernels of Triton, each of which stores what an expression of `x` and `y` says.
const KERNELS: &str = "
import torch
import triton
import triton.language as tl

DEVICE = triton.runtime.driver.active.get_active_torch_device()

KERNELS

@triton.jit
def cast(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x.to(tl.float8e5), mask=i < n)

@triton.autotune(configs=[triton.Config({'BLOCK': 1024}, num_warps=8)], key=['n'])
@triton.heuristics({'EVEN': lambda args: args['BLOCK'] % 2 == 0, 'LAST': lambda args: args['n'] == 1})
@triton.jit
def tuned(out, x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, LAST: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, -tl.load(x + i, mask=i < n), mask=i < n)

if __name__ == '__main__':
    exit(1)
";

/// A kernel of two operands; NAME is its name, and EXPRESSION what it computes.
const KERNEL: &str = "
@triton.jit
def NAME(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(out_ptr + i, EXPRESSION, mask=i < n)
";

/// Returns the suite's folder, from which compilers are found.
fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the interpreter of a compiler's environment, if it is set up.
fn python(compiler: &str) -> Option<PathBuf> {
    let python = suite().join("target/third-party").join(compiler).join("venv/bin/python");
    if python.exists() {
        return Some(python);
    }
    say(&format!("SKIPPED: {compiler} is not set up"));
    None
}

/// A folder of files to judge.
struct Files(tempfile::TempDir);

impl Files {
    fn with(name: &str, content: &[u8]) -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        files.write(name, content);
        files
    }

    fn write(&self, name: &str, content: &[u8]) {
        std::fs::write(self.0.path().join(name), content).unwrap();
    }

    fn kernels() -> Files {
        let expressions =
            [("quotient", "x / y"), ("exact", "tl.div_rn(x, y)"), ("broken", "x + nothing")];
        let kernels: String = expressions
            .iter()
            .map(|(name, expression)| KERNEL.replace("NAME", name).replace("EXPRESSION", expression))
            .collect();
        Files::with("kernel.py", KERNELS.replace("KERNELS", &kernels).as_bytes())
    }

    /// Judges a file in a working folder, on the quick tier.
    fn judge_in(&self, folder: &Path, file: &str, arguments: &[&str]) -> Output {
        let out = self.0.path().join("out");
        Command::new(env!("CARGO_BIN_EXE_conformance"))
            .current_dir(folder)
            .args(["judge", "--tier", "quick", "--out"])
            .arg(out)
            .arg(self.0.path().join(file))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Judges a file in the suite's folder.
    fn judge(&self, file: &str, arguments: &[&str]) -> Output {
        self.judge_in(&suite(), file, arguments)
    }
}

/// No compiler is asked for what is refused without one.
#[test]
fn what_no_compiler_is_asked_about_is_refused_in_a_sentence() {
    let files = Files::with("own.bc", b"define float @f");
    files.write("own.ptx", b".version 8.0");
    files.write("kernel.py", b"import triton");
    files.write("bytes.py", b"\xff\xfe");
    let nowhere = tempfile::tempdir().unwrap();
    let meaning = ["--as", "div.rn.f32"];
    for (file, arguments, words) in [
        ("own.bc", &[][..], &["own.bc is not LLVM bitcode"][..]),
        ("none.bc", &[], &["none.bc cannot be opened"]),
        ("none.py:k", &[], &["none.py cannot be opened"]),
        ("bytes.py", &[], &["bytes.py cannot be read as text"]),
        (
            "own.ptx",
            &["--signature", "*fp32"],
            &["--signature and --constant are for kernels of Triton"],
        ),
        (
            "own.ptx",
            &["--constant", "BLOCK=1"],
            &["--signature and --constant are for kernels of Triton"],
        ),
        ("kernel.py:a", &["--function", "b"], &["names `a`, and --function `b`"]),
        ("kernel.py", &["--option=-O1"], &["--option `-O1` is no option of Triton: write NAME=VALUE"]),
        ("kernel.py", &["--option=ftz"], &["--option `ftz` is no option of Triton"]),
        ("kernel.py", &["--every-setting"], &["--every-setting has no settings of Triton"]),
        ("kernel.py", &[], &["triton is not set up: run `", "setup triton` in the suite's folder"]),
        (
            "kernel.py",
            &["--compiler", "triton@2.0"],
            &["not available in version `2.0`: choose one of 3.9.0"],
        ),
    ] {
        let output = files.judge_in(nowhere.path(), file, &[&meaning, arguments].concat());
        assert_refused(&output, words);
    }
}

/// Makes bitcode of a text with LLVM's own library.
fn bitcode(python: &Path, ir: &str) -> Vec<u8> {
    let program = "import sys\nfrom llvmlite import binding\n\
                   sys.stdout.buffer.write(binding.parse_assembly(sys.argv[1]).as_bitcode())";
    let output = Command::new(python).args(["-c", program, ir]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    output.stdout
}

#[test]
fn bitcode_is_judged_as_its_text_is() {
    let Some(python) = python("llvm") else { return };
    let whole = bitcode(&python, IR);
    let files = Files::with("f.bc", &whole);
    let right = files.judge("f.bc", &["--as", "div.rn.f32"]);
    assert_eq!(right.status.code(), Some(0), "{}{}", printed(&right), said(&right));
    let wrong = files.judge("f.bc", &["--as", "div.rz.f32"]);
    assert_eq!(wrong.status.code(), Some(1), "{}{}", printed(&wrong), said(&wrong));
    // Whatever is cut off or changed, it is refused in a sentence, or still compiled.
    files.write("cut.bc", &whole[..whole.len() / 2]);
    let cut = files.judge("cut.bc", &["--as", "div.rn.f32"]);
    assert_eq!(cut.status.code(), Some(2), "{}", said(&cut));
    assert!(said(&cut).contains("error: llvm does not take"), "{}", said(&cut));
    assert!(said(&cut).contains("cut.bc: LLVM bitcode parsing error"), "{}", said(&cut));
    files.write("start.bc", b"BC\xc0\xde and then something else");
    let start = files.judge("start.bc", &["--as", "div.rn.f32"]);
    assert_eq!(start.status.code(), Some(2), "{}", said(&start));
    assert!(said(&start).contains("error: llvm does not take"), "{}", said(&start));
}

/// libnvvm has two compilers in it: one reads only what LLVM 7 wrote.
#[test]
fn libnvvm_reads_bitcode_of_its_time() {
    let (Some(python), Some(_)) = (python("llvm"), python("nvvm")) else { return };
    let version = "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
    let layout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-\
                  v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64";
    let head = format!(
        "target datalayout = \"{layout}\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n{IR}{version}"
    );
    let files = Files::with("f.bc", &bitcode(&python, &head));
    let nvvm = ["--compiler", "nvvm", "--as", "div.rn.f32", "--target"];
    let newer = files.judge("f.bc", &[&nvvm[..], &["sm_100"]].concat());
    assert_eq!(newer.status.code(), Some(0), "{}{}", printed(&newer), said(&newer));
    let older = files.judge("f.bc", &[&nvvm[..], &["sm_90"]].concat());
    assert_eq!(older.status.code(), Some(2), "{}", said(&older));
    assert!(said(&older).contains("Reader: 'LLVM 7.0.1'"), "{}", said(&older));
}

#[test]
fn a_kernel_of_triton_is_judged() {
    if python("triton").is_none() {
        return;
    }
    let files = Files::kernels();
    let quotient = ["--as", "div.rn.f32(a, b)", "--target", "sm_90"];
    let wrong = files.judge("kernel.py:quotient", &quotient);
    assert_eq!(wrong.status.code(), Some(1), "{}{}", printed(&wrong), said(&wrong));
    assert!(said(&wrong).contains("div.full.f32"), "{}", said(&wrong));
    let how =
        "for sm_90: quotient(x_ptr: *fp32:16, y_ptr: *fp32:16, out_ptr: *fp32:16, n: i32, BLOCK=128)";
    assert!(said(&wrong).contains(how), "{}", said(&wrong));
    let right = files.judge("kernel.py", &[&quotient[..], &["--function", "exact"]].concat());
    assert_eq!(right.status.code(), Some(0), "{}{}", printed(&right), said(&right));
    let other = files.judge("kernel.py:quotient", &["--as", "div.rn.f64"]);
    assert_eq!(other.status.code(), Some(0), "{}{}", printed(&other), said(&other));
    // Four elements of a thread are converted by packed instructions.
    let packed = ["--constant=BLOCK=128", "--option=num_warps=1", "--launch", "a, &d, 128"];
    let cast =
        files.judge("kernel.py:cast", &[&["--as", "cast.rn.satfinite.e5m2.f32"], &packed[..]].concat());
    assert_eq!(cast.status.code(), Some(0), "{}{}", printed(&cast), said(&cast));
    assert!(said(&cast).contains("--launch 'a, &d, 128, _, _'"), "{}", said(&cast));
    let apart = ["--constant=BLOCK=2048", "--launch", "a, b, &d, 2048"];
    let apart = files.judge("kernel.py:exact", &[&quotient[..], &apart].concat());
    assert_eq!(apart.status.code(), Some(2), "{}{}", printed(&apart), said(&apart));
    let shown = files.judge("kernel.py:cast", &["--show", "--signature", "*fp16, *fp8e5, i32"]);
    assert!(printed(&shown).contains(".visible .entry cast("), "{}", printed(&shown));
    let tuned = files.judge("kernel.py:tuned", &["--as", "neg.f32", "--constant", "LAST=False"]);
    assert_eq!(tuned.status.code(), Some(0), "{}{}", printed(&tuned), said(&tuned));
    assert!(said(&tuned).contains("EVEN=True, LAST=False) with num_ctas=1"), "{}", said(&tuned));
}

#[test]
fn what_triton_does_not_take_is_told_by_the_line_of_the_file() {
    if python("triton").is_none() {
        return;
    }
    let files = Files::kernels();
    let bad = |name: &str, text: &str| files.write(name, text.as_bytes());
    bad("syntax.py", "import triton\ndef f(:\n");
    bad("end.py", "import triton\nexit()\n");
    bad("nothing.py", "import triton\n");
    bad("long.py", &format!("raise ValueError('\\x1b[31m' * {})", 1 << 24));
    for (file, arguments, words) in [
        (
            "kernel.py",
            &[][..],
            "several functions under @triton.jit, `quotient`, `exact`, `broken`, `cast`, `tuned`: say",
        ),
        ("kernel.py:none", &[], "has no function `none` under @triton.jit: it has `quotient`"),
        ("kernel.py:broken", &[], "`tl.store(out_ptr + i, x + nothing, mask=i < n)`: NameError"),
        ("kernel.py:quotient", &["--constant", "BLOCK=33"], "range must be a power of 2"),
        (
            "kernel.py:quotient",
            &["--constant", "BLOK=32"],
            "the kernel has no parameter `BLOK`: it has x_ptr",
        ),
        ("kernel.py:quotient", &["--constant", "BLOCK"], "--constant `BLOCK` has no value"),
        (
            "kernel.py:quotient",
            &["--signature", "*fp32"],
            "--signature has 1 types, but the kernel has 4 parameters",
        ),
        ("kernel.py:quotient", &["--signature", "a,b,c,d"], "`a` is no type for `x_ptr`"),
        ("kernel.py:quotient", &["--option", "fast=1"], "has no option `fast`"),
        ("kernel.py:quotient", &["--target", "sm_1"], "has no target sm_1: it has sm_75"),
        (
            "kernel.py:tuned",
            &[],
            "the value of `LAST` is not known, since its heuristic needs more than constants",
        ),
        ("syntax.py", &[], "syntax.py:2: `def f(:`: SyntaxError"),
        ("end.py", &[], "end.py:2: `exit()`: SystemExit"),
        ("nothing.py", &[], "nothing.py has no function under @triton.jit"),
        ("long.py", &[], "long.py:1: `raise ValueError("),
    ] {
        let output = files.judge(file, &[&["--as", "div.rn.f32"], arguments].concat());
        assert_refused(&output, &[words]);
        assert!(said(&output).len() < 4000, "{file}: {} bytes", said(&output).len());
        assert!(!said(&output).contains('\x1b'), "{file}");
    }
    let unknown = files.judge("kernel.py:quotient", &["--show"]);
    assert_refused(
        &unknown,
        &["the type of `x_ptr` is not known: say it with --signature, or the meaning"],
    );
}
