//! Pages about single elements.

use super::*;

#[test]
fn operands_are_read_as_they_are_written() {
    let variant: MatrixVariant = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32".parse().unwrap();
    let page =
        |texts: &[&str]| page(&variant, &texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
    let text = page(&["0-1:3f800000*3f800000", "c=40400000"]).unwrap();
    assert!(text.contains("right        0x40a00000  5  "), "{text}");
    for (wrong, words) in [
        ("8:0*0", "places are 0 to 7"),
        ("0:3f800000", "there is no `*`"),
        ("c=x", "no number"),
        ("c=100000000", "more than 32 bits"),
        ("scale-a=7f", "takes 0 scales"),
        ("scale-d=1", "addend is not scaled"),
    ] {
        let error = format!("{:#}", page(&[wrong]).unwrap_err());
        assert!(error.contains(words) && error.contains("by their place"), "{error}");
    }
}

#[test]
fn an_addend_is_divided_where_it_may_be() {
    let variant: MatrixVariant =
        "tcgen05.mma.cta_group::1.kind::f16(a-desc,f32.f16.f16,k16)".parse().unwrap();
    let page =
        |texts: &[&str]| page(&variant, &texts.iter().map(|text| text.to_string()).collect::<Vec<_>>());
    let text = page(&["0:3c00*3c00", "c=41000000", "scale-d=2"]).unwrap();
    assert!(text.contains("c / 2^2      0x40000000  2  ") && text.contains("0x40400000  3  "), "{text}");
    for wrong in ["scale-d=16", "scale-d=-1", "scale-d=x", "scale-d="] {
        assert!(page(&[wrong]).is_err(), "{wrong}");
    }
}

/// What a sparse A does not store is zero, whatever it meets.
#[test]
fn unselected_specials_may_count() {
    let variant: MatrixVariant =
        "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".parse().unwrap();
    let text = page(&variant, &["0:3c00*3c00", "3:0*7c00"].map(String::from)).unwrap();
    assert!(text.contains("unselected   NaN: a zero that is not stored"), "{text}");
}
