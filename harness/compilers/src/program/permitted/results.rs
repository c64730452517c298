//! The results that one operation may give for given operands, beside what IEEE 754 has.

use formats::Class;

use super::{Evaluation, Permitted};
use crate::program::bounds::Precision;
use crate::program::defect::{Defect, by_reciprocal};
use crate::program::open_choices::{
    changed, other_zero, results_without_flushing, subnormal_as_zero, tiny,
};
use crate::program::{ProgramOperation, Type};

impl Evaluation<'_> {
    /// Returns what an operation may give for each combination of operands.
    pub(super) fn results(
        &mut self,
        operation: ProgramOperation,
        types: [Type; 2],
        combinations: Vec<Vec<u64>>,
    ) -> Vec<Permitted> {
        let [from, to] = types;
        let asked = combinations.len();
        let (belongs, combinations) = self.taken(operation, types, combinations);
        let mut all: Vec<Permitted> = vec![Some(Vec::new()); asked];
        let plain = self.arithmetic.apply(operation, types, &combinations);
        for ((&place, operands), result) in belongs.iter().zip(&combinations).zip(plain) {
            all[place].iter_mut().for_each(|all| {
                all.extend(results_without_flushing(operation, types, operands, result));
            });
        }
        if let ProgramOperation::Integer(of) = operation {
            let is_truth = self.rules.truths && of.width == 1;
            all = vec![Some(Vec::new()); asked];
            for (&place, operands) in belongs.iter().zip(&combinations) {
                let back = of.there_and_back(&mut self.arithmetic, to, operands[0], is_truth);
                all[place] = all[place].take().zip(back).map(|(all, one)| [all, vec![one]].concat());
            }
        }
        for (&place, results) in belongs.iter().zip(self.approximations(operation, to, &combinations)) {
            all[place] = all[place].take().zip(results).map(|(all, results)| [all, results].concat());
        }
        if self.rules.reciprocals && operation == ProgramOperation::Div {
            let flushes = self.flushes(to);
            let mut products = by_reciprocal(&mut self.arithmetic, to, &combinations, flushes);
            if to.is_half() {
                // A division in half precision is computed in single precision.
                let wide = self.arithmetic.widened(to, &combinations);
                let wide = by_reciprocal(&mut self.arithmetic, Type::F32, &wide, false).concat();
                let narrow = self.arithmetic.cast(Type::F32, to, &wide);
                products.iter_mut().zip(narrow).for_each(|(products, one)| products.push(one));
            }
            for (&place, products) in belongs.iter().zip(products) {
                all[place].iter_mut().for_each(|all| all.extend(&products));
            }
        }
        // Narrowing is in question only where operations in single precision may flush.
        let flush = self.rules.flush;
        for defect in self.rules.defects.iter().filter(|defect| flush || *defect != Defect::Narrowed) {
            let wrong = defect.results(&mut self.arithmetic, operation, types, &combinations, flush);
            for (&place, wrong) in belongs.iter().zip(wrong) {
                all[place].iter_mut().for_each(|all| all.extend(&wrong));
            }
        }
        if self.flushes(to) && !self.selects(operation) && !self.keeps(operation, from) {
            for all in all.iter_mut().flatten() {
                let zeros: Vec<u64> = all.iter().filter_map(|&bits| tiny(to, bits)).collect();
                all.extend(zeros);
            }
        }
        if operation.has_flags() {
            let flagged = self.flagged_operands(operation);
            if flagged == usize::MAX {
                self.flagged(to, &mut all);
            }
            for (&place, operands) in belongs.iter().zip(&combinations) {
                let mut operands = operands.iter().enumerate().take(flagged);
                if operands.any(|(at, &bits)| self.is_anything(operation.type_of(types, at), bits)) {
                    all[place] = None;
                }
            }
        }
        all
    }

    /// Adds the operands that may be taken in the place of each combination. Returns the number of the given
    /// combination that each one belongs to, and all combinations, the given ones first.
    fn taken(
        &self,
        operation: ProgramOperation,
        types: [Type; 2],
        mut combinations: Vec<Vec<u64>>,
    ) -> (Vec<usize>, Vec<Vec<u64>>) {
        let from = types[0];
        let asked = combinations.len();
        let mut belongs: Vec<usize> = (0..asked).collect();
        let mut take = |place: usize, others: Vec<Vec<u64>>, all: &mut Vec<Vec<u64>>| {
            belongs.extend(vec![belongs[place]; others.len()]);
            all.extend(others);
        };
        let selects = self.selects(operation);
        if self.flushes(from) && !self.keeps(operation, from) {
            // Each operand is flushed or not by itself: what computes it may flush it, and the operation may.
            let compared = if selects { 2 } else { usize::MAX };
            for place in 0..asked {
                let flushed = |at, bits| {
                    let ty = operation.type_of(types, at);
                    (at < compared).then(|| subnormal_as_zero(ty, bits)).flatten()
                };
                take(place, changed(&combinations[place], flushed), &mut combinations);
            }
        }
        if self.rules.signless && operation.has_flags() {
            // Not only those that were given: an operand that was flushed above is a zero, too.
            for place in 0..combinations.len() {
                let flagged = self.flagged_operands(operation);
                let other = |at, bits| {
                    let ty = operation.type_of(types, at);
                    (at < flagged).then(|| other_zero(ty, bits)).flatten()
                };
                take(place, changed(&combinations[place], other), &mut combinations);
            }
        }
        (belongs, combinations)
    }

    /// Whether an operation is a selection whose selected values are not flushed: what is selected is no operand of
    /// an operation. It is not so where [`Defect::SelectionFlushed`] is permitted.
    fn selects(&self, operation: ProgramOperation) -> bool {
        matches!(operation, ProgramOperation::Select(_)) && !self.has(Defect::SelectionFlushed)
    }

    /// Whether an operation changes signs alone and flushes nothing. Signs are bits, which an instruction that flushes
    /// may change as well: where the rules have `signs`, by [`Defect::SignsFlushed`], and in half precision.
    fn keeps(&self, operation: ProgramOperation, from: Type) -> bool {
        let bits = matches!(
            operation,
            ProgramOperation::Neg | ProgramOperation::Abs | ProgramOperation::CopySign
        );
        bits && !self.rules.signs && !self.has(Defect::SignsFlushed) && !from.is_half()
    }

    /// Returns how many of an operation's operands its flags say something of; `usize::MAX` stands for all of them
    /// and the result. Where selections have no flags, the comparison has them alone, of two operands, and the result
    /// has none.
    fn flagged_operands(&self, operation: ProgramOperation) -> usize {
        let chooses = matches!(operation, ProgramOperation::Select(_));
        if chooses && !self.rules.flagged_selections { 2 } else { usize::MAX }
    }

    /// Extends each set of results by what flags permit of results: anything where one is excluded, and both zeros
    /// where the sign of a zero is insignificant.
    fn flagged(&self, ty: Type, all: &mut [Permitted]) {
        for set in all {
            if set.iter().flatten().any(|&bits| self.is_anything(ty, bits)) {
                *set = None;
            }
            if self.rules.signless {
                let of = |set: &Vec<u64>| -> Vec<u64> {
                    set.iter().filter_map(|&bits| other_zero(ty, bits)).collect()
                };
                set.iter_mut().for_each(|set| set.extend(of(set)));
            }
        }
    }

    /// Whether an operation that has this value as an operand or result may give anything, because a flag excludes
    /// it.
    fn is_anything(&self, ty: Type, bits: u64) -> bool {
        let class = ty.format().class(bits);
        self.rules.no_nan && class == Class::Nan || self.rules.no_infinity && class == Class::Infinity
    }

    /// Returns, for each combination, what a quotient or root may give beside its exact result, where options make it
    /// inexact.
    fn approximations(
        &mut self,
        operation: ProgramOperation,
        ty: Type,
        combinations: &[Vec<u64>],
    ) -> Vec<Permitted> {
        let approximates = self.has(Defect::Approximation);
        let precision = match operation {
            ProgramOperation::Div | ProgramOperation::Sqrt if approximates => Precision::Fast,
            ProgramOperation::Div => self.rules.quotients,
            ProgramOperation::Sqrt => self.rules.roots,
            _ => Precision::Exact,
        };
        let by_single = self.rules.by_single || approximates;
        match ty {
            Type::F32 => self.bounds.results(precision, operation, combinations),
            Type::F16 | Type::Bf16 if by_single && precision != Precision::Exact => {
                let wide = self.arithmetic.widened(ty, combinations);
                let results = self.bounds.results(precision, operation, &wide);
                let mut narrow = |results: Vec<u64>| self.arithmetic.cast(Type::F32, ty, &results);
                results.into_iter().map(|results| results.map(&mut narrow)).collect()
            }
            _ => vec![Some(Vec::new()); combinations.len()],
        }
    }

    /// Whether the rules permit a defect.
    fn has(&self, defect: Defect) -> bool {
        self.rules.defects.has(defect)
    }

    /// Whether operations of a type may flush subnormal numbers.
    fn flushes(&self, ty: Type) -> bool {
        let halves = ty.is_half() && self.has(Defect::HalvesFlushed);
        let singles = ty == Type::F32 && (self.rules.flush || self.has(Defect::Flushed));
        singles || self.rules.flush && halves
    }
}
