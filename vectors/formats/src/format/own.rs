//! Formats that a user defines, beside those of the table: for casts to and from what a library has of its own.

mod definition;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use definition::{DEFINITION_HELP, Definition, DefinitionError};

use super::{Format, FormatId};

/// Number of formats that may be defined.
pub const OWN_FORMATS_MAX: usize = 16;

/// The formats that were defined, in order. Whoever reads them first ends the time in which some can be defined.
static OWN: OnceLock<Vec<&'static Format>> = OnceLock::new();

/// Returns the formats that were defined, in the order of their definitions. From then on none can be defined any
/// more: tables are made of them once.
pub fn own() -> &'static [&'static Format] {
    OWN.get_or_init(Vec::new)
}

/// Returns the formats that were defined, each as [`Definition`] reads it.
pub fn own_definitions() -> Vec<String> {
    own().iter().map(|format| Definition::of(format).to_string()).collect()
}

/// Defines formats for the rest of the process. To define the same ones again is no error.
///
/// # Errors
/// If a name is taken by a format of the table or by another definition, if there are too many, or if other formats
/// were defined, or read by [`own`], before.
pub fn define(definitions: &[Definition]) -> Result<(), DefinitionError> {
    if definitions.len() > OWN_FORMATS_MAX {
        return Err(DefinitionError::new(format!(
            "{} formats are defined: {OWN_FORMATS_MAX} are the most",
            definitions.len()
        )));
    }
    for (number, definition) in definitions.iter().enumerate() {
        let name = definition.name();
        let earlier = definitions[..number].iter().any(|earlier| earlier.name() == name);
        if earlier || FormatId::ALL.iter().any(|id| id.name() == name) {
            let whose = if earlier { "another definition" } else { "a format of the suite" };
            return Err(definition.taken(whose));
        }
    }
    let made = || {
        let ids = (0..).map(FormatId::Own);
        let formats = definitions.iter().zip(ids).map(|(definition, id)| definition.format(id));
        formats.map(|format| &*Box::leak(Box::new(format))).collect()
    };
    // Formats live as long as the process, as those of the table do: there are at most sixteen.
    let defined: &Vec<&'static Format> = OWN.get_or_init(made);
    let same = defined.len() == definitions.len()
        && defined.iter().zip(definitions).all(|(format, one)| Definition::of(format) == *one);
    match same {
        true => Ok(()),
        false => Err(DefinitionError::new(
            "other formats are defined already, or the table of instructions is made: give all formats at \
             once, with --format, and without those of a report",
        )),
    }
}
