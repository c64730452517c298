//! Judges the vectors that findings show, by the oracle and the judge that runs are judged by.

use compilers::rows::{Expression, results};
use emulator::dot::DotKernel;
use formats::{Class, Column, RowBits, column};
use isa::matrix::{self, MatrixVariant};
use isa::{Target, Variant, columns_for, results_for};
use judge::{Batch, Judge, Truth};
use oracle::Oracle;
use oracle::dot::Sums;

use super::head::{OneOrMore, Shown};

/// Returns whether the expected and the actual result of a vector are each right; an error where they cannot be read.
pub fn verdicts(shown: &Shown) -> Result<[bool; 2], String> {
    let (Some(expected), Some(actual)) = (&shown.expected, &shown.actual) else {
        return Err("it lacks `expected` or `actual`".into());
    };
    let both = [expected.all(), actual.all()];
    if let Some(means) = &shown.means {
        return of_meanings(means, &shown.operands, both);
    }
    let name = shown.variant.as_deref().ok_or("it has neither `variant` nor `means`")?;
    if let Some(variant) = Variant::named(name) {
        return of_variant(variant, &shown.operands, both);
    }
    let matrix = MatrixVariant::all().iter().find(|variant| variant.text() == name);
    let variant = matrix.ok_or_else(|| format!("`{name}` is no variant"))?;
    of_matrix(variant, shown.target.as_deref(), &shown.operands, both)
}

/// Writes hexadecimal numbers into the only row of columns.
fn fill(columns: &mut [Column], texts: &[String]) -> Result<(), String> {
    if columns.len() != texts.len() {
        return Err(format!("{} registers, and {} numbers", columns.len(), texts.len()));
    }
    let each = columns.iter().zip(texts).map(|(column, text)| {
        let digits = text.strip_prefix("0x").unwrap_or_default();
        let due = 2 * column.row_bytes();
        match RowBits::from_hex(digits, column.row_bytes()) {
            Ok(bits) if digits.len() == due => Ok(bits),
            _ => Err(format!("`{text}` is not 0x with {due} digits")),
        }
    });
    let rows: Vec<RowBits> = each.collect::<Result<_, String>>()?;
    column::set_row_bits(columns, 0, &rows);
    Ok(())
}

fn of_variant(
    variant: &Variant,
    operands: &[String],
    both: [&[String]; 2],
) -> Result<[bool; 2], String> {
    let mut columns = columns_for(variant, 1);
    fill(&mut columns, operands)?;
    let mut truth = Truth::new(variant);
    Oracle::new(variant).expect(&columns, &mut truth);
    let judge = |texts: &[String]| -> Result<bool, String> {
        let mut results = results_for(variant, 1);
        fill(&mut results, texts)?;
        Ok(Judge::new(variant).wrong_rows(&truth, Batch::new(&columns, &results)).is_empty())
    };
    Ok([judge(both[0])?, judge(both[1])?])
}

/// Judges a matrix instruction by the contract, or where a target is named by the bits of its model.
fn of_matrix(
    variant: &MatrixVariant,
    target: Option<&str>,
    operands: &[String],
    both: [&[String]; 2],
) -> Result<[bool; 2], String> {
    let mut columns = matrix::columns_for(variant, 1);
    fill(&mut columns, operands)?;
    let bits = |texts: &[String]| -> Result<u64, String> {
        let mut results = matrix::results_for(variant, 1);
        fill(&mut results, texts)?;
        Ok(results[0].get(0))
    };
    let (expected, actual) = (bits(both[0])?, bits(both[1])?);
    let Some(target) = target else {
        let mut truths = Vec::new();
        Sums::new(variant).expect(&columns, &mut truths);
        return Ok([expected, actual].map(|bits| truths[0].accepts(variant.dot().d, bits)));
    };
    let target: Target = target.parse().map_err(|_| format!("`{target}` is no target"))?;
    let mut kernel = DotKernel::of(variant, target).ok_or_else(|| format!("no model for {target}"))?;
    let mut results = matrix::results_for(variant, 1);
    kernel.run(&columns, &mut results);
    Ok([expected, actual].map(|bits| bits == results[0].get(0)))
}

/// Judges the result of a source by what it means: right is what one of the expressions gives, and any NaN for a NaN.
fn of_meanings(
    means: &OneOrMore,
    operands: &[String],
    both: [&[String]; 2],
) -> Result<[bool; 2], String> {
    let mut right = [false; 2];
    for text in means.all() {
        let meaning = Expression::parse(text);
        let by_meaning = match meaning.plain() {
            Some(variant) => of_variant(variant, operands, both)?,
            None => of_expression(&meaning, operands, both)?,
        };
        right = [right[0] || by_meaning[0], right[1] || by_meaning[1]];
    }
    Ok(right)
}

fn of_expression(
    meaning: &Expression,
    operands: &[String],
    both: [&[String]; 2],
) -> Result<[bool; 2], String> {
    let mut columns: Vec<Column> =
        operands.iter().map(|text| Column::new(text.len().saturating_sub(2).div_ceil(2), 1)).collect();
    fill(&mut columns, operands)?;
    let mut exact = |variant: &'static Variant, operands: &[Column]| {
        results(variant, operands, |operands, results| {
            let mut truth = Truth::new(variant);
            Oracle::new(variant).expect(operands, &mut truth);
            results.clone_from_slice(&truth.results);
        })
    };
    let due = meaning.evaluate(&mut exact, &columns).get(0);
    let format = meaning.variant.results()[0].ty.format;
    let is_right = |texts: &[String]| -> Result<bool, String> {
        let mut results = results_for(meaning.variant, 1);
        fill(&mut results, texts)?;
        let came = results[0].get(0);
        Ok(came == due || [came, due].iter().all(|&bits| format.class(bits) == Class::Nan))
    };
    Ok([is_right(both[0])?, is_right(both[1])?])
}
