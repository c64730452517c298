//! The bound against what tensor cores compute, which is right, and against what is not.

use emulator::dot::Lowered;
use vectors::format::{self, Format};
use vectors::isa::Target;
use vectors::matrix::{Lowering, MatrixVariant};

use super::{SumTruth, Sums};

/// Numbers that look random, the same every time.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A datum: any bits, or near 1, or zero.
    fn datum(&mut self, format: &Format, kind: u64) -> u64 {
        let bits = self.next() >> 7 & format.mask();
        match (kind, self.next() >> 60) {
            (0, _) => bits,
            (_, 0..3) => 0,
            _ => {
                let near = ((format.bias as u64) + (self.next() >> 33) % 7).saturating_sub(3).max(1);
                bits & !format.exponent_mask() | near << format.trailing_bits & format.exponent_mask()
            }
        }
    }
}

/// The forms that are emulated and have a truth, one of each row, and a target of each generation.
fn forms() -> Vec<(&'static MatrixVariant, Sums, Lowering, Lowered)> {
    let mut forms = Vec::new();
    let mut rows: Vec<*const _> = Vec::new();
    for variant in MatrixVariant::all() {
        let row = std::ptr::from_ref(variant.form());
        let Some(sums) = Sums::of(variant.dot()) else { continue };
        if rows.contains(&row) {
            continue;
        }
        rows.push(row);
        for target in ["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"] {
            let target: Target = target.parse().unwrap();
            let Some(lowering) = Lowering::of(variant, target) else { continue };
            if let Some(lowered) = Lowered::new(*variant.dot(), lowering) {
                forms.push((variant, sums, lowering, lowered));
            }
        }
    }
    forms
}

/// An operand's register: f32 for a datum of tf32.
fn register(format: &Format, bits: u64) -> u64 {
    if *format == format::TF32 { bits << 13 } else { bits }
}

/// An accumulator of 13 bits is no single precision; the manual's note on it is about `wgmma` (9.7.17.5.2).
fn is_short(lowering: Lowering) -> bool {
    matches!(lowering, Lowering::Unit(unit) if unit.fraction_bits == 13)
}

#[test]
fn what_tensor_cores_compute_is_right() {
    let mut draws = Draws(1);
    let (mut law, mut judged) = (0, 0);
    for (variant, sums, lowering, lowered) in forms() {
        let dot = variant.dot();
        if is_short(lowering) {
            continue;
        }
        for kind in [0, 1].repeat(150) {
            let mut all = |format: &Format| -> Vec<u64> {
                (0..dot.k).map(|_| draws.datum(format, kind)).collect()
            };
            let (a, b) = (all(dot.a), all(dot.b));
            let c = draws.datum(dot.c, kind);
            let subnormal =
                |format: &Format, bits: &u64| format.class(*bits) == format::Class::Subnormal;
            // Their handling is unspecified.
            if a.iter().any(|bits| subnormal(dot.a, bits)) || b.iter().any(|bits| subnormal(dot.b, bits))
            {
                continue;
            }
            let registers = |format: &Format, data: &[u64]| -> Vec<u64> {
                data.iter().map(|&bits| register(format, bits)).collect()
            };
            let result = lowered.compute(&registers(dot.a, &a), &registers(dot.b, &b), c);
            let truth = sums.truth(&a, &b, c);
            law += u32::from(matches!(truth, SumTruth::Within { exact: Some(_), .. }));
            judged += 1;
            assert!(
                truth.accepts(dot.d, result),
                "{variant} {lowered:?} {a:x?} {b:x?} {c:x}: {result:x}, {truth:x?}"
            );
        }
    }
    assert!(law > 20 && judged > 5_000, "{law} of {judged}");
}

/// Small integers obey the exactness law everywhere, in 13 bits as well: no product can be lost, no addend, and
/// no two elements of A exchanged.
#[test]
fn every_product_counts() {
    let mut draws = Draws(2);
    for (variant, sums, _, lowered) in forms() {
        let dot = variant.dot();
        let small = |format: &'static Format, number: u64| {
            let lowest = number.ilog2();
            let field = (format.bias as u64 + u64::from(lowest)) << format.trailing_bits;
            field | (number - (1 << lowest)) << (format.trailing_bits - lowest)
        };
        let registers = |format: &Format, data: &[u64]| {
            data.iter().map(|&bits| register(format, bits)).collect::<Vec<u64>>()
        };
        let compute =
            |a: &[u64], b: &[u64], c| lowered.compute(&registers(dot.a, a), &registers(dot.b, b), c);
        let mut all = |format| -> Vec<u64> {
            (0..dot.k).map(|_| small(format, 1 + (draws.next() >> 40) % 3)).collect()
        };
        let (a, b, c) = (all(dot.a), all(dot.b), small(dot.c, 7));
        let truth = sums.truth(&a, &b, c);
        assert!(matches!(truth, SumTruth::Within { exact: Some(_), .. }), "{variant}: {truth:x?}");
        assert!(truth.accepts(dot.d, compute(&a, &b, c)), "{variant} {lowered:?}");
        assert!(!truth.accepts(dot.d, compute(&a, &b, 0)), "{variant} without its addend");
        for place in 0..a.len() {
            let mut lacking = a.clone();
            lacking[place] = 0;
            assert!(!truth.accepts(dot.d, compute(&lacking, &b, c)), "{variant} without {place}");
        }
    }
}

fn truth(text: &str, products: &[(u64, u64)], c: u64) -> (SumTruth, &'static Format) {
    let variant: MatrixVariant = text.parse().unwrap();
    let k = variant.dot().k as usize;
    let (mut a, mut b) = (vec![0; k], vec![0; k]);
    for (place, &(x, y)) in products.iter().enumerate() {
        (a[place], b[place]) = (x, y);
    }
    (Sums::of(variant.dot()).unwrap().truth(&a, &b, c), variant.dot().d)
}

const HALF: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

#[test]
fn sums_that_fit_are_exact_in_any_order() {
    // 1 · 2 + 3 · 4 + 5 = 19, and −0 is 0.
    let (right, d) = truth(HALF, &[(0x3c00, 0x4000), (0x4200, 0x4400)], 0x40a0_0000);
    assert!(
        matches!(right, SumTruth::Within { exact: Some(0x4198_0000), may_overflow: [false, false], .. }),
        "{right:x?}"
    );
    assert!(right.accepts(d, 0x4198_0000) && !right.accepts(d, 0x4198_0001) && !right.accepts(d, 0));
    let (zeros, d) = truth(HALF, &[], 0x8000_0000);
    assert!(zeros.accepts(d, 0) && zeros.accepts(d, 0x8000_0000) && !zeros.accepts(d, 1));
    // 1 + 2^-24 is not: either neighbour will do, and 2 will not.
    let (open, d) = truth(HALF, &[(0x3c00, 0x3c00), (0x0c00, 0x0c00)], 0);
    assert!(matches!(open, SumTruth::Within { exact: None, .. }));
    assert!(
        open.accepts(d, 0x3f80_0000) && open.accepts(d, 0x3f80_0001) && !open.accepts(d, 0x4000_0000)
    );
}

#[test]
fn special_operands_decide() {
    let (nan, d) = truth(HALF, &[(0x7c00, 0)], 0);
    assert!(nan == SumTruth::Nan && nan.accepts(d, 0x7fff_ffff) && !nan.accepts(d, 0));
    let (infinite, d) = truth(HALF, &[(0xfc00, 0x3c00)], 0x3f80_0000);
    assert!(infinite.accepts(d, 0xff80_0000) && !infinite.accepts(d, 0x7f80_0000));
    assert_eq!(truth(HALF, &[(0xfc00, 0x3c00)], 0x7f80_0000).0, SumTruth::Nan);
    let bfloat = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    // 2^128 − 2^128: an order may overflow. 2^128 − 1 does, and to nothing else.
    let (far, d) = truth(bfloat, &[(0x5f80, 0x5f80), (0xdf80, 0x5f80)], 0);
    assert!([0, 0x7f80_0000, 0xff80_0000, 0x7fff_ffff].iter().all(|&result| far.accepts(d, result)));
    let (over, d) = truth(bfloat, &[(0x5f80, 0x5f80), (0xbf80, 0x3f80)], 0);
    assert!(over.accepts(d, 0x7f80_0000) && over.accepts(d, 0x7f7f_ffff));
    assert!(![0xff80_0000, 0x7fff_ffff, 0].iter().any(|&result| over.accepts(d, result)));
}

#[test]
fn half_precision_is_enough_where_c_and_d_are_half() {
    let half = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    // 1 + 2^-11, 2^-11 more: 1, or 1 + 2^-10.
    let (open, d) = truth(half, &[(0x1000, 0x3c00), (0x1000, 0x3c00)], 0x3c00);
    assert!(open.accepts(d, 0x3c00) && open.accepts(d, 0x3c01) && !open.accepts(d, 0x4000));
    let dot = |text: &str| *text.parse::<MatrixVariant>().unwrap().dot();
    assert!(Sums::of(&dot("mma.sp.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")).is_none());
}
