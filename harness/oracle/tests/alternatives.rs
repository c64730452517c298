//! Results under the interpretations of points that few vectors reach.

use judge::Truth;
use oracle::Oracle;
use vectors::Variant;
use vectors::isa::Relaxation;
use vectors::sweep::columns_for;

/// What one vector's first lane gives under the interpretations of one point, all others at their first;
/// nothing where it is not open.
fn results(text: &str, operands: &[u64], point: Relaxation) -> Vec<u64> {
    let variant: Variant = text.parse().unwrap();
    let mut columns = columns_for(&variant, 1);
    columns.iter_mut().zip(operands).for_each(|(column, &bits)| column.set(0, bits));
    let mut truth = Truth::new(&variant);
    Oracle::new(&variant).expect(&columns, &mut truth);
    let of_point = truth.alternatives().iter().filter(|alternative| {
        let mut others = alternative.interpretation;
        others[point as usize] = 0;
        alternative.element == 0 && alternative.open.contains(point) && others.iter().all(|&n| n == 0)
    });
    of_point.map(|alternative| alternative.bits).collect()
}

/// Of the thirteen bits that tf32 lacks: a payload that lies in them leaves an infinity, and another a NaN.
#[test]
fn a_nan_that_is_cut_off_leaves_what_stands_above() {
    for (nan, above) in [
        (0x7f80_0001, 0x7f80_0000),
        (0xff80_1fff, 0xff80_0000),
        (0x7f80_2000, 0x7f80_2000),
        (0xffc0_0001, 0xffc0_0000),
    ] {
        let results = results("cvt.rna.tf32.f32", &[nan], Relaxation::TruncatedNan);
        assert_eq!(results.len(), 2, "{nan:#x}");
        assert_eq!(results[1], above >> 13, "{nan:#x}");
    }
    assert!(results("cvt.rna.tf32.f32", &[0x7f80_0000], Relaxation::TruncatedNan).is_empty());
    assert!(results("cvt.rn.tf32.f32", &[0x7f80_0001], Relaxation::TruncatedNan).is_empty());
}

/// "Sign-preserved MAX_NORM" of two's complement: the negative of its largest number, or its lowest. It is
/// open of what is as low as that, and of nothing else.
#[test]
fn what_is_below_a_symmetric_range_is_either_end() {
    let text = "cvt.rn.satfinite.s2f6x2.f32";
    let minimum = |low: f32| {
        // The first of two operands goes into the upper lane.
        results(text, &[0, low.to_bits().into()], Relaxation::FixedMinimum)
    };
    for low in [-2.0, -2.1, -4.0, -1e30, f32::NEG_INFINITY] {
        assert_eq!(minimum(low), [0x81, 0x80], "{low}");
    }
    for within in [-127.0 / 64.0, -1.0, -0.0, 0.0, 1.0, 2.0, 1e30] {
        assert!(minimum(within).is_empty(), "{within}");
    }
}
