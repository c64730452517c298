//! The glossary at the foot of the page: the suite's words, each in a sentence.

use maud::{Markup, html};

use super::prose;

/// The words of the suite, each with the sentence that explains it.
const WORDS: [(&str, &str); 10] = [
    ("variant", "One legal spelling of an instruction; its PTX text is its name everywhere."),
    (
        "sweep",
        "A numbered sequence of inputs for a variant, made by one idea, like `overflow` or `exhaustive`.",
    ),
    (
        "vector",
        "One input of a sweep: a value for each operand of a variant, with all lanes of packed \
         operands.",
    ),
    ("class", "Mismatches of one kind in one variant."),
    ("cause", "The explanation that several classes share; without one, that their results look alike."),
    (
        "judged",
        "Found right or wrong by the contract, which is what PTX promises; by MPFR in this run, unless \
         something else is said.",
    ),
    (
        "screened",
        "Compared with the emulator's result, in a sweep of which MPFR has judged every vector before, \
         and whose digest of expected results is still the same. MPFR judges again what differs, and a \
         sample.",
    ),
    (
        "run again",
        "Run again when the run has ended: vectors around the first mismatches of each class, and at \
         the beginning of every other sweep. Explanations are compared with these vectors only.",
    ),
    (
        "relaxation",
        "A choice that the contract leaves: any result is accepted that one of its interpretations \
         gives.",
    ),
    ("interpretation", "One way to make the choice of a relaxation."),
];

/// Returns a text that leads to what a word means.
pub fn word(name: &str, text: &str) -> Markup {
    html! { a.word href={ "#" (anchor(name)) } { (text) } }
}

/// Returns a text in which a word, where it is first said, leads to what it means.
pub fn linked(text: &str, name: &str) -> Markup {
    match text.split_once(name) {
        Some((before, after)) => html! { (prose(before)) (word(name, name)) (prose(after)) },
        None => prose(text),
    }
}

/// Returns the name by which a link reaches a word, which has no spaces.
fn anchor(name: &str) -> String {
    format!("word-{}", name.replace(' ', "-"))
}

/// Returns the section that explains all words.
pub fn glossary() -> Markup {
    html! {
        section { h2 { "Words" }
            dl.words { @for (name, sentence) in WORDS {
                dt id=(anchor(name)) tabindex="-1" { (name) } dd { (prose(sentence)) }
            } }
        }
    }
}
