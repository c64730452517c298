//! Conversion of data of any format to numbers of f64.

use crate::{Format, FormatId};

impl Format {
    /// Returns the value of a datum as a number of f64; `None` for infinities and NaN. The value is exact, but
    /// for integers of more than 53 bits, which are rounded.
    #[inline]
    pub fn value(&self, bits: u64) -> Option<f64> {
        let value = match self.id {
            // The processor converts these formats itself.
            FormatId::F64 => f64::from_bits(bits),
            FormatId::F32 => f32::from_bits(bits as u32).into(),
            FormatId::Bf16 => f32::from_bits((bits as u32) << 16).into(),
            _ => {
                let (significand, exponent) = self.decode(bits)?;
                // The power is a normal number of f64: all other formats have smaller exponents.
                let power = f64::from_bits(((exponent + 1023) as u64) << 52);
                let magnitude = significand as f64 * power;
                if self.is_negative(bits) { -magnitude } else { magnitude }
            }
        };
        value.is_finite().then_some(value)
    }

    /// Returns the encoding of the number next to a value toward zero, with the value's sign: the largest finite number
    /// for what is larger. `None` for infinities and NaN, for what is negative in a format without a sign or smaller than
    /// all numbers of a format without 0, and for fixed-point formats.
    pub fn toward_zero(&self, value: f64) -> Option<u64> {
        if self.is_fixed() || !value.is_finite() || value < 0.0 && !self.signed {
            return None;
        }
        let reaches = |bits: u64| self.value(bits).is_some_and(|number| number <= value.abs());
        // Encodings of magnitudes grow with their values.
        let (mut low, mut high) = (0, self.max_finite());
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match reaches(middle) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        reaches(low).then_some(if value < 0.0 { low | self.sign_mask() } else { low })
    }

    /// Returns the encoding of the number nearest to a value; of two such numbers, the one whose last bit is 0. `None` if
    /// the value rounds to none, because it is half a unit or more beyond the largest number, and where
    /// [`Format::toward_zero`] gives none.
    pub fn nearest(&self, value: f64) -> Option<u64> {
        let low = self.toward_zero(value)?;
        let distance = |bits: u64| self.value(bits).map(|number| (number - value).abs());
        if distance(low)? == 0.0 {
            return Some(low);
        }
        let largest = self.max_finite();
        if low & self.magnitude_mask() == largest {
            let unit = self.value(largest)? - self.value(largest - 1)?;
            return (distance(low)? < unit / 2.0).then_some(low);
        }
        let high = low + 1;
        let (below, above) = (distance(low)?, distance(high)?);
        Some(if below < above || below == above && low & 1 == 0 { low } else { high })
    }
}

#[cfg(test)]
mod tests {
    use crate::{BF16, E4M3, F16, F32, F64, FormatId, S8, UE8M0};

    /// Compares values with decoded data in every format, on all data of 16 bits and fewer, and on the ends of
    /// wider formats.
    #[test]
    fn values_are_encoded_as_the_nearest_number() {
        for (value, toward_zero, nearest) in [
            (0.1, 0x2e66, Some(0x2e66)),
            (-0.3, 0xb4cc, Some(0xb4cd)),
            (2049.0, 0x6800, Some(0x6800)),
            (2051.0, 0x6801, Some(0x6802)),
            (65504.0, 0x7bff, Some(0x7bff)),
            (65519.9, 0x7bff, Some(0x7bff)),
            (-65520.0, 0xfbff, None),
            (1e6, 0x7bff, None),
            (1e-9, 0, Some(0)),
            (0.0, 0, Some(0)),
        ] {
            assert_eq!(
                (F16.toward_zero(value), F16.nearest(value)),
                (Some(toward_zero), nearest),
                "{value}"
            );
        }
        assert_eq!(
            (S8.nearest(1.0), F16.nearest(f64::NAN), E4M3.nearest(448.0)),
            (None, None, Some(0x7e))
        );
        assert_eq!(
            (UE8M0.nearest(0.0), UE8M0.nearest(-1.0), UE8M0.nearest(3.1)),
            (None, None, Some(0x81))
        );
        for bits in 0..=F16.max_finite() {
            let value = F16.value(bits).expect("it is finite");
            assert_eq!((F16.toward_zero(value), F16.nearest(value)), (Some(bits), Some(bits)));
        }
    }

    #[test]
    fn values_are_what_data_decode_to() {
        let mut seen = 0;
        for format in FormatId::ALL.map(FormatId::format) {
            let ends =
                [0, 1, format.min_normal(), format.max_finite(), format.mask(), format.sign_mask()];
            let data: Vec<u64> = match format.width() {
                width @ 0..=16 => (0..1 << width).collect(),
                _ => ends.to_vec(),
            };
            for bits in data {
                let due = format.decode(bits).map(|(significand, exponent)| {
                    // The power is split into two factors, either of which is a number of f64.
                    let half = exponent / 2;
                    let value = significand as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
                    if format.is_negative(bits) { -value } else { value }
                });
                let is = format.value(bits);
                assert_eq!(is.map(f64::to_bits), due.map(f64::to_bits), "{} {bits:#x}", format.name);
                seen += 1;
            }
        }
        assert!(seen > 1 << 17, "{seen}");
    }

    #[test]
    fn some_values_are_known() {
        assert_eq!(F16.value(0x3c00), Some(1.0));
        assert_eq!(F16.value(0x8001), Some(-2f64.powi(-24)));
        assert_eq!(F32.value(0x3f80_0001), Some(1.0 + 2f64.powi(-23)));
        assert_eq!(F64.value(1), Some(f64::from_bits(1)));
        assert_eq!(BF16.value(0xc040), Some(-3.0));
        assert_eq!([F16.value(0x7c00), F16.value(0x7e00), E4M3.value(0x7f)], [None; 3]);
        assert_eq!(F32.value(0xff80_0000), None);
        assert_eq!(S8.value(0xfe), Some(-2.0));
    }
}
