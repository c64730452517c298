//! Replays the vectors of a report.

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use formats::Column;
use isa::Type;
use machines::functions::{ExecutionUnit, Nearest, RunnableFunction};
use reports::{Datum, Example, printable};

use super::Vector;
use super::on_device::OnDevice;
use crate::execute::execute_unset;
use crate::module::Ptx;
use crate::program::permits;
use crate::program_verdict::{function, fused};
use crate::promises::{PromiseCell, ReplayedVector, replay_vector};
use crate::unit::{Approximating, Approximation};

/// Replays a vector of a row, and returns it once for each instruction of which one is promised. The interpreter
/// executes the function before a device does: it sees to it that the function does nothing that it may not, and comes
/// to an end.
pub fn of_row(
    cell: &PromiseCell,
    example: &Example,
    device: Option<&mut OnDevice>,
) -> Result<Vec<Vector>> {
    let (bits, operands) = operands(example)?;
    let missing = "it has a function";
    let mut by_aim = replay_vector(cell, &bits, None)?.context(missing)?;
    if let Some(device) = device {
        if let Some(fault) = by_aim.iter().find_map(|one| one.result.as_ref().err()) {
            bail!("{}: {fault}", cell.row.name);
        }
        let came = device.result(cell.row.shape().operands().iter().map(|one| one.ty.mask()), &bits)?;
        by_aim = replay_vector(cell, &bits, Some(came))?.context(missing)?;
    }
    let ty = &cell.row.shape().results()[0].ty;
    let mut permitted: Vec<String> =
        by_aim.iter().flat_map(|one| &one.permitted).map(|&bits| ty.hex(bits)).collect();
    permitted.dedup();
    let of_aim = |ReplayedVector { result, all, is_wrong, .. }: ReplayedVector| {
        let all = all.into_iter().map(|bits| ty.hex(bits)).collect();
        let (operands, permitted) = (operands.clone(), permitted.clone());
        let result = result.map_or_else(|fault| fault, |bits| ty.hex(bits));
        Vector { operands, result, all, permitted, is_wrong }
    };
    Ok(by_aim.into_iter().map(of_aim).collect())
}

/// Replays a vector of a program. A device executes it, or else the interpreter does, with the nearest results of
/// approximations and with those at either end of their bounds. Where the program is `unrounded`, the interpreter
/// executes it also as an assembler may fuse it.
pub fn of_program(
    ptx: &Ptx,
    name: &str,
    unrounded: bool,
    example: &Example,
    device: Option<&mut OnDevice>,
) -> Result<Vec<Vector>> {
    let (values, operands) = operands(example)?;
    let mut functions = vec![function(ptx, name).map_err(|names| anyhow!(names.join(", ")))?];
    if unrounded {
        functions.extend(fused(ptx, name).map_err(Error::msg)?);
    }
    let due = example.expected.first().context("the report has a vector without an expected result")?;
    let ty = of_type(due)?;
    let accepted = example.accepted.iter().map(|bits| Datum { bits: bits.clone(), ..due.clone() });
    let permitted: Vec<Datum> = [due.clone()].into_iter().chain(accepted).collect();
    let passed = example.operands.iter().take_while(|datum| !is_in_memory(datum)).count();
    let stored = example.operands[passed..].iter().zip(&values[passed..]);
    let stored: Vec<Column> =
        stored.map(|(datum, &bits)| in_one_row(datum, bits)).collect::<Result<_>>()?;
    let mask = ty.format.mask();
    let results = |function: &RunnableFunction, unit: &mut dyn ExecutionUnit| -> Result<Vec<u64>> {
        let of_row = |at: usize, _| values[at];
        // A copy for each run, since the function may write behind its addresses.
        let results = execute_unset(function, unit, (passed, 1), of_row, &mut stored.clone());
        let results = results.map_err(Error::msg)?;
        Ok(results.iter().map(|column| column.get(0) & mask).collect())
    };
    let mut all = results(&functions[0], &mut Nearest::default())?;
    if let Some(device) = device {
        let types = example.operands.iter().map(of_type).collect::<Result<Vec<_>>>()?;
        all = vec![device.result(types.iter().map(|ty| ty.format.mask()), &values)? & mask];
    } else {
        for (at, function) in functions.iter().enumerate() {
            // The nearest results of the first function are there already.
            if at > 0 {
                all.extend(results(function, &mut Nearest::default())?);
            }
            for end in Approximation::ENDS {
                all.extend(results(function, &mut Approximating::new(end))?);
            }
        }
    }
    let due: Vec<u64> = permitted.iter().map(bits).collect::<Result<_>>()?;
    let wrong = all.iter().find(|&&result| !permits(ty.format, &due, result));
    let (result, is_wrong) = (ty.hex(*wrong.unwrap_or(&all[0])), wrong.is_some());
    let permitted = permitted.into_iter().map(|datum| datum.bits).collect();
    let all = all.into_iter().map(|bits| ty.hex(bits)).collect();
    Ok(vec![Vector { operands, all, result, permitted, is_wrong }])
}

/// Whether a value is in memory, so that its address is passed: then its name begins with a bracket.
pub fn is_in_memory(datum: &Datum) -> bool {
    datum.name.starts_with('[')
}

/// Reads the bits of a value of a report.
fn bits(datum: &Datum) -> Result<u64> {
    let digits = datum.bits.strip_prefix("0x").unwrap_or(&datum.bits);
    u64::from_str_radix(digits, 16)
        .with_context(|| format!("`{}` is not a hexadecimal value", printable(&datum.bits)))
}

/// Reads the operands of a vector: their bits, and a text that shows them.
fn operands(example: &Example) -> Result<(Vec<u64>, String)> {
    let each = example.operands.iter().map(bits).collect::<Result<Vec<_>>>()?;
    let shown: Vec<String> =
        example.operands.iter().map(|datum| format!("{}={}", datum.name, datum.bits)).collect();
    Ok((each, shown.join(" ")))
}

/// Reads the type of a value of a report.
fn of_type(datum: &Datum) -> Result<Type> {
    Type::named(&datum.ty).with_context(|| format!("`{}` is not a type", printable(&datum.ty)))
}

/// Returns a column of one row with a value of a report.
fn in_one_row(datum: &Datum, bits: u64) -> Result<Column> {
    let width = of_type(datum)?.format.width() as usize;
    ensure!(width >= 8, "a value in memory cannot have {width} bits");
    let mut column = Column::new(width / 8, 1);
    column.set(0, bits);
    Ok(column)
}
