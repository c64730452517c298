//! Defects of compilers: what they were found to do and may not do, as explanations of wrong results.

use super::arithmetic::OperationEvaluator;
use super::open_choices::{flush, tiny};
use super::{ProgramOperation, Type};

/// A defect: something that a compiler does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Defect {
    /// Subnormal values are flushed where they are selected, which is no operation.
    SelectionFlushed,
    /// Subnormal numbers of half precision are flushed where those of single precision may be.
    HalvesFlushed,
    /// Subnormal numbers are flushed where only their sign is to change.
    SignsFlushed,
    /// A division is computed as a multiplication by the divisor's rounded reciprocal.
    Reciprocal,
    /// An operation in double precision is computed in single precision, which flushes.
    Narrowed,
    /// An operation in half precision is computed in single precision, and rounded once more.
    RoundedTwice,
    /// A remainder is computed as what the rounded quotient leaves.
    Quotient,
    /// Rounding to an integer takes a tie to the even integer, and not away from zero.
    TiesToEven,
    /// A NaN is narrowed without its payload, and becomes infinity.
    NanCut,
}

/// A set of at most two defects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Defects([Option<Defect>; 2]);

impl Defects {
    /// The empty set of defects.
    pub const NONE: Defects = Defects([None; 2]);

    /// Returns the sets of one defect, then those of two.
    pub fn all() -> Vec<Defects> {
        let single = Defect::ALL.into_iter().map(|defect| Defects([Some(defect), None]));
        let pairs = Defect::ALL.into_iter().enumerate().flat_map(|(at, one)| {
            Defect::ALL[at + 1..].iter().map(move |&other| Defects([Some(one), Some(other)]))
        });
        single.chain(pairs).collect()
    }

    /// Iterates over the defects of the set.
    pub fn iter(self) -> impl Iterator<Item = Defect> {
        self.0.into_iter().flatten()
    }

    /// Whether a defect is in the set.
    pub fn has(self, defect: Defect) -> bool {
        self.iter().any(|own| own == defect)
    }

    /// Returns the names of the defects, joined by "and".
    pub fn names(self) -> String {
        self.iter().map(Defect::name).collect::<Vec<_>>().join(" and ")
    }

    /// Describes the defects in words.
    pub fn words(self) -> String {
        self.iter().map(Defect::words).collect::<Vec<_>>().join("; and ")
    }
}

impl From<Defect> for Defects {
    fn from(defect: Defect) -> Defects {
        Defects([Some(defect), None])
    }
}

impl Defect {
    /// All defects, those first that say more.
    pub const ALL: [Defect; 9] = [
        Defect::SelectionFlushed,
        Defect::HalvesFlushed,
        Defect::SignsFlushed,
        Defect::Reciprocal,
        Defect::Narrowed,
        Defect::RoundedTwice,
        Defect::Quotient,
        Defect::TiesToEven,
        Defect::NanCut,
    ];

    /// Returns the defect's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Defect::SelectionFlushed => "selection-flushed",
            Defect::HalvesFlushed => "halves-flushed",
            Defect::SignsFlushed => "signs-flushed",
            Defect::Reciprocal => "reciprocal",
            Defect::Narrowed => "narrowed",
            Defect::RoundedTwice => "rounded-twice",
            Defect::Quotient => "remainder-of-quotient",
            Defect::TiesToEven => "ties-to-even",
            Defect::NanCut => "nan-cut",
        }
    }

    /// Describes the defect in words.
    pub const fn words(self) -> &'static str {
        match self {
            Defect::SelectionFlushed => {
                "a subnormal number is flushed where it is selected, which is no operation"
            }
            Defect::HalvesFlushed => {
                "subnormal numbers of half precision are flushed, where those of single precision may be"
            }
            Defect::SignsFlushed => "a subnormal number is flushed where only its sign is to change",
            Defect::Reciprocal => {
                "a division is a multiplication by the divisor's reciprocal, which is rounded"
            }
            Defect::Narrowed => {
                "an operation in double precision is one in single precision, which flushes"
            }
            Defect::RoundedTwice => {
                "an operation in half precision is one in single precision, rounded once more"
            }
            Defect::Quotient => "a remainder is x − trunc(x / y) · y, of a quotient that is rounded",
            Defect::TiesToEven => {
                "numbers halfway between two integers go to the even one, and not away from zero"
            }
            Defect::NanCut => "a NaN is narrowed without the bits that make it one, to infinity",
        }
    }

    /// Returns, for each combination of operands, the results that an operation has because of the defect beside
    /// those that it has anyway. `flushes` is whether operations in single precision may flush.
    pub(super) fn results(
        self,
        arithmetic: &mut OperationEvaluator,
        operation: ProgramOperation,
        types: [Type; 2],
        combinations: &[Vec<u64>],
        flushes: bool,
    ) -> Vec<Vec<u64>> {
        let to = types[1];
        match (self, operation) {
            (Defect::Reciprocal, ProgramOperation::Div) => {
                // Double precision is never flushed.
                by_reciprocal(arithmetic, to, combinations, flushes && to != Type::F64)
            }
            (
                Defect::Narrowed,
                ProgramOperation::Add
                | ProgramOperation::Sub
                | ProgramOperation::Mul
                | ProgramOperation::Div
                | ProgramOperation::Fma
                | ProgramOperation::Sqrt,
            ) if to == Type::F64 => {
                in_single_precision(arithmetic, operation, to, combinations, |bits| {
                    flush(Type::F32, bits)
                })
            }
            (Defect::RoundedTwice, ProgramOperation::Fma) if to.is_half() => {
                in_single_precision(arithmetic, operation, to, combinations, |bits| bits)
            }
            (Defect::Quotient, ProgramOperation::Rem) => remainders(arithmetic, to, combinations),
            (Defect::TiesToEven, ProgramOperation::Round) => {
                let even = |row: &Vec<u64>| match to {
                    Type::F64 => f64::from_bits(row[0]).round_ties_even().to_bits(),
                    _ => f32::from_bits(row[0] as u32).round_ties_even().to_bits().into(),
                };
                combinations.iter().map(|row| vec![even(row)]).collect()
            }
            (Defect::NanCut, ProgramOperation::Cast) => {
                let [from, to] = types.map(Type::format);
                let infinity = |bits: u64| {
                    let sign = if from.is_negative(bits) { to.sign_mask() } else { 0 };
                    from.is_nan(bits).then(|| sign | to.exponent_mask())
                };
                combinations.iter().map(|row| infinity(row[0]).into_iter().collect()).collect()
            }
            _ => vec![Vec::new(); combinations.len()],
        }
    }
}

/// Computes, for each combination of a dividend and a divisor, the product of the dividend and the rounded reciprocal
/// that may stand in the place of the quotient. With `flushes`, the product of the two after both were flushed is a
/// second result.
pub(super) fn by_reciprocal(
    arithmetic: &mut OperationEvaluator,
    ty: Type,
    combinations: &[Vec<u64>],
    flushes: bool,
) -> Vec<Vec<u64>> {
    let divided: Vec<Vec<u64>> =
        combinations.iter().map(|row| vec![ty.format().one(), row[1]]).collect();
    let reciprocals = arithmetic.apply(ProgramOperation::Div, [ty; 2], &divided);
    let mut all = vec![Vec::new(); combinations.len()];
    for flushes in [false, true].into_iter().take(1 + usize::from(flushes)) {
        let of = |bits| if flushes { flush(ty, bits) } else { bits };
        let products = combinations.iter().zip(&reciprocals);
        let products: Vec<Vec<u64>> = products.map(|(row, &bits)| vec![of(row[0]), of(bits)]).collect();
        let results = arithmetic.apply(ProgramOperation::Mul, [ty; 2], &products);
        all.iter_mut().zip(results).for_each(|(all, result)| all.push(result));
    }
    all
}

/// Computes, for each combination, the remainders that rounded quotients leave: of the operands as they are, and of
/// their magnitudes with the dividend's sign.
fn remainders(
    arithmetic: &mut OperationEvaluator,
    ty: Type,
    combinations: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let format = ty.format();
    let magnitude = |bits: u64| bits & format.magnitude_mask();
    let magnitudes: Vec<Vec<u64>> =
        combinations.iter().map(|row| row.iter().map(|&bits| magnitude(bits)).collect()).collect();
    let (left, of_magnitudes) = (
        rounded_quotient_remainders(arithmetic, ty, combinations),
        rounded_quotient_remainders(arithmetic, ty, &magnitudes),
    );
    let all = combinations.iter().zip(left.into_iter().zip(of_magnitudes));
    all.map(|(row, (left, of_magnitudes))| {
        // A remainder has the sign of its dividend.
        let is_negative = format.is_negative(row[0]) && magnitude(row[0]) != 0;
        let sign = if is_negative { format.sign_mask() } else { 0 };
        // Where the divisor is infinite, the dividend may be the result, whatever it is.
        let dividend = (magnitude(row[1]) == format.exponent_mask()).then_some(row[0]);
        let signed = of_magnitudes.into_iter().map(|bits| bits ^ sign);
        left.into_iter().chain(signed).chain(dividend).collect()
    })
    .collect()
}

/// Computes x − trunc(x / y) · y for each combination: with a rounded quotient, and with a product with the
/// reciprocal in its place.
fn rounded_quotient_remainders(
    arithmetic: &mut OperationEvaluator,
    ty: Type,
    combinations: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let quotients = arithmetic.apply(ProgramOperation::Div, [ty; 2], combinations);
    let products = by_reciprocal(arithmetic, ty, combinations, false).concat();
    let of_quotients = left_by(arithmetic, ty, combinations, quotients);
    let of_products = left_by(arithmetic, ty, combinations, products);
    of_quotients.into_iter().zip(of_products).map(|(one, other)| [one, other].concat()).collect()
}

/// Computes x − trunc(q) · y for each combination and its given quotient q: with a product that is rounded, and with
/// one that is not.
fn left_by(
    arithmetic: &mut OperationEvaluator,
    ty: Type,
    combinations: &[Vec<u64>],
    quotients: Vec<u64>,
) -> Vec<[u64; 2]> {
    let (types, sign) = ([ty; 2], ty.format().sign_mask());
    let whole = |bits: u64| match ty {
        Type::F64 => f64::from_bits(bits).trunc().to_bits(),
        _ => f32::from_bits(bits as u32).trunc().to_bits().into(),
    };
    let factors: Vec<Vec<u64>> =
        combinations.iter().zip(quotients).map(|(row, bits)| vec![whole(bits), row[1]]).collect();
    let products = arithmetic.apply(ProgramOperation::Mul, types, &factors);
    let differences = combinations.iter().zip(products).map(|(row, product)| vec![row[0], product]);
    let apart = arithmetic.apply(ProgramOperation::Sub, types, &differences.collect::<Vec<_>>());
    let fused = combinations
        .iter()
        .zip(&factors)
        .map(|(row, factors)| vec![factors[0] ^ sign, factors[1], row[0]]);
    let fused = arithmetic.apply(ProgramOperation::Fma, types, &fused.collect::<Vec<_>>());
    apart.into_iter().zip(fused).map(|(apart, fused)| [apart, fused]).collect()
}

/// Computes an operation in single precision on operands that are converted to it and then changed by `change`. Each
/// combination has two results in the type `ty`: the result as it is, and with [`tiny`] numbers as zeros.
fn in_single_precision(
    arithmetic: &mut OperationEvaluator,
    operation: ProgramOperation,
    ty: Type,
    combinations: &[Vec<u64>],
    change: impl Fn(u64) -> u64,
) -> Vec<Vec<u64>> {
    let each = operation.operands();
    let flat: Vec<u64> = combinations.concat();
    let single: Vec<u64> = arithmetic.cast(ty, Type::F32, &flat).into_iter().map(&change).collect();
    let rows: Vec<Vec<u64>> = single.chunks(each).map(<[u64]>::to_vec).collect();
    let results = arithmetic.apply(operation, [Type::F32; 2], &rows);
    let zeros: Vec<u64> = results.iter().map(|&bits| tiny(Type::F32, bits).unwrap_or(bits)).collect();
    let [results, zeros] = [results, zeros].map(|values| arithmetic.cast(Type::F32, ty, &values));
    results.into_iter().zip(zeros).map(|(result, zero)| vec![result, zero]).collect()
}
