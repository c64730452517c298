//! The glossary at the foot of the page: the suite's words, each in a sentence.

use maud::{Markup, html};

use super::prose;

/// The words of the suite, each with the sentence that explains it.
const WORDS: [(&str, &str); 10] = [
    ("variant", "One legal spelling of an instruction, and its PTX text is its name everywhere."),
    (
        "sweep",
        "A numbered sequence of inputs for a variant, made by one idea, like `overflow` or `exhaustive`.",
    ),
    (
        "vector",
        "One of a sweep: what all operands of a variant are given at once, packed lanes included.",
    ),
    ("class", "Mismatches of one kind in one variant."),
    (
        "cause",
        "What explains the results of classes, the same in all of them; of unexplained ones, that they look alike.",
    ),
    (
        "judged",
        "Told by the contract, which is what PTX promises, whether a result is right, by MPFR in this run where \
         nothing else is said.",
    ),
    (
        "screened",
        "Compared with the emulator's result, where MPFR has judged every vector of the sweep before, and the digest \
         of what was expected is the one found then; what differs, and a sample, MPFR judges again.",
    ),
    (
        "run again",
        "Tried again when the run has ended: vectors around the first mismatches of each class, and at the beginning \
         of every other sweep, which is all that an explanation was held against.",
    ),
    (
        "relaxation",
        "A choice that the contract leaves, where any result is accepted that one of its interpretations gives.",
    ),
    ("interpretation", "One way to make such a choice."),
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
