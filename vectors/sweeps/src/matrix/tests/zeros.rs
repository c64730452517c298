//! Tests of sums of zeros and next to zero, of what stands beside a sparse A's zeros, and of scaled addends.

use formats::{Class, Format};

use super::*;

fn share(name: &str, variant: &MatrixVariant, rows: usize, is: impl Fn(&DotData) -> bool) -> usize {
    let columns = filled(DotSweep::named(name).unwrap(), variant, 0, rows);
    (0..rows).filter(|&row| is(&data(variant, &columns, row))).count() * 100 / rows
}

fn variant(text: &str) -> MatrixVariant {
    text.parse().unwrap()
}

/// In some vectors of `zeros`, every product and the addend are zeros of one sign; either sign occurs.
#[test]
fn all_zeros_are_of_one_sign() {
    for variant in some() {
        let dot = variant.dot();
        let shares = [false, true].map(|negative| {
            share("zeros", variant, 2 * ROWS, |data| {
                let turned = data.controls.negate_a != data.controls.negate_b;
                let mut pairs = data.a.iter().zip(&data.places);
                terms(dot, data).is_some_and(|terms| terms.is_empty())
                    && data.controls.accumulate
                    && dot.c.is_negative(data.c) == negative
                    && pairs.all(|(&a, &place)| {
                        let signs = [dot.a.is_negative(a), dot.b.is_negative(data.b[place])];
                        (signs[0] != signs[1]) != turned || !negative
                    })
            })
        });
        assert!(shares.iter().all(|share| (5..40).contains(share)), "{variant}: {shares:?} %");
    }
}

/// In some vectors of `zeros`, a subnormal addend is all that there is.
#[test]
fn addends_stand_alone() {
    for variant in some() {
        let alone = share("zeros", variant, ROWS, |data| {
            variant.dot().c.class(data.c) == Class::Subnormal
                && terms(variant.dot(), data).is_some_and(|terms| terms.len() == 1)
        });
        assert!(alone >= 10, "{variant}: {alone} %");
    }
}

/// In some vectors of `subnormal`, a product with one subnormal factor is all that there is.
#[test]
fn subnormal_factors_stand_alone() {
    for variant in some() {
        let dot = variant.dot();
        let alone = share("subnormal", variant, 4 * ROWS, |data| {
            let small = |format: &Format, bits| format.class(bits) == Class::Subnormal;
            let mut pairs = data.a.iter().zip(&data.places);
            dot.c.class(data.c) == Class::Zero
                && terms(dot, data).is_some_and(|terms| terms.len() == 1)
                && pairs.any(|(&a, &place)| small(dot.a, a) != small(dot.b, data.b[place]))
        });
        assert!(alone >= 2, "{variant}: {alone} %");
    }
}

/// In some vectors two terms leave a subnormal number, though no factor is subnormal.
#[test]
fn sums_cancel_to_subnormal_numbers() {
    for text in [
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
    ] {
        let variant = variant(text);
        let dot = variant.dot();
        let met = share("zeros", &variant, 4 * ROWS, |data| {
            let terms = terms(dot, data).unwrap();
            let [x, y] = terms[..] else { return false };
            let lowest = x.exponent.min(y.exponent);
            let quanta = |term: Number| term.magnitude << (term.exponent - lowest).min(60);
            let rest = quanta(x).abs_diff(quanta(y));
            let normal = |format: &Format, bits: &u64| format.class(*bits) != Class::Subnormal;
            x.negative != y.negative
                && rest > 0
                && lowest + bit_length(rest) - 1 < dot.d.exponent_min()
                && data.a.iter().all(|bits| normal(dot.a, bits))
                && data.b.iter().all(|bits| normal(dot.b, bits))
                && normal(dot.c, &data.c)
        });
        assert!(met >= 4, "{text}: {met} %");
    }
}

/// Narrow terms with scales make the smallest number together, and one term lies at the last bit that alignment to the
/// exponent of zero keeps, or just below.
#[test]
fn narrow_terms_reach_the_exponent_of_zeros() {
    let kind = |kind: &str, k: u32, of: &str| {
        let start = "mma.sync.aligned.m16n8k";
        variant(&format!("{start}{k}.row.col.kind::{kind}.block_scale.f32.{of}.f32.ue8m0"))
    };
    for (variant, last) in [
        (kind("mxf8f6f4", 32, "e2m1.e2m1"), -158),
        (kind("mxf8f6f4", 32, "e4m3.e2m3"), -158),
        (kind("mxf4", 64, "e2m1.e2m1"), -174),
    ] {
        for (place, least) in [(last, 2), (last - 1, 2)] {
            let met = share("zeros", &variant, 8 * ROWS, |data| {
                let terms = terms(variant.dot(), data).unwrap();
                let (low, high): (Vec<_>, Vec<_>) =
                    terms.iter().partition(|term| term.leading() == place);
                let smallest = 1 << (-149 - place + 8);
                let quanta = |term: &Number| term.magnitude << (term.exponent - place + 8);
                low.len() == 1 && high.iter().map(quanta).sum::<u128>() == smallest
            });
            assert!(met >= least, "{variant}: a term at 2^{place} in {met} %");
        }
    }
}

/// In most vectors of `unselected`, an element of B that is not selected is NaN or infinite, and no term is.
#[test]
fn unselected_elements_are_special() {
    let sweep = DotSweep::named("unselected").unwrap();
    for variant in representatives().into_iter().filter(|variant| applies(sweep, variant)) {
        let dot = variant.dot();
        let special = share("unselected", variant, ROWS / 4, |data| {
            let special = |bits: u64| matches!(dot.b.class(bits), Class::Nan | Class::Infinity);
            let beside = |place: &usize| !data.places.contains(place) && special(data.b[*place]);
            assert!(terms(dot, data).is_some(), "{variant}: a term is no number");
            (0..data.b.len()).any(|place| beside(&place))
        });
        assert!(special >= 70, "{variant}: {special} %");
    }
}

/// A quarter of the addends is scaled, by every power, where operands may say so; elsewhere no addend is.
#[test]
fn addends_are_scaled() {
    for variant in some() {
        let scaled = share("largest", variant, 2 * ROWS, |data| data.controls.addend_scale > 0);
        let expected = if variant.dot().scaled_addend { 5..35 } else { 0..1 };
        assert!(expected.contains(&scaled), "{variant}: {scaled} %");
    }
    let variant = variant("tcgen05.mma.cta_group::1.kind::tf32(a-desc,f32.tf32.tf32,k8)");
    let columns = filled(DotSweep::named("random").unwrap(), &variant, 0, 8 * ROWS);
    let met: std::collections::HashSet<u8> =
        (0..8 * ROWS).map(|row| data(&variant, &columns, row).controls.addend_scale).collect();
    assert_eq!(met.len(), 16);
}
