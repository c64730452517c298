//! Writes the part of a kernel for a matrix instruction that loads rows of a batch's columns into fragments, which are
//! the registers that the threads of a warp hold of a matrix, and the part that stores the sums of D in their column.

use isa::matrix::{DotOperand, Role};

use super::Placement;
use super::fragment::{ElementPlace, Fragment, SIDE};
use super::writer::{FactorSide, Writer};
use crate::syntax::{B16, B32, B64, Binary, Operand, Relation, Scalar, Space, U32, U64};

/// A number that no row and no column of a batch has: `%wanted` becomes it where a sum is not to be stored.
const NOBODY: u64 = 1 << 31;

impl Writer<'_> {
    /// Loads a fragment from the rows of a column into the registers `name0`, `name1` …. `unit` is how many bits of a
    /// row the second coordinate of a place moves on.
    pub fn load(
        &mut self,
        name: &str,
        operand: &DotOperand,
        fragment: &Fragment,
        side: FactorSide,
        unit: u32,
    ) {
        let column = self.column(operand.role);
        let plain = name.trim_start_matches('%');
        let (row, inner) = (format!("%{plain}_row"), format!("%{plain}_bytes"));
        self.lane_part(&row, fragment.lanes.iter().map(|&[row, _]| row));
        if unit > 0 {
            self.lane_part(&inner, fragment.lanes.iter().map(|&[_, inner]| inner * unit / 8));
        }
        // Several products stand on a diagonal, so a column of C is taken within its own product. N is a power of two.
        if unit > 0 && operand.role == Role::C && self.products > 1 {
            self.body.and(B32, &inner, &inner, u64::from(self.sides[1] * unit / 8 - 1));
        }
        // Elements of one row share an address, which is computed once.
        let mut rows: Vec<u32> = fragment.elements.iter().map(|&[row, _]| row).collect();
        rows.sort_unstable();
        rows.dedup();
        let at = |row: u32| format!("%{plain}_at{row}");
        for &offset in &rows {
            self.index(side, &row, offset);
            // Rows beyond the last belong to no dot; they load the last row instead.
            // In tiles an addend is found from its row's first sum, so the last row begins N sums before the end.
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
            // Elements that lie beside each other fill their register by one load.
            let consecutive = unit == fragment.stride
                && places.iter().enumerate().all(|(term, &[row, inner])| {
                    [row, inner] == [places[0][0], places[0][1] + term as u32]
                });
            let offset = |[_, inner]: ElementPlace| u64::from(inner * unit / 8);
            if consecutive || places.len() == 1 {
                let ty = Scalar::Bits(fragment.width());
                self.body.ld(Space::Global, ty, &into, &at(places[0][0]), offset(places[0]));
                continue;
            }
            // Otherwise the two elements of a register, of 16 bits each, are loaded one by one. No other fragment has
            // elements in a register that lie apart.
            debug_assert_eq!((places.len(), fragment.stride), (2, 16), "{}: {name}", self.variant);
            let halves = ["%low", "%high"].map(|half| self.register(B16, half));
            for (half, &place) in halves.iter().zip(places) {
                self.body.ld(Space::Global, B16, half, &at(place[0]), offset(place));
            }
            self.pack(&into);
        }
    }

    /// Joins `%low` and `%high` in the register `into`.
    pub fn pack(&mut self, into: &str) {
        self.body.mov(B32, into, Operand::from(["%low", "%high"]));
    }

    /// Returns the register `name` with a number behind it, such as `name0`, of at least 32 bits.
    pub fn numbered(&mut self, name: &str, number: usize, width: u32) -> String {
        self.register(Scalar::Bits(width.max(32)), format!("{name}{number}"))
    }

    /// Stores those elements of a fragment of D that are dots of the batch.
    pub fn store(&mut self, name: &str, fragment: &Fragment) {
        let result = self.variant.result();
        let (column, bytes) = (self.column(Role::D), result.row_bytes() as u64);
        self.lane_part("%d_row", fragment.lanes.iter().map(|&[row, _]| row));
        self.lane_part("%d_column", fragment.lanes.iter().map(|&[_, column]| column));
        // In the order of rows, so that a row's address is computed once for all of its elements.
        let mut last = None;
        let mut order: Vec<(usize, ElementPlace)> =
            fragment.elements.iter().copied().enumerate().collect();
        order.sort_by_key(|&(_, [row, _])| row);
        self.register(B64, "%d_at");
        for (element, [row, inner]) in order {
            if last.replace(row) != Some(row) {
                self.row_of_sums(row, &column, bytes);
            }
            let register = format!("{name}{}", element as u32 / fragment.packed);
            let from = match (fragment.packed, element as u32 % fragment.packed) {
                (1, _) => register,
                (packed, half) => {
                    // Sums are of 16 bits, two in a register, or fill one.
                    debug_assert_eq!((packed, fragment.stride), (2, 16), "{}: {name}", self.variant);
                    let halves = ["%low", "%high"].map(|half| self.register(B16, half));
                    self.body.mov(B32, Operand::from(["%low", "%high"]), register.as_str());
                    halves[half as usize].clone()
                }
            };
            self.store_one(inner, &from, bytes);
        }
    }

    /// Sets `%d_at` to the address of the sum in D's row `row` behind `%d_row`, or in tiles to the address of that
    /// row's first sum. On a diagonal `%wanted` becomes the number of the sum's dot in the group, with the block of
    /// eight columns that it counts in, or `NOBODY`.
    pub fn row_of_sums(&mut self, row: u32, column: &str, bytes: u64) {
        self.index(FactorSide::A, "%d_row", row);
        self.register(B32, "%wanted");
        let (products, body) = (self.products, &mut self.body);
        if self.placement == Placement::Diagonal {
            // A sum counts only in the chosen blocks of eight rows and eight columns, and within the batch.
            body.sub(U32, "%wanted", "%index", "%base");
            // Where there are several products, each is one block of eight rows and columns, and always the chosen one.
            if products == 1 {
                let eighth = u64::from(SIDE.ilog2());
                body.add(U32, "%t", "%d_row", u64::from(row));
                body.shr(U32, "%t", "%t", eighth);
                body.setp(Relation::Equal, U32, "%p", "%t", "%copy_a");
                // Above the dot's number stands the block of columns that it counts in, as `store_one` computes it.
                body.shl(B32, "%t", "%copy_b", eighth);
                body.or(B32, "%wanted", "%wanted", "%t");
                body.selp(B32, "%wanted", "%wanted", NOBODY, "%p");
            }
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

    /// Sets `%wanted` to `NOBODY` where the row's controls are not `%controls`, so that only the others count.
    fn of_these_controls(&mut self) {
        let column = self.column(Role::Controls);
        for (ty, name) in [(B64, "%controls_at"), (B32, "%t")] {
            self.register(ty, name);
        }
        let body = &mut self.body;
        // Rows beyond the last have no controls: they read the last row's, and are not stored anyway.
        body.min(U32, "%t", "%index", "%last");
        body.mad(Binary::MulWide, U32, "%controls_at", ["%t".into(), Operand::from(1)], &column);
        body.ld(Space::Global, Scalar::Bits(8), "%t", "%controls_at", 0);
        body.setp(Relation::Equal, U32, "%p", "%t", "%controls");
        body.selp(B32, "%wanted", "%wanted", NOBODY, "%p");
    }

    /// Stores the sum in `from` if it is a dot of the batch; its column of D is the lane's column `%d_column` plus
    /// `inner`.
    pub fn store_one(&mut self, inner: u32, from: &str, bytes: u64) {
        let side = u64::from(self.sides[1] - 1);
        let ty = Scalar::Bits(8 * bytes as u32);
        let body = &mut self.body;
        body.add(U32, "%t", "%d_column", u64::from(inner));
        match self.placement {
            Placement::Diagonal => {
                if self.products == 1 {
                    // The number of the dot in the column, and the column's block of eight.
                    self.register(B32, "%eighth");
                    let (body, low) = (&mut self.body, u64::from(SIDE - 1));
                    body.shr(U32, "%eighth", "%t", u64::from(SIDE.ilog2()));
                    // This is the formula by which `index` turns columns of B, so both agree on which dot a column has.
                    body.xor(B32, "%t", "%t", "%turn");
                    body.add(U32, "%t", "%t", "%eighth");
                    body.and(B32, "%t", "%t", low);
                    body.shl(B32, "%eighth", "%eighth", u64::from(SIDE.ilog2()));
                    body.or(B32, "%t", "%t", "%eighth");
                } else {
                    body.xor(B32, "%t", "%t", "%turn");
                }
                let body = &mut self.body;
                body.setp(Relation::Equal, U32, "%p", "%t", "%wanted");
                body.st_where("%p", Space::Global, ty, "%d_at", from);
            }
            Placement::Tile => {
                if self.products > 1 {
                    body.and(B32, "%t", "%t", side);
                }
                // With `NOBODY` for the row the sum is beyond the last row, and is not stored.
                body.add(U32, "%index", "%wanted", "%t");
                body.setp(Relation::Less, U32, "%p", "%index", "%rows");
                self.register(B64, "%place");
                let (t, unit) = ("%t".into(), Operand::from(bytes));
                self.body.mad(Binary::MulWide, U32, "%place", [t, unit], "%d_at");
                self.body.st_where("%p", Space::Global, ty, "%place", from);
            }
        }
    }
}
