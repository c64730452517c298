//! Sines and cosines of evenly spaced large arguments, which no polynomial reaches: the angle turns
//! by the same amount from each input to the next.
//!
//! sin(x + (64 a + b) u) = sin(x + 64 a u) cos(b u) + cos(x + 64 a u) sin(b u), and the first factors
//! come from sin x and cos x in the same way. MPFR gives sin x and cos x for every run, and the tables
//! of a and b for every spacing u.

use isa::Op;
use rug::Float;

use super::RUN;

/// The number of entries of a table.
const TABLE: usize = 64;
const _: () = assert!(TABLE * TABLE == RUN);
/// Bits of the numbers that are rounded to f64.
const PRECISION: u32 = 96;

/// A bound above the absolute error of a value. With d = 2^-54, half the last place below 1: each of the four factors
/// of a first product errs by d, and since sin² + cos² = 1, that adds up to at most 2 √2 d; two products and a sum of
/// at most 1 (up to its own error) err by d, d and 2 d: less than 7 d. In the second, (7 √2 + √2) d and again 4 d:
/// less than 15.4 d.
pub const ERROR: f64 = 1.0 / (1u64 << 50) as f64;

/// Sines and cosines of angles that turn by multiples of one spacing u.
pub struct Rotation {
    op: Op,
    /// The spacing that the tables were made for.
    spacing: f64,
    /// The sine and cosine of 64 a u, for each a.
    coarse: [[f64; 2]; TABLE],
    /// The sines, and the cosines, of b u for each b.
    fine: [[f64; TABLE]; 2],
}

impl Rotation {
    /// Makes the rotation for `sin` or `cos`, its tables still empty.
    pub fn new(op: Op) -> Rotation {
        let (coarse, fine) = ([[0.0; 2]; TABLE], [[0.0; TABLE]; 2]);
        Rotation { op, spacing: 0.0, coarse, fine }
    }

    /// Fills `values` with the function at `first`, `first + spacing` and so on, each within [`ERROR`].
    pub fn fill(&mut self, first: f64, spacing: f64, values: &mut [f64]) {
        if spacing != self.spacing {
            self.spacing = spacing;
            for at in 0..TABLE {
                self.coarse[at] = sine_and_cosine((at * TABLE) as f64 * spacing);
                [self.fine[0][at], self.fine[1][at]] = sine_and_cosine(at as f64 * spacing);
            }
        }
        let [sine, cosine] = sine_and_cosine(first);
        let [fine_sines, fine_cosines] = &self.fine;
        for (row, &[s, c]) in values.chunks_exact_mut(TABLE).zip(&self.coarse) {
            let (turned_sine, turned_cosine) = (sine * c + cosine * s, cosine * c - sine * s);
            let (of_cosines, of_sines) = match self.op {
                Op::Sin => (turned_sine, turned_cosine),
                _ => (turned_cosine, -turned_sine),
            };
            for ((value, c), s) in row.iter_mut().zip(fine_cosines).zip(fine_sines) {
                *value = of_cosines * c + of_sines * s;
            }
        }
    }
}

fn sine_and_cosine(angle: f64) -> [f64; 2] {
    let cosine = Float::new(PRECISION);
    let (sine, cosine) = Float::with_val(PRECISION, angle).sin_cos(cosine);
    [sine.to_f64(), cosine.to_f64()]
}
