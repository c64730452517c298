//! Kernels of which a row is a launch of many threads: the launch, and where a vector lies in it.

use formats::Column;
use isa::Variant;
use machines::functions::{Argument, Grid};
use sweeps::CounterRng;

use super::launch::{Element, ElementValue, LaunchShape};
use super::roles::{ParameterRoles, Role};
use super::{Code, Domain};

/// The part of a launch whose parameters the roles of a kernel tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleUnit {
    /// One thread: threads exchange nothing.
    Thread,
    /// One block.
    Block,
}

/// A launch of many threads, of which each row is one.
#[derive(Clone, Copy, Debug)]
pub struct GridLaunch {
    /// The blocks and threads.
    pub grid: Grid,
    /// The part of the launch that roles tell of.
    pub unit: RoleUnit,
    /// The number of such parts in a block: a thread may do the work of several.
    pub per_block: u64,
    /// The value of parameters that are the number of elements, if it is said.
    pub rows: Option<u64>,
}

/// The place of a vector among the elements of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    /// The number of elements of each operand and result that lies behind a pointer.
    pub count: usize,
    /// The number of them that one unit of roles has.
    pub of_unit: usize,
}

impl GridLaunch {
    /// Returns the number of units of a launch.
    pub fn units(self) -> u64 {
        self.per_block.saturating_mul(self.grid.blocks.into())
    }

    /// Returns the elements of a launch for vectors with operands and results of these bytes.
    ///
    /// # Errors
    /// If they do not fit, or so many rows are no whole number of vectors.
    pub fn elements(
        self,
        roles: &ParameterRoles,
        wanted: &[Vec<usize>; 2],
    ) -> Option<Result<Elements, String>> {
        let of_unit = roles.elements(wanted)?;
        let value = roles.rows();
        let whole = self.units().saturating_mul(of_unit as u64);
        let count = match (self.rows, value) {
            (Some(rows), Some(value)) => {
                let all = rows.saturating_mul(of_unit as u64);
                if value == 0 || !all.is_multiple_of(value) {
                    return Some(Err(format!("rows={rows} are no whole number of vectors")));
                }
                all / value
            }
            _ => whole,
        };
        let count = match usize::try_from(count) {
            Ok(count) if (1..=ELEMENTS_MAX).contains(&count) => count,
            _ => return Some(Err(format!("a launch of {count} elements is not executed here"))),
        };
        Some(Ok(Elements { count, of_unit }))
    }

    /// Returns the launch as `--launch` has it.
    pub fn shape(self) -> LaunchShape {
        let threads = u32::try_from(self.grid.threads_of_block()).ok();
        let blocks = Some(self.grid.blocks).filter(|blocks| *blocks > 1);
        LaunchShape { threads, blocks, rows: self.rows }
    }

    /// Returns the value of a parameter that is the number of elements, from the one that a unit has.
    fn rows_of(self, value: u64) -> u64 {
        self.rows.unwrap_or(value.saturating_mul(self.units()))
    }
}

/// The most elements of a launch.
pub const ELEMENTS_MAX: usize = 1 << 16;

/// Returns the seed of a vector, and the element that it is: they depend on nothing but its operands, so that a vector
/// has the same result with whatever others it is run.
fn place(operands: &[Column], row: usize, count: usize) -> (u64, usize) {
    let mut seed = 0xcbf2_9ce4_8422_2325_u64;
    for column in operands {
        for byte in column.row_bytes_of(row) {
            seed = (seed ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let mixed = CounterRng::new(seed, 0).next();
    (seed, (mixed % count.max(1) as u64) as usize)
}

/// Returns the element that each vector of some rows is.
pub fn places(operands: &[Column], rows: usize, count: usize) -> Vec<usize> {
    (0..rows).map(|row| place(operands, row, count).1).collect()
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
    let Elements { count, of_unit } = elements;
    let rows = operands.first().map_or(0, Column::rows);
    let drawn = drawn(variant, operands, rows, count, code.domain());
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
    count: usize,
    domain: Option<&Domain>,
) -> Vec<Column> {
    let sizes: Vec<usize> = operands.iter().map(Column::row_bytes).collect();
    let mut all: Vec<Column> = sizes.iter().map(|bytes| Column::new(bytes * count, rows)).collect();
    for row in 0..rows {
        let (seed, own) = place(operands, row, count);
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

impl GridLaunch {
    /// Returns the number of the thread that probably computes a vector, which is the only row of some operands.
    pub fn thread_of(self, operands: &[Column], elements: Elements) -> usize {
        let threads = self.grid.threads_of_block() as u64;
        let (_, place) = place(operands, 0, elements.count);
        match self.unit {
            RoleUnit::Thread if self.per_block == threads => place / elements.of_unit.max(1),
            // A block whose threads share memory mostly has a thread for each element.
            RoleUnit::Block if elements.of_unit as u64 == threads => place,
            _ => 0,
        }
    }
}
