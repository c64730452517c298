//! Reports as pages for a browser, each of them one file that refers to nothing outside of it.
//!
//! A page of a run says on its first screen what was tested, what came of it and why; every variant has a page of
//! its own, packed until it is opened. Whatever a report says is text there: no script in a report's texts runs,
//! and a policy within the page allows the page's own script alone.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::document::{harmless, shortened};
use crate::terminal::{XTASK, replay_of, verdict_line};
use crate::text::{counted, elided, thousands};
use crate::{Example, Report, Style, Verdict};

mod bits;
mod causes;
mod fields;
mod front;
mod glossary;
mod limits;
mod packed;
mod plots;
mod table;
pub mod text;
mod variant;

use packed::{Packed, Pages};
use variant::Details;

/// The largest size of a page in bytes, as long as what is on its first screen fits: larger pages stall browsers.
pub const MOST: usize = 2_000_000;

/// The largest number of characters of a name that a page shows.
const NAME: usize = 200;
/// The largest numbers of characters of a text, tried one after the other where a page would else be too large.
const LETTERS: [usize; 2] = [200, 40];
const SCRIPT: &str = include_str!("html/page.js");
const STYLE: &str = include_str!("html/page.css");

/// A function that explains step by step what happens to the operands of a vector of a variant, given the variant's
/// name and the vector. It returns `None` where that cannot be told.
pub type Explain<'a> = &'a dyn Fn(&str, &Example) -> Option<String>;

/// The largest number of classes of which each is explained step by step: an explanation takes milliseconds.
const EXPLAINED: usize = 5_000;

/// The part of the pages of the variants that a page has room for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// As many pages of variants that do not pass as there is room for, those first that show a cause.
    Some,
    /// Only the pages of variants that do not pass, with mismatches explained for one class of each cause.
    NotPassing,
    /// The pages of all variants, with mismatches explained for one class of each cause.
    All,
    /// The pages of all variants, with mismatches explained for every class.
    Explained,
}

/// Returns the page of a run as HTML.
///
/// Where the page would have more than [`MOST`] bytes, the explanations of some classes are left out, then the pages of
/// variants that pass, then those of most variants, and the page says so. That is still too much only where texts from
/// outside the suite are very long: then every text is shortened to 200 characters, or else to 40.
pub fn page(report: &Report, style: &Style, explain: Explain) -> String {
    let report = harmless(report);
    let mut page = deepest(&report, style, explain);
    for letters in LETTERS {
        if page.len() <= MOST {
            break;
        }
        // Shortened bits are those of another vector, so they are not explained.
        let is_whole = |example: &Example| example.operands.iter().all(|of| of.bits.len() < letters);
        let explain = |variant: &str, example: &Example| {
            is_whole(example).then(|| explain(variant, example)).flatten()
        };
        page = deepest(&shortened(&report, letters), style, &explain);
    }
    page
}

/// Returns the page of the greatest [`Depth`] that fits into [`MOST`] bytes, and that of the least where none fits.
fn deepest(report: &Report, style: &Style, explain: Explain) -> String {
    // The page is kept, so its commands do not depend on how the suite was called.
    let replay = replay_of(&Style { program: None, ..style.clone() });
    let details = Details::new(report, replay.as_ref(), explain);
    let table = table::table(report, details.causes());
    let front = html! { (front::front(report, &details)) (table) (glossary::glossary()) }.into_string();
    let numbers = details.numbers();
    let (order, of_report) = (details.order(), (0..report.variants.len()).collect::<Vec<_>>());
    let room = MOST.saturating_sub(front.len() + SCRIPT.len() + STYLE.len() + FRAME);
    let whole = |depth| {
        // Where all pages are there, neighbours of the report are alike, and stay together.
        let is_whole = depth > Depth::Some;
        let order = if is_whole { &of_report } else { &order };
        let pages = Pages { order, room, is_whole };
        let packed = packed::pack(report, &numbers, pages, |variant| details.page(variant, depth))?;
        Some(frame(report, &front, &packed, depth).into_string())
    };
    let depths = [Depth::Explained, Depth::All, Depth::NotPassing];
    let possible =
        depths.into_iter().filter(|depth| *depth < Depth::Explained || details.explains_all());
    let fitting = possible.filter_map(whole).find(|page| page.len() <= MOST);
    fitting.or_else(|| whole(Depth::Some)).unwrap_or_default()
}

/// The bytes of a page beside its front, its packed parts, its script and its style, generously.
const FRAME: usize = 10_000;

/// Wraps markup that may be wider than the page in a frame of its own that scrolls. `label` names the frame.
fn scrolled(label: &str, wide: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="group" aria-label=(label) { (wide) } }
}

/// Returns a text in which what stands between backticks is code.
fn prose(text: &str) -> Markup {
    // Odd parts stand between backticks, unless the last of them is never closed.
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @for (number, part) in parts.iter().enumerate() {
            @if number % 2 == 1 && number + 1 < parts.len() { code { (part) } }
            @else { @if number % 2 == 1 { "`" } (part) }
        }
    }
}

/// Returns the document around the front page and the packed pages of the variants.
fn frame(report: &Report, front: &str, packed: &Packed, depth: Depth) -> Markup {
    let tested = &report.implementation;
    let name = elided(&tested.title(), NAME);
    let (class, word) = match report.verdict() {
        Verdict::Agree => ("good", "agrees"),
        Verdict::Mismatches => ("bad", "disagrees"),
        Verdict::Incomplete => ("open", "not run to the end"),
        Verdict::Nothing => ("open", "nothing tested"),
    };
    // Browsers run only the script that has this hash, whatever a text of the report brings with it.
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(SCRIPT))
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (name) ": " (word) " – PTX conformance" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#filter" { "To the table of variants" }
                header {
                    p { a href="#" { "PTX conformance" } }
                    h1 { (name) }
                    p.verdict.(class) { (elided(&verdict_line(report), 2 * NAME)) }
                }
                main {
                    noscript { p { "The table and the pages of the variants need this page's script, which loads nothing. \
                        The failures are listed below, and " code { (XTASK) " report show" } " shows them without a browser." } }
                    div #front { (PreEscaped(front)) }
                    article #variant hidden tabindex="-1" {}
                    @if depth < Depth::Explained {
                        p.small { "To keep this page small, "
                            @if depth <= Depth::NotPassing { "variants that pass have no page of their own, and " }
                            "mismatches are explained step by step for one class of each cause; the command beside a class \
                             explains the others." }
                        @if depth == Depth::Some {
                            p.small { (counted(packed.pages as u64, "variant")) " of "
                                (thousands(packed.wanted as u64)) " that do not pass have a page of their own, those first \
                                 that show a cause. "
                                @if packed.rows < report.variants.len() { "The table has the first "
                                    (thousands(packed.rows as u64)) " of " (counted(report.variants.len() as u64, "variant")) ". " }
                                code { (XTASK) " report show" } " prints all mismatches, and "
                                code { (XTASK) " conformance --only VARIANT" } " makes a report of one variant." }
                        }
                    }
                }
                (packed.markup())
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}
