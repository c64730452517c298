//! Tests of matrix instructions in kernels written by hand. Elements of A and of B are tried alone, so that whatever is
//! taken from a wrong place, or put there, shows.

use isa::matrix::MatrixVariant;
use ptx::syntax::Entry;

use super::matrix_case::MatrixCase;
use super::warp::{Draws, Warp, text};
use crate::interpreter::{Emulated, EntryProgram, Tested, WARP};

/// The selectors of an instruction without scales.
const NONE: [[usize; 2]; 2] = [[0, 0]; 2];

/// The instructions that are tested, each with the selector of metadata and those of scales.
const CASES: &[(&str, usize, [[usize; 2]; 2])] = &[
    ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e4m3.f16", 0, NONE),
    ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", 0, NONE),
    (
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m3.f32.ue8m0",
        0,
        [[2, 1], [3, 2]],
    ),
    (
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        0,
        [[2, 1], [2, 3]],
    ),
    (
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
        0,
        [[0, 1], [0, 1]],
    ),
    ("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 3, NONE),
    ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", 1, NONE),
    ("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 2, NONE),
    ("mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 1, NONE),
    ("mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 0, NONE),
    (
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
        0,
        [[0, 1], [0, 2]],
    ),
];

/// Each instruction computes a product of full matrices, and products in which one element of A, or of B, is left:
/// every seventh element in turn.
#[test]
fn every_element_is_taken_from_its_place_and_put_there() {
    for &(text, selector, scaled) in CASES {
        let mut case = MatrixCase::new(text, selector, scaled);
        let mut draws = Draws(7);
        let full = case.draw(&mut draws);
        assert_eq!(case.found(&full), Ok(case.expected(&full)), "{text}");
        for is_a in [true, false] {
            let elements = if is_a { full.a.len() } else { full.b.len() };
            // A step that is prime to how many there are: rows and columns change.
            for element in (0..elements).step_by(7) {
                let mut one = case.draw(&mut draws);
                let only = |all: &mut Vec<f64>| {
                    all.iter_mut().enumerate().for_each(|(at, number)| {
                        *number = if at == element { 2.0 } else { 0.0 };
                    });
                };
                only(if is_a { &mut one.a } else { &mut one.b });
                assert_eq!(case.found(&one), Ok(case.expected(&one)), "{text} {is_a} {element}");
            }
        }
    }
}

/// Every `mma` and `mma.sp` computes one product of full matrices.
#[test]
fn every_instruction_multiplies_what_it_is_given() {
    for variant in MatrixVariant::all().iter().filter(|variant| variant.words()[0] == "mma") {
        let mut case = MatrixCase::new(variant.text(), 0, NONE);
        let of = case.draw(&mut Draws(13));
        assert_eq!(case.found(&of), Ok(case.expected(&of)), "{variant}");
    }
}

/// The order in which a chain of fused operations adds is the order of k.
#[test]
fn double_precision_adds_in_the_order_of_k() {
    for (text, ..) in CASES.iter().filter(|(text, ..)| text.ends_with("f64")) {
        let mut case = MatrixCase::new(text, 0, NONE);
        let mut draws = Draws(3);
        let mut of = case.draw(&mut draws);
        let mut inexact =
            |all: &mut Vec<f64>| all.iter_mut().for_each(|x| *x /= 3.0 + draws.below(9) as f64);
        inexact(&mut of.a);
        inexact(&mut of.b);
        let [m, n, k, _] = case.sides;
        let mut expected = of.c.clone();
        for (at, sum) in expected.iter_mut().enumerate() {
            let (i, j) = (at / n, at % n);
            *sum = (0..k).fold(*sum, |sum, at| of.a[i * k + at].mul_add(of.b[at * n + j], sum));
        }
        assert_eq!(expected.len(), m * n);
        assert_eq!(case.found(&of), Ok(expected), "{text}");
    }
}

/// Selectors and metadata that mean nothing, too few operands, and missing threads are errors.
#[test]
fn what_a_matrix_instruction_cannot_do_is_said() {
    let scaled = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    let sparse = "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
    let zeros = |registers: usize| vec![[0; WARP]; registers];
    let of_scales = |selectors: &str| {
        let held = [(4, 32), (4, 4), (2, 4), (4, 32)];
        Warp::new(scaled, held, selectors).execute(&zeros(12)).unwrap_err()
    };
    let of_metadata = |selector: &str, word: u64| {
        let mut sources = zeros(12);
        sources.push([word; WARP]);
        Warp::new(sparse, [(4, 32), (4, 16), (4, 16), (4, 32)], selector).execute(&sources).unwrap_err()
    };
    for (said, expected) in [
        (of_scales("?; {1, 0}; ?; {0, 0}; "), "{1, 0} selects no scales of A"),
        (of_scales("?; {0, 2}; ?; {0, 0}; "), "{0, 2} selects no scales of A"),
        (of_scales("?; {0, 0}; ?; {4, 0}; "), "{4, 0} selects no scales of B"),
        (of_scales("?; {0, 0}; ?; {2, 4}; "), "{2, 4} selects no scales of B"),
        (
            of_scales("?; {0, 18446744073709551615}; ?; {0, 0}; "),
            "{0, 18446744073709551615} selects no scales of A",
        ),
        (of_metadata("?; 2; ", 0x4444_4444), "the selector 2 means no threads of `SPARSE`"),
        (of_metadata("?; 1; ", 0x4444_1444), "metadata 0b0001 of row 0 and chunk 3 are not valid"),
        (of_metadata("?; 1; ", 0x4f44_4444), "metadata 0b1111 of row 8 and chunk 2 are not valid"),
    ] {
        let expected = expected.replace("SPARSE", sparse);
        assert!(said.ends_with(&format!(": {expected}")), "{said}");
    }
    for (spelling, held, behind) in [
        (sparse, [(4, 32), (4, 16), (4, 16), (4, 32)], ""),
        (sparse, [(4, 32), (4, 16), (4, 16), (4, 32)], "?; ?; "),
        (sparse, [(4, 32), (3, 16), (4, 16), (4, 32)], "?; 0; "),
        (sparse, [(2, 32), (4, 16), (4, 16), (4, 32)], "?; 0; "),
        (scaled, [(4, 32), (4, 4), (2, 4), (4, 32)], "?; {0, 0}; "),
        (scaled, [(4, 32), (4, 4), (2, 4), (4, 32)], "?; {0}; ?; {0, 0}; "),
        (scaled, [(4, 32), (4, 4), (2, 4), (4, 32)], "?; {%r1, 0}; ?; {0, 0}; "),
    ] {
        let entry: Entry = text(spelling, held, behind).parse().unwrap();
        let said = EntryProgram::of(&entry).unwrap_err().to_string();
        assert!(said.ends_with("has wrong operands"), "{said}");
    }
    let mut warp = Warp::new(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        [(2, 64), (1, 64), (1, 64), (2, 64)],
        "",
    );
    warp.threads = 31;
    let said = warp.execute(&zeros(4)).unwrap_err();
    assert!(said.ends_with("not all threads of the warp exchange words"), "{said}");
}

/// A device adds as its generation does.
#[test]
fn sums_are_those_of_the_device() {
    let variant: &MatrixVariant = &"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".parse().unwrap();
    let variant = MatrixVariant::all().iter().find(|one| *one == variant);
    let tested = Tested { spelling: "", variant: None, matrix: variant, in_place: false };
    let mut draws = Draws(5);
    // Elements between 1/2 and 2 of both signs, which leave bits for the order and the width of sums.
    let mut word = || (draws.below(1 << 16) as u64) & 0x83ff | 0x3800;
    let sources: Vec<_> = (0..10).map(|_| [(); WARP].map(|()| word() << 16 | word())).collect();
    let on = |capability: u16| Emulated::for_capability(capability).execute(&tested, &sources).unwrap();
    assert_eq!(on(80), on(86));
    assert_eq!(on(90), Emulated::for_capability(90).execute(&tested, &sources).unwrap());
    assert_ne!(on(80), on(90));
}
