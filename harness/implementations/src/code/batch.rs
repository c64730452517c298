//! Hands the operands of a batch to code, and takes its results.

use std::ops::Range;

use formats::{Column, column};
use isa::Variant;
use launch::{CallShape, Elements, Role};
use machines::functions::{Argument, Given};

use super::Code;
use super::grid;

/// A batch that is being run.
pub struct Batch<'a> {
    pub operands: &'a [Column],
    pub results: &'a mut [Column],
    /// The number of vectors of a thread.
    pub each: usize,
    /// Whether some vector has a result.
    pub has_results: bool,
    /// The instruction, and the elements of a launch if a row is one.
    pub variant: &'a Variant,
    pub elements: Option<Elements>,
}

impl Batch<'_> {
    /// Writes what the code gave for some rows into the results.
    pub fn write(&mut self, code: &Code, rows: Range<usize>, given: &Given) {
        for (into, from) in self.results.iter_mut().zip(&given.results) {
            copy_back(from, into, rows.clone());
        }
        let CallShape::Roles(call) = &code.launched.call else { return };
        let pointers = call.roles.iter().filter(|role| role.is_pointer());
        for (role, from) in pointers.zip(&given.behind) {
            let result = match *role {
                Role::Written { result, .. } | Role::InPlace { result, .. } => result,
                _ => continue,
            };
            let Some(into) = self.results.get_mut(result) else { continue };
            match self.elements {
                None => copy_back(from, into, rows.clone()),
                Some(elements) => {
                    let selected = column::select(self.operands, &rows.clone().collect::<Vec<_>>());
                    let places = grid::places(&selected, rows.len(), elements);
                    for ((at, row), place) in rows.clone().enumerate().zip(places) {
                        let to = into.row_bytes_of_mut(row);
                        let bytes = to.len();
                        let from = from.row_bytes_of(at).iter().skip(place * bytes);
                        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                    }
                }
            }
        }
    }

    /// Returns the bytes of a row of results.
    pub fn row(&self, row: usize) -> Vec<u8> {
        self.results.iter().flat_map(|column| column.row_bytes_of(row).iter().copied()).collect()
    }
}

/// Returns an argument for each parameter of the code, from the operands of some rows, of which a thread has `each`.
/// Memory of results has bytes of `never_stored`.
pub fn arguments(
    code: &Code,
    operands: &[Column],
    each: usize,
    rows: Range<usize>,
    (variant, elements, never_stored): (&Variant, Option<Elements>, u8),
) -> Vec<Argument> {
    if let (CallShape::Roles(roles), Some(launch), Some(elements)) =
        (&code.launched.call, code.launched.grid, elements)
    {
        let selected = column::select(operands, &rows.collect::<Vec<_>>());
        return grid::arguments(code, (roles, launch, elements), variant, &selected, never_stored);
    }
    let threads = rows.len().div_ceil(each);
    let operand = |number: usize, bytes: usize| {
        let mut column = Column::new(bytes, threads);
        if let Some(from) = operands.get(number) {
            copy_rows(from, rows.clone(), &mut column);
        }
        column
    };
    let constant = |value: u64, bytes: usize| {
        let mut column = Column::new(bytes, threads);
        (0..threads).for_each(|thread| column.set(thread, value));
        Argument::Value(column)
    };
    match &code.launched.call {
        CallShape::Function => {
            let sizes = code.function.parameters().map(|(_, bytes)| bytes).enumerate();
            sizes.map(|(number, bytes)| Argument::Value(operand(number, bytes))).collect()
        }
        CallShape::Roles(kernel) => {
            let argument = |(role, &size): (&Role, &usize)| match *role {
                Role::Read { operand: number, bytes } => Argument::Behind(operand(number, bytes)),
                Role::InPlace { operand: number, bytes, .. } => Argument::Behind(operand(number, bytes)),
                Role::Value { operand: number, bytes } => Argument::Value(operand(number, bytes)),
                Role::Written { bytes, .. } => {
                    let mut column = Column::new(bytes, threads);
                    column.bytes_mut().fill(never_stored);
                    Argument::Behind(column)
                }
                Role::Rows(value) | Role::Constant(value) => constant(value, size),
                // Only launches of many threads have arrays.
                Role::Unused | Role::Elements { .. } => Argument::Behind(Column::new(size, threads)),
            };
            kernel.roles.iter().zip(&kernel.sizes).map(argument).collect()
        }
    }
}

/// Copies rows of a column of operands to arguments. Those of one thread lie side by side, and the last thread may have
/// fewer; a parameter that is wider than an operand has zeros above it.
fn copy_rows(from: &Column, rows: Range<usize>, into: &mut Column) {
    let bytes = from.bytes_of(rows.clone());
    if into.row_bytes().is_multiple_of(from.row_bytes()) && into.rows() < rows.len()
        || into.row_bytes() == from.row_bytes()
    {
        into.bytes_mut().iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        return;
    }
    for (at, row) in rows.enumerate() {
        let from = from.row_bytes_of(row);
        into.row_bytes_of_mut(at).iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Copies what was given for rows to a column of results, as [`copy_rows`] lays it out.
fn copy_back(from: &Column, into: &mut Column, rows: Range<usize>) {
    if from.row_bytes().is_multiple_of(into.row_bytes()) && from.rows() < rows.len()
        || into.row_bytes() == from.row_bytes()
    {
        let to = into.bytes_of_mut(rows);
        to.iter_mut().zip(from.bytes()).for_each(|(to, from)| *to = *from);
        return;
    }
    for (at, row) in rows.enumerate() {
        let to = into.row_bytes_of_mut(row);
        to.iter_mut().zip(from.row_bytes_of(at)).for_each(|(to, from)| *to = *from);
    }
}
