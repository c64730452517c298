//! The modifiers that `rustc_apfloat` lacks, applied to encodings, as plainly as possible.

use formats::Format;
use isa::{Modifier, Operation, Rounding, Site, Variant};

use super::number::RoundingResult;

/// Returns how a variant rounds: as its modifiers say, otherwise to nearest even.
pub fn rounding(variant: &Variant) -> Rounding {
    let asked = variant.modifiers().iter().find_map(|modifier| modifier.rounding());
    asked.unwrap_or(Rounding::NearestEven)
}

/// Replaces a subnormal number by the zero of its sign, and leaves all other encodings.
pub fn flush(format: &Format, bits: u64) -> u64 {
    let tiny = bits & format.magnitude_mask() < format.min_normal();
    if tiny { bits & format.sign_mask() } else { bits }
}

/// Whether an input of this format is flushed.
pub fn flushes_input(variant: &Variant, format: &Format) -> bool {
    let converts = variant.operation() == Operation::Cvt;
    let asked = variant.has(Modifier::Ftz)
        && match format.name {
            "f32" => true,
            // In `cvt`, `.ftz` is about f32 alone (9.7.10.24).
            "f16" => !converts,
            _ => false,
        };
    let asked = asked || in_global_memory(variant, format);
    // "Subnormal values for inputs a and b are flushed to zero before conversion" with `.scaled::n1` (9.7.10.24).
    asked || variant.has(Modifier::ScaledDown) && format.name != "ue8m0"
}

/// Whether a result of this format is flushed.
pub fn flushes_result(variant: &Variant, format: &Format) -> bool {
    let converts = variant.operation() == Operation::Cvt;
    let asked =
        variant.has(Modifier::Ftz) && (format.name == "f32" || format.name == "f16" && !converts);
    asked || in_global_memory(variant, format)
}

/// Whether a variant adds f32 in global memory, which "flushes subnormal inputs and results to sign-preserving zero"
/// (9.7.15.5) unless `.noftz` says otherwise.
fn in_global_memory(variant: &Variant, format: &Format) -> bool {
    // Sums in bulk keep subnormals (9.7.10.28.4.2, 9.7.10.28.4.5), which is not said of tensors and handles.
    let unsaid = variant.operation() == Operation::Fabric || variant.has(Modifier::ReduceTensor);
    let bulk = variant.site() == Site::Bulk && !unsaid;
    let elsewhere = variant.has(Modifier::Shared) || variant.is_of_tensor_memory();
    let global = variant.is_of_memory() && !bulk && !elsewhere;
    global && format.name == "f32" && !variant.has(Modifier::Noftz)
}

/// The changes that a variant's modifiers make to a result after its rounding.
pub struct Clamps {
    sat: bool,
    satfinite: bool,
    relu: bool,
    positive_zero: bool,
}

impl Clamps {
    /// Returns the clamps of a variant with a floating-point result.
    pub fn of(variant: &Variant) -> Clamps {
        Clamps {
            sat: variant.has(Modifier::Sat),
            satfinite: variant.has(Modifier::Satfinite),
            relu: variant.has(Modifier::Relu),
            positive_zero: variant.has(Modifier::Pzo),
        }
    }

    /// Applies the clamps to a rounded number; `negative` tells the sign of the number before it was rounded.
    pub fn apply(&self, format: &Format, rounded: RoundingResult, negative: bool) -> u64 {
        let RoundingResult { mut bits, beyond } = rounded;
        let sign = format.sign_mask();
        if self.satfinite && beyond {
            bits = format.max_finite() | if negative { sign } else { 0 };
        }
        if format.is_nan(bits) {
            return if self.sat { 0 } else { format.canonical_nan() };
        }
        let negative = bits & sign != 0;
        if self.sat {
            return if negative { 0 } else { bits.min(format.one()) };
        }
        let drop = self.relu && negative || self.positive_zero && bits == sign;
        if drop { 0 } else { bits }
    }
}
