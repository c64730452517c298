//! Computes again the sums that tensor cores computed and that Khattak and Mikaitis published. Their repository
//! `north-numerical-computing/MATLAB-tensor-core` holds in `model_validation` 48 sets of 5,000 sums from eight devices.
//! Operands are f32 in hexadecimal, a line for each sum; addends and results are f32 in binary.
//!
//! `cargo run --release -p ptx-conformance-emulator --example published_sums -- …/MATLAB-tensor-core/model_validation`

use std::error::Error;
use std::fs::read_to_string;
use std::io::Write;
use std::path::Path;

use emulator::dot::{Lowered, convert};
use formats::{F32, Format};
use isa::matrix::{Lowering, MatrixVariant};

/// The devices, and their targets.
const DEVICES: &[(&str, &str)] = &[
    ("V100", "sm_70"),
    ("A100", "sm_80"),
    ("A2", "sm_86"),
    ("Ada", "sm_89"),
    ("L40S", "sm_89"),
    ("H100", "sm_90a"),
    ("H200", "sm_90a"),
    ("B200", "sm_100a"),
];

/// Returns the instruction behind a set: the one that its programs call, and on Hopper, for operands of 8 bits and
/// results of f32, `wgmma` into zeros.
fn instruction(device: &str, operands: &str, result: &str) -> String {
    let d = if result == "fp16" { "f16" } else { "f32" };
    match operands {
        "fp16" => format!("wmma.mma.sync.aligned.row.col.m16n16k16.{d}.{d}"),
        "bf16" => "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32".into(),
        "tf32" => "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32".into(),
        _ => {
            let ty = operands.to_lowercase();
            match (device, d) {
                ("H100" | "H200", "f32") => {
                    format!("wgmma.mma_async.sync.aligned.m64n8k32.f32.{ty}.{ty}(a-desc)")
                }
                _ => format!("mma.sync.aligned.m16n8k32.row.col.{d}.{ty}.{ty}.{d}"),
            }
        }
    }
}

/// Reads the lines of a file, each with its numbers.
fn numbers(path: &Path, radix: u32) -> Result<Vec<Vec<u64>>, String> {
    let text = read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let number = |word: &str| {
        u64::from_str_radix(word, radix).map_err(|_| format!("{}: `{word}`", path.display()))
    };
    text.lines().map(|line| line.split_whitespace().map(number).collect()).collect()
}

/// Returns a number of f32 as an operand's register, which for tf32 is f32 itself.
fn register(format: &'static Format, bits: u64) -> u64 {
    if format.name == "tf32" { bits } else { convert(&F32, format, bits) }
}

/// Counts the sums of a set, and those that come out otherwise than published.
fn replay(
    root: &Path,
    device: &str,
    target: &str,
    operands: &str,
    result: &str,
) -> Result<[usize; 2], String> {
    let file = |name: &str, ty: &str| {
        root.join(device).join(operands).join(format!("{name}_{device}_{ty}.txt"))
    };
    let variant: MatrixVariant =
        instruction(device, operands, result).parse().map_err(|refusal| format!("{refusal}"))?;
    let (dot, from_zero) = (variant.dot(), variant.text().starts_with("wgmma"));
    let lowering = Lowering::of(&variant, target.parse().map_err(|error| format!("{error}"))?);
    let computed = lowering.and_then(|lowering| Lowered::new(*dot, lowering));
    let computed = computed.ok_or_else(|| format!("{variant} is not emulated for {target}"))?;
    let all = [("a", operands, 16), ("b", operands, 16), ("c", "fp32", 2), ("d", result, 2)];
    let [a, b, c, d] = all.map(|(name, ty, radix)| numbers(&file(name, ty), radix));
    let (a, b, c, d) = (a?, b?, c?, d?);
    let each = |rows: &[Vec<u64>]| rows.iter().all(|row| row.len() == 1);
    if [a.len(), b.len(), c.len()] != [d.len(); 3] || !each(&c) || !each(&d) {
        return Err(format!("{}: its files have not a line for each sum", file("d", result).display()));
    }
    let padded = |format, row: &[u64]| -> Vec<u64> {
        let registers = row.iter().map(|&bits| register(format, bits));
        registers.chain(std::iter::repeat(0)).take(dot.k as usize).collect()
    };
    let wrong = (0..d.len()).filter(|&row| {
        let addend = if from_zero { 0 } else { convert(&F32, dot.c, c[row][0]) };
        let sum = computed.compute(&padded(dot.a, &a[row]), &padded(dot.b, &b[row]), addend);
        convert(dot.d, &F32, sum) != d[row][0]
    });
    Ok([d.len(), wrong.count()])
}

fn main() -> Result<(), Box<dyn Error>> {
    let root =
        std::env::args_os().nth(1).ok_or("give the folder `model_validation` of MATLAB-tensor-core")?;
    let root = Path::new(&root);
    let (mut out, mut sum) = (std::io::stdout(), [0, 0]);
    for (device, target) in DEVICES {
        for operands in ["fp16", "bf16", "tf32", "E4M3", "E5M2"] {
            for result in ["fp32", "fp16"] {
                let set = root.join(device).join(operands).join(format!("d_{device}_{result}.txt"));
                if !set.exists() {
                    continue;
                }
                let [sums, wrong] = replay(root, device, target, operands, result)?;
                writeln!(out, "{device:5} {operands} → {result}: {wrong} of {sums} differ")?;
                sum = [sum[0] + sums, sum[1] + wrong];
            }
        }
    }
    writeln!(out, "{} of {} differ", sum[1], sum[0])?;
    match sum {
        [0, _] => Err("there are no sets in that folder".into()),
        [_, 0] => Ok(()),
        _ => Err("the emulation is not what the devices compute".into()),
    }
}
