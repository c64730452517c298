//! What all kernels of dot products begin with: which dots a group of threads computes, and where in its
//! matrices they lie.

use vectors::matrix::{DotOperand, MatrixVariant, Role};

use super::fragment::{Fragment, Place, SIDE};
use super::{DotKernel, Group, Placement};
use crate::builder::Body;
use crate::syntax::{
    B16, B32, B64, Binary, Declared, Entry, Opcode, Operand, PRED, Parameter, Relation, Scalar, Space,
    U32, U64,
};

/// Writes a kernel. Its own registers begin with `%`; those of fragments have the manual's names.
pub struct Writer<'a> {
    pub variant: &'a MatrixVariant,
    pub placement: Placement,
    /// Rows and columns of a product.
    pub sides: [u32; 2],
    /// How many products an instruction computes; more than one stand on a diagonal.
    pub products: u32,
    /// Threads of a group.
    pub threads: u32,
    pub body: Body,
    declared: Vec<(Scalar, String)>,
    /// Variables in shared memory, and their bytes.
    shared: Vec<(String, u32)>,
}

/// From which side of a product a row comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A row of A, and of D.
    A,
    /// A column of B.
    B,
}

/// What matrices in shared memory are aligned to, in bytes: `wmma.load` wants 32, descriptors of `wgmma` 16.
const SHARED_ALIGNMENT: u32 = 128;

/// A row or a column that no batch has.
const NOBODY: u64 = 1 << 31;

/// How many digits of a group's number choose among ways to write the instruction.
pub const ARMS: u32 = 8;

impl<'a> Writer<'a> {
    pub fn new(
        variant: &'a MatrixVariant,
        placement: Placement,
        sides: [u32; 2],
        products: u32,
        threads: u32,
    ) -> Writer<'a> {
        Writer {
            variant,
            placement,
            sides,
            products,
            threads,
            body: Body::default(),
            declared: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// A variable in shared memory, and a register with its address.
    pub fn shared(&mut self, name: &str, bytes: u32) -> String {
        self.shared.push((name.into(), bytes));
        let at = self.register(B32, format!("%{name}_at"));
        self.body.mov(U32, at.as_str(), name);
        at
    }

    /// A register of a type, declared once.
    pub fn register(&mut self, ty: Scalar, name: impl Into<String>) -> String {
        let name = name.into();
        if !self.declared.iter().any(|(_, one)| *one == name) {
            self.declared.push((ty, name.clone()));
        }
        name
    }

    /// The rows of a batch that a group has.
    pub fn dots(&self) -> u32 {
        let [m, n] = self.sides;
        self.products * if self.placement == Placement::Tile { m * n } else { SIDE }
    }

    /// Which group this is, its first row, and what its number says of places. Groups without rows return.
    pub fn begin(&mut self) {
        for name in ["%lane", "%group", "%base", "%rows", "%last", "%arm", "%t", "%index"] {
            self.register(B32, name);
        }
        self.register(PRED, "%p");
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
        body.and(B32, "%arm", "%group", u64::from(ARMS - 1));
        if tile {
            return;
        }
        // The digits of the group's number: how A's rows and B's columns are turned against each other, and
        // in which eighth of either side the dots are taken from.
        for name in ["%turn", "%copy_a", "%copy_b"] {
            self.register(B32, name);
        }
        let body = &mut self.body;
        body.shr(U32, "%t", "%group", u64::from(ARMS.ilog2()));
        body.and(B32, "%turn", "%t", u64::from(SIDE - 1));
        body.shr(U32, "%t", "%t", u64::from(SIDE.ilog2()));
        for (copy, side) in [("%copy_a", m), ("%copy_b", n)] {
            let copies = u64::from(side / SIDE);
            body.binary_with(Binary::Div, U32, copy, "%t", copies);
            body.mul_lo(U32, "%index", copy, copies);
            body.sub(U32, "%index", "%t", "%index");
            body.mov(U32, "%t", copy);
            body.mul_lo(U32, copy, "%index", u64::from(SIDE));
        }
    }

    /// `into` is the sum of what the bits of the lane add.
    pub fn lane_part(&mut self, into: &str, bits: impl IntoIterator<Item = u32>) {
        self.register(B32, into);
        let bits: Vec<u32> = bits.into_iter().collect();
        self.body.mov(U32, into, 0);
        let mut at = 0;
        while at < bits.len() {
            // A run of bits of which each adds twice what the one before does.
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

    /// `%index` is the row of the batch that has a side's row of the matrices: `row` plus `offset`.
    pub fn index(&mut self, side: Side, row: &str, offset: u32) {
        let [m, n] = self.sides.map(u64::from);
        let products = u64::from(self.products);
        let body = &mut self.body;
        body.add(U32, "%index", row, u64::from(offset));
        match (self.placement, side) {
            (Placement::Diagonal, _) => {
                if side == Side::B {
                    body.xor(B32, "%index", "%index", "%turn");
                }
                body.and(B32, "%index", "%index", products * u64::from(SIDE) - 1);
            }
            (Placement::Tile, Side::A) => body.mul_lo(U32, "%index", "%index", n),
            (Placement::Tile, Side::B) if products > 1 => {
                // The number of the product stands above its column.
                body.and(B32, "%t", "%index", n - 1);
                body.sub(U32, "%index", "%index", "%t");
                body.mad(Binary::MulLow, U32, "%index", ["%index".into(), Operand::from(m)], "%t");
            }
            (Placement::Tile, Side::B) => {}
        }
        body.add(U32, "%index", "%index", "%base");
    }

    /// The address of a role's column, loaded once.
    pub fn column(&mut self, role: Role) -> String {
        let name = format!("%{}", parameter(role));
        if !self.declared.iter().any(|(_, one)| *one == name) {
            self.register(B64, name.clone());
            self.body.ld_param(U64, &name, parameter(role));
            self.body.to_global(&name);
        }
        name
    }

    /// Loads a fragment into the registers `name0`, `name1` …, from the rows of a column; `unit` is how many
    /// bits its second coordinate moves on.
    pub fn load(
        &mut self,
        name: &str,
        operand: &DotOperand,
        fragment: &Fragment,
        side: Side,
        unit: u32,
    ) {
        let column = self.column(operand.role);
        let plain = name.trim_start_matches('%');
        let (row, inner) = (format!("%{plain}_row"), format!("%{plain}_bytes"));
        self.lane_part(&row, fragment.lanes.iter().map(|&[row, _]| row));
        if unit > 0 {
            self.lane_part(&inner, fragment.lanes.iter().map(|&[_, inner]| inner * unit / 8));
        }
        if unit > 0 && operand.role == Role::C && self.products > 1 {
            self.body.and(B32, &inner, &inner, u64::from(self.sides[1] * unit / 8 - 1));
        }
        let mut rows: Vec<u32> = fragment.elements.iter().map(|&[row, _]| row).collect();
        rows.sort_unstable();
        rows.dedup();
        let at = |row: u32| format!("%{plain}_at{row}");
        for &offset in &rows {
            self.index(side, &row, offset);
            // Rows beyond the last are those of nobody, and load what is there.
            let last = match (operand.role, self.placement) {
                (Role::C, Placement::Tile) => {
                    self.body.sub(U32, "%t", "%rows", u64::from(self.sides[1]));
                    "%t"
                }
                _ => "%last",
            };
            self.body.min(U32, "%index", "%index", last);
            let (at, bytes) = (self.register(B64, at(offset)), operand.row_bytes() as u64);
            self.body.mad(Binary::MulWide, U32, &at, ["%index".into(), Operand::from(bytes)], &column);
            if unit > 0 {
                self.register(B64, "%wide");
                self.body.cvt(U64, U32, "%wide", inner.as_str());
                self.body.add(U64, &at, at.as_str(), "%wide");
            }
        }
        for (number, places) in fragment.each().enumerate() {
            let into = self.numbered(name, number, fragment.width());
            let consecutive = unit == fragment.stride
                && places.iter().enumerate().all(|(term, &[row, inner])| {
                    [row, inner] == [places[0][0], places[0][1] + term as u32]
                });
            let offset = |[_, inner]: Place| u64::from(inner * unit / 8);
            if consecutive || places.len() == 1 {
                let ty = Scalar::Bits(fragment.width());
                self.body.ld(Space::Global, ty, &into, &at(places[0][0]), offset(places[0]));
                continue;
            }
            let halves = ["%low", "%high"].map(|half| self.register(B16, half));
            for (half, &place) in halves.iter().zip(places) {
                self.body.ld(Space::Global, B16, half, &at(place[0]), offset(place));
            }
            self.pack(&into);
        }
    }

    /// A register of `%low` and `%high`.
    pub fn pack(&mut self, into: &str) {
        self.body.mov(B32, into, Operand::from(["%low", "%high"]));
    }

    /// Register `name0`, or of another number; of 32 bits at least.
    pub fn numbered(&mut self, name: &str, number: usize, width: u32) -> String {
        self.register(Scalar::Bits(width.max(32)), format!("{name}{number}"))
    }

    /// Stores a fragment of D, the elements that are dots of the batch.
    pub fn store(&mut self, name: &str, fragment: &Fragment) {
        let result = self.variant.result();
        let (column, bytes) = (self.column(Role::D), result.row_bytes() as u64);
        self.lane_part("%d_row", fragment.lanes.iter().map(|&[row, _]| row));
        self.lane_part("%d_column", fragment.lanes.iter().map(|&[_, column]| column));
        let mut rows: Vec<u32> = fragment.elements.iter().map(|&[row, _]| row).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut last = None;
        let mut order: Vec<(usize, Place)> = fragment.elements.iter().copied().enumerate().collect();
        order.sort_by_key(|&(_, [row, _])| row);
        self.register(B64, "%d_at");
        for (element, [row, inner]) in order {
            if last.replace(row) != Some(row) {
                self.row_of_sums(row, &column, bytes);
            }
            let register = format!("{name}{}", element as u32 / fragment.packed);
            let from = match (fragment.packed, element as u32 % fragment.packed) {
                (1, _) => register,
                (_, half) => {
                    let halves = ["%low", "%high"].map(|half| self.register(B16, half));
                    self.body.mov(B32, Operand::from(["%low", "%high"]), register.as_str());
                    halves[half as usize].clone()
                }
            };
            self.store_one(inner, &from, bytes);
        }
    }

    /// `%d_at` is the address of the sum of D's row `row` further on, or in tiles of its first; on a diagonal
    /// `%wanted` is the column that it has there.
    pub fn row_of_sums(&mut self, row: u32, column: &str, bytes: u64) {
        self.index(Side::A, "%d_row", row);
        self.register(B32, "%wanted");
        let body = &mut self.body;
        if self.placement == Placement::Diagonal {
            // Of the row's eighth, and within the batch; no column is the largest number.
            body.add(U32, "%t", "%d_row", u64::from(row));
            body.sub(U32, "%wanted", "%index", "%base");
            body.sub(U32, "%t", "%t", "%wanted");
            body.setp(Relation::Equal, U32, "%p", "%t", "%copy_a");
            body.add(U32, "%wanted", "%wanted", "%copy_b");
            body.selp(B32, "%wanted", "%wanted", NOBODY, "%p");
            body.setp(Relation::Less, U32, "%p", "%index", "%rows");
            body.selp(B32, "%wanted", "%wanted", NOBODY, "%p");
        } else {
            body.mov(U32, "%wanted", "%index");
        }
        if self.variant.operands().iter().any(|operand| operand.role == Role::Controls) {
            self.of_these_controls();
        }
        let body = &mut self.body;
        body.mad(Binary::MulWide, U32, "%d_at", ["%index".into(), Operand::from(bytes)], column);
    }

    /// Only those rows count whose controls are `%controls`.
    fn of_these_controls(&mut self) {
        let column = self.column(Role::Controls);
        for (ty, name) in [(B64, "%controls_at"), (B32, "%t")] {
            self.register(ty, name);
        }
        let body = &mut self.body;
        body.min(U32, "%t", "%index", "%last");
        body.mad(Binary::MulWide, U32, "%controls_at", ["%t".into(), Operand::from(1)], &column);
        body.ld(Space::Global, Scalar::Bits(8), "%t", "%controls_at", 0);
        body.setp(Relation::Equal, U32, "%p", "%t", "%controls");
        body.selp(B32, "%wanted", "%wanted", NOBODY, "%p");
    }

    /// Stores the sum in the column of a lane that is `inner` further on, where it is one.
    pub fn store_one(&mut self, inner: u32, from: &str, bytes: u64) {
        let side = u64::from(self.sides[1] - 1);
        let ty = Scalar::Bits(8 * bytes as u32);
        let body = &mut self.body;
        body.add(U32, "%t", "%d_column", u64::from(inner));
        match self.placement {
            Placement::Diagonal => {
                body.xor(B32, "%t", "%t", "%turn");
                body.setp(Relation::Equal, U32, "%p", "%t", "%wanted");
                body.st_where("%p", ty, "%d_at", 0, from);
            }
            Placement::Tile => {
                if self.products > 1 {
                    body.and(B32, "%t", "%t", side);
                }
                body.add(U32, "%index", "%wanted", "%t");
                body.setp(Relation::Less, U32, "%p", "%index", "%rows");
                self.register(B64, "%place");
                let (t, unit) = ("%t".into(), Operand::from(bytes));
                self.body.mad(Binary::MulWide, U32, "%place", [t, unit], "%d_at");
                self.body.st_where("%p", ty, "%place", 0, from);
            }
        }
    }

    /// The kernel, in blocks of so many threads.
    pub fn end(mut self, block: u32) -> DotKernel {
        self.body.ret();
        let group = Group { dots: self.dots(), threads: self.threads, block };
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
        let parameters = columns.map(|role| Parameter { ty: U64, name: parameter(role) });
        let rows = Parameter { ty: U32, name: "rows".into() };
        let entry = Entry {
            comment: Some(self.variant.to_string()),
            name: super::name(self.variant, self.placement),
            parameters: parameters.chain([rows]).collect(),
            body: whole.statements(),
        };
        DotKernel { entry, group }
    }

    /// What one thread of a warp has written, the others see.
    pub fn warp_barrier(&mut self) {
        let all = Operand::from(crate::syntax::hex(u32::MAX.into()));
        self.body.op(Opcode::WarpBarrier, [all]);
    }

    /// The instruction itself.
    pub fn execute(&mut self, operands: Vec<Operand>) {
        self.body.op(Opcode::Tested(self.variant.spelling().into()), operands);
    }
}

/// The name of a column's parameter.
pub fn parameter(role: Role) -> String {
    format!("column_{}", role.name().replace('-', "_"))
}

/// Numbered registers in braces.
pub fn vector(names: impl IntoIterator<Item = String>) -> Operand {
    Operand::Vector(names.into_iter().map(Operand::Register).collect())
}
