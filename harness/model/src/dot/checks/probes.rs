//! Tests of sums that tell generations apart, as they were worked out from what is published of units.

use super::{data, target, variant};
use crate::{DotFault, DotModel};

fn compute(text: &str, on: &str, terms: &str, c: u64) -> u64 {
    let variant = variant(text);
    let model = DotModel::of(&variant, target(on)).unwrap_or_else(|| panic!("{text} on {on}"));
    model.compute(&data(&variant, terms, c))
}

const HALF: &str = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32";
const HALF_TO_HALF: &str = "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16";
const BFLOAT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";

/// The targets for Volta, Ampere and Hopper.
const THREE: [&str; 3] = ["sm_70", "sm_80", "sm_90"];

#[test]
#[rustfmt::skip] // a table
fn halves_on_three_generations() {
    for (terms, c, expected) in [
        ("0:3c00*3c00 1:bc00*3c00 2:0c00*1000", 0, [0x3400_0000, 0x3400_0000, 0x3400_0000]),
        ("0:3c00*3c00 1:bc00*3c00 2:0c00*0c00", 0, [0, 0x3380_0000, 0x3380_0000]),
        ("0:3c00*3c00 1:bc00*3c00 2:0c00*0800", 0, [0, 0, 0x3300_0000]),
        ("0:3c00*3c00 1:bc00*3c00 2:0c00*0400", 0, [0; 3]),
        ("0:3c00*3c00 1:bc00*3c00", 0x3300_0000, [0, 0, 0x3300_0000]),
        ("0:3e00*3e00 1:be00*3e00 2:0c00*1000", 0, [0x3400_0000; 3]),
        ("0:3e00*3e00 1:be00*3e00 2:0c00*0800", 0, [0, 0, 0x3300_0000]),
        ("0:3c00*3c00 1:bc00*3c00 2:8c00*0400", 0, [0; 3]),
        ("0:3c00*3c00 1:bc00*3c00 2-5:0c00*0400", 0, [0x3300_0000, 0, 0]),
        ("0:3c00*3c00 1:0c00*1000 2:0c00*0c00", 0, [0x3f80_0001; 3]),
        ("0-15:0c00*0c00 0:3c00*3c00 8:bc00*3c00", 0, [0x3480_0000, 0x3550_0000, 0x3560_0000]),
        ("0-15:0c00*0c00", 0x3f80_0000, [0x3f80_0000, 0x3f80_0008, 0x3f80_0008]),
        ("0-15:0c00*0c00 15:bc00*3c00", 0x3f80_0000, [0, 0x3570_0000, 0x3570_0000]),
        ("", 0x8000_0000, [0; 3]),
        ("", 1, [1; 3]),
        ("0:0001*3c00", 0, [0x3380_0000; 3]),
        ("0:7c00*0000", 0, [0x7fff_ffff; 3]),
        ("0:7c00*3c00", 0xff80_0000, [0x7fff_ffff; 3]),
        ("0:fc00*3c00", 0x3f80_0000, [0xff80_0000; 3]),
    ] {
        assert_eq!(THREE.map(|on| compute(HALF, on, terms, c)), expected, "{terms} + {c:x}");
    }
    for (terms, c, expected) in [
        ("0:4400*3c00 1:c400*3c00 2:1000*1000", 0, [0, 4, 4]),
        ("0:4400*3c00 1:c400*3c00 2:1000*0c00", 0, [0, 0, 2]),
        ("0:4400*3c00 1:c400*3c00 2:1000*0800", 0, [0; 3]),
        ("0:1000*3c00 8:1000*3c00", 0x3c00, [0x3c00, 0x3c00, 0x3c01]),
        ("0:4c00*3c00 1:9400*1400", 0x7bff, [0x7c00; 3]),
        ("0:1000*0400 1:0040*0001", 0, [1; 3]),
        ("0:1000*0400 1:0020*0001", 0, [0, 1, 1]),
        ("0:1000*0400 1:0008*0001", 0, [0, 0, 1]),
        ("0:1000*0400 1:0002*0001", 0, [0; 3]),
    ] {
        assert_eq!(THREE.map(|on| compute(HALF_TO_HALF, on, terms, c)), expected, "{terms} + {c:x}");
    }
}

#[test]
#[rustfmt::skip] // a table
fn far_exponents_of_bf16() {
    for (terms, c, expected) in [
        ("0:7180*7180 8:f180*7180", 0, [0x7f80_0000, 0]),
        ("0:7180*7180 1:f180*7180 2:3f80*3f80", 0, [0, 0]),
        ("0:5f80*5300", 0x7f7f_ffff, [0x7f7f_ffff; 2]),
        // −2^-150 is half of the smallest number: a sum that is not zero keeps its sign, but in another group.
        ("8:8080*3380", 0, [0x8000_0000; 2]),
        ("0:8080*3380", 0, [0, 0x8000_0000]),
        ("0:3400*0080 1:ad80*0380", 0, [0, 0]),
        ("0:3400*0080 1:ad00*0380", 0, [1, 0]),
        ("0:3400*0080 1:ac80*0380", 0, [1, 0]),
        ("0:3400*0080 1:ac00*0380", 0, [1, 1]),
    ] {
        let results = ["sm_80", "sm_90"].map(|on| compute(BFLOAT, on, terms, c));
        assert_eq!(results, expected, "{terms} + {c:x}");
    }
}

/// Checks sums of 8-bit floats on Ada, by Hopper's `wgmma` and by its `mma`, and on RTX Blackwell.
#[test]
#[rustfmt::skip] // a table
fn eight_bits_in_four_ways() {
    const MMA: &str = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    const WGMMA: &str = "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3(a-desc)";
    let four = [(MMA, "sm_89"), (WGMMA, "sm_90a"), (MMA, "sm_90"), (MMA, "sm_120")];
    for (terms, c, expected) in [
        ("", 0x3f80_0200, [0x3f80_0000, 0x3f80_0000, 0x3f80_0200, 0x3f80_0200]),
        ("", 0x3fff_ffff, [0x3fff_fc00, 0x3fff_fc00, 0x3fff_ffff, 0x3fff_ffff]),
        ("0:38*38 1:b8*38 2:04*08", 0, [0x3900_0000; 4]),
        ("0:38*38 1:b8*38 2:04*04", 0, [0, 0, 0x3880_0000, 0x3880_0000]),
        ("0:38*38 1:38*38 2:04*08 16:b8*38 17:b8*38", 0, [0, 0x3900_0000, 0x3900_0000, 0x3900_0000]),
        ("0:58*58 1:01*02 2:d8*58 3:01*02", 0, [0, 0, 0x3700_0000, 0x3780_0000]),
        ("0:08*08 1:01*18", 0x4580_0000, [0x4580_0000, 0x4580_0000, 0x4580_0001, 0x4580_0000]),
    ] {
        assert_eq!(four.map(|(text, on)| compute(text, on, terms, c)), expected, "{terms} + {c:x}");
    }
}

#[test]
fn sequences_of_one_instruction() {
    let small = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32";
    let of = |terms, c| ["sm_70", "sm_80"].map(|on| compute(small, on, terms, c));
    assert_eq!(of("0:3c00*3c00 1:0c00*1000 2:0c00*0c00", 0), [0x3f80_0001, 0x3f80_0002]);
    assert_eq!(of("0-1:0c00*0c00", 0x3f80_0000), [0x3f80_0000, 0x3f80_0001]);
    let twice = "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32";
    assert_eq!(compute(twice, "sm_80", "0:1000*3c00 1:0c00*0c00", 0x3f80_0000), 0x3c00);
    let tf32 = "0:1fc00*1fc00 5:5fc00*1fc00 1:1cc00*1cc00 6:1cc00*1cc00";
    let (mma, wmma) = (
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
    );
    let of = |text| ["sm_80", "sm_90"].map(|on| compute(text, on, tf32, 0));
    assert_eq!([of(mma), of(wmma)], [[0x3380_0000, 0x3400_0000], [0x3380_0000; 2]]);
}

/// Checks the sums of 2^53, 1, 1, −2^53, and of 2^53, 3, −2^53, in all four roundings.
#[test]
fn chains_of_f64_in_four_roundings() {
    // Signs and exponent fields.
    const MINUS: u64 = 0x800;
    const TWO: u64 = 0x400;
    const FOUR: u64 = 0x401;
    let results = |terms| {
        ["rn", "rz", "rm", "rp"].map(|rounding| {
            let text = format!("mma.sync.aligned.m8n8k4.row.col.{rounding}.f64.f64.f64.f64");
            compute(&text, "sm_80", terms, 0) >> 52
        })
    };
    let one = "3ff0000000000000";
    let first = format!("0:4340000000000000*{one} 1-2:{one}*{one} 3:c340000000000000*{one}");
    assert_eq!(results(&first), [0, 0, MINUS, FOUR]);
    let second = format!("0:4340000000000000*{one} 1:4008000000000000*{one} 2:c340000000000000*{one}");
    assert_eq!(results(&second), [FOUR, TWO, TWO, FOUR]);
}

#[test]
fn scaled_sums() {
    let compute = |text: &str, terms: &str, c: u64, scales: [&[u64]; 2]| {
        let variant = variant(text);
        let mut data = data(&variant, terms, c);
        data.scales = scales.map(<[u64]>::to_vec);
        DotModel::of(&variant, target("sm_120a")).expect("a model").compute(&data)
    };
    let kind = |vectors: &str, ty: &str| {
        format!(
            "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::{vectors}.f32.e2m1.e2m1.f32.{ty}"
        )
    };
    let four =
        |terms, c, scales: [u64; 4]| compute(&kind("4X", "ue8m0"), terms, c, [&scales, &[0x7f; 4]]);
    assert_eq!(four("0:2*2 16:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5e, 0x7f]), 0x2e00_0000);
    assert_eq!(four("0:2*2 16:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5d, 0x7f]), 0);
    assert_eq!(four("0:7*7 1:f*7 2:1*1 16:1*1", 0, [0x7f; 4]), 0x3f00_0000);
    assert_eq!(four("0:2*2 1:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5d, 0x7f]), 0, "a group keeps its exponent");
    assert_eq!(four("", 0, [0x7f, 0xff, 0x7f, 0x7f]), 0x7fff_ffff);
    assert_eq!(four("0:2*2 16:a*2", 0x2e00_0000, [0x7f; 4]), 0x2e00_0000);
    assert_eq!(four("0:2*2 16:a*2", 0x2d80_0000, [0x7f; 4]), 0);
    let nv = |a: u64, b: u64| {
        let [a, b] = [a, b].map(|first| [first, 0x38, 0x38, 0x38]);
        compute(&kind("4X", "ue4m3"), "0:2*2", 0, [&a, &b])
    };
    let expected = [0x7fff_ffff, 0x3f80_0000, 0x3680_0000, 0];
    assert_eq!([nv(0x7f, 0x38), nv(0xb8, 0x38), nv(1, 1), nv(0, 0x38)], expected);
    let eight = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0";
    assert_eq!(compute(eight, "0:38*38", 0, [&[0x80], &[0x81]]), 0x4100_0000);
    assert_eq!(compute(eight, "0:38*38 1:b8*38", 0x3f80_0000, [&[0xfe], &[0xfe]]), 0, "c is cut off");
    assert_eq!(compute(eight, "", 0x3f80_0000, [&[0x64], &[0x7f]]), 0x3f80_0000);
}

/// Checks the division of addends by 2^s: 1 + 8 / 2^s, and in f16 the sum of 3 · 2^-24 / 2 alone, which is a tie.
#[test]
fn divided_addends() {
    let compute = |ty: &str, terms: &str, c: u64, by: u8| {
        let variant = variant(&format!("tcgen05.mma.cta_group::1.kind::f16(a-desc,{ty}.f16.f16,k16)"));
        let mut data = data(&variant, terms, c);
        data.controls.addend_scale = by;
        let target = target("sm_100a");
        let right = DotModel::of(&variant, target).expect("a model").compute(&data);
        let wrong = DotModel::with_fault(&variant, target, DotFault::AddendScaleIgnored);
        [right, wrong.expect("it may be divided").compute(&data)]
    };
    let nine = 0x4110_0000;
    assert_eq!(compute("f32", "0:3c00*3c00", 0x4100_0000, 0), [nine; 2]);
    assert_eq!(compute("f32", "0:3c00*3c00", 0x4100_0000, 2), [0x4040_0000, nine]);
    assert_eq!(compute("f32", "0:3c00*3c00", 0x4100_0000, 15), [0x3f80_0800, nine]);
    assert_eq!(compute("f16", "", 3, 1), [2, 3]);
}
