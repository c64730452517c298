//! Tests of the formats against published figures and the `half` crate.

use super::*;

#[test]
fn derived_limits_are_the_published_ones() {
    let limits = |f: &Format| (f.width(), f.bias, f.exponent_min(), f.exponent_max());
    assert_eq!(limits(&F16), (16, 15, -14, 15));
    assert_eq!(limits(&BF16), (16, 127, -126, 127));
    assert_eq!(limits(&F32), (32, 127, -126, 127));
    assert_eq!(limits(&F64), (64, 1023, -1022, 1023));
    assert_eq!(limits(&E5M2), (8, 15, -14, 15));
    assert_eq!(limits(&E4M3), (8, 7, -6, 8));
    assert_eq!(F16.show(F16.max_finite()).decimal(), "65504");
    assert_eq!(E5M2.show(E5M2.max_finite()).decimal(), "57344");
    assert_eq!(E4M3.show(E4M3.max_finite()).decimal(), "448");
    assert_eq!(F32.max_finite(), u64::from(f32::MAX.to_bits()));
    assert_eq!(F64.max_finite(), f64::MAX.to_bits());
    assert_eq!(F32.min_normal(), u64::from(f32::MIN_POSITIVE.to_bits()));
    assert_eq!(BF16.show(1).decimal(), "9.183549615799121e-41");
    assert_eq!(F64.show(1).decimal(), "5e-324");
}

#[test]
fn canonical_nans_are_nans_of_the_catalogue() {
    assert_eq!([F16, BF16].map(|f| f.canonical_nan()), [0x7fff; 2]);
    assert_eq!(F32.canonical_nan(), 0x7fff_ffff);
    assert_eq!(F64.canonical_nan(), 0x7ff8_0000_0000_0000);
    assert_eq!([E5M2, E4M3].map(|f| f.canonical_nan()), [0x7f; 2]);
    assert!(FLOATS.iter().all(|f| f.nan().is_none_or(|nan| f.is_nan(nan))));
}

/// Compares every limit of the 8-bit formats and smaller ones for which the catalogue has a figure.
#[test]
fn limits_of_small_formats_are_the_published_ones() {
    let value = |f: &Format, bits| f.show(bits).decimal().parse::<f64>().unwrap();
    #[rustfmt::skip] // a table: format, width, largest, smallest normal, smallest, NaNs
    let published = [
        (&E2M3,     6, 7.5,      1.0,               0.125,             0),
        (&E3M2,     6, 28.0,     0.25,              0.0625,            0),
        (&E2M1,     4, 6.0,      1.0,               0.5,               0),
        (&UE4M3,    7, 448.0,    2f64.powi(-6),     2f64.powi(-9),     1),
        (&UE5M3,    8, 114688.0, 2f64.powi(-14),    2f64.powi(-17),    1),
        (&UE8M0,    8, 2f64.powi(127), 2f64.powi(-127), 2f64.powi(-126), 1),
        (&E4M3,     8, 448.0,    2f64.powi(-6),     2f64.powi(-9),     2),
        (&E5M2,     8, 57344.0,  2f64.powi(-14),    2f64.powi(-16),    6),
        (&E4M3FNUZ, 8, 240.0,    2f64.powi(-7),     2f64.powi(-10),    1),
        (&E5M2FNUZ, 8, 57344.0,  2f64.powi(-15),    2f64.powi(-17),    1),
        (&E4M3IEEE, 8, 240.0,    2f64.powi(-6),     2f64.powi(-9),    14),
        (&E3M4,     8, 15.5,     2f64.powi(-2),     2f64.powi(-6),    30),
        (&E4M3B11FNUZ, 8, 30.0,  2f64.powi(-10),    2f64.powi(-13),    1),
        (&S2F6,     8, 1.984375, 2f64.powi(-6),     2f64.powi(-6),     0),
    ];
    let small = FLOATS.into_iter().filter(|format| format.width() <= 8);
    assert!(small.into_iter().all(|one| published.iter().any(|row| row.0 == one)));
    for (format, width, max, min_normal, one, nans) in published {
        assert_eq!(format.width(), width, "{format:?}");
        assert_eq!(value(format, format.max_finite()), max, "{format:?}");
        assert_eq!(value(format, format.min_normal()), min_normal, "{format:?}");
        assert_eq!(value(format, 1), one, "{format:?}");
        assert_eq!((0..1 << width).filter(|&bits| format.is_nan(bits)).count(), nans, "{format:?}");
        assert_eq!(format.has_one_nan(), nans == 1, "{format:?}");
        let top = 2f64.powi(format.exponent_max());
        assert!(top <= max && max < 2.0 * top, "{format:?}");
    }
    assert_eq!(value(&E2M1, 0xf), -6.0);
    assert_eq!(value(&S2F6, S2F6.min_finite()), -2.0);
    assert_eq!(TF32.width(), 19);
}

#[test]
fn integers_are_fixed_point() {
    assert_eq!(S64.show(i64::MIN as u64).decimal(), i64::MIN.to_string());
    assert_eq!(U64.show(u64::MAX).decimal(), u64::MAX.to_string());
    assert_eq!(S8.decode(0xff), Some((1, 0)));
    assert_eq!(S16.min_finite(), 0x8000);
    assert_eq!(PRED.show(1).to_string(), "0x1  1  +1×2^0");
    for format in FIXED {
        assert_eq!(format.class(0), Class::Zero);
        assert_eq!(format.show(format.one()).decimal(), "1");
        let (low, high) = (format.min_finite(), format.max_finite());
        assert_eq!(low.wrapping_sub(1) & format.mask(), high, "{format:?}");
    }
}

#[test]
fn e4m3_has_no_infinity_and_two_nans() {
    let nans: Vec<u64> = (0..256).filter(|&bits| E4M3.is_nan(bits)).collect();
    assert_eq!(nans, [0x7f, 0xff]);
    assert!((0..256).all(|bits| E4M3.class(bits) != Class::Infinity));
}

/// Compares every 16-bit datum with what the `half` crate decodes, which knows nothing of this crate.
#[test]
fn every_16_bit_datum_is_what_half_says() {
    for bits in 0..=u16::MAX {
        let data =
            [(&F16, half::f16::from_bits(bits).to_f64()), (&BF16, half::bf16::from_bits(bits).to_f64())];
        for (format, value) in data {
            let bits = bits.into();
            let class = match value.classify() {
                std::num::FpCategory::Nan => Class::Nan,
                std::num::FpCategory::Infinite => Class::Infinity,
                std::num::FpCategory::Zero => Class::Zero,
                _ if value.abs() < 2f64.powi(format.exponent_min()) => Class::Subnormal,
                _ => Class::Normal,
            };
            assert_eq!(format.class(bits), class, "{format:?} {bits:#x}");
            let Some((significand, exponent)) = format.decode(bits) else { continue };
            let decoded = significand as f64 * 2f64.powi(exponent);
            assert_eq!(decoded, value.abs(), "{format:?} {bits:#x}");
            assert_eq!(format.is_negative(bits), value.is_sign_negative());
            assert_eq!(format.show(bits).decimal().parse(), Ok(value), "{format:?} {bits:#x}");
        }
    }
}

#[test]
fn shown_for_a_person() {
    assert_eq!(F16.show(0xb580).to_string(), "0xb580  -0.34375  -1.0110000000×2^-2");
    assert_eq!(F16.show(1).fields(), "+0.0000000001×2^-14");
    assert_eq!(F16.show(0xb580).scaled(), Some(("-1.0110000000".into(), -2)));
    assert_eq!([0, 0x7c00, 0x7c01].map(|bits| F16.show(bits).scaled()), [None, None, None]);
    assert_eq!(F16.show(0x7c01).to_string(), "0x7c01  NaN  +nan, payload 0000000001");
    assert_eq!(F16.show(0xfc00).to_string(), "0xfc00  -inf  -inf");
    assert_eq!(F32.show(0x8000_0000).to_string(), "0x80000000  -0  -0");
}
