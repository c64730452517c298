//! Says at which places of an array the operands of a vector stand, where a launch says it: a block that makes one result
//! of many elements is tried with operands at these places alone.

use isa::Variant;

use crate::launched::Launched;
use crate::roles::{CallShape, Role};
use crate::text::{Element, ElementValue, LaunchText, LaunchWord, OPERANDS};

/// The most places that are listed.
const PLACES_MAX: usize = 8;

impl Launched {
    /// Returns a sentence about the places of the operands of an instruction in the arrays of a launch; `None` if it has no
    /// arrays.
    pub fn places_in_words(&self, variant: &Variant) -> Option<String> {
        let CallShape::Roles(roles) = &self.call else { return None };
        let (of, bytes) = roles.roles.iter().find_map(|role| match role {
            Role::Elements { of, bytes } => Some((of, *bytes)),
            _ => None,
        })?;
        let operand = of.iter().find_map(|element| match element.of {
            ElementValue::Operand(number) => Some(number),
            ElementValue::Bits(_) => None,
        })?;
        let count = bytes / variant.operands().get(operand)?.ty.row_bytes().max(1);
        let places = places(of, count);
        let names: Vec<String> =
            places.iter().take(PLACES_MAX).map(|(name, at)| format!("{name} at {at}")).collect();
        let more = if places.len() > PLACES_MAX { " and so on" } else { "" };
        let other = self.at_the_end(count).map(|launch| {
            format!(" Further ones are tried by another launch, such as --launch '{launch}', with the meaning of these places.")
        });
        Some(format!(
            "Of {count} elements, the operands are {}{more}. They are tried at no other places.{}",
            names.join(", "),
            other.unwrap_or_default()
        ))
    }

    /// Returns the launch in which the elements before a filling up to the end stand behind it.
    fn at_the_end(&self, count: usize) -> Option<LaunchText> {
        let LaunchText { mut words, shape } = self.text()?;
        let elements = words.iter_mut().find_map(|word| match word {
            LaunchWord::Elements(elements) => Some(elements),
            _ => None,
        })?;
        let filling =
            elements.pop_if(|last| last.times.is_none() && matches!(last.of, ElementValue::Bits(_)))?;
        let before: usize = elements.iter().map(|element| element.times.unwrap_or(1)).sum();
        let times = count.checked_sub(before).filter(|times| *times > 0)?;
        elements.insert(0, Element { times: Some(times), ..filling });
        Some(LaunchText { words, shape })
    }
}

/// Lists the operands among so many elements, with the number of each element.
fn places(of: &[Element], count: usize) -> Vec<(&'static str, usize)> {
    let mut at = 0usize;
    let mut all = Vec::new();
    for element in of {
        let times = element.times.unwrap_or(count).min(count.saturating_sub(at));
        if let ElementValue::Operand(number) = element.of {
            let name = OPERANDS.get(number).copied().unwrap_or("a");
            all.extend((at..at + times).take(PLACES_MAX + 1).map(|at| (name, at)));
        }
        at += times;
    }
    all
}
