//! The legal spelling nearest to one that is not.
//!
//! Modifiers count as a set, since a person may well not know their order. Types count by position: `cvt.f32.s32`
//! converts to f32 and lacks a rounding, and the conversion in the other direction is another instruction. A part that
//! is nearly one of the table's parts counts as that part, misspelt.

use std::sync::OnceLock;

use crate::slip::{CASE, TextPart, slip_cost, split, types};
use crate::{Modifier, Operation, Type, Variant};

/// The cost of another mnemonic, which is another instruction, whatever the rest.
const MNEMONIC: u32 = 100;
/// The cost of a type too many or too few.
const TYPE: u32 = 30;
/// The cost of two types that stand in each other's place.
const SWAPPED: u32 = 35;
/// The cost of a modifier too many or too few.
const MODIFIER: u32 = 10;
/// The cost of a name with or without the operands that belong to it.
const NAMED_BY_OPERANDS: u32 = 5;
/// A given text, taken apart into its parts.
pub(super) struct GivenText<'a> {
    mnemonic: &'a str,
    modifiers: Vec<TextPart<'a>>,
    types: Vec<TextPart<'a>>,
    operands: &'a str,
}

/// A variant taken apart like a given text, with modifiers and types as numbers.
struct Legal {
    mnemonic: &'static str,
    modifiers: Vec<usize>,
    types: Vec<usize>,
    operands: &'static str,
}

/// A part in the place of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misspelt<'a> {
    pub(super) given: &'a str,
    pub(super) legal: &'static str,
}

/// The difference of a text from a legal spelling.
#[derive(Debug, Default)]
pub(super) struct TextDifference<'a> {
    /// The parts that only look like parts of the spelling.
    pub(super) misspelt: Vec<Misspelt<'a>>,
    pub(super) surplus_modifiers: Vec<&'a str>,
    pub(super) lacking_modifiers: Vec<Modifier>,
    /// The types that the spelling does not have, including those in whose place it has others.
    pub(super) surplus_types: Vec<&'a str>,
    pub(super) lacking_types: Vec<Type>,
    /// Two types that stand in each other's place.
    pub(super) swapped: Option<[&'a str; 2]>,
}

/// The costs of a text's parts as a list of types, up to each number of given types and of legal types.
type Costs = Vec<Vec<u32>>;

impl<'a> GivenText<'a> {
    /// Takes a text apart.
    pub(super) fn read(text: &'a str) -> GivenText<'a> {
        let end = text.find(|c: char| c == '(' || c.is_whitespace()).unwrap_or(text.len());
        let (spelling, operands) = text.split_at(end);
        let mut parts = split(spelling).into_iter();
        let mnemonic = parts.next().unwrap_or_default();
        let mut given = GivenText { mnemonic, modifiers: Vec::new(), types: Vec::new(), operands };
        for text in parts {
            let (part, is_type) = TextPart::read(text);
            let parts = if is_type { &mut given.types } else { &mut given.modifiers };
            parts.push(part);
        }
        given
    }

    pub(super) fn mnemonic(&self) -> &'a str {
        self.mnemonic
    }

    /// Returns what stands behind the types.
    pub(super) fn operands(&self) -> &'a str {
        self.operands
    }

    /// Returns the modifiers of the text, known or not.
    pub(super) fn modifiers(&self) -> impl Iterator<Item = &'a str> {
        self.modifiers.iter().map(|part| part.text)
    }

    /// Whether the text begins like an instruction of the table.
    pub(super) fn has_instruction(&self) -> bool {
        Operation::ALL.iter().any(|operation| self.as_mnemonic(operation.mnemonic()) < MNEMONIC)
    }

    /// Returns the nearest variant; of equally near variants, the first in the table.
    pub(super) fn nearest(&self) -> &'static Variant {
        static LEGAL: OnceLock<Vec<Legal>> = OnceLock::new();
        let legal = LEGAL.get_or_init(|| Variant::all().iter().map(Legal::of).collect());
        let mnemonics: Vec<u32> =
            Operation::ALL.iter().map(|op| self.as_mnemonic(op.mnemonic())).collect();
        let mut nearest = (u32::MAX, 0);
        // Variants with the given mnemonic come first: after them, few others can be as near.
        for others in [false, true] {
            for (at, legal) in legal.iter().enumerate() {
                let mnemonic = mnemonics[Variant::all()[at].operation() as usize];
                let is_other = mnemonic >= MNEMONIC;
                // Modifiers are paired and types aligned only where the lower bound leaves a chance.
                if is_other == others && (mnemonic + self.least_distance(legal), at) < nearest {
                    nearest = nearest.min((mnemonic + self.distance_behind_mnemonic(legal), at));
                }
            }
        }
        &Variant::all()[nearest.1]
    }

    /// Returns a lower bound of the cost of the parts behind the mnemonics, from the numbers of parts alone.
    fn least_distance(&self, legal: &Legal) -> u32 {
        let modifiers = self.modifiers.len().abs_diff(legal.modifiers.len()) as u32;
        let types = self.types.len().abs_diff(legal.types.len()) as u32;
        modifiers * MODIFIER + types * TYPE
    }

    /// Returns the cost of taking the text's mnemonic for another one: a known mnemonic is at most in another case.
    fn as_mnemonic(&self, legal: &str) -> u32 {
        let most = if Operation::named(self.mnemonic).is_some() { CASE } else { MNEMONIC };
        slip_cost(self.mnemonic, legal).filter(|&cost| cost <= most).unwrap_or(MNEMONIC)
    }

    /// Returns the cost of making the parts behind the mnemonic those of a legal spelling.
    fn distance_behind_mnemonic(&self, legal: &Legal) -> u32 {
        let (pairs, alike) = self.pair_modifiers(legal);
        let unpaired = self.modifiers.len() + legal.modifiers.len() - 2 * pairs.len();
        let operands = if self.operands == legal.operands { 0 } else { NAMED_BY_OPERANDS };
        let types = self.cost_of_types(legal)[self.types.len()][legal.types.len()];
        alike + unpaired as u32 * MODIFIER + types + operands
    }

    /// Pairs given modifiers with legal ones, as indices, and returns the cost of the pairing.
    fn pair_modifiers(&self, legal: &Legal) -> (Vec<(usize, usize)>, u32) {
        let (mut pairs, mut cost): (Vec<(usize, usize)>, u32) = (Vec::new(), 0);
        // Equal modifiers are paired first, so that a misspelt one does not take their place.
        for exact in [true, false] {
            for (at, part) in self.modifiers.iter().enumerate() {
                if pairs.iter().any(|&(given, _)| given == at) {
                    continue;
                }
                let free = (0..legal.modifiers.len()).filter(|at| !pairs.iter().any(|(_, l)| l == at));
                let alike = free.filter_map(|at| Some((part.alike[legal.modifiers[at]]?, at)));
                if let Some((price, to)) = alike.min().filter(|&(price, _)| price == 0 || !exact) {
                    pairs.push((at, to));
                    cost += price;
                }
            }
        }
        (pairs, cost)
    }

    /// Computes the least costs of making the given types the legal ones, beginning by beginning.
    fn cost_of_types(&self, legal: &Legal) -> Costs {
        let (given, legal) = (&self.types, &legal.types);
        let mut costs = vec![vec![0; legal.len() + 1]; given.len() + 1];
        for i in 0..=given.len() {
            for j in 0..=legal.len() {
                let mut cost = if i + j == 0 { 0 } else { u32::MAX };
                if i > 0 {
                    cost = cost.min(costs[i - 1][j] + TYPE);
                }
                if j > 0 {
                    cost = cost.min(costs[i][j - 1] + TYPE);
                }
                if i > 0 && j > 0 {
                    let (part, ty) = (&given[i - 1], legal[j - 1]);
                    let price = part.alike[ty].unwrap_or(part.replaced[ty]);
                    cost = cost.min(costs[i - 1][j - 1] + price);
                }
                if self.are_swapped(legal, i, j) {
                    cost = cost.min(costs[i - 2][j - 2] + SWAPPED);
                }
                costs[i][j] = cost;
            }
        }
        costs
    }

    /// Whether the last two of the first `i` given types are the last two of the first `j` legal types, in reverse
    /// order.
    fn are_swapped(&self, legal: &[usize], i: usize, j: usize) -> bool {
        i > 1 && j > 1 && {
            let is = |given: usize, to: usize| self.types[given].alike[legal[to]] == Some(0);
            is(i - 1, j - 2) && is(i - 2, j - 1)
        }
    }

    /// Returns how the text differs from a variant.
    pub(super) fn difference(&self, variant: &'static Variant) -> TextDifference<'a> {
        let legal = Legal::of(variant);
        let mut difference = TextDifference::default();
        if self.mnemonic != legal.mnemonic && self.as_mnemonic(legal.mnemonic) < MNEMONIC {
            let misspelt = Misspelt { given: self.mnemonic, legal: legal.mnemonic };
            difference.misspelt.push(misspelt);
        }
        let (pairs, _) = self.pair_modifiers(&legal);
        for (at, part) in self.modifiers.iter().enumerate() {
            match pairs.iter().find(|&&(given, _)| given == at) {
                None => difference.surplus_modifiers.push(part.text),
                Some(&(_, to)) => {
                    difference.compare(part.text, Modifier::ALL[legal.modifiers[to]].text());
                }
            }
        }
        let lacking = (0..legal.modifiers.len()).filter(|at| !pairs.iter().any(|(_, to)| to == at));
        difference.lacking_modifiers = lacking.map(|at| Modifier::ALL[legal.modifiers[at]]).collect();
        self.compare_types(&legal, &mut difference);
        difference
    }

    /// Records how the types differ, by walking back through the costs along the cheapest way.
    fn compare_types(&self, legal: &Legal, difference: &mut TextDifference<'a>) {
        let costs = self.cost_of_types(legal);
        let (mut i, mut j) = (self.types.len(), legal.types.len());
        while i + j > 0 {
            let cost = costs[i][j];
            if self.are_swapped(&legal.types, i, j) && cost == costs[i - 2][j - 2] + SWAPPED {
                difference.swapped = Some([self.types[i - 2].text, self.types[i - 1].text]);
                (i, j) = (i - 2, j - 2);
            } else if i > 0 && cost == costs[i - 1][j] + TYPE {
                i -= 1;
                // The way back meets the last types first, and lists are in the order of the text.
                difference.surplus_types.insert(0, self.types[i].text);
            } else if j > 0 && cost == costs[i][j - 1] + TYPE {
                j -= 1;
                difference.lacking_types.insert(0, types()[legal.types[j]]);
            } else {
                // No other step has this cost, so it is that of one type in the place of another.
                (i, j) = (i - 1, j - 1);
                let (part, ty) = (&self.types[i], legal.types[j]);
                match part.alike[ty] {
                    Some(_) => difference.compare(part.text, types()[ty].name),
                    None => difference.surplus_types.insert(0, part.text),
                }
            }
        }
    }
}

impl<'a> TextDifference<'a> {
    fn compare(&mut self, given: &'a str, legal: &'static str) {
        if given != legal {
            self.misspelt.push(Misspelt { given, legal });
        }
    }
}

impl Legal {
    /// Takes a variant apart.
    fn of(variant: &'static Variant) -> Legal {
        let number = |ty: &Type| types().iter().position(|one| one == ty).expect("a printed type");
        Legal {
            mnemonic: variant.mnemonic(),
            modifiers: variant.modifiers().iter().map(|&modifier| modifier as usize).collect(),
            types: variant.printed().iter().map(number).collect(),
            operands: variant.form().told_by,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how far a text is from a spelling.
    fn distance(text: &str, variant: &'static Variant) -> u32 {
        let given = GivenText::read(text);
        given.as_mnemonic(variant.mnemonic()) + given.distance_behind_mnemonic(&Legal::of(variant))
    }

    #[test]
    fn mnemonics_and_modifiers_are_numbered_in_order() {
        assert!(Modifier::ALL.iter().enumerate().all(|(at, &modifier)| modifier as usize == at));
        assert!(Operation::ALL.iter().enumerate().all(|(at, &operation)| operation as usize == at));
    }

    /// Checks that the nearest spelling to one with a part dropped or added is no further than that edit.
    #[test]
    fn the_nearest_is_no_further_than_the_edit() {
        let is_near = |variant: &'static Variant| {
            assert_eq!(distance(variant.text(), variant), 0);
            let legal = split(variant.spelling());
            let dropped = (1..legal.len()).map(|at| [&legal[..at], &legal[at + 1..]].concat());
            let modifiers = Modifier::ALL.iter().map(|modifier| modifier.text());
            let added = modifiers.map(|part| [&legal[..1], &[part], &legal[1..]].concat());
            for given in dropped.chain(added) {
                let text = given.join(".");
                let nearest = GivenText::read(&text).nearest();
                assert!(distance(&text, nearest) <= distance(&text, variant), "{text} {nearest}");
                match text.parse::<Variant>() {
                    Ok(read) => assert_eq!(read.text(), text),
                    Err(error) => {
                        let offending = error.offending.as_ref().is_none_or(|part| text.contains(part));
                        assert!(!error.problem.is_empty() && offending, "{error}");
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for variant in Variant::all().iter().step_by(101) {
                scope.spawn(move || is_near(variant));
            }
        });
    }
}
