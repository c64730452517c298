//! Probes of dot products, whose results on each generation were worked out from the sources' descriptions, in exact
//! arithmetic; those of NVIDIA's units also by MMA-Sim.

use formats::{Format, FormatId};
use isa::matrix::{Generation, Lowering, MatrixVariant, Unit};

use super::{DotProduct, Lowered};

/// Parses terms by their place, in hexadecimal: `0:3c00*3c00 1:bc00*3c00`; `0-15:` is each of these places.
fn terms(text: &str, k: usize) -> (Vec<u64>, Vec<u64>) {
    let (mut a, mut b) = (vec![0; k], vec![0; k]);
    for term in text.split_whitespace() {
        let (places, product) = term.split_once(':').unwrap();
        let (x, y) = product.split_once('*').unwrap();
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let (first, last) = places.split_once('-').unwrap_or((places, places));
        for place in first.parse::<usize>().unwrap()..=last.parse().unwrap() {
            (a[place], b[place]) = (number(x), number(y));
        }
    }
    (a, b)
}

fn compute(
    generation: Generation,
    (a, b): (&'static Format, &'static Format),
    accumulated: &'static Format,
    (k, text, c): (usize, &str, u64),
) -> u64 {
    let unit = Unit::of(generation, a.id, accumulated.id).unwrap();
    let (x, y) = terms(text, k);
    DotProduct::new(*unit, a, b, accumulated).compute(&x, &y, c)
}

const VAH: [Generation; 3] = [Generation::Volta, Generation::Ampere, Generation::Hopper];

/// The results on Volta, Ampere and Hopper, of 16 products of f16 with f32 accumulated.
#[rustfmt::skip] // a table
const HALF_TO_SINGLE: &[(&str, u64, [u64; 3])] = &[
    // How many fraction bits there are: 2^-23 to 2^-26 beside 1 − 1.
    ("0:3c00*3c00 1:bc00*3c00 2:0c00*1000", 0, [0x3400_0000, 0x3400_0000, 0x3400_0000]),
    ("0:3c00*3c00 1:bc00*3c00 2:0c00*0c00", 0, [0, 0x3380_0000, 0x3380_0000]),
    ("0:3c00*3c00 1:bc00*3c00 2:0c00*0800", 0, [0, 0, 0x3300_0000]),
    ("0:3c00*3c00 1:bc00*3c00 2:0c00*0400", 0, [0, 0, 0]),
    // The addend is aligned with them.
    ("0:3c00*3c00 1:bc00*3c00", 0x3380_0000, [0, 0x3380_0000, 0x3380_0000]),
    ("0:3c00*3c00 1:bc00*3c00", 0x3300_0000, [0, 0, 0x3300_0000]),
    // A product of two significands near 2 is not normalised.
    ("0:3e00*3e00 1:be00*3e00 2:0c00*1000", 0, [0x3400_0000, 0x3400_0000, 0x3400_0000]),
    ("0:3e00*3e00 1:be00*3e00 2:0c00*0800", 0, [0, 0, 0x3300_0000]),
    // Cut off toward zero.
    ("0:3c00*3c00 1:bc00*3c00 2:8c00*0400", 0, [0, 0, 0]),
    // The parts that are cut off of several terms do not add up.
    ("0:3c00*3c00 1:bc00*3c00 2-5:0c00*0400", 0, [0x3300_0000, 0, 0]),
    // Rounded toward zero at the end.
    ("0:3c00*3c00 1:0c00*1000 2:0c00*0c00", 0, [0x3f80_0001, 0x3f80_0001, 0x3f80_0001]),
    ("0:bc00*3c00 1:8c00*1000 2:8c00*0c00", 0, [0xbf80_0001, 0xbf80_0001, 0xbf80_0001]),
    // Which terms make a group.
    ("0-15:0c00*0c00 0:3c00*3c00 8:bc00*3c00", 0, [0x3480_0000, 0x3550_0000, 0x3560_0000]),
    ("0-15:0c00*0c00", 0x3f80_0000, [0x3f80_0000, 0x3f80_0008, 0x3f80_0008]),
    ("0-15:0c00*0c00 15:bc00*3c00", 0x3f80_0000, [0, 0x3570_0000, 0x3570_0000]),
    // A sum of zeros is +0, and subnormal numbers count.
    ("", 0x8000_0000, [0, 0, 0]),
    ("", 1, [1, 1, 1]),
    ("0:0001*3c00", 0, [0x3380_0000, 0x3380_0000, 0x3380_0000]),
    // Specials.
    ("0:7c00*0000", 0, [0x7fff_ffff; 3]),
    ("0:7c00*3c00", 0xff80_0000, [0x7fff_ffff; 3]),
    ("0:fc00*3c00", 0x3f80_0000, [0xff80_0000; 3]),
    ("0:7e00*0000", 0, [0x7fff_ffff; 3]),
];

/// The results on Volta, Ampere and Hopper, of 16 products of f16 with f16 accumulated.
#[rustfmt::skip] // a table
const HALF_TO_HALF: &[(&str, u64, [u64; 3])] = &[
    ("0:4400*3c00 1:c400*3c00 2:1000*1000", 0, [0, 4, 4]),
    ("0:4400*3c00 1:c400*3c00 2:1000*0c00", 0, [0, 0, 2]),
    ("0:4400*3c00 1:c400*3c00 2:1000*0800", 0, [0, 0, 0]),
    ("0:1000*3c00 8:1000*3c00", 0x3c00, [0x3c00, 0x3c00, 0x3c01]),
    ("0:4c00*3c00 1:9400*1400", 0x7bff, [0x7c00, 0x7c00, 0x7c00]),
    // The exponent of zero: 2^-24 less something down to 2^-47.
    ("0:1000*0400 1:0040*0001", 0, [1, 1, 1]),
    ("0:7e00*3c00", 0, [0x7fff; 3]),
];

#[test]
fn halves_are_multiplied_as_on_volta_ampere_and_hopper() {
    let half = (&formats::F16, &formats::F16);
    for (accumulated, table) in [(&formats::F32, HALF_TO_SINGLE), (&formats::F16, HALF_TO_HALF)] {
        for &(text, c, expected) in table {
            // The first of two terms in one place is overwritten by the second.
            let results = VAH.map(|generation| compute(generation, half, accumulated, (16, text, c)));
            assert_eq!(results, expected, "{text} + {c:x}: {results:x?}");
        }
    }
}

#[test]
fn the_exponent_of_zero_is_where_alignment_ends() {
    let bfloat = (&formats::BF16, &formats::BF16);
    for (x, expected) in [("ad80", [0, 0]), ("ad00", [1, 0]), ("ac80", [1, 0]), ("ac00", [1, 1])] {
        let text = format!("0:3400*0080 1:{x}*0380");
        let of = |generation| compute(generation, bfloat, &formats::F32, (16, &text, 0));
        assert_eq!([Generation::Ampere, Generation::Hopper].map(of), expected, "{text}");
    }
    let half = (&formats::F16, &formats::F16);
    let halves = [
        ("0040", [1, 1, 1]),
        ("0020", [0, 1, 1]),
        ("0010", [0, 1, 1]),
        ("0008", [0, 0, 1]),
        ("0004", [0, 0, 1]),
        ("0002", [0, 0, 0]),
    ];
    for (x, expected) in halves {
        // X × 2^-24 is subtracted from a half of f16's smallest number: a tie unless it is seen.
        let text = format!("0:1000*0400 1:{x}*0001");
        let of = |generation| compute(generation, half, &formats::F16, (16, &text, 0));
        assert_eq!(VAH.map(of), expected, "{text}");
    }
}

#[test]
fn intermediate_results_overflow_between_groups_alone() {
    let bfloat = (&formats::BF16, &formats::BF16);
    let of = |generation, text, c| compute(generation, bfloat, &formats::F32, (16, text, c));
    let pair = [Generation::Ampere, Generation::Hopper];
    assert_eq!(pair.map(|g| of(g, "0:7180*7180 8:f180*7180", 0)), [0x7f80_0000, 0]);
    assert_eq!(pair.map(|g| of(g, "0:7180*7180 1:f180*7180 2:3f80*3f80", 0)), [0, 0]);
    assert_eq!(pair.map(|g| of(g, "0:5f80*5300", 0x7f7f_ffff)), [0x7f7f_ffff; 2]);
}

#[test]
fn tf32_is_the_upper_bits_of_a_register() {
    let tf32 = (&formats::TF32, &formats::TF32);
    let of = |text| compute(Generation::Ampere, tf32, &formats::F32, (8, text, 0));
    assert_eq!(of("0:3f801fff*3f800000"), 0x3f80_0000);
    assert_eq!(of("0:7f800001*3f800000"), 0x7f80_0000, "a NaN whose payload is cut off");
    let split = "0:3f800000*3f800000 5:bf800000*3f800000 1:39800000*39800000 6:39800000*39800000";
    assert_eq!(of(split), 0x3380_0000);
    assert_eq!(compute(Generation::Hopper, tf32, &formats::F32, (8, split, 0)), 0x3400_0000);
}

#[test]
fn eight_bits_are_accumulated_in_thirteen_on_ada_and_hopper() {
    let e4m3 = (&formats::E4M3, &formats::E4M3);
    let generations = [Generation::Ada, Generation::Hopper, Generation::RtxBlackwell];
    #[rustfmt::skip] // a table
    let table: &[(&str, u64, [u64; 3])] = &[
        ("", 0x3f80_0200, [0x3f80_0000, 0x3f80_0000, 0x3f80_0200]),
        ("", 0x3fff_ffff, [0x3fff_fc00, 0x3fff_fc00, 0x3fff_ffff]),
        ("0:38*38 1:b8*38 2:04*08", 0, [0x3900_0000; 3]),
        ("0:38*38 1:b8*38 2:04*04", 0, [0, 0, 0x3880_0000]),
        ("0:38*38 1:38*38 2:04*08 16:b8*38 17:b8*38", 0, [0, 0x3900_0000, 0x3900_0000]),
        ("0:58*58 1:01*02 2:d8*58 3:01*02", 0, [0, 0, 0x3780_0000]),
    ];
    for &(text, c, expected) in table {
        let results = generations.map(|g| compute(g, e4m3, &formats::F32, (32, text, c)));
        assert_eq!(results, expected, "{text} + {c:x}: {results:x?}");
    }
    assert_eq!(Unit::of(Generation::Ampere, FormatId::E4m3, FormatId::F32), None);
}

fn lowered(text: &str, target: &str, (products, c): (&str, u64)) -> u64 {
    let variant: MatrixVariant = text.parse().unwrap();
    let lowering = Lowering::of(&variant, target.parse().unwrap()).unwrap();
    let (a, b) = terms(products, variant.dot().k as usize);
    Lowered::new(*variant.dot(), lowering).unwrap().compute(&a, &b, c)
}

#[test]
fn sequences_compute_what_one_unit_would_not() {
    let fp8 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    // Native on sm_120, through f16 on sm_90: products whose places share no unit cancel too late.
    let far = ("0:58*58 1:01*02 2:d8*58 3:01*02", 0);
    assert_eq!([lowered(fp8, "sm_120", far), lowered(fp8, "sm_90", far)], [0x3780_0000, 0x3700_0000]);
    let tie = ("0:08*08 1:01*18", 0x4580_0000);
    assert_eq!([lowered(fp8, "sm_120", tie), lowered(fp8, "sm_90", tie)], [0x4580_0000, 0x4580_0001]);
    let small = "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32";
    for (products, volta, ampere) in [
        (("0:3c00*3c00 1:0c00*1000 2:0c00*0c00", 0), 0x3f80_0001, 0x3f80_0002),
        (("0-1:0c00*0c00", 0x3f80_0000), 0x3f80_0000, 0x3f80_0001),
    ] {
        assert_eq!(
            [lowered(small, "sm_70", products), lowered(small, "sm_80", products)],
            [volta, ampere]
        );
    }
    let twice = "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32";
    assert_eq!(
        lowered(twice, "sm_80", ("0:1000*3c00 1:0c00*0c00", 0x3f80_0000)),
        0x3c00,
        "rounded once it is 3c01"
    );
    let half = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16";
    assert_eq!(lowered(half, "sm_80", ("0-3:3c00*3c00", 0x3c00)), 0x4500);
}

/// Computes a scaled instruction on sm_120a, from products by hexadecimal bytes, an addend, and the scales of A and of
/// B.
fn scaled(text: &str, (products, c): (&str, u64), scales: [&[u64]; 2]) -> u64 {
    let variant: MatrixVariant = text.parse().unwrap();
    let lowering = Lowering::of(&variant, "sm_120a".parse().unwrap()).unwrap();
    let (a, b) = terms(products, variant.dot().k as usize);
    Lowered::new(*variant.dot(), lowering).unwrap().compute_scaled([&a, &b], c, scales)
}

#[test]
fn four_bits_are_summed_by_sixteen_before_they_are_scaled() {
    let kind = |vectors, ty| {
        format!(
            "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::{vectors}.f32.e2m1.e2m1.f32.{ty}"
        )
    };
    let four = |products, c, scales: [u64; 4]| {
        scaled(&kind("4X", "ue8m0"), (products, c), [&scales, &[0x7f; 4]])
    };
    assert_eq!(four("0:2*2 16:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5e, 0x7f]), 0x2e00_0000);
    assert_eq!(four("0:2*2 16:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5d, 0x7f]), 0);
    assert_eq!(four("0:7*7 1:f*7 2:1*1 16:1*1", 0, [0x7f; 4]), 0x3f00_0000);
    // A group that cancels keeps its exponent.
    assert_eq!(four("0:2*2 1:a*2 32:1*1", 0, [0x7f, 0x7f, 0x5d, 0x7f]), 0);
    assert_eq!(four("", 0, [0x7f, 0xff, 0x7f, 0x7f]), 0x7fff_ffff);
    let two =
        scaled(&kind("2X", "ue8m0"), ("0:2*2 1:a*2 32:1*1 48:1*1", 0), [&[0x7f, 0x5d], &[0x7f; 2]]);
    assert_eq!(two, 0);
    let high = [&[0xfe; 4][..], &[0xfe; 4]];
    assert_eq!(scaled(&kind("4X", "ue8m0"), ("0:2*2", 0), high), 0x7f80_0000);
    assert_eq!(scaled(&kind("4X", "ue8m0"), ("0:2*2 1:a*2", 0x3f80_0000), high), 0, "c is cut off");
    // Scales of ue4m3: a NaN, a sign that does not count, the smallest, zero.
    let small = |x: u64, y: u64| {
        scaled(&kind("4X", "ue4m3"), ("0:2*2", 0), [&[x, 0x38, 0x38, 0x38], &[y, 0x38, 0x38, 0x38]])
    };
    assert_eq!(
        [small(0x7f, 0x38), small(0xb8, 0x38), small(1, 1), small(0, 0x38)],
        [0x7fff_ffff, 0x3f80_0000, 0x3680_0000, 0]
    );
}

#[test]
fn eight_bits_are_scaled_one_by_one() {
    let text = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0";
    assert_eq!(scaled(text, ("0:38*38", 0), [&[0x80], &[0x81]]), 0x4100_0000);
    assert_eq!(scaled(text, ("0:38*38 1:b8*38", 0x3f80_0000), [&[0xfe], &[0xfe]]), 0, "c is cut off");
    assert_eq!(scaled(text, ("", 0), [&[0xff], &[0x7f]]), 0x7fff_ffff);
    let plain: MatrixVariant = text.parse().unwrap();
    let lowered = Lowering::of(&plain, "sm_120a".parse().unwrap()).unwrap();
    let (a, b) = terms("0:38*38", 32);
    assert_eq!(Lowered::new(*plain.dot(), lowered).unwrap().compute(&a, &b, 0), 0x3f80_0000);
}
