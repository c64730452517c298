//! What a program may give: for each vector the set of results that the language leaves open.

mod results;

use formats::Format;

use super::arithmetic::Arithmetic;
use super::bounds::{Bounds, Precision};
use super::contraction::Fused;
use super::defect::Defects;
use super::{Node, Operation, Program, Type};

/// What a compiler may do beside the operations as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether subnormal operands and results of operations in single precision may be zero.
    pub flush: bool,
    /// Whether changes of the sign alone are such operations.
    pub signs: bool,
    /// Whether a product and a sum may be rounded once.
    pub contract: bool,
    /// How quotients …
    pub quotients: Precision,
    /// … and square roots of single precision are.
    pub roots: Precision,
    /// Whether those of half precision may be by way of such.
    pub by_single: bool,
    /// Whether selections have flags like other operations.
    pub flagged_selections: bool,
    /// Whether the sign of a zero is insignificant …
    pub signless: bool,
    /// … and a quotient may be a product with a reciprocal.
    pub reciprocals: bool,
    /// Whether the smaller or larger of a number and a signalling NaN may be NaN.
    pub signalling: bool,
    /// Whether what has a NaN may give anything …
    pub no_nan: bool,
    /// … and what has an infinity.
    pub no_infinity: bool,
    /// What it does and may not, where that is to be permitted as well.
    pub defects: Defects,
}

/// The results that are permitted of a vector, or `None` where there are too many to say.
pub type Permitted = Option<Vec<u64>>;

/// More values than this of one place of a program are not told apart …
const MOST: usize = 48;
/// … where it has to be fast, and more than this where one looks closer.
const MOST_CLOSER: usize = 2048;

impl Program {
    /// The permitted results of vectors, a column of values for each parameter.
    ///
    /// # Panics
    /// If there is not a column for each parameter.
    pub fn permitted(&self, rules: Rules, parameters: &[Vec<u64>]) -> Vec<Permitted> {
        self.permitted_of(rules, parameters, MOST)
    }

    /// The same, with larger sets: for a few vectors of which there are too many results otherwise.
    ///
    /// # Panics
    /// As [`Program::permitted`].
    pub fn permitted_closer(&self, rules: Rules, parameters: &[Vec<u64>]) -> Vec<Permitted> {
        self.permitted_of(rules, parameters, MOST_CLOSER)
    }

    fn permitted_of(&self, rules: Rules, parameters: &[Vec<u64>], most: usize) -> Vec<Permitted> {
        assert_eq!(parameters.len(), self.parameters().len(), "a column for each parameter");
        let rows = parameters.first().map_or(1, Vec::len);
        let mut columns = parameters.iter();
        let mut arithmetic = Arithmetic::default();
        let mut evaluation = Evaluation {
            program: self,
            rules,
            most,
            known: if rules.contract { self.known(&mut arithmetic) } else { Vec::new() },
            sets: Vec::new(),
            signalling: vec![false; rows],
            arithmetic,
            bounds: Bounds::default(),
        };
        for (place, (_, node)) in self.values().iter().enumerate() {
            let sets = match node {
                Node::Parameter => {
                    columns.next().expect("one").iter().map(|&bits| Some(vec![bits])).collect()
                }
                Node::Constant(bits) => vec![Some(vec![*bits]); rows],
                Node::Apply(operation, operands) => evaluation.apply(place, *operation, operands),
            };
            if !matches!(node, Node::Apply(..)) {
                evaluation.note_signalling(self.values()[place].0, &sets);
            }
            evaluation.sets.push(sets);
        }
        evaluation.sets.pop().unwrap_or_default()
    }
}

/// Whether a result is one of those that are permitted: of NaN any.
pub fn permits(format: &Format, permitted: &[u64], result: u64) -> bool {
    let nan = format.is_nan(result);
    permitted.iter().any(|&bits| bits == result || nan && format.is_nan(bits))
}

/// What an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    /// A value of the program.
    Value(usize),
    /// A constant that a compiler makes.
    Constant(u64),
}

pub(super) struct Evaluation<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: Rules,
    /// Values of a place that are told apart.
    most: usize,
    /// What compilers know of the values; of use where they may contract.
    pub(super) known: Vec<Option<u64>>,
    /// Of each value so far.
    sets: Vec<Vec<Permitted>>,
    /// The rows where a parameter or a constant is a signalling NaN, which may go on as such: then the smaller or
    /// larger of a NaN and a number may be NaN.
    signalling: Vec<bool>,
    arithmetic: Arithmetic,
    bounds: Bounds,
}

impl Evaluation<'_> {
    fn note_signalling(&mut self, ty: Type, sets: &[Permitted]) {
        let format = ty.format();
        let signals = |bits: &u64| format.is_nan(*bits) && bits & format.quiet_bit() == 0;
        for (row, set) in self.signalling.iter_mut().zip(sets) {
            *row |= set.iter().flatten().any(signals);
        }
    }

    fn apply(&mut self, place: usize, operation: Operation, operands: &[usize]) -> Vec<Permitted> {
        let to = self.program.values()[place].0;
        let from = self.program.values()[operands[0]].0;
        let mut sets = self.direct(operation, [from, to], operands);
        for Fused { operands, signs, chosen } in self.contractions(operation, operands) {
            let fused = self.of(Operation::Fma, [to; 2], &operands, signs);
            for (row, (set, fused)) in sets.iter_mut().zip(fused).enumerate() {
                if chosen.iter().all(|&[place, one]| self.may_be(place, one, row)) {
                    *set = set.take().zip(fused).map(|(set, fused)| [set, fused].concat());
                }
            }
        }
        let most = self.most;
        sets.into_iter().map(|set| reduced(set, most)).collect()
    }

    /// Whether a value may be another one in a row.
    fn may_be(&self, place: usize, one: usize, row: usize) -> bool {
        let format = self.program.values()[place].0.format();
        let [place, one] = [place, one].map(|at| &self.sets[at][row]);
        let either = place.as_ref().zip(one.as_ref());
        either.is_none_or(|(place, one)| one.iter().any(|&bits| permits(format, place, bits)))
    }

    /// Without contraction.
    fn direct(&mut self, operation: Operation, types: [Type; 2], operands: &[usize]) -> Vec<Permitted> {
        let operands: Vec<Factor> = operands.iter().map(|&operand| Factor::Value(operand)).collect();
        self.of(operation, types, &operands, [false; 3])
    }

    /// What an operation makes of all combinations of its operands' values; `signs` tells which of the first are
    /// taken with the other sign.
    fn of(
        &mut self,
        operation: Operation,
        types: [Type; 2],
        operands: &[Factor],
        signs: [bool; 3],
    ) -> Vec<Permitted> {
        let rows = self.sets.first().map_or(0, Vec::len);
        let (mut combinations, mut belongs) = (Vec::new(), Vec::new());
        let mut sets: Vec<Permitted> = vec![Some(Vec::new()); rows];
        for (row, set) in sets.iter_mut().enumerate() {
            match self.combinations(row, types[0], operands, signs) {
                Some(of) => {
                    belongs.extend(vec![row; of.len()]);
                    combinations.extend(of);
                }
                None => *set = None,
            }
        }
        let nan = |operands: &Vec<u64>| operands.iter().any(|&bits| types[0].format().is_nan(bits));
        let extreme = self.rules.signalling && matches!(operation, Operation::Min | Operation::Max);
        let nans: Vec<bool> = combinations.iter().map(|operands| extreme && nan(operands)).collect();
        let results = self.results(operation, types, combinations);
        for ((row, results), nan) in belongs.into_iter().zip(results).zip(nans) {
            let signalled = (nan && self.signalling[row]).then(|| types[1].format().canonical_nan());
            sets[row] = sets[row].take().zip(results).map(|(mut set, results)| {
                set.extend(results);
                set.extend(signalled);
                set
            });
        }
        sets
    }

    /// All combinations of the operands' values in a row.
    fn combinations(
        &self,
        row: usize,
        from: Type,
        operands: &[Factor],
        signs: [bool; 3],
    ) -> Option<Vec<Vec<u64>>> {
        let mut all = vec![Vec::new()];
        for (at, &operand) in operands.iter().enumerate() {
            let negate = signs.get(at) == Some(&true);
            let sign = if negate { from.format().sign_mask() } else { 0 };
            let constant;
            let values = match operand {
                Factor::Value(place) => self.sets[place][row].as_ref()?,
                Factor::Constant(bits) => {
                    constant = vec![bits];
                    &constant
                }
            };
            let with = |head: &Vec<u64>| {
                let head = head.clone();
                values.iter().map(move |&value| [head.clone(), vec![value ^ sign]].concat())
            };
            all = all.iter().flat_map(with).collect();
            if all.len() > 8 * self.most {
                return None;
            }
        }
        Some(all)
    }
}

/// A set without repetitions, or none if it is too large.
fn reduced(set: Permitted, most: usize) -> Permitted {
    let mut set = set?;
    set.sort_unstable();
    set.dedup();
    (set.len() <= most).then_some(set)
}
