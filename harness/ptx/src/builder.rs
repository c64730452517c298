//! Builds the bodies of kernels, instruction by instruction.

use crate::syntax::{
    Binary, Declaration, Declared, Guard, Instruction, Integer, Opcode, Operand, Relation, Scalar,
    Space, Statement, Unary, hex,
};

/// A list of statements that grows at its end. In all methods destinations come before sources, as in PTX.
#[derive(Clone, Debug, Default)]
pub struct Body(Vec<Statement>);

/// Defines a method for each instruction with two sources.
macro_rules! binary {
    ($($name:ident $binary:ident)*) => {$(
        #[doc = concat!("Adds `Binary::", stringify!($binary), "` of a type.")]
        pub fn $name(&mut self, ty: Scalar, d: &str, a: impl Into<Operand>, b: impl Into<Operand>) {
            self.op(Integer::Binary(Binary::$binary, ty), [d.into(), a.into(), b.into()]);
        }
    )*};
}

impl Body {
    binary! {
        add Add  sub Sub  div Div  mul_lo MulLow  mul_hi MulHigh  mul_wide MulWide
        min Min  and And  or Or  xor Xor  shl ShiftLeft  shr ShiftRight
    }

    /// Returns the statements.
    pub fn statements(self) -> Vec<Statement> {
        self.0
    }

    /// Adds an instruction.
    pub fn push(&mut self, instruction: Instruction) {
        self.0.push(Statement::Instruction(instruction));
    }

    /// Adds an instruction without a guard.
    pub fn op(&mut self, opcode: impl Into<Opcode>, operands: impl IntoIterator<Item = Operand>) {
        self.push(Instruction::new(opcode, operands));
    }

    /// Declares registers of one type.
    pub fn declare<D: Into<Declared>>(&mut self, ty: Scalar, names: impl IntoIterator<Item = D>) {
        let names = names.into_iter().map(Into::into).collect();
        self.0.push(Statement::Declaration(Declaration { ty, names }));
    }

    /// Adds any statement.
    pub fn statement(&mut self, statement: Statement) {
        self.0.push(statement);
    }

    /// Declares a variable of `bytes` bytes in shared memory.
    pub fn shared(&mut self, name: String, bytes: u32, align: u32) {
        self.0.push(Statement::Shared { name, bytes, align });
    }

    /// Adds a label.
    pub fn label(&mut self, name: impl Into<String>) {
        self.0.push(Statement::Label(name.into()));
    }

    /// Adds statements in braces.
    pub fn block(&mut self, inner: Body) {
        self.0.push(Statement::Block(inner.0));
    }

    /// Adds the statements of another body.
    pub fn extend(&mut self, others: Body) {
        self.0.extend(others.0);
    }

    /// Adds a `mov`, also one of halves in braces.
    pub fn mov(&mut self, ty: Scalar, d: impl Into<Operand>, a: impl Into<Operand>) {
        self.op(Integer::Move(ty), [d.into(), a.into()]);
    }

    /// Adds a `cvt` between two types.
    pub fn cvt(&mut self, to: Scalar, from: Scalar, d: &str, a: impl Into<Operand>) {
        self.op(Integer::Convert(to, from), [d.into(), a.into()]);
    }

    /// Adds a `cvta.to.global` of a register to itself.
    pub fn to_global(&mut self, address: &str) {
        self.op(Integer::ConvertAddress(Space::Global), [address.into(), address.into()]);
    }

    /// Adds a `not`, `abs` or `clz`.
    pub fn unary(&mut self, unary: Unary, ty: Scalar, d: &str, a: &str) {
        self.op(Integer::Unary(unary, ty), [d.into(), a.into()]);
    }

    /// Adds any instruction with two sources.
    pub fn binary(&mut self, binary: Binary, ty: Scalar, d: &str, a: &str, b: &str) {
        self.op(Integer::Binary(binary, ty), [d.into(), a.into(), b.into()]);
    }

    /// Adds a `mad`; `product` says whether the product is taken low, high or wide.
    pub fn mad(
        &mut self,
        product: Binary,
        ty: Scalar,
        d: &str,
        [a, b]: [impl Into<Operand>; 2],
        c: &str,
    ) {
        self.op(Integer::MultiplyAdd(product, ty), [d.into(), a.into(), b.into(), c.into()]);
    }

    /// Adds a `setp`.
    pub fn setp(
        &mut self,
        relation: Relation,
        ty: Scalar,
        p: &str,
        a: impl Into<Operand>,
        b: impl Into<Operand>,
    ) {
        self.op(Integer::Compare(relation, ty), [p.into(), a.into(), b.into()]);
    }

    /// Adds a `selp`, which takes `a` where the predicate holds and `b` elsewhere.
    pub fn selp(&mut self, ty: Scalar, d: &str, a: impl Into<Operand>, b: impl Into<Operand>, p: &str) {
        self.op(Integer::Select(ty), [d.into(), a.into(), b.into(), p.into()]);
    }

    /// Adds an `ld.param` of a parameter.
    pub fn ld_param(&mut self, ty: Scalar, d: &str, name: impl Into<String>) {
        self.op(Opcode::Load(Space::Param, ty), [d.into(), Operand::Parameter(name.into())]);
    }

    /// Adds an `ld.global` from the address in a register.
    pub fn ld_global(&mut self, ty: Scalar, d: &str, base: &str) {
        let address = Operand::Memory { base: base.into(), offset: None };
        self.op(Opcode::Load(Space::Global, ty), [d.into(), address]);
    }

    /// Adds an `ld` from `offset` bytes behind the address in a register.
    pub fn ld(&mut self, space: Space, ty: Scalar, d: &str, base: &str, offset: u64) {
        self.op(Opcode::Load(space, ty), [d.into(), memory_at_offset(base, offset)]);
    }

    /// Adds an `st` to `offset` bytes behind the address in a register.
    pub fn st(&mut self, space: Space, ty: Scalar, base: &str, offset: u64, a: &str) {
        self.op(Opcode::Store(space, ty), [memory_at_offset(base, offset), a.into()]);
    }

    /// Adds an `st` to the address in a register, executed where a predicate holds.
    pub fn st_where(&mut self, predicate: &str, space: Space, ty: Scalar, base: &str, a: &str) {
        let operands = [Operand::memory(base, 0), a.into()];
        self.guarded(predicate, Opcode::Store(space, ty), operands);
    }

    /// Adds a `bar.warp.sync`: every thread of a warp sees what the others have written before.
    pub fn warp_barrier(&mut self) {
        // The member mask names all 32 threads of the warp.
        self.op(Opcode::WarpBarrier, [hex(u32::MAX.into()).into()]);
    }

    /// Adds an instruction that is executed where a predicate holds.
    pub fn push_where(&mut self, predicate: &str, instruction: Instruction) {
        let guard = Some(Guard { predicate: predicate.into(), negated: false });
        self.push(Instruction { guard, ..instruction });
    }

    /// Adds an `st.global` to `offset` bytes behind the address in a register.
    pub fn st_global(&mut self, ty: Scalar, base: &str, offset: u64, a: &str) {
        self.op(Opcode::Store(Space::Global, ty), [memory_at_offset(base, offset), a.into()]);
    }

    /// Adds a `red.global.add` to `offset` bytes behind the address in a register.
    pub fn red_add(&mut self, ty: Scalar, base: &str, offset: u64, a: &str) {
        self.op(Opcode::ReduceAdd(Space::Global, ty), [Operand::memory(base, offset), a.into()]);
    }

    /// Adds a `ret`.
    pub fn ret(&mut self) {
        self.op(Opcode::Return, []);
    }

    /// Adds a `ret` that is executed where a predicate holds.
    pub fn ret_where(&mut self, predicate: &str) {
        self.guarded(predicate, Opcode::Return, []);
    }

    /// Adds a `bra` to a label.
    pub fn bra(&mut self, label: impl Into<String>) {
        self.op(Opcode::Branch, [Operand::Label(label.into())]);
    }

    /// Adds a `bra` to a label, executed where a predicate holds.
    pub fn bra_where(&mut self, predicate: &str, label: impl Into<String>) {
        self.guarded(predicate, Opcode::Branch, [Operand::Label(label.into())]);
    }

    /// Adds an instruction of these operands that is executed where a predicate holds.
    fn guarded<const N: usize>(&mut self, predicate: &str, opcode: Opcode, operands: [Operand; N]) {
        self.push_where(predicate, Instruction::new(opcode, operands));
    }
}

/// Returns the memory `offset` bytes behind the address in a register; an offset of 0 is left out, as compilers do.
fn memory_at_offset(base: &str, offset: u64) -> Operand {
    match offset {
        0 => Operand::Memory { base: base.into(), offset: None },
        _ => Operand::memory(base, offset),
    }
}

impl From<&str> for Declared {
    fn from(name: &str) -> Declared {
        name.to_owned().into()
    }
}

impl From<String> for Declared {
    fn from(name: String) -> Declared {
        Declared { name, count: None }
    }
}

impl From<(&str, usize)> for Declared {
    /// Declares `count` registers, numbered from 0 on.
    ///
    /// # Panics
    /// If the number of registers does not fit in 32 bits.
    fn from((name, count): (&str, usize)) -> Declared {
        let count = Some(u32::try_from(count).expect("fewer registers than 2^32"));
        Declared { name: name.into(), count }
    }
}
