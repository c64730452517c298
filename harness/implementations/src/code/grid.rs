//! Kernels of which a row is a launch of many threads: the launch, and where a vector lies in it.

use formats::Column;
use isa::Variant;
use launch::{Element, ElementValue, Elements, GridLaunch, ParameterRoles, Role, RoleUnit};
use machines::functions::Argument;
use sweeps::CounterRng;

use super::{Code, Domain};

/// The number of elements at the end of a launch that vectors are among more often than among others.
const LAST: u64 = 8;

/// Returns the seed of a vector, which depends on its operands alone.
pub fn seed(operands: &[Column], row: usize) -> u64 {
    let mut seed = 0xcbf2_9ce4_8422_2325_u64;
    for column in operands {
        for byte in column.row_bytes_of(row) {
            seed = (seed ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    seed
}

/// Returns the seed of a vector, and the element that it is: they depend on nothing but its operands and the launch, so
/// that a vector has the same result with whatever others it is run. Faults of indices are where blocks, rounds and
/// vectors end: so a quarter of the vectors are among the last elements, and an eighth around the ends of blocks.
fn place(operands: &[Column], row: usize, elements: Elements) -> (u64, usize) {
    let seed = seed(operands, row);
    let mixed = CounterRng::new(seed, 0).next();
    let (count, of_block) = (elements.count.max(1) as u64, elements.of_block.max(1) as u64);
    let drawn = mixed >> 3;
    let place = match mixed % 8 {
        0 | 1 => count - 1 - drawn % LAST.min(count),
        2 if of_block < count => {
            let end = of_block * (1 + drawn % ((count - 1) / of_block));
            (end + drawn / count % 4).saturating_sub(2).min(count - 1)
        }
        _ => drawn % count,
    };
    (seed, place as usize)
}

/// Returns the element that each vector of some rows is.
pub fn places(operands: &[Column], rows: usize, elements: Elements) -> Vec<usize> {
    (0..rows).map(|row| place(operands, row, elements).1).collect()
}

/// Returns an argument for each parameter, with a row for each vector: a launch in which the vector is one element, and
/// the others are drawn. Memory of results has bytes of `never_stored`.
pub fn arguments(
    code: &Code,
    (roles, launch, elements): (&ParameterRoles, GridLaunch, Elements),
    variant: &Variant,
    operands: &[Column],
    never_stored: u8,
) -> Vec<Argument> {
    let Elements { count, of_unit, .. } = elements;
    let rows = operands.first().map_or(0, Column::rows);
    let drawn = drawn(variant, operands, rows, elements, code.domain());
    let size = |bytes: usize| (bytes / of_unit.max(1)).saturating_mul(count);
    let constant = |value: u64, bytes: usize| {
        let mut column = Column::new(bytes, rows);
        (0..rows).for_each(|row| column.set(row, value));
        Argument::Value(column)
    };
    let argument = |(role, &bytes): (&Role, &usize)| match role {
        Role::Read { operand, .. } | Role::InPlace { operand, .. } => {
            Argument::Behind(drawn.get(*operand).cloned().unwrap_or_else(|| Column::new(1, rows)))
        }
        Role::Value { operand, bytes } => {
            let mut column = Column::new(*bytes, rows);
            if let Some(from) = operands.get(*operand) {
                (0..rows).for_each(|row| copy(column.row_bytes_of_mut(row), from.row_bytes_of(row)));
            }
            Argument::Value(column)
        }
        Role::Written { bytes, .. } => {
            let mut column = Column::new(size(*bytes), rows);
            column.bytes_mut().fill(never_stored);
            Argument::Behind(column)
        }
        Role::Rows(value) => constant(launch.rows_of(*value), bytes),
        Role::Constant(value) => constant(*value, bytes),
        Role::Unused => Argument::Behind(Column::new(bytes, rows)),
        Role::Elements { of, bytes } => {
            Argument::Behind(array(of, bytes * launch.units() as usize, variant, operands, rows))
        }
    };
    roles.roles.iter().zip(&roles.sizes).map(argument).collect()
}

/// Copies as many bytes as there is room for.
fn copy(into: &mut [u8], from: &[u8]) {
    into.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
}

/// Returns for each operand the elements of each row: the row's own, and drawn ones. A drawn element that lies outside of
/// the domain is the row's own again.
fn drawn(
    variant: &Variant,
    operands: &[Column],
    rows: usize,
    elements: Elements,
    domain: Option<&Domain>,
) -> Vec<Column> {
    let count = elements.count;
    let sizes: Vec<usize> = operands.iter().map(Column::row_bytes).collect();
    let mut all: Vec<Column> = sizes.iter().map(|bytes| Column::new(bytes * count, rows)).collect();
    for row in 0..rows {
        let (seed, own) = place(operands, row, elements);
        let mut rng = CounterRng::new(seed, 1);
        let mut others: Vec<Column> = sizes.iter().map(|bytes| Column::new(*bytes, count)).collect();
        for other in &mut others {
            for bytes in other.bytes_mut().chunks_mut(8) {
                copy(bytes, &rng.next().to_le_bytes());
            }
        }
        let mut is_inside = vec![domain.is_none(); count];
        for inside in domain.map(|domain| domain.rows(variant, &others)).unwrap_or_default() {
            if let Some(is) = is_inside.get_mut(inside) {
                *is = true;
            }
        }
        for ((column, other), from) in all.iter_mut().zip(&others).zip(operands) {
            let bytes = from.row_bytes();
            let elements = column.row_bytes_of_mut(row).chunks_mut(bytes.max(1));
            for ((number, into), inside) in elements.enumerate().zip(&is_inside) {
                let drawn = number != own && *inside;
                copy(into, if drawn { other.row_bytes_of(number) } else { from.row_bytes_of(row) });
            }
        }
    }
    all
}

/// Returns an array of so many bytes for each row.
fn array(of: &[Element], bytes: usize, variant: &Variant, operands: &[Column], rows: usize) -> Column {
    let mut column = Column::new(bytes.max(1), rows);
    let each = element_bytes(of, variant).max(1);
    for row in 0..rows {
        let mut elements = column.row_bytes_of_mut(row).chunks_mut(each);
        for Element { of, times } in of {
            for into in elements.by_ref().take(times.unwrap_or(usize::MAX)) {
                match of {
                    ElementValue::Bits(bits) => copy(into, &bits.to_le_bytes()),
                    ElementValue::Operand(number) => {
                        if let Some(from) = operands.get(*number) {
                            copy(into, from.row_bytes_of(row));
                        }
                    }
                }
            }
        }
    }
    column
}

/// Returns the bytes of an element of an array: those of the first operand that it has.
fn element_bytes(of: &[Element], variant: &Variant) -> usize {
    let operand = of.iter().find_map(|element| match element.of {
        ElementValue::Operand(number) => Some(number),
        ElementValue::Bits(_) => None,
    });
    let register = operand.and_then(|number| variant.operands().get(number));
    register.map_or(4, |register| register.ty.row_bytes())
}

/// Returns the number of the thread that probably computes a vector, which is the only row of some operands.
pub fn thread_of(launch: GridLaunch, operands: &[Column], elements: Elements) -> usize {
    let threads = launch.grid.threads_of_block() as u64;
    let (_, place) = place(operands, 0, elements);
    match launch.unit {
        RoleUnit::Thread if launch.per_block == threads => place / elements.of_unit.max(1),
        // A block whose threads share memory mostly has a thread for each element.
        RoleUnit::Block if elements.of_unit as u64 == threads => place,
        _ => 0,
    }
}
