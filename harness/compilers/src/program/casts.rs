//! Programs as a compiler has them that leaves out casts: what is narrowed and widened again keeps the bits that the
//! narrower type does not have.

use super::{Node, Program, ProgramOperation, Type};

impl Program {
    /// Returns the program without the roundings to a narrower type whose results are used in a wider one: casts there
    /// and back, and the results of operations in half precision, which compilers compute in single precision. `None`
    /// if it has none of these.
    pub(super) fn without_casts(&self) -> Option<Program> {
        let mut left = LeftOut { program: self, values: Vec::new(), places: Vec::new() };
        for (place, (ty, node)) in self.values.iter().enumerate() {
            let new = match node {
                Node::Apply(ProgramOperation::Cast, operands) => left.cast(operands[0], *ty),
                Node::Apply(operation, operands) => left.operation(place, *operation, operands),
                other => left.push(*ty, other.clone()),
            };
            left.places.push(new);
        }
        let last = *left.places.last()?;
        let result = left.in_type(last, self.result());
        // Every parameter has to stay, so a result before the last value is taken as it is by one more operation.
        if result != left.values.len() - 1 {
            left.push(self.result(), Node::Apply(ProgramOperation::CopySign, vec![result, result]));
        }
        let program = Program { values: left.values };
        (program.kinds() != self.kinds()).then_some(program)
    }

    /// Returns the places of the operations whose operand a value is.
    fn users(&self, place: usize) -> impl Iterator<Item = usize> {
        self.values.iter().enumerate().filter_map(move |(at, (_, node))| match node {
            Node::Apply(_, operands) if operands.contains(&place) => Some(at),
            _ => None,
        })
    }
}

/// A program that is made without the casts of another one.
struct LeftOut<'a> {
    program: &'a Program,
    /// The values of the new program.
    values: Vec<(Type, Node)>,
    /// For each value of the other program so far, the place of the one that stands for it, which may have a wider
    /// type.
    places: Vec<usize>,
}

impl LeftOut<'_> {
    /// Adds a value, and returns its place.
    fn push(&mut self, ty: Type, node: Node) -> usize {
        self.values.push((ty, node));
        self.values.len() - 1
    }

    /// Returns the place of a value of the new program in a type: its own, or that of a new cast.
    fn in_type(&mut self, place: usize, ty: Type) -> usize {
        match self.values[place].0 == ty {
            true => place,
            false => self.push(ty, Node::Apply(ProgramOperation::Cast, vec![place])),
        }
    }

    /// Leaves out a cast of a value of the other program, or adds it where it widens a value that has no more bits.
    fn cast(&mut self, operand: usize, to: Type) -> usize {
        let new = self.places[operand];
        let width = |ty: Type| ty.format().width();
        match width(self.values[new].0) < width(to) {
            true => self.in_type(new, to),
            false => new,
        }
    }

    /// Adds an operation of the other program: in single precision where it is one in half precision, and an operand is
    /// not rounded or the result is used unrounded.
    fn operation(&mut self, place: usize, operation: ProgramOperation, operands: &[usize]) -> usize {
        let program = self.program;
        let to = program.values[place].0;
        let is_rounding = |at: usize| {
            program.values[at].0.is_half()
                && matches!(&program.values[at].1, Node::Apply(of, _) if *of != ProgramOperation::Cast)
        };
        let widens = |at: usize| {
            let (ty, node) = &program.values[at];
            matches!(node, Node::Apply(ProgramOperation::Cast, _)) && !ty.is_half()
        };
        let is_chained = operands.iter().any(|&operand| is_rounding(operand))
            || program.users(place).any(|user| is_rounding(user) || widens(user))
            || operands.iter().any(|&at| self.values[self.places[at]].0 != program.values[at].0);
        let wide = |ty: Type| if ty.is_half() && is_chained { Type::F32 } else { ty };
        let operands = operands
            .iter()
            .map(|&operand| {
                let ty = wide(program.values[operand].0);
                self.in_type(self.places[operand], ty)
            })
            .collect();
        self.push(wide(to), Node::Apply(operation, operands))
    }
}
