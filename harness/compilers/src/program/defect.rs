//! Defects of compilers: what they were found to do and may not do, as explanations of wrong results.

mod computed;

pub(super) use computed::by_reciprocal;
use computed::{in_double_precision, in_single_precision, remainders};

use super::arithmetic::OperationEvaluator;
use super::open_choices::flush;
use super::{Program, ProgramOperation, Rules, Type};

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
    /// An operation or a cast is computed in a wider format, and rounded once more.
    RoundedTwice,
    /// A remainder is computed as what the rounded quotient leaves.
    Quotient,
    /// Rounding to an integer takes a tie to the even integer, and not away from zero.
    TiesToEven,
    /// A NaN is narrowed without its payload, and becomes infinity.
    NanCut,
    /// A product and a sum are rounded once where each is to be rounded.
    Contracted,
    /// A value that is narrowed and widened again stays as it was, and operations in half precision are not rounded
    /// before the next one.
    CastsLeftOut,
    /// Subnormal numbers of single precision are flushed where nothing permits it.
    Flushed,
    /// A quotient or a square root is an approximation where it must be correctly rounded.
    Approximation,
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
    pub const ALL: [Defect; 13] = [
        Defect::SelectionFlushed,
        Defect::HalvesFlushed,
        Defect::SignsFlushed,
        Defect::Reciprocal,
        Defect::Narrowed,
        Defect::RoundedTwice,
        Defect::Quotient,
        Defect::TiesToEven,
        Defect::NanCut,
        Defect::Contracted,
        Defect::CastsLeftOut,
        Defect::Flushed,
        Defect::Approximation,
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
            Defect::Contracted => "contracted",
            Defect::CastsLeftOut => "casts-left-out",
            Defect::Flushed => "flushed",
            Defect::Approximation => "approximation",
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
                "an operation is computed in a wider format, and its result rounded once more"
            }
            Defect::Quotient => "a remainder is x − trunc(x / y) · y, of a quotient that is rounded",
            Defect::TiesToEven => {
                "numbers halfway between two integers go to the even one, and not away from zero"
            }
            Defect::NanCut => "a NaN is narrowed without the bits that make it one, to infinity",
            Defect::Contracted => {
                "a product and a sum are contracted to one operation, which rounds once, where each is to be rounded"
            }
            Defect::CastsLeftOut => {
                "a value is not rounded to a narrower type where the source narrows it and widens it again"
            }
            Defect::Flushed => "subnormal numbers are flushed, where they are to be kept",
            Defect::Approximation => {
                "an instruction approximates where the result must be correctly rounded"
            }
        }
    }

    /// Whether a function may have the defect: the rules do not permit what it does, and program and function have what
    /// it takes. `approximates` is whether the function has approximate instructions.
    pub fn is_open(self, program: &Program, rules: Rules, approximates: bool) -> bool {
        match self {
            Defect::Contracted => !rules.contract,
            Defect::CastsLeftOut => program.without_casts().is_some(),
            Defect::Flushed => !rules.flush,
            Defect::Approximation => approximates,
            _ => true,
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
            (Defect::RoundedTwice, ProgramOperation::Fma) if to == Type::F32 => {
                in_double_precision(arithmetic, operation, combinations)
            }
            (Defect::RoundedTwice, ProgramOperation::Cast) if types[0] == Type::F64 && to.is_half() => {
                let values: Vec<u64> = combinations.iter().map(|row| row[0]).collect();
                let single = arithmetic.cast(Type::F64, Type::F32, &values);
                let narrow = arithmetic.cast(Type::F32, to, &single).into_iter();
                narrow.map(|bits| vec![bits]).collect()
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
