//! Computes what operations give because of a defect.

use crate::program::arithmetic::OperationEvaluator;
use crate::program::open_choices::{flush, tiny};
use crate::program::{ProgramOperation, Type};

/// Computes, for each combination of a dividend and a divisor, the product of the dividend and the rounded reciprocal
/// that may stand in the place of the quotient. With `flushes`, the product of the two after both were flushed is a
/// second result.
pub(in crate::program) fn by_reciprocal(
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
pub(super) fn remainders(
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
pub(super) fn in_single_precision(
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

/// Computes an operation on operands of single precision in double precision, and rounds the result of each
/// combination to single precision.
pub(super) fn in_double_precision(
    arithmetic: &mut OperationEvaluator,
    operation: ProgramOperation,
    combinations: &[Vec<u64>],
) -> Vec<Vec<u64>> {
    let double = arithmetic.cast(Type::F32, Type::F64, &combinations.concat());
    let rows: Vec<Vec<u64>> = double.chunks(operation.operands()).map(<[u64]>::to_vec).collect();
    let results = arithmetic.apply(operation, [Type::F64; 2], &rows);
    let single = arithmetic.cast(Type::F64, Type::F32, &results).into_iter();
    single.map(|bits| vec![bits]).collect()
}
