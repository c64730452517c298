//! The results that a program may give: for each vector the set that the language leaves open.

mod results;

use formats::Format;

use super::arithmetic::OperationEvaluator;
use super::bounds::{Bounds, Precision};
use super::contraction::Fused;
use super::defect::{Defect, Defects};
use super::{Node, Program, ProgramOperation, Type};

/// The rules of what a compiler may do beside the operations as they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Whether subnormal operands and results of operations in single precision may be zero.
    pub flush: bool,
    /// Whether operations that change the sign alone may flush like other operations in single precision.
    pub signs: bool,
    /// Whether a product and a sum may be rounded once.
    pub contract: bool,
    /// The precision of quotients in single precision.
    pub quotients: Precision,
    /// The precision of square roots in single precision.
    pub roots: Precision,
    /// Whether quotients and square roots of half precision may be computed by way of those of single precision.
    pub by_single: bool,
    /// Whether integers of one bit are truth values, as in CUDA C++: of every number but zero, 1.
    pub truths: bool,
    /// Whether selections have flags like other operations.
    pub flagged_selections: bool,
    /// Whether the sign of a zero is insignificant.
    pub signless: bool,
    /// Whether a quotient may be a product with a reciprocal.
    pub reciprocals: bool,
    /// Whether the smaller or larger of a number and a signalling NaN may be NaN.
    pub signalling: bool,
    /// Whether an operation with a NaN as an operand or result may give anything.
    pub no_nan: bool,
    /// Whether an operation with an infinity as an operand or result may give anything.
    pub no_infinity: bool,
    /// Defects of the compiler that are to be permitted as well: what it does and may not.
    pub defects: Defects,
}

impl Rules {
    /// Whether a product and a sum may be rounded once, or [`Defect::Contracted`] has it so.
    pub(super) fn contracts(&self) -> bool {
        self.contract || self.defects.has(Defect::Contracted)
    }
}

/// The results that are permitted for a vector, or `None` where there are too many to say.
pub type Permitted = Option<Vec<u64>>;

/// The largest number of values of one place of a program that are told apart where evaluation has to be fast.
const MOST: usize = 48;
/// The largest number of values of one place of a program that are told apart where a few vectors are looked at
/// closer.
const MOST_CLOSER: usize = 2048;

impl Program {
    /// Returns the permitted results of vectors, given as a column of values for each parameter.
    ///
    /// # Panics
    /// If there is not a column for each parameter.
    pub fn permitted(&self, rules: Rules, parameters: &[Vec<u64>]) -> Vec<Permitted> {
        self.permitted_of(rules, parameters, MOST)
    }

    /// Returns the permitted results of vectors as [`Program::permitted`] does, but with larger sets: for a few
    /// vectors of which there are too many results otherwise.
    ///
    /// # Panics
    /// If there is not a column for each parameter.
    pub fn permitted_closer(&self, rules: Rules, parameters: &[Vec<u64>]) -> Vec<Permitted> {
        self.permitted_of(rules, parameters, MOST_CLOSER)
    }

    /// Returns the permitted results of vectors, with at most `most` values told apart in each place of the program.
    /// With [`Defect::CastsLeftOut`], they are those of the program and those of the one without its casts.
    fn permitted_of(&self, rules: Rules, parameters: &[Vec<u64>], most: usize) -> Vec<Permitted> {
        let mut permitted = self.evaluated(rules, parameters, most);
        if rules.defects.has(Defect::CastsLeftOut)
            && let Some(other) = self.without_casts()
        {
            let others = other.evaluated(rules, parameters, most);
            for (own, other) in permitted.iter_mut().zip(others) {
                *own = own.take().zip(other).map(|(own, other)| [own, other].concat());
            }
        }
        permitted
    }

    /// Returns the results of vectors that the rules permit of the operations as they stand, with at most `most` values
    /// told apart in each place of the program.
    fn evaluated(&self, rules: Rules, parameters: &[Vec<u64>], most: usize) -> Vec<Permitted> {
        assert_eq!(parameters.len(), self.parameters().len(), "a column for each parameter");
        let rows = parameters.first().map_or(1, Vec::len);
        let mut columns = parameters.iter();
        let mut arithmetic = OperationEvaluator::default();
        let mut evaluation = Evaluation {
            program: self,
            rules,
            most,
            known: if rules.contracts() { self.known_bits(&mut arithmetic) } else { Vec::new() },
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
            // An operation makes no signalling NaN: it passes on one of a parameter or of a constant.
            if !matches!(node, Node::Apply(..)) {
                evaluation.note_signalling(self.values()[place].0, &sets);
            }
            evaluation.sets.push(sets);
        }
        evaluation.sets.pop().unwrap_or_default()
    }
}

/// Whether a result is one of those that are permitted; any NaN stands for any other NaN.
pub fn permits(format: &Format, permitted: &[u64], result: u64) -> bool {
    let nan = format.is_nan(result);
    permitted.iter().any(|&bits| bits == result || nan && format.is_nan(bits))
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueOrConstant {
    /// A value of the program.
    Value(usize),
    /// A constant that a compiler makes, by its bits.
    Constant(u64),
}

/// The evaluation of a program under rules: what each value may be, in each row.
pub(super) struct Evaluation<'a> {
    pub(super) program: &'a Program,
    pub(super) rules: Rules,
    /// The largest number of values of a place that are told apart.
    most: usize,
    /// The bits of each value that compilers can know; of use where they may contract, and empty elsewhere.
    pub(super) known: Vec<Option<u64>>,
    /// The permitted results of each value so far, by row.
    sets: Vec<Vec<Permitted>>,
    /// Whether, in each row, a parameter or a constant is a signalling NaN, which may go on as such: then the smaller
    /// or larger of a NaN and a number may be NaN.
    signalling: Vec<bool>,
    arithmetic: OperationEvaluator,
    bounds: Bounds,
}

impl Evaluation<'_> {
    /// Notes the rows in which one of these values is a signalling NaN.
    fn note_signalling(&mut self, ty: Type, sets: &[Permitted]) {
        let format = ty.format();
        let signals = |bits: &u64| format.is_nan(*bits) && bits & format.quiet_bit() == 0;
        for (row, set) in self.signalling.iter_mut().zip(sets) {
            *row |= set.iter().flatten().any(signals);
        }
    }

    /// Returns, for each row, what the operation at `place` may give, by itself and contracted with its operands.
    fn apply(
        &mut self,
        place: usize,
        operation: ProgramOperation,
        operands: &[usize],
    ) -> Vec<Permitted> {
        let to = self.program.values()[place].0;
        let from = self.program.values()[operands[0]].0;
        let mut sets = self.direct(operation, [from, to], operands);
        for Fused { operands, signs, chosen } in self.contractions(operation, operands) {
            let fused = self.of(ProgramOperation::Fma, [to; 2], &operands, signs);
            for (row, (set, fused)) in sets.iter_mut().zip(fused).enumerate() {
                if chosen.iter().all(|&[place, one]| self.may_be(place, one, row)) {
                    *set = set.take().zip(fused).map(|(set, fused)| [set, fused].concat());
                }
            }
        }
        let most = self.most;
        sets.into_iter().map(|set| reduced(set, most)).collect()
    }

    /// Whether the value at `place` may be the value at `one` in a row; so it is where one of them may be too much to
    /// say.
    fn may_be(&self, place: usize, one: usize, row: usize) -> bool {
        let format = self.program.values()[place].0.format();
        let [place, one] = [place, one].map(|at| &self.sets[at][row]);
        let either = place.as_ref().zip(one.as_ref());
        either.is_none_or(|(place, one)| one.iter().any(|&bits| permits(format, place, bits)))
    }

    /// Returns, for each row, what an operation may give without contraction.
    fn direct(
        &mut self,
        operation: ProgramOperation,
        types: [Type; 2],
        operands: &[usize],
    ) -> Vec<Permitted> {
        let operands: Vec<ValueOrConstant> =
            operands.iter().map(|&operand| ValueOrConstant::Value(operand)).collect();
        self.of(operation, types, &operands, [false; 3])
    }

    /// Returns, for each row, what an operation makes of all combinations of its operands' values. `signs` tells
    /// which of the first three operands are taken with the other sign.
    fn of(
        &mut self,
        operation: ProgramOperation,
        types: [Type; 2],
        operands: &[ValueOrConstant],
        signs: [bool; 3],
    ) -> Vec<Permitted> {
        let rows = self.sets.first().map_or(0, Vec::len);
        // The combinations of all rows are computed in one batch, and `belongs` has the row of each.
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
        let extreme =
            self.rules.signalling && matches!(operation, ProgramOperation::Min | ProgramOperation::Max);
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

    /// Returns all combinations of the operands' values in a row, or `None` where there are too many.
    fn combinations(
        &self,
        row: usize,
        from: Type,
        operands: &[ValueOrConstant],
        signs: [bool; 3],
    ) -> Option<Vec<Vec<u64>>> {
        let mut all = vec![Vec::new()];
        for (at, &operand) in operands.iter().enumerate() {
            let negate = signs.get(at) == Some(&true);
            let sign = if negate { from.format().sign_mask() } else { 0 };
            let constant;
            let values = match operand {
                ValueOrConstant::Value(place) => self.sets[place][row].as_ref()?,
                ValueOrConstant::Constant(bits) => {
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

/// Returns a set without repetitions, or `None` if more than `most` values are left.
fn reduced(set: Permitted, most: usize) -> Permitted {
    let mut set = set?;
    set.sort_unstable();
    set.dedup();
    (set.len() <= most).then_some(set)
}
