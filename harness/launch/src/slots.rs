//! The values that a kernel or a function is given: its parameters, and the fields of those that are structures. A field
//! is what the code reads of a structure at one place.

use std::borrow::Cow;

use anyhow::{Result, bail};
use formats::Column;
use machines::functions::{Argument, Error, Nearest, Passed, RunnableFunction, Touched, address_behind};
use ptx::syntax::{Parameter, Scalar, Statement};

use crate::floats::FloatPlaces;

/// The most steps that a thread may take while roles are looked for.
pub const STEPS: u64 = 1 << 16;
/// The most fields of a structure.
const FIELDS_MAX: usize = 256;

/// A value that a kernel or a function is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The number of the parameter that it is, or lies in.
    pub parameter: usize,
    /// The bytes of the structure before it; `None` if it is a parameter by itself.
    pub offset: Option<usize>,
    /// The number of bytes.
    pub bytes: usize,
    /// Whether it is declared or used as a floating-point number.
    pub is_float: bool,
    /// The name in messages.
    pub name: String,
}

/// All values that a kernel or a function is given: parameters by themselves first, and fields of structures behind them,
/// in order.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// The values.
    pub all: Vec<Slot>,
    /// The bytes of each parameter.
    pub parameters: Vec<usize>,
}

impl Slots {
    /// Finds the values of a program.
    ///
    /// # Errors
    /// If the fields of a structure are not known, because the code takes its address, or there are too many.
    pub fn of(
        program: &RunnableFunction,
        (parameters, body): (&[Parameter], &[Statement]),
        what: &str,
    ) -> Result<Slots> {
        let floats = FloatPlaces::of(body);
        let (mut plain, mut fields) = (Vec::new(), Vec::new());
        for (number, parameter) in parameters.iter().enumerate() {
            let is_float = matches!(parameter.ty, Scalar::Float(..)) || floats.has(&parameter.name, 0);
            let (name, bytes) = (parameter.name.clone(), parameter.bytes());
            if matches!(bytes, 1 | 2 | 4 | 8) {
                plain.push(Slot { parameter: number, offset: None, bytes, is_float, name });
                continue;
            }
            let Some(read) = program.fields(number) else {
                bail!(
                    "the {what}'s parameter `{name}` has {bytes} bytes, and what is read of them is not known: the code takes \
                     its address, or reads places that overlap"
                );
            };
            if read.len() > FIELDS_MAX {
                bail!("the {what}'s parameter `{name}` has more than {FIELDS_MAX} fields");
            }
            fields.extend(read.into_iter().map(|(offset, bytes)| Slot {
                parameter: number,
                offset: Some(offset),
                bytes,
                is_float: floats.has(&parameter.name, offset),
                name: format!("{name}+{offset}"),
            }));
        }
        plain.extend(fields);
        Ok(Slots { all: plain, parameters: parameters.iter().map(Parameter::bytes).collect() })
    }

    /// Whether a parameter is a structure.
    pub fn has_structures(&self) -> bool {
        self.parameters.iter().any(|bytes| !matches!(bytes, 1 | 2 | 4 | 8))
    }

    /// Lists the slots of a parameter by their numbers.
    pub fn of_parameter(&self, parameter: usize) -> impl Iterator<Item = (usize, &Slot)> {
        self.all.iter().enumerate().filter(move |(_, slot)| slot.parameter == parameter)
    }

    /// Returns the bytes of the structures, from the values of fields; a field that is a pointer is `None`, and points to
    /// what is passed behind the parameters, in order. Parameters that are none have no bytes.
    fn structures(&self, values: &[Option<&Column>], rows: usize) -> Vec<Option<Column>> {
        let is_structure = |bytes: &usize| !matches!(bytes, 1 | 2 | 4 | 8);
        let mut all: Vec<Option<Column>> = self
            .parameters
            .iter()
            .map(|bytes| is_structure(bytes).then(|| Column::new((*bytes).max(1), rows)))
            .collect();
        let mut behind = self.parameters.len();
        for (slot, value) in self.all.iter().zip(values) {
            let Some(offset) = slot.offset else { continue };
            let Some(Some(into)) = all.get_mut(slot.parameter) else { continue };
            let address = address_behind(behind).to_le_bytes();
            behind += usize::from(value.is_none());
            for row in 0..rows {
                let from = value.map_or(&address[..], |column| column.row_bytes_of(row));
                let bytes = into.row_bytes_of_mut(row).iter_mut().skip(offset).take(slot.bytes);
                bytes.zip(from).for_each(|(to, from)| *to = *from);
            }
        }
        all
    }

    /// Returns an argument for each parameter, and behind them those that fields of structures point to, from an argument
    /// for each slot.
    pub fn assembled<'a>(&self, arguments: &'a [Argument], rows: usize) -> Cow<'a, [Argument]> {
        if !self.has_structures() {
            return Cow::Borrowed(arguments);
        }
        let values: Vec<Option<&Column>> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(column) => Some(column),
                Argument::Behind(_) => None,
            })
            .collect();
        let mut plain = arguments.iter().zip(&self.all).filter(|(_, slot)| slot.offset.is_none());
        let mut all = Vec::new();
        for structure in self.structures(&values, rows) {
            match structure {
                Some(column) => all.push(Argument::Value(column)),
                None => all.extend(plain.next().map(|(argument, _)| argument.clone())),
            }
        }
        let fields = arguments.iter().zip(&self.all).filter(|(_, slot)| slot.offset.is_some());
        let pointers = fields.filter(|(argument, _)| matches!(argument, Argument::Behind(_)));
        all.extend(pointers.map(|(argument, _)| argument.clone()));
        Cow::Owned(all)
    }

    /// Executes a program once, on one row of each slot, and returns what is touched behind each slot that is a pointer.
    pub fn probe(
        &self,
        program: &RunnableFunction,
        columns: &mut [Column],
        is_pointer: &[bool],
    ) -> (Vec<Touched>, Result<(), Box<Error>>) {
        let values: Vec<Option<&Column>> =
            columns.iter().zip(is_pointer).map(|(column, is)| (!is).then_some(column)).collect();
        let structures = self.structures(&values, 1);
        let (mut passed, mut behind, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut structures =
            structures.iter().enumerate().filter_map(|(number, one)| Some((number, one.as_ref()?)));
        let mut next = structures.next();
        for ((column, slot), is) in columns.iter_mut().zip(&self.all).zip(is_pointer) {
            if slot.offset.is_none() {
                while let Some((number, structure)) = next
                    && number < slot.parameter
                {
                    passed.push(Passed::Value(structure));
                    next = structures.next();
                }
                places.push(Some(passed.len()));
                passed.push(if *is { Passed::Behind(column) } else { Passed::Value(column) });
            } else {
                places.push(is.then_some(self.parameters.len() + behind.len()));
                behind.extend(is.then_some(Passed::Behind(column)));
            }
        }
        passed.extend(next.map(|(_, structure)| Passed::Value(structure)));
        passed.extend(structures.map(|(_, structure)| Passed::Value(structure)));
        passed.extend(behind);
        let mut results: Vec<Column> =
            program.results().map(|(_, bytes)| Column::new(bytes, 1)).collect();
        let unit = &mut Nearest::default();
        let (touched, outcome) = program.probe(|_| 0, unit, &mut passed, &mut results, STEPS);
        let of = |place: &Option<usize>| place.and_then(|place| touched.get(place)).cloned();
        (places.iter().map(|place| of(place).unwrap_or_default()).collect(), outcome)
    }
}
