//! Describes wrong results that nothing explains, of a variant that has a model: what all of them have in common, as
//! results and in the operands.

mod operands;
mod results;

use isa::Variant;
use judge::MismatchKind;

use super::evidence::{Element, Evidence};

/// The properties that all wrong results of a class have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The description of the class in words, with the numbers of the vectors that were run again.
    pub words: String,
    /// The part of the description that other variants may share: it has no number. `None` if there is none.
    pub common: Option<String>,
}

/// Describes a class of `count` mismatches. Where fewer mismatches were run again, the words say that they are of those.
/// Returns `None` if none was, or if they have nothing in common.
pub fn describe(
    variant: &Variant,
    evidence: &[Evidence],
    kind: MismatchKind,
    count: u64,
) -> Option<Pattern> {
    let outputs = 0..variant.outputs().len();
    let lanes = outputs.map(|output| (output, Lanes::of(variant, evidence, kind, output)));
    let (output, lanes) = lanes.max_by_key(|(_, lanes)| lanes.wrong.len())?;
    if lanes.wrong.is_empty() {
        return None;
    }
    let format = variant.outputs()[output].format;
    let actual = results::actual(variant, format, kind, &lanes.wrong);
    let due = results::expected(format, kind, &lanes.wrong, &lanes.right);
    let operands = operands::describe(variant, format, &lanes.wrong, &lanes.right);
    let (operands, class) = operands.map_or((None, None), |of| (Some(of.words), of.common));
    let common: Vec<String> = [actual.clone(), due.clone(), class].into_iter().flatten().collect();
    let parts: Vec<String> = [actual, due, operands].into_iter().flatten().collect();
    let common = (!common.is_empty()).then(|| common.join("; "));
    (!parts.is_empty())
        .then(|| Pattern { words: of_rerun(lanes.rows, count) + &parts.join("; "), common })
}

/// Returns the words with which the description of a class of `count` mismatches begins: of how many it is, if fewer were
/// run again.
pub fn of_rerun(rerun: u64, count: u64) -> String {
    match rerun {
        all if all >= count => String::new(),
        1 => "of the one re-run: ".into(),
        some => format!("of the {some} re-run: "),
    }
}

/// Lanes of the evidence: the wrong ones of one class, and the right ones of rows without a mismatch.
struct Lanes {
    wrong: Vec<Element>,
    right: Vec<Element>,
    /// The number of rows that are mismatches of the class.
    rows: u64,
}

impl Lanes {
    /// Collects the lanes of one output.
    fn of(variant: &Variant, evidence: &[Evidence], kind: MismatchKind, output: usize) -> Lanes {
        let (mut lanes, of_row) =
            (Lanes { wrong: Vec::new(), right: Vec::new(), rows: 0 }, variant.lanes());
        for batch in evidence {
            let elements = batch.elements(variant, output);
            let mut mismatches = batch.mismatches.iter().peekable();
            for (row, elements) in elements.chunks(of_row).enumerate() {
                match mismatches.next_if(|(of, _)| *of == row) {
                    None => lanes.right.extend(elements),
                    Some((_, of)) if *of == kind => {
                        lanes.rows += 1;
                        lanes.wrong.extend(elements.iter().filter(|of| of.expected != of.actual));
                    }
                    Some(_) => {}
                }
            }
        }
        lanes
    }
}

/// Returns the name of an input: that of the register that it is in. Where there are several lanes, the input is the lane's
/// own, and what is converted may have a register for each lane.
pub fn input_name(variant: &Variant, index: usize) -> String {
    let name = variant.operands().get(index).map_or("a", |register| register.name);
    match variant.lanes() {
        1 => name.into(),
        _ if variant.converts() && index == 0 => "the lane's input".into(),
        _ => format!("the lane's {name}"),
    }
}
