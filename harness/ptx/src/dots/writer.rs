//! The frame of every kernel of dot products: which dots a group of threads computes, and where in its matrices they
//! lie.

use isa::matrix::{MatrixVariant, Role};

use super::fragment::SIDE;
use super::{DotKernel, LaunchShape, Placement};
use crate::builder::Body;
use crate::syntax::{
    B16, B32, B64, Binary, Declared, Entry, Opcode, Operand, PRED, Parameter, Relation, Scalar, U32, U64,
};

/// A writer of a kernel. Registers of its own begin with `%`; those of fragments have the manual's names.
pub struct Writer<'a> {
    pub variant: &'a MatrixVariant,
    pub placement: Placement,
    /// Number of rows and columns of a product.
    pub sides: [u32; 2],
    /// Number of matrix products that one instruction computes; several products stand on a diagonal.
    pub products: u32,
    /// Number of threads of a group, which execute the instruction together.
    pub threads: u32,
    /// Number of ways in which the kernel has the instruction, see [`super::ways`].
    pub ways: u32,
    pub body: Body,
    declared: Vec<(Scalar, String)>,
    /// Variables in shared memory by name, with their bytes.
    shared: Vec<(String, u32)>,
}

/// The factor of a product that a row of the batch belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactorSide {
    /// Rows of A, and of D.
    A,
    /// Columns of B.
    B,
}

/// Alignment of matrices in shared memory, in bytes: `wmma.load` wants 32, descriptors of `wgmma` 16.
const SHARED_ALIGNMENT: u32 = 128;

/// Number of ways in which a kernel has an instruction whose operands may share registers, see [`super::ways`].
pub const WAYS: u32 = 8;

impl<'a> Writer<'a> {
    pub fn new(
        variant: &'a MatrixVariant,
        placement: Placement,
        sides: [u32; 2],
        products: u32,
        threads: u32,
        ways: u32,
    ) -> Writer<'a> {
        Writer {
            variant,
            placement,
            sides,
            products,
            threads,
            ways,
            body: Body::default(),
            declared: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// Declares a variable in shared memory, and returns the register with its address.
    pub fn shared(&mut self, name: &str, bytes: u32) -> String {
        self.shared.push((name.into(), bytes));
        let at = self.register(B32, format!("%{name}_at"));
        self.body.mov(U32, at.as_str(), name);
        at
    }

    /// Returns the register of this name, and declares it the first time.
    pub fn register(&mut self, ty: Scalar, name: impl Into<String>) -> String {
        let name = name.into();
        match self.declared.iter().find(|(_, one)| *one == name) {
            Some((declared, _)) => debug_assert_eq!(*declared, ty, "{name}"),
            None => self.declared.push((ty, name.clone())),
        }
        name
    }

    /// Returns how many rows of a batch a group computes.
    pub fn dots(&self) -> u32 {
        let [m, n] = self.sides;
        self.products * if self.placement == Placement::Tile { m * n } else { SIDE }
    }

    /// Writes the beginning of the kernel: the group's number, its first row, and what its number says of the places
    /// of dots. Groups without rows return.
    pub fn begin(&mut self) {
        for name in ["%lane", "%group", "%base", "%rows", "%last", "%arm", "%t", "%index"] {
            self.register(B32, name);
        }
        self.register(PRED, "%p");
        // A group has a power of two threads, so a shift and a mask divide a thread's number.
        let (threads, shift) = (u64::from(self.threads), u64::from(self.threads.ilog2()));
        let [m, n] = self.sides;
        let (dots, tile) = (self.dots(), self.placement == Placement::Tile);
        let body = &mut self.body;
        body.mov(U32, "%lane", "%tid.x");
        body.mov(U32, "%group", "%ctaid.x");
        body.mov(U32, "%t", "%ntid.x");
        body.mad(Binary::MulLow, U32, "%group", ["%group", "%t"], "%lane");
        body.shr(U32, "%group", "%group", shift);
        body.and(B32, "%lane", "%lane", threads - 1);
        body.mul_lo(U32, "%base", "%group", u64::from(dots));
        body.ld_param(U32, "%rows", "rows");
        body.setp(Relation::GreaterOrEqual, U32, "%p", "%base", "%rows");
        body.ret_where("%p");
        body.sub(U32, "%last", "%rows", 1);
        // Three bits of the group's number choose the way and begin the turn: `WAYS` and `SIDE` are both 8.
        body.and(B32, "%arm", "%group", u64::from(SIDE - 1));
        if tile {
            return;
        }
        // Which block of eight rows or columns of either side the dots are in, and how B's columns are turned against
        // A's rows. Everything changes from one group to the next, and a group's number tells all combinations.
        for name in ["%turn", "%copy_a", "%copy_b", "%rest"] {
            self.register(B32, name);
        }
        let [m, n] = [m, n].map(|side| u64::from(side / SIDE));
        let body = &mut self.body;
        body.shr(U32, "%rest", "%group", u64::from(self.ways.ilog2()));
        body.mov(U32, "%t", "%rest");
        if self.ways > 1 {
            body.add(U32, "%t", "%t", "%arm");
        }
        remainder(body, "%copy_a", "%t", m);
        body.div(U32, "%t", "%rest", m);
        body.add(U32, "%t", "%t", "%arm");
        remainder(body, "%copy_b", "%t", n);
        body.div(U32, "%turn", "%rest", m * n);
        body.add(U32, "%turn", "%turn", "%arm");
        body.and(B32, "%turn", "%turn", u64::from(SIDE - 1));
    }

    /// Sets `into` to the sum of what the set bits of the lane add; `bits` are the addends from the lowest bit.
    pub fn lane_part(&mut self, into: &str, bits: impl IntoIterator<Item = u32>) {
        self.register(B32, into);
        let bits: Vec<u32> = bits.into_iter().collect();
        self.body.mov(U32, into, 0);
        let mut at = 0;
        while at < bits.len() {
            // A run of bits, each of which adds twice as much as the bit before.
            let mut end = at + 1;
            while end < bits.len() && bits[end] == 2 * bits[end - 1] && bits[at] > 0 {
                end += 1;
            }
            if bits[at] > 0 {
                self.body.shr(U32, "%t", "%lane", at as u64);
                self.body.and(B32, "%t", "%t", (1_u64 << (end - at)) - 1);
                let each = Operand::from(u64::from(bits[at]));
                self.body.mad(Binary::MulLow, U32, into, [Operand::from("%t"), each], into);
            }
            at = end;
        }
    }

    /// Sets `%index` to the row of the batch that stands in row `row` + `offset` of a side of the matrices.
    pub fn index(&mut self, side: FactorSide, row: &str, offset: u32) {
        let [m, n] = self.sides.map(u64::from);
        let products = u64::from(self.products);
        let body = &mut self.body;
        body.add(U32, "%index", row, u64::from(offset));
        match (self.placement, side) {
            (Placement::Diagonal, _) => {
                if products == 1 {
                    body.shr(U32, "%t", "%index", u64::from(SIDE.ilog2()));
                }
                if side == FactorSide::B {
                    body.xor(B32, "%index", "%index", "%turn");
                }
                if products == 1 {
                    // No two of eight consecutive blocks on a side have their rows in the same order.
                    body.add(U32, "%index", "%index", "%t");
                }
                body.and(B32, "%index", "%index", products * u64::from(SIDE) - 1);
            }
            (Placement::Tile, FactorSide::A) => body.mul_lo(U32, "%index", "%index", n),
            (Placement::Tile, FactorSide::B) if products > 1 => {
                // The number of the product stands above its column.
                body.and(B32, "%t", "%index", n - 1);
                body.sub(U32, "%index", "%index", "%t");
                body.mad(Binary::MulLow, U32, "%index", ["%index".into(), Operand::from(m)], "%t");
            }
            (Placement::Tile, FactorSide::B) => {}
        }
        body.add(U32, "%index", "%index", "%base");
    }

    /// Returns the register with the address of a role's column, which is loaded once.
    pub fn column(&mut self, role: Role) -> String {
        let name = format!("%{}", parameter(role));
        if !self.declared.iter().any(|(_, one)| *one == name) {
            self.register(B64, name.clone());
            self.body.ld_param(U64, &name, parameter(role));
            self.body.to_global(&name);
        }
        name
    }

    /// Returns the finished kernel, to be run in blocks of `block` threads.
    pub fn end(mut self, block: u32) -> DotKernel {
        self.body.ret();
        let group = LaunchShape { dots: self.dots(), threads: self.threads, block };
        // Only now is it known which registers there are, and their declarations stand before the code.
        let mut whole = Body::default();
        for ty in [PRED, B16, B32, B64] {
            let names = self.declared.iter().filter(|(one, _)| *one == ty);
            let names: Vec<Declared> = names.map(|(_, name)| name.clone().into()).collect();
            for some in names.chunks(16) {
                whole.declare(ty, some.iter().cloned());
            }
        }
        for (name, bytes) in self.shared {
            whole.shared(name, bytes, SHARED_ALIGNMENT);
        }
        whole.extend(self.body);
        let columns = [Role::D].into_iter().chain(self.variant.operands().iter().map(|one| one.role));
        let parameters = columns.map(|role| Parameter::new(U64, parameter(role)));
        let rows = Parameter::new(U32, "rows");
        let entry = Entry {
            comment: Some(self.variant.to_string()),
            name: super::name(self.variant, self.placement),
            parameters: parameters.chain([rows]).collect(),
            block: None,
            body: whole.statements(),
        };
        DotKernel { entry, group }
    }

    /// Writes a barrier of the warp: after it, every thread sees what the others have written.
    pub fn warp_barrier(&mut self) {
        self.body.warp_barrier();
    }

    /// Writes the instruction under test.
    pub fn execute(&mut self, operands: Vec<Operand>) {
        self.body.op(Opcode::Tested(self.variant.spelling().into()), operands);
    }
}

/// Sets `d` to the remainder of `a` divided by `by`; `a` is no longer needed after it.
fn remainder(body: &mut Body, d: &str, a: &str, by: u64) {
    body.div(U32, d, a, by);
    body.mul_lo(U32, d, d, by);
    body.sub(U32, d, a, d);
}

/// Returns the name of the parameter with the address of a role's column.
pub fn parameter(role: Role) -> String {
    format!("column_{}", role.name().replace('-', "_"))
}

/// Puts registers into braces.
pub fn vector(names: impl IntoIterator<Item = String>) -> Operand {
    Operand::Vector(names.into_iter().map(Operand::Register).collect())
}
