//! Compares the results of two functions that should be equal, where too much is permitted for one of them alone to be
//! judged.
//!
//! For most vectors the permitted results are known, and no comparison says more. For the others two functions of one
//! program are compared: of two levels of optimisation, of settings that differ in what does not matter to the
//! program or in flushing alone, of two compilers in one library. That they differ proves nothing. It is a reason to
//! look closer: with sets that are many times larger, which explain both results or prove one wrong.

use std::collections::BTreeMap;

use super::{Search, SearchCase, Seeker};
use crate::program::{Program, ProgramOperation, Spelled, Spelling, permits, vectors};
use crate::program_verdict::rules;
use crate::setting::{Setting, Switch};

/// The comparisons of equivalent pairs, and what came of them.
#[derive(Clone, Debug, Default)]
pub struct EquivalentPairs {
    /// The number of vectors on which two functions were compared.
    pub compared: u64,
    /// The number of compared vectors on which the two functions have different results.
    pub differ: u64,
    /// The number of compared vectors with different results both of which are permitted.
    pub explained: u64,
    /// The differences that are not explained, by class.
    pub open: BTreeMap<String, EquivalentPair>,
}

/// The first vector of a class on which two functions differ.
#[derive(Clone, Debug)]
pub struct EquivalentPair {
    /// The number of vectors of the class on which two functions differ.
    pub count: u64,
    /// Whether a result of a vector of the class is not permitted; else one of the two is NaN, and nothing proves
    /// which is wrong.
    pub proven: bool,
    /// The number of the program in the search.
    pub index: u64,
    /// The program.
    pub program: Program,
    /// The way in which the program stands in its source.
    pub spelling: Spelling,
    /// The values of the program's parameters.
    pub operands: Vec<u64>,
    /// The two targets and settings, with their results.
    pub results: [(String, Setting, u64); 2],
}

/// Programs with undecided vectors: the number of each and its spelling, and the rows of these vectors with their
/// results.
pub(super) type Undecided<'a> = Vec<(u64, Spelled<'a>, Vec<(usize, u64)>)>;

impl Seeker<'_> {
    /// Compares the results of undecided vectors, in each pair of cases.
    pub(super) fn compare(&mut self, open: &[(SearchCase, Undecided)]) {
        for (at, (one, first)) in open.iter().enumerate() {
            for (other, second) in &open[at + 1..] {
                for (index, spelled, results) in first {
                    let Some(kind) = self.kind(*one, *other, spelled.program) else { continue };
                    let found = second.iter().find(|(number, ..)| number == index);
                    let Some((_, _, others)) = found else { continue };
                    for &(row, result) in results {
                        if let Some(&(_, other_result)) = others.iter().find(|(same, _)| *same == row) {
                            let results = [(*one, result), (*other, other_result)];
                            let search = self.search;
                            let pairs = &mut self.found.pairs;
                            pairs.note(search, (kind, *index), *spelled, row, results);
                        }
                    }
                }
            }
        }
    }

    /// Returns the kind of pair that two cases are for a program, by what should not make their results differ. `None`
    /// where the results may differ.
    fn kind(&self, one: SearchCase, other: SearchCase, program: &Program) -> Option<&'static str> {
        let compiler = |case: SearchCase| self.compiler.compiles_for(case.target);
        let differences = one.setting.differences(other.setting);
        // Where flags exclude NaN or infinity an operation may give anything, and nothing follows from two results.
        let anything =
            |case: SearchCase| [Switch::Nnan, Switch::Ninf].iter().any(|&flag| case.setting.has(flag));
        match differences[..] {
            _ if anything(one) || anything(other) => None,
            [] if compiler(one) != compiler(other) => Some("twin/compilers"),
            _ if one.target != other.target => None,
            [Switch::Optimised] => Some("twin/levels"),
            [Switch::Ftz] => Some("twin/flushing"),
            [switch] if !matters(program, switch) => Some("twin/options"),
            _ => None,
        }
    }
}

impl EquivalentPairs {
    /// Counts two results of a vector, and looks closer if they differ.
    fn note(
        &mut self,
        search: &Search,
        (kind, index): (&str, u64),
        Spelled { program, spelling }: Spelled,
        row: usize,
        results: [(SearchCase, u64); 2],
    ) {
        let format = program.result().format();
        let nan = results.map(|(_, bits)| format.is_nan(bits));
        self.compared += 1;
        if results[0].1 == results[1].1 || nan == [true; 2] {
            return;
        }
        self.differ += 1;
        let all = vectors(program, search.seed, row + 1);
        let operands: Vec<u64> = all.iter().map(|values| values[row]).collect();
        let columns: Vec<Vec<u64>> = operands.iter().map(|&value| vec![value]).collect();
        let permitted = results.map(|(case, bits)| {
            let rules = rules(search.plan.language, case.setting);
            let set = program.permitted_closer(rules, &columns).pop().flatten();
            set.map(|set| permits(format, &set, bits))
        });
        let proven = permitted.contains(&Some(false));
        if !proven && (permitted == [Some(true); 2] || nan[0] == nan[1]) {
            self.explained += u64::from(permitted == [Some(true); 2]);
            return;
        }
        // A difference is kept where a result is proven wrong, or where one of the two is NaN and not both are known to
        // be permitted.
        let class = format!("{kind} {}", program.kinds());
        let results = results.map(|(case, bits)| (case.target.to_owned(), case.setting, bits));
        let program = program.clone();
        let first = EquivalentPair { count: 0, proven, index, program, spelling, operands, results };
        let pair = self.open.entry(class).or_insert(first);
        pair.count += 1;
        pair.proven |= proven;
    }
}

/// Whether a switch may change what a program gives.
fn matters(program: &Program, switch: Switch) -> bool {
    let has = |operations: &[ProgramOperation]| program.has(operations);
    match switch {
        Switch::PrecDiv => has(&[ProgramOperation::Div, ProgramOperation::Rem]),
        Switch::PrecSqrt => has(&[ProgramOperation::Sqrt]),
        Switch::Fma => has(&[ProgramOperation::Add, ProgramOperation::Sub, ProgramOperation::Fma]),
        Switch::Arcp => has(&[ProgramOperation::Div]),
        Switch::Ftz | Switch::FtzResults | Switch::FastMath | Switch::Optimised => true,
        // An operation with a NaN or an infinity may give anything, and any operation may give a zero.
        Switch::Nnan | Switch::Ninf | Switch::Nsz => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::program::{Node, Type};

    /// A closer look at the sixteenth power of a quotient, of which too much is permitted, explains results or proves
    /// one wrong.
    #[test]
    fn a_closer_look_explains_results_or_proves_one_wrong() {
        let apply = |operation, operands: &[usize]| Node::Apply(operation, operands.to_vec());
        let mut nodes = vec![Node::Parameter, Node::Parameter, apply(ProgramOperation::Div, &[0, 1])];
        nodes.extend((2..6).map(|last| apply(ProgramOperation::Mul, &[last, last])));
        let program = Program::new(nodes.into_iter().map(|node| (Type::F32, node)).collect());
        let search = Search::usual(Language::Llvm, 0, 1);
        let inexact = Setting::default().with_switch(Switch::PrecDiv, false);
        let cases = [inexact, inexact.with_switch(Switch::Ftz, true)];
        let cases = cases.map(|setting| SearchCase { target: "sm_90", setting });
        let columns = vectors(&program, search.seed, 512);
        let of = |case: SearchCase| rules(search.plan.language, case.setting);
        let few = program.permitted(of(cases[0]), &columns);
        let [one, other] = cases.map(|case| program.permitted_closer(of(case), &columns));
        let both = |row: usize| -> Option<Vec<u64>> {
            let mut all = one[row].clone()?;
            all.retain(|bits| other[row].as_ref().is_some_and(|other| other.contains(bits)));
            (few[row].is_none() && all.len() > 1).then_some(all)
        };
        let found = (0..512).find_map(|row| Some((row, both(row)?)));
        let (row, permitted) = found.expect("a vector of which few results are too few");
        let mut pairs = EquivalentPairs::default();
        let mut note = |results: [u64; 2]| {
            let results = [(cases[0], results[0]), (cases[1], results[1])];
            let spelled = Spelled { program: &program, spelling: Spelling::Memory };
            pairs.note(&search, ("twin/flushing", 3), spelled, row, results);
            (pairs.compared, pairs.differ, pairs.explained, pairs.open.len())
        };
        assert_eq!(note([permitted[0], permitted[0]]), (1, 0, 0, 0));
        assert_eq!(note([permitted[0], permitted[1]]), (2, 1, 1, 0));
        assert_eq!(note([permitted[0], 0x7fc0_0000]), (3, 2, 1, 1));
        let open = &pairs.open["twin/flushing div.f32 mul.f32 mul.f32 mul.f32 mul.f32"];
        assert!(open.proven && open.spelling == Spelling::Memory);
    }

    #[test]
    fn what_a_program_does_not_have_does_not_matter_to_it() {
        let nodes = [Node::Parameter, Node::Parameter, Node::Apply(ProgramOperation::Div, vec![0, 1])];
        let quotient = Program::new(nodes.into_iter().map(|node| (Type::F32, node)).collect());
        assert!(matters(&quotient, Switch::PrecDiv) && matters(&quotient, Switch::FastMath));
        assert!(!matters(&quotient, Switch::Fma) && !matters(&quotient, Switch::PrecSqrt));
        assert!(matters(&quotient, Switch::Arcp) && matters(&quotient, Switch::Nsz));
        let root = [Node::Parameter, Node::Apply(ProgramOperation::Sqrt, vec![0])];
        let root = Program::new(root.into_iter().map(|node| (Type::F32, node)).collect());
        assert!(!matters(&root, Switch::Arcp) && matters(&root, Switch::PrecSqrt));
    }
}
