//! Relates the words of `--launch` to the fields of structures.

use anyhow::{Result, bail};
use ptx::syntax::Parameter;

use super::probe::Guess;
use crate::slots::{Slot, Slots};
use crate::text::LaunchWord;

/// Returns a word for each slot, as far as the words of parameters say them.
///
/// # Errors
/// If a word in braces is not that of a structure, or names a field that is not read.
pub fn words_of_slots<'a>(
    slots: &Slots,
    parameters: &[Parameter],
    words: &[Option<&'a LaunchWord>],
) -> Result<Vec<Option<&'a LaunchWord>>> {
    let mut all: Vec<Option<&LaunchWord>> = vec![None; slots.all.len()];
    for (number, (parameter, word)) in parameters.iter().zip(words).enumerate() {
        let Some(word) = *word else { continue };
        let name = &parameter.name;
        let own: Vec<(usize, &Slot)> = slots.of_parameter(number).collect();
        let is_structure = !matches!(parameter.bytes(), 1 | 2 | 4 | 8);
        let fields = match word {
            LaunchWord::Structure(fields) if is_structure => fields,
            LaunchWord::Structure(_) => {
                bail!("--launch has `{word}` for `{name}`, which is no structure")
            }
            _ if is_structure => bail!(
                "--launch has `{word}` for `{name}`, which is a structure of {} bytes: write its fields in braces, such \
                 as {{{}}}",
                parameter.bytes(),
                own.iter()
                    .map(|(_, slot)| format!("{}:a", slot.offset.unwrap_or(0)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            word => {
                for (slot, _) in own {
                    if let Some(into) = all.get_mut(slot) {
                        *into = Some(word);
                    }
                }
                continue;
            }
        };
        let mut next = 0;
        for field in fields {
            // A field without its place is the one behind the last.
            let place = match field.offset {
                Some(offset) => own.iter().position(|(_, slot)| slot.offset == Some(offset)),
                None => Some(next),
            };
            let Some((slot, _)) = place.and_then(|place| own.get(place)) else {
                bail!(
                    "--launch has `{field}` for `{name}`, of which nothing is read there: it reads {}",
                    places_in_words(&own)
                );
            };
            next = place.map_or(next, |place| place + 1);
            if let Some(into) = all.get_mut(*slot) {
                *into = Some(&field.of);
            }
        }
    }
    Ok(all)
}

/// Returns the places that are read of a structure, in words.
fn places_in_words(slots: &[(usize, &Slot)]) -> String {
    let of_one = |(_, slot): &(usize, &Slot)| {
        let offset = slot.offset.unwrap_or(0);
        format!("bytes {offset} to {}", offset + slot.bytes.saturating_sub(1))
    };
    match slots {
        [] => "nothing".to_owned(),
        _ => slots.iter().map(of_one).collect::<Vec<_>>().join(", "),
    }
}

/// Says what the fields of structures were taken for; nothing if there are none.
pub fn fields_in_words(slots: &Slots, guesses: &[Guess]) -> String {
    let of_one = |(slot, guess): (&Slot, &Guess)| {
        let offset = slot.offset?;
        let name = slot.name.split('+').next().unwrap_or_default();
        let taken = match guess {
            Guess::Pointer => "a pointer",
            Guess::Rows => "the number of elements",
            Guess::Number(_) => "a number",
            Guess::Value => "an operand",
        };
        Some(format!("{offset} to {} of `{name}` as {taken}", offset + slot.bytes.saturating_sub(1)))
    };
    let each: Vec<String> = slots.all.iter().zip(guesses).filter_map(of_one).collect();
    match each.as_slice() {
        [] => String::new(),
        each => format!(
            "; it reads the bytes {}, which --launch says in braces, such as {{0:a, 8:&d, 16:rows}}",
            each.join(", ")
        ),
    }
}
