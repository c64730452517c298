//! Probes of what the manual leaves open: for each open point a few vectors that tell its interpretations apart, and
//! how an implementation answers them.

use anyhow::{Context, Result, bail};
use formats::{RowBits, column};
use implementations::{Implementation, Support};
use isa::{Register, Variant};
use runner::{BlockJudge, Judging};
use selection::subject::Subject;

/// A point that the manual leaves open, with vectors that show how an implementation takes it.
#[derive(Debug)]
pub struct Point {
    /// The question that the manual does not answer.
    pub question: &'static str,
    /// The vectors: each is a variant's text and its operands' registers as hexadecimal bits, separated by spaces.
    pub vectors: &'static [&'static str],
}

/// All open points; those that results depend on most come first.
pub const POINTS: &[Point] = &[
    Point {
        question: "Where rounding carries a result up to the smallest normal number: does .ftz go by the exact \
                   result, by the result rounded as if exponents were unbounded, or by the rounded result?",
        vectors: &[
            // The second vector of each pair tells `unbounded` from `rounded`.
            "mul.rn.ftz.f32 00800400 3f7ff800",
            "mul.rn.ftz.f32 00e12e76 3f1184a7",
            "mul.rp.ftz.f32 00801000 3f7fe003",
            "mul.rp.ftz.f32 00804000 3f7f803e",
            "mul.rm.ftz.f32 80801000 3f7fe003",
            "mul.rm.ftz.f32 80804000 3f7f803e",
            "fma.rn.ftz.f32 00800400 3f7ff800 00000000",
            "fma.rp.ftz.f32 00804000 3f7f803e 00000000",
            "div.rp.ftz.f32 00835866 3f835867",
            "rcp.rp.ftz.f32 7e800001",
            "mul.rn.ftz.f16 047f 3b1e",
            "mul.rn.ftz.f16 0593 39bd",
            "fma.rn.ftz.f16 047f 3b1e 0000",
            "cvt.rn.ftz.f32.f64 380ffffff8000000",
            "cvt.rn.ftz.f32.f64 380fffffe8000000",
            "cvt.rp.ftz.f32.f64 380ffffff8000000",
            "cvt.rp.ftz.f32.f64 380fffffc8000000",
        ],
    },
    Point {
        question: "Which NaN is a NaN result?",
        vectors: &[
            "add.rn.f32 7f800001 3f800000",
            "add.rn.f32 ffc12345 3f800000",
            "mul.rn.f32 7f800000 00000000",
            "abs.f32 ffc12345",
            "neg.f32 7fc12345",
            "add.rn.f16 7d23 3c00",
            "fma.rn.f16 fe01 3c00 3c00",
            "fma.rn.bf16 ff81 3f80 3f80",
            "sqrt.rn.f32 bf800000",
        ],
    },
    Point {
        question: "Which operand's payload does a NaN of f64 have, which sign an invalid result?",
        vectors: &[
            "add.rn.f64 7ff8000000000001 3ff0000000000000",
            "add.rn.f64 3ff0000000000000 fff8000000000002",
            "add.rn.f64 7ff8000000000001 fff8000000000002",
            "mul.rn.f64 7ff8000000000001 fff8000000000002",
            "fma.rn.f64 7ff8000000000001 7ff8000000000002 7ff8000000000003",
            "add.rn.f64 7ff4000000000001 3ff0000000000000",
            "add.rn.f64 7ff0000000000000 fff0000000000000",
            "abs.f64 fff4000000000001",
        ],
    },
    Point {
        question: "Which NaN do min and max give?",
        vectors: &[
            "max.f32 7fc12345 ffc54321",
            "max.NaN.f32 7fc12345 3f800000",
            "min.f16 fe01 7e02",
            "max.bf16 ffc1 7fc2",
        ],
    },
    Point {
        question: "Does -0 pass .sat, .relu and .xorsign.abs?",
        vectors: &[
            "add.rn.sat.f32 80000000 80000000",
            "mul.rn.sat.f32 80000000 3f800000",
            "mul.sat.f16 8000 3c00",
            "fma.rn.sat.f16 8000 3c00 8000",
            "fma.rn.relu.f16 8000 3c00 8000",
            "cvt.sat.f32.f32 80000000",
            // An operand that is rounded to -0 may be clamped before the rounding.
            "cvt.rni.sat.f32.f32 bf000000",
            "cvt.rn.relu.f16.f32 b0800000",
            "min.xorsign.abs.f32 80000000 00000000",
        ],
    },
    Point {
        question: "Which patterns are the out-of-bounds NaN, and does the addend count?",
        vectors: &[
            "fma.rn.oob.f16 7ff7 3c00 3c00",
            "fma.rn.oob.f16 fff7 3c00 3c00",
            "fma.rn.oob.f16 7eff 3c00 3c00",
            "fma.rn.oob.f16 7fff 3c00 3c00",
            "fma.rn.oob.f16 3c00 3c00 7ff7",
            "fma.rn.oob.bf16 7ff7 3f80 3f80",
            "fma.rn.oob.bf16 7fff 3f80 3f80",
            "fma.rn.oob.relu.f16 7ff7 3c00 bc00",
        ],
    },
    Point {
        question: "Does .ftz flush the input of a conversion from f32?",
        vectors: &["cvt.rp.ftz.f16.f32 00000001", "cvt.rn.ftz.f16.f32 007fffff"],
    },
    Point {
        question: "What becomes of a signalling NaN, or of a payload that does not fit?",
        vectors: &[
            "cvt.f32.bf16 7f81",
            "cvt.ftz.f32.bf16 7f81",
            "cvt.f32.f16 7c01",
            "cvt.rn.f32.f64 7ff0000000000001",
            "cvt.rn.f32.f64 fffaaaaaaaaaaaaa",
            "cvt.rna.tf32.f32 7f800001",
            "cvt.rn.f16.f32 7f800001",
        ],
    },
    Point {
        question: "How are random bits dealt to lanes, and is a tie without any rounded up?",
        vectors: &[
            "cvt.rs.f16x2.f32 3f801000 3f801000 00000001",
            "cvt.rs.f16x2.f32 3f801000 3f801000 00010000",
            "cvt.rs.f16x2.f32 3f801000 3f801000 10000000",
            "cvt.rs.f16x2.f32 3f801000 3f801000 00000000",
            "cvt.rs.bf16x2.f32 3f808000 3f808000 00008000",
            "cvt.rs.satfinite.e4m3x4.f32 3f880000 3f880000 3f880000 3f880000 00000080",
            // Subnormal results.
            "cvt.rs.satfinite.e4m3x4.f32 3b400000 3b780000 3b400000 3b780000 ffffffff",
        ],
    },
    Point {
        question: "What do formats without a sign, an infinity or a NaN make of one?",
        vectors: &[
            "cvt.rz.ue8m0x2.f32 bf800000 7f800000",
            "cvt.rz.satfinite.ue8m0x2.f32 c0000000 ff800000",
            "cvt.rn.ue5m3x2.f32 bf800000 7fc00000",
            "cvt.rp.ue5m3x2.f32 bf860000 3f860000",
            "cvt.rn.ue5m3x2.f32 7f800000 49742400",
            "cvt.rz.ue5m3x2.f32 47e80000 49742400",
            "cvt.rn.satfinite.ue5m3x2.f32 ff800000 7f800000",
            "cvt.rn.satfinite.s2f6x2.f32 c1200000 c0000000",
            "cvt.rn.satfinite.e4m3x2.f32 7fc00000 ff800000",
            "cvt.rn.satfinite.e5m2x2.f32 ffc00000 ff800000",
        ],
    },
    Point {
        question: "Are bits read that hold no datum?",
        vectors: &["cvt.rn.f16x2.e2m3x2 c1c1", "cvt.rn.f16x2.e2m3x2 0101"],
    },
    Point {
        question: "Does a bound in units in the last place reach infinity?",
        vectors: &[
            "div.approx.f32 e07ffffe a07fffff",
            "div.full.f32 e07ffffe a07fffff",
            "div.full.f32 607ffffe a07fffff",
            // And from infinity back?
            "rcp.approx.f32 00200000",
            "ex2.approx.f32 43000000",
        ],
    },
    Point {
        question: "What do approximate functions give where the manual promises nothing?",
        vectors: &[
            "sin.approx.f32 00000001",
            "cos.approx.f32 80000001",
            "sin.approx.f32 4e6e6b28",
            "sqrt.approx.f32 80000001",
            "rsqrt.approx.f32 80000001",
            "lg2.approx.f32 80000001",
            "div.approx.f32 3f800000 00000001",
            "ex2.approx.f16 cc00",
            "rcp.approx.ftz.f64 7fd0000100000000",
            "rcp.approx.ftz.f64 7fd0000000000000",
        ],
    },
];

/// The answer of an implementation to one vector of a [`Point`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeAnswer {
    /// The vector, as in [`Point::vectors`].
    pub vector: &'static str,
    /// The registers of the results, or the reason why there are none.
    pub results: Result<Vec<RowBits>, String>,
    /// The interpretations that the results agree with, each after the name of the relaxation that it belongs to.
    pub interpretations: Vec<(String, String)>,
    /// The results due under the first interpretation, where no interpretation gives the actual results; else `None`.
    pub refused: Option<Vec<RowBits>>,
}

/// Parses a vector of a [`Point`] into its variant and its operands' registers.
///
/// # Errors
/// If the vector's variant does not exist, or takes other operands.
fn read(vector: &str) -> Result<(Variant, Vec<RowBits>)> {
    let mut words = vector.split(' ');
    let variant: Variant = words.next().unwrap_or_default().parse()?;
    let words: Vec<&str> = words.collect();
    if words.len() != variant.operands().len() {
        bail!("{variant} takes {} operands: `{vector}`", variant.operands().len());
    }
    let bits = |(register, word): (&Register, &&str)| {
        let bits = RowBits::from_hex(word, register.ty.row_bytes());
        bits.with_context(|| format!("`{word}` in `{vector}`"))
    };
    let operands = variant.operands().iter().zip(&words).map(bits).collect::<Result<_>>()?;
    Ok((variant, operands))
}

/// Has an implementation answer every vector of a point, and returns an answer for each in the vectors' order.
///
/// # Errors
/// If the implementation cannot go on.
pub fn ask(implementation: &dyn Implementation, point: &Point) -> Result<Vec<ProbeAnswer>> {
    let mut worker = implementation.worker()?;
    let mut answers = Vec::new();
    for &vector in point.vectors {
        let (variant, operands) = read(vector)?;
        let mut answer =
            ProbeAnswer { vector, results: Ok(Vec::new()), interpretations: Vec::new(), refused: None };
        if let Support::No(reason) | Support::Fails(reason) = implementation.support(&variant) {
            answer.results = Err(reason);
            answers.push(answer);
            continue;
        }
        let mut bench = BlockJudge::new(Subject::named(variant.text())?, Judging::Mpfr);
        let tally = bench.run_rows(&[operands], 0, worker.as_mut())?;
        answer.results = match tally.unanswered {
            0 => Ok(column::row_bits(bench.results(), 0)),
            _ => Err("it has no result of this vector".into()),
        };
        for (relaxation, interpretations) in tally.answers {
            let chosen = interpretations.into_keys().map(|chosen| (relaxation.clone(), chosen));
            answer.interpretations.extend(chosen);
        }
        let mismatch = tally.classes.into_values().flat_map(|class| class.examples).next();
        answer.refused = mismatch.map(|mismatch| mismatch.expected);
        answers.push(answer);
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use implementations::Emulator;
    use judge::Truth;
    use oracle::Oracle;

    use super::*;

    /// The emulator answers every vector of every point, as the first interpretations do.
    #[test]
    fn every_vector_is_of_a_variant_and_the_emulator_answers_it() {
        for point in POINTS {
            for answer in ask(&Emulator::scalar(), point).unwrap() {
                assert!(answer.results.is_ok() && answer.refused.is_none(), "{answer:x?}");
            }
        }
    }

    /// Returns the different results that the interpretations of a vector's open points give.
    fn alternatives(vector: &str) -> BTreeSet<u64> {
        let (variant, operands) = read(vector).unwrap();
        let mut columns = isa::columns_for(&variant, 1);
        column::set_row_bits(&mut columns, 0, &operands);
        let mut truth = Truth::new(&variant);
        Oracle::new(&variant).expect(&columns, &mut truth);
        truth.alternatives().iter().map(|alternative| alternative.bits).collect()
    }

    /// Vectors tell interpretations apart where these differ: all about tininess, and a least number of some other
    /// points.
    #[test]
    fn vectors_about_tininess_discriminate() {
        for vector in POINTS[0].vectors {
            assert_eq!(alternatives(vector).len(), 2, "{vector}");
        }
        let some = |point: usize, least: usize| {
            let telling = POINTS[point].vectors.iter().filter(|vector| alternatives(vector).len() > 1);
            assert!(telling.count() >= least, "{}", POINTS[point].question);
        };
        // Points 4 to 6: zero's sign, the out-of-bounds NaN, and whether conversions flush.
        some(4, 7);
        some(5, 2);
        some(6, 1);
        // Points 8 and 9: random bits of subnormal results, and what becomes of data that a format lacks.
        some(8, 1);
        some(9, 5);
    }
}
