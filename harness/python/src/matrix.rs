//! Sums of matrix instructions, as a target computes them.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use formats::Column;
use implementations::Worker;
use isa::Target;
use isa::matrix::{DotOperand, Lowering, MatrixVariant, Role};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use selection::subject::Subject;

use crate::compute::{Bytes, slices};
use crate::errors::caught;
use crate::waiting::interruptibly;

/// A matrix instruction for Python: its name, the formats of A, B, C and D, and how many products a sum has.
type Found = (String, [&'static str; 4], usize);

/// Returns the dense `mma` of a target that has such elements and the longest sums, or the instruction of a name.
#[pyfunction]
#[pyo3(signature = (target, name, a, b, accumulator))]
pub fn matrix(
    target: &str,
    name: Option<&str>,
    a: Option<&str>,
    b: Option<&str>,
    accumulator: Option<&str>,
) -> PyResult<Found> {
    caught(|| {
        let target: Target = target.parse()?;
        let variant = match name {
            Some(name) => named(name, target)?,
            None => {
                let wanted = |of: &&MatrixVariant| {
                    of.words()[0] == "mma"
                        && a == Some(of.dot().a.name)
                        && b == Some(of.dot().b.name)
                        && accumulator == Some(of.dot().c.name)
                        && accumulator == Some(of.dot().d.name)
                        && refused(of, target).is_none()
                };
                // Of several with as long sums, the first of the table counts.
                let all = MatrixVariant::all().iter().rev();
                all.filter(wanted).max_by_key(|of| of.dot().k).with_context(|| {
                    let [a, b, sum] = [a, b, accumulator].map(Option::unwrap_or_default);
                    format!("{target} has no dense mma of {a} and {b} with sums of {sum}")
                })?
            }
        };
        let dot = variant.dot();
        let formats = [dot.a.name, dot.b.name, dot.c.name, dot.d.name];
        Ok((variant.text().to_owned(), formats, dot.k as usize))
    })
}

/// Returns the matrix instruction of a name.
///
/// # Errors
/// If there is none, or if it needs other operands than three matrices.
fn named(name: &str, target: Target) -> Result<&'static MatrixVariant> {
    let Subject::Matrix(variant) = Subject::named(name)? else {
        bail!("`{name}` is no matrix instruction: `compute` takes it");
    };
    match refused(variant, target) {
        Some(reason) => bail!("`{name}`: {reason}"),
        None => Ok(variant),
    }
}

/// Returns why no sums of an instruction can be computed of three matrices; `None` if they can.
fn refused(variant: &MatrixVariant, target: Target) -> Option<String> {
    if !variant.form().available(Some(target), None) {
        return Some(format!("{target} does not have it"));
    }
    if Lowering::of(variant, target).is_none() {
        return Some(format!("no model is published of what {target} computes for it"));
    }
    let plain = |of: &DotOperand| matches!(of.role, Role::A | Role::B | Role::C);
    let other = variant.operands().iter().find(|of| !plain(of))?;
    Some(format!("it has an operand `{}`, which is not supported here", other.role.name()))
}

/// The sizes of a product of matrices.
#[derive(Clone, Copy)]
struct Sizes {
    rows: usize,
    columns: usize,
    terms: usize,
}

/// Computes A · B + C. The arrays of bytes have A by rows, B by columns and C by rows; the result has D by rows. Where
/// a row of A is longer than a sum, the sums are added up one after the other, beginning with C.
#[pyfunction]
pub fn matrix_product<'py>(
    py: Python<'py>,
    target: &str,
    name: &str,
    arrays: [PyReadonlyArray1<'py, u8>; 3],
    rows: usize,
    columns: usize,
    terms: usize,
) -> PyResult<Bytes<'py>> {
    let sizes = Sizes { rows, columns, terms };
    let (variant, target) = caught(|| {
        let target: Target = target.parse()?;
        Ok((named(name, target)?, target))
    })?;
    let arrays = slices(&arrays)?;
    let product = interruptibly(py, |stop| product(variant, target, &arrays, sizes, stop))?;
    Ok(PyArray1::from_vec(py, product))
}

/// Returns the bytes of one element in an array.
fn bytes_of(operand: &DotOperand) -> usize {
    let bits = operand.format.map_or(8, |format| format.width());
    (bits as usize).div_ceil(8).next_power_of_two()
}

/// Computes a product of matrices, row by row of A.
fn product(
    variant: &'static MatrixVariant,
    target: Target,
    arrays: &[&[u8]],
    sizes: Sizes,
    stop: &AtomicBool,
) -> Result<Vec<u8>> {
    let Sizes { rows, columns, terms } = sizes;
    let (operands, result) = (variant.operands(), variant.result());
    let k = variant.dot().k as usize;
    let wanted = [rows * terms, columns * terms, rows * columns];
    for ((operand, array), wanted) in operands.iter().zip(arrays).zip(wanted) {
        if array.len() != wanted * bytes_of(operand) {
            bail!(
                "matrix {} has {} bytes, and {wanted} elements are wanted",
                operand.role.name(),
                array.len()
            );
        }
    }
    let implementation = implementations::named(&format!("emulator:{target}"))?;
    let mut worker: Box<dyn Worker> = implementation.worker()?;
    let mut product = Vec::with_capacity(rows * columns * bytes_of(&result));
    let mut inputs: Vec<Column> =
        operands.iter().map(|operand| Column::new(operand.row_bytes(), columns)).collect();
    let mut sums = [Column::new(result.row_bytes(), columns)];
    for row in 0..rows {
        for first in (0..terms).step_by(k) {
            if stop.load(Ordering::Relaxed) {
                bail!("interrupted");
            }
            for (operand, (column, array)) in operands.iter().zip(inputs.iter_mut().zip(arrays)) {
                for number in 0..columns {
                    let (begin, count) = match operand.role {
                        Role::A => (row * terms + first, k),
                        Role::B => (number * terms + first, k),
                        _ => (row * columns + number, 1),
                    };
                    let into = column.row_bytes_of_mut(number);
                    if operand.role == Role::C && first > 0 {
                        into.copy_from_slice(sums[0].row_bytes_of(number));
                    } else {
                        set(operand, into, array, begin, count);
                    }
                }
            }
            worker.run_dots(variant, &inputs, &mut sums)?;
        }
        for number in 0..columns {
            let bits = result.get(sums[0].row_bytes_of(number), 0).to_le_bytes();
            product.extend_from_slice(&bits[..bytes_of(&result)]);
        }
    }
    Ok(product)
}

/// Sets the elements of an operand's row to `count` elements of an array.
fn set(operand: &DotOperand, into: &mut [u8], array: &[u8], begin: usize, count: usize) {
    let bytes = bytes_of(operand);
    into.fill(0);
    let elements = array[begin * bytes..(begin + count) * bytes].chunks_exact(bytes);
    for (place, element) in elements.enumerate() {
        let mut bits = [0; 8];
        bits[..bytes].copy_from_slice(element);
        operand.set(into, place, u64::from_le_bytes(bits));
    }
}
