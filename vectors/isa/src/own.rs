//! Formats that a user defines, whose casts are rows of the table.

use formats::{Definition, DefinitionError, FormatId};

use crate::instruction::{TYPES, group};
use crate::{Modifier, Operation};

/// Defines formats for the rest of the process: the table gets casts to and from each. It has to be called before
/// anything is asked of the table.
///
/// # Errors
/// If a name is a word of the table's spellings, or as [`formats::define`].
pub fn define_formats(definitions: &[Definition]) -> Result<(), DefinitionError> {
    for definition in definitions {
        let name = definition.name();
        let is_word = Modifier::named(name).is_some()
            || Operation::named(name).is_some()
            || TYPES.iter().any(|ty| ty.name == name)
            || group(name).is_some();
        // Of the names of formats there is a sentence of its own.
        let is_format = FormatId::ALL.iter().any(|id| id.name() == name);
        if is_word && !is_format {
            return Err(definition.taken("a word that names of instructions have"));
        }
    }
    formats::define(definitions)
}
