//! Polynomials that enclose a function over a run of inputs: Taylor polynomials at the run's middle.
//!
//! An input is `m + h s` with `s` in [−1, 1). MPFR gives the coefficients of the powers of `s` to 160
//! bits; they are rounded to f64 once, and f64 arithmetic evaluates the polynomial by Horner's scheme.
//! The bound on the error has three parts, each proven below: the remainder of the series, the
//! roundings of f64, and those of MPFR.

use isa::Op;
use rug::float::Constant;
use rug::{Assign, Float};

/// Bits of the arithmetic on coefficients: so many that its roundings, however they add up, stay below [`SLACK`].
const PRECISION: u32 = 160;
/// The highest power of a polynomial.
pub const DEGREE: usize = 7;
/// The size of arguments below which functions near their argument have their difference from it enclosed.
const SMALL: f64 = 1.0 / 4096.0;
/// Half the distance from 1 to the next f64: the largest relative error of an operation.
pub const ROUNDING: f64 = f64::EPSILON / 2.0;
/// A bound on the relative error of what MPFR computes, the 96 bits that count as exact included: at most 2^-96 for
/// those, and less than 2^-130 for coefficients. The worst is the recurrence of `tanh`, in which no coefficient is
/// above 2 and an error grows less than eightfold at each of seven steps.
const SLACK: f64 = 1.0 / (1u128 << 90) as f64;
/// A bound above what f64 loses, in all results together, below its smallest number.
const UNDERFLOW: f64 = f64::MIN_POSITIVE / (1u64 << 38) as f64;
/// A factor for what the bound itself may have lost to rounding.
const CARE: f64 = 1.001;

/// A polynomial that encloses a function on a run: `f(m + h s)` is within `error` of what the polynomial gives,
/// evaluated in f64. If `offset`, it is within `error` of `m + h s` plus what the polynomial gives.
#[derive(Clone, Debug)]
pub struct Polynomial {
    pub middle: f64,
    pub half: f64,
    /// The coefficients of 1, s, s² and so on.
    pub coefficients: [f64; DEGREE + 1],
    /// Whether the argument itself is to be added to the polynomial's value.
    pub offset: bool,
    /// The largest error of the polynomial; adding the argument may err by a rounding more.
    pub error: f64,
    /// A bound on the exact values in the run: none is larger.
    pub largest: f64,
}

/// The maker of polynomials, with its scratch numbers.
pub struct Taylor {
    op: Op,
    middle: Float,
    /// The factor of each further power: `h`, `h / m` or `h ln 2`.
    step: Float,
    terms: [Float; DEGREE + 1],
    term: Float,
    ln2: Float,
}

impl Taylor {
    pub fn new(op: Op) -> Taylor {
        let number = || Float::new(PRECISION);
        Taylor {
            op,
            middle: number(),
            step: number(),
            terms: std::array::from_fn(|_| number()),
            term: number(),
            ln2: Float::with_val(PRECISION, Constant::Log2),
        }
    }

    /// Returns the polynomial for the inputs from `middle − half` on, up to `middle + half`; `None` where the series
    /// does not converge quickly, or leaves the range of f64. For operations that have no value below zero, `middle`
    /// must be positive.
    pub fn polynomial(&mut self, middle: f64, half: f64) -> Option<Polynomial> {
        let ratio = (half / middle).abs();
        if ratio > 0.5 {
            return None;
        }
        self.middle.assign(middle);
        self.step.assign(half);
        self.terms();
        let offset = matches!(self.op, Op::Sin | Op::Tanh) && middle.abs() < SMALL;
        if offset {
            self.terms[0] -= middle;
            self.terms[1] -= half;
        }
        let coefficients = self.terms.each_ref().map(Float::to_f64);
        let rest: f64 = coefficients[1..].iter().map(|term| term.abs()).sum();
        let all = coefficients[0].abs() + rest;
        let remainder = self.remainder(coefficients[0].abs(), half.abs(), ratio);
        // Rounding the coefficients errs by u·all. Of Horner's N steps the last multiplies what is at
        // most `rest` and its sum is at most `all`; in the others neither is above `rest`, because
        // |s| ≤ 1. So it is u (2 all + (2 N − 1) rest) but for products of errors (Higham, Accuracy
        // and Stability of Numerical Algorithms, 5.1).
        let rounding = ROUNDING * (2.0 * all + (2 * DEGREE - 1) as f64 * rest);
        let argument = if offset { middle.abs() + half.abs() } else { 0.0 };
        let error = CARE * (remainder + rounding + SLACK * (all + argument)) + UNDERFLOW;
        let largest = CARE * (all + argument) + error;
        largest.is_finite().then_some(Polynomial { middle, half, coefficients, offset, error, largest })
    }

    /// Sets `terms` to the coefficients, each with its power of `half`.
    fn terms(&mut self) {
        let Taylor { op, middle, step, terms, term, ln2 } = self;
        match op {
            // Binomial series: C(n, j+1) = C(n, j) (n − j) / (j + 1), for twice n.
            Op::Rcp | Op::Sqrt | Op::Rsqrt => {
                *step /= &*middle;
                let twice_n = match op {
                    Op::Rcp => -2,
                    Op::Sqrt => 1,
                    _ => -1,
                };
                match op {
                    Op::Rcp => terms[0].assign(middle.recip_ref()),
                    Op::Sqrt => terms[0].assign(middle.sqrt_ref()),
                    _ => terms[0].assign(middle.recip_sqrt_ref()),
                }
                for j in 0..DEGREE {
                    term.assign(&terms[j] * &*step);
                    *term *= twice_n - 2 * j as i32;
                    *term /= 2 * (j as u32 + 1);
                    terms[j + 1].assign(&*term);
                }
            }
            // log₂(m + t) = log₂ m + (t/m − (t/m)²/2 + …) / ln 2.
            Op::Lg2 => {
                *step /= &*middle;
                terms[0].assign(middle.log2_ref());
                term.assign(ln2.recip_ref());
                for (j, place) in terms.iter_mut().enumerate().skip(1) {
                    *term *= &*step;
                    place.assign(&*term / j as u32);
                    if j % 2 == 0 {
                        *place *= -1;
                    }
                }
            }
            // Each derivative brings another ln 2.
            Op::Ex2 => {
                *step *= &*ln2;
                terms[0].assign(middle.exp2_ref());
                for j in 0..DEGREE {
                    term.assign(&terms[j] * &*step);
                    terms[j + 1].assign(&*term / (j as u32 + 1));
                }
            }
            // sin, cos, −sin, −cos …
            Op::Sin | Op::Cos => {
                let [sine, cosine, ..] = terms;
                (&mut *sine, &mut *cosine).assign(middle.sin_cos_ref());
                if *op == Op::Cos {
                    std::mem::swap(sine, cosine);
                    *cosine *= -1;
                }
                terms[1] *= &*step;
                for j in 2..=DEGREE {
                    term.assign(&terms[j - 2] * &*step);
                    *term *= &*step;
                    terms[j].assign(&*term / -((j * (j - 1)) as i32));
                }
            }
            // y′ = 1 − y², so that (j + 1) c[j+1] = [j = 0] − Σ c[i] c[j−i].
            Op::Tanh => {
                terms[0].assign(middle.tanh_ref());
                for j in 0..DEGREE {
                    let (known, next) = terms.split_at_mut(j + 1);
                    let next = &mut next[0];
                    next.assign(u32::from(j == 0));
                    for i in 0..=j {
                        term.assign(&known[i] * &known[j - i]);
                        *next -= &*term;
                    }
                    *next /= j as u32 + 1;
                }
                term.assign(&*step);
                for place in &mut terms[1..] {
                    *place *= &*term;
                    *term *= &*step;
                }
            }
            op => unreachable!("{op:?} has no series"),
        }
    }

    /// Returns a bound on what the terms behind the last come to. `value` is the function's at the middle, and
    /// `ratio` is `half / |middle|`, at most ½.
    fn remainder(&self, value: f64, half: f64, ratio: f64) -> f64 {
        const NEXT: i32 = DEGREE as i32 + 1;
        /// 1 / (DEGREE + 1)!
        const FACTORIAL: f64 = 1.0 / 40320.0;
        match self.op {
            // No binomial coefficient of −1, ½ or −½ is above 1: a geometric series.
            Op::Rcp | Op::Sqrt | Op::Rsqrt => value * ratio.powi(NEXT) / (1.0 - ratio),
            // A geometric series, each term divided by j ln 2, which is more than 1 from the second on.
            Op::Lg2 => ratio.powi(NEXT) / (1.0 - ratio),
            // Lagrange: the next derivative somewhere in the run, at most e^z times as large.
            Op::Ex2 => {
                let z = half * std::f64::consts::LN_2;
                value * z.powi(NEXT) * z.exp() * FACTORIAL
            }
            // Lagrange: no derivative is above 1.
            Op::Sin | Op::Cos => half.powi(NEXT) * FACTORIAL,
            // |tanh(x + iy)|² = (sinh² x + sin² y) / (sinh² x + cos² y), at most tan² 1 < 4 where
            // |y| ≤ 1: on circles of radius 1 around real numbers. Cauchy: no coefficient is above 2.
            Op::Tanh if half <= 0.5 => 2.0 * half.powi(NEXT) / (1.0 - half),
            _ => f64::INFINITY,
        }
    }
}
