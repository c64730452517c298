//! Tests of the pages about single elements.

use formats::column;
use isa::matrix::columns_for;
use sweeps::matrix::DotSweep;

use super::*;

fn shown(name: &str, texts: &[&str]) -> Result<String> {
    let variant: MatrixVariant = name.parse().unwrap();
    page(&variant, &texts.iter().map(|text| text.to_string()).collect::<Vec<_>>())
}

/// Asserts that each case is refused with its words, and with those on how operands are written.
fn refused(name: &str, cases: &[(&[&str], &str)]) {
    for (texts, words) in cases {
        let error = format!("{:#}", shown(name, texts).unwrap_err());
        assert!(error.contains(words) && error.contains("bits in hexadecimal"), "{texts:?}: {error}");
        assert!(error.chars().count() < 500, "{error}");
    }
}

const TF32: &str = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
const FIFTH: &str = "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)";
const WARPGROUP: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16(a-desc)";
const SPARSE: &str = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const SCALED: &str = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";

#[test]
fn operands_are_read_as_they_are_written() {
    let text = shown(TF32, &["0-1:3f800000*3f800000", "c=40400000"]).unwrap();
    assert!(text.contains("right        0x40a00000  5  "), "{text}");
    let long = "f".repeat(5000);
    refused(
        TF32,
        &[
            (&["8:0*0"], "places are 0 to 7"),
            (&["0x1:0*0"], "places are 0 to 7, in decimal"),
            (&["+1:0*0"], "places are 0 to 7, in decimal"),
            (&["99999999999999999999:0*0"], "places are 0 to 7"),
            (&["3-1:0*0"], "the first of two places is the smaller one"),
            (&["0:3f800000"], "it has no `*`"),
            (&["0*0"], "it has no `:`"),
            (&["c=x"], "`x`: it is not a hexadecimal number"),
            (&["c="], "``: it is not a hexadecimal number"),
            (&["c=+1"], "`+1`: it is not a hexadecimal number"),
            (&["c=nan"], "`nan`: it is not a hexadecimal number"),
            (&["c=100000000"], "more than 32 bits"),
            (&["c=1", "c=2"], "`c` is given twice"),
            (&["0-3:0*0", "2:0*0"], "place 2 is given twice"),
            (&["scale-a=7f"], "has no `scale-a`"),
            (&["scale-input-d=1"], "has no `scale-input-d`"),
            (&["é=1"], "has no `é`"),
            (&["1", "2"], "takes 3 operands, not 2: a (8 x tf32), b (8 x tf32), c (f32)"),
            (&["1", "2", &long], "does not fit into the 32 bits of c"),
            (&["1", &long, "0"], "does not fit into the 256 bits of b"),
            (&["1", "2", ""], "`` is not hexadecimal"),
            (&[&long, "c=1"], "it has no `:`"),
        ],
    );
    refused(SCALED, &[(&["scale-a=7f"], "it needs 2 numbers, with commas between them, and has 1")]);
}

/// Rows as a report has them in `bits` say as much as elements by place and name.
#[test]
fn rows_are_read_as_a_report_has_them() {
    let both = |name: &str, rows: &[&str], named: &[&str]| {
        assert_eq!(shown(name, rows).unwrap(), shown(name, named).unwrap(), "{name}");
    };
    both(
        TF32,
        &["0x3f80000040000000", "40400000", "1"],
        &["0:40000000*40400000", "1:3f800000*0", "c=1"],
    );
    // Elements have four bits of a byte; the bits beside them do not count.
    let eight = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32";
    both(eight, &["cb", "0808", "0"], &["0:2*2", "1:0*2"]);
    both(
        SCALED,
        &["22", "2", "0", "7f80", "807f"],
        &["0:2*2", "1:2*0", "scale-a=80,7f", "scale-b=7f,80"],
    );
    both(
        SPARSE,
        &["3c00", "7c00000000003c00", "0", "e444"],
        &["0:3c00*3c00", "3:0*7c00", "metadata=4,4,4,e"],
    );
}

/// Any vector of a sweep may be an example of a report: the first 16 of each sweep are explained, written like one.
#[test]
fn every_example_of_a_report_can_be_explained() {
    for name in [TF32, FIFTH, WARPGROUP, SPARSE, SCALED, &SPARSE.replace("::ordered_metadata", "")] {
        let variant: MatrixVariant = name.parse().unwrap();
        for sweep in DotSweep::all() {
            let rows = sweep.length(&variant).at_most(16);
            if rows == 0 {
                continue;
            }
            let mut columns = columns_for(&variant, rows as usize);
            sweep.fill(&variant, 0, 0, &mut columns);
            for row in 0..rows as usize {
                let bits = column::row_bits(&columns, row);
                let operands = variant.operands().iter().zip(&bits);
                let texts: Vec<String> =
                    operands.map(|(operand, bits)| bits.hex(operand.row_bytes())).collect();
                let page = page(&variant, &texts);
                assert!(page.is_ok(), "{name} {} {row}: {page:?}", sweep.name);
            }
        }
    }
}

#[test]
fn controls_have_the_names_of_the_manual() {
    let result = |name: &str, texts: &[&str]| {
        let text = shown(name, &[&["0:3c00*4000", "c=41000000"], texts].concat()).unwrap();
        let sums: Vec<&str> = text.lines().filter(|line| line.starts_with("d ")).collect();
        assert!(sums.iter().all(|line| !line.contains("not by")), "{text}");
        (text.split("right        0x").nth(1).unwrap()[..8].to_owned(), text)
    };
    let sum = |name: &str, texts: &[&str]| result(name, texts).0;
    assert_eq!(sum(WARPGROUP, &[]), "41200000");
    assert_eq!(sum(WARPGROUP, &["scale-d=0"]), "40000000");
    assert_eq!(sum(WARPGROUP, &["imm-scale-a=-1"]), "40c00000");
    assert_eq!(sum(WARPGROUP, &["imm-scale-b=-1", "scale-d=1"]), "40c00000");
    assert_eq!(sum(FIFTH, &["enable-input-d=0"]), "40000000");
    assert_eq!(sum(FIFTH, &["negate-a=1"]), "40c00000");
    assert_eq!(sum(FIFTH, &["negate-a=1", "negate-b=1"]), "41200000");
    let (sum, text) = result(FIFTH, &["scale-input-d=2"]);
    assert!(text.contains("c / 2^2      0x40000000  2  "), "{text}");
    assert_eq!(sum, "40800000");
    for wrong in ["16", "-1", "x", "", "0x1"] {
        refused(FIFTH, &[(&[&format!("scale-input-d={wrong}")], "write 0 to 15, in decimal")]);
    }
    refused(
        WARPGROUP,
        &[
            (&["scale-d=2"], "write 0 or 1"),
            (&["imm-scale-a=0"], "write 1 or -1"),
            (&["enable-input-d=0"], "has no `enable-input-d`"),
            (&["0", "0", "0", "8"], "0x8 is not a value of the controls: write 0 to 7"),
        ],
    );
}

#[test]
fn metadata_say_which_places_are_stored() {
    let text = shown(SPARSE, &["0:3c00*3c00", "5:3c00*4000", "2:0*c000"]).unwrap();
    assert!(text.contains("16 products of f16 and f16, of which A stores 8, "), "{text}");
    assert!(text.contains("\nmetadata     4,4,4,4\n") && text.contains("not published"), "{text}");
    assert!(text.contains("2            not stored   ×   0xc000"), "{text}");
    let text = shown(SPARSE, &["1:3c00*3c00", "3:3c00*4000", "metadata=d,4,9,e"]).unwrap();
    assert!(text.contains("\nmetadata     d,4,9,e\n") && text.contains("0x40400000  3  "), "{text}");
    // A zero that is stored is multiplied.
    let text = shown(SPARSE, &["3:0*7c00", "metadata=e,4,4,4"]).unwrap();
    assert!(text.contains("right        NaN"), "{text}");
    refused(
        SPARSE,
        &[
            (&["0:3c00*3c00", "metadata=e,4,4,4"], "place 0"),
            (&["0-2:3c00*3c00"], "only half of each chunk"),
            (&["metadata=4"], "it needs 4 numbers"),
            (&["metadata=1,4,4,4"], "cannot be 1: write one of 4, 8, 9, c, d, e"),
            (&["0", "0", "0", "0"], "cannot be 0: write one of 4, 8, 9, c, d, e"),
        ],
    );
    let of = |name: &str| shown(name, &["c=0", "metadata=1,4,4,4"]);
    assert!(of(&SPARSE.replace("::ordered_metadata", "")).is_ok(), "either order");
}

/// An element that a sparse A does not store is zero, whatever it meets.
#[test]
fn unselected_specials_may_count() {
    let variant: MatrixVariant =
        "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".parse().unwrap();
    let text = page(&variant, &["0:3c00*3c00", "3:0*7c00"].map(String::from)).unwrap();
    assert!(text.contains("unselected   NaN: a zero that is not stored"), "{text}");
}
