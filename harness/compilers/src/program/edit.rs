//! Edits of programs: the programs that are simpler than a given one, and its neighbours, each by one edit.

use super::draw::RELATIONS;
use super::{Integer, Node, Program, ProgramOperation, Type};

impl Program {
    /// Returns all programs that are simpler by one edit, the simplest first: a part for the whole, an operand in the
    /// place of what is made of it, a parameter in the place of what is computed, a plainer constant.
    pub fn simpler(&self) -> Vec<Program> {
        let mut all = Vec::new();
        let last = self.values.len() - 1;
        // A part of the program becomes the whole.
        all.extend(
            (0..last).filter(|&at| matches!(self.values[at].1, Node::Apply(..))).map(|at| self.part(at)),
        );
        for (place, (ty, node)) in self.values.iter().enumerate() {
            if let Node::Apply(_, operands) = node {
                // A value that is made of an operand becomes this operand.
                let same = |&&operand: &&usize| self.values[operand].0 == *ty;
                let mut distinct: Vec<usize> = operands.iter().filter(same).copied().collect();
                distinct.sort_unstable();
                distinct.dedup();
                all.extend(distinct.into_iter().map(|operand| self.replaced(place, operand)));
                // A computed value becomes a parameter.
                if place != last {
                    all.push(self.with_node(place, Node::Parameter));
                }
            }
            if let Node::Constant(bits) = node {
                let plain = constants_with_fewer_bits(*ty, *bits);
                all.extend(plain.into_iter().map(|bits| self.with_node(place, Node::Constant(bits))));
            }
        }
        // Only what is smaller stays, so that simplifying comes to an end.
        all.retain(|other| other.operations() > 0 && other.size() < self.size());
        all.sort_by_key(Program::size);
        all.dedup();
        all
    }

    /// Returns programs that differ from this one in one constant or one operation, the nearest first, and then
    /// simpler ones.
    pub fn neighbours(&self) -> Vec<Program> {
        let mut all = Vec::new();
        for (place, (ty, node)) in self.values.iter().enumerate() {
            let Node::Constant(bits) = *node else { continue };
            let beside = [bits.wrapping_add(1), bits.wrapping_sub(1), ty.format().one()];
            let beside = beside.map(|bits| bits & ty.format().mask());
            all.extend(beside.into_iter().map(|bits| self.with_node(place, Node::Constant(bits))));
        }
        for (place, (_, node)) in self.values.iter().enumerate() {
            let Node::Apply(operation, operands) = node else { continue };
            let others = operation.alternatives().into_iter();
            all.extend(others.map(|other| self.with_node(place, Node::Apply(other, operands.clone()))));
        }
        // `simpler` begins with the simplest, which is the farthest from this program.
        all.extend(self.simpler().into_iter().rev());
        all.retain(|other| other != self);
        all
    }

    /// Returns a measure of size that every edit makes less: operations, then values, then bits of constants.
    fn size(&self) -> (usize, usize, u32) {
        let bits = self.values.iter().map(|(ty, node)| match node {
            Node::Constant(bits) => 1 + weight(*ty, *bits),
            _ => 0,
        });
        (self.operations(), self.values.len(), bits.sum())
    }

    /// Returns the part of the program whose result is the value at this place.
    fn part(&self, place: usize) -> Program {
        Program { values: self.values[..=place].to_vec() }.without_unused()
    }

    /// Returns the program with another node in this place, which has the same type.
    fn with_node(&self, place: usize, node: Node) -> Program {
        let mut values = self.values.clone();
        values[place].1 = node;
        Program { values }.without_unused()
    }

    /// Returns the program with the value `by` in the place of the value `place`.
    fn replaced(&self, place: usize, by: usize) -> Program {
        if place == self.values.len() - 1 {
            return self.part(by);
        }
        let mut values = self.values.clone();
        for (_, node) in &mut values[place + 1..] {
            if let Node::Apply(_, operands) = node {
                operands
                    .iter_mut()
                    .filter(|operand| **operand == place)
                    .for_each(|operand| *operand = by);
            }
        }
        Program { values }.without_unused()
    }

    /// Returns the program without the values that its result is not made of.
    fn without_unused(self) -> Program {
        let mut used = vec![false; self.values.len()];
        *used.last_mut().expect("a result") = true;
        // Operands come before what is made of them, so one way back finds all that is used.
        for place in (0..self.values.len()).rev() {
            if let (true, Node::Apply(_, operands)) = (used[place], &self.values[place].1) {
                operands.iter().for_each(|&operand| used[operand] = true);
            }
        }
        let mut moved = vec![0; self.values.len()];
        let mut values: Vec<(Type, Node)> = Vec::new();
        for (place, (ty, mut node)) in self.values.into_iter().enumerate() {
            if !used[place] {
                continue;
            }
            moved[place] = values.len();
            if let Node::Apply(_, operands) = &mut node {
                operands.iter_mut().for_each(|operand| *operand = moved[*operand]);
            }
            values.push((ty, node));
        }
        Program { values }
    }

    /// Returns the kinds of the program's operations in order, such as `cast.f32.f64 div.f64`: programs that fail
    /// alike have the same.
    pub fn kinds(&self) -> String {
        let words = self.values.iter().filter_map(|(ty, node)| match node {
            Node::Apply(ProgramOperation::Cast, operands) => {
                Some(format!("cast.{:?}.{ty:?}", self.values[operands[0]].0).to_lowercase())
            }
            Node::Apply(operation, _) => Some(format!("{}.{ty:?}", operation.name()).to_lowercase()),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Counts the bits of a constant that a positive power of two does not have.
fn weight(ty: Type, bits: u64) -> u32 {
    (bits & ty.format().trailing_mask()).count_ones() + u32::from(ty.format().is_negative(bits))
}

/// Returns constants that have fewer bits than this one.
fn constants_with_fewer_bits(ty: Type, bits: u64) -> Vec<u64> {
    let format = ty.format();
    let positive = bits & format.magnitude_mask();
    let power = bits & !format.trailing_mask();
    let shorter = bits & (bits.wrapping_sub(1));
    let mut all = vec![format.one(), positive, power];
    all.extend((bits & format.trailing_mask() != 0).then_some(shorter));
    all.retain(|other| weight(ty, *other) < weight(ty, bits));
    all
}

impl ProgramOperation {
    /// Returns the operations that may stand in the place of this one, with the same operands and types.
    fn alternatives(self) -> Vec<ProgramOperation> {
        let alike: &[ProgramOperation] = match self {
            ProgramOperation::Add | ProgramOperation::Sub => {
                &[ProgramOperation::Sub, ProgramOperation::Add]
            }
            ProgramOperation::Mul | ProgramOperation::Div => {
                &[ProgramOperation::Div, ProgramOperation::Mul]
            }
            ProgramOperation::Min | ProgramOperation::Max => {
                &[ProgramOperation::Max, ProgramOperation::Min]
            }
            ProgramOperation::Neg | ProgramOperation::Abs => {
                &[ProgramOperation::Abs, ProgramOperation::Neg]
            }
            ProgramOperation::Integer(of) => {
                return Integer::ALL
                    .into_iter()
                    .filter(|other| *other != of && (other.width > 1 || !other.signed))
                    .map(ProgramOperation::Integer)
                    .collect();
            }
            ProgramOperation::Select(relation) => {
                return RELATIONS
                    .into_iter()
                    .filter(|other| *other != relation)
                    .map(ProgramOperation::Select)
                    .collect();
            }
            _ => &[],
        };
        alike.iter().copied().filter(|other| *other != self).collect()
    }
}
