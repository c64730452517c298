//! Writes kernels that test `wmma.mma`. PTX does not say which elements of a fragment a thread holds, so matrices are
//! put into shared memory and loaded from there by `wmma.load`, and sums go back by `wmma.store`. Each warp is a block
//! of its own.

use isa::matrix::{DotOperand, MatrixVariant};

use super::fragment::ElementPlace;
use super::shared::Pieces;
use super::ways::{self, Matrices};
use super::writer::{FactorSide, WAYS, Writer, vector};
use super::{DotKernel, Placement};
use crate::syntax::{Opcode, Operand, Scalar, Space};
use crate::warp::WARP;

/// A matrix that goes through shared memory.
struct Staged {
    /// Name of the matrix in the text.
    name: &'static str,
    /// The operand, or the result, of the dot product that is a row of the matrix.
    operand: DotOperand,
    /// The factor whose rows number those of the matrix: rows of C and D are those of A.
    side: FactorSide,
    /// Rows of the matrix and elements of each row, as the batch has them: the columns of B are rows there.
    sides: [u32; 2],
    /// Whether the elements of a row lie beside each other in shared memory.
    along: bool,
    /// Bits from one element in the batch to the next; 0 where all elements of a row are the same one.
    unit: u32,
    /// Order of the elements in shared memory, as the instruction calls it: `row` or `col`.
    layout: &'static str,
}

impl Staged {
    /// Returns where an element lies in the shared memory of the matrix, in bytes.
    fn address(&self, [row, inner]: ElementPlace) -> u32 {
        let [rows, each] = self.sides;
        self.operand.stride / 8 * if self.along { row * each + inner } else { inner * rows + row }
    }

    /// Returns the size of the matrix in shared memory, in bytes.
    fn bytes(&self) -> u32 {
        self.operand.stride / 8 * self.sides[0] * self.sides[1]
    }
}

/// Returns the kernel of a variant; `None` if it lacks a shape or the layouts of A and B.
pub fn kernel(variant: &MatrixVariant, placement: Placement) -> Option<DotKernel> {
    let [m, n, k] = variant.shape()?;
    let words = variant.words();
    let mut layouts = words.iter().filter_map(|word| match *word {
        "row" => Some("row"),
        "col" => Some("col"),
        _ => None,
    });
    let [a_layout, b_layout] = [layouts.next()?, layouts.next()?];
    let [a, b, c] = [0, 1, 2].map(|at| variant.operands()[at]);
    let d = variant.result();
    let unit = if placement == Placement::Tile { c.stride } else { 0 };
    let matrix = |name, operand, side, sides, along, unit, layout| Staged {
        name,
        operand,
        side,
        sides,
        along,
        unit,
        layout,
    };
    let matrices = [
        matrix("a", a, FactorSide::A, [m, k], a_layout == "row", a.stride, a_layout),
        matrix("b", b, FactorSide::B, [n, k], b_layout == "col", b.stride, b_layout),
        matrix("c", c, FactorSide::A, [m, n], true, unit, "row"),
    ];
    let sums = matrix("d", d, FactorSide::A, [m, n], true, unit, "row");
    let mut writer = Writer::new(variant, placement, [m, n], 1, WARP, WAYS);
    writer.begin();
    let bases: Vec<String> = matrices
        .iter()
        .chain([&sums])
        .map(|matrix| writer.shared(&format!("matrix_{}", matrix.name), matrix.bytes()))
        .collect();
    for (matrix, base) in matrices.iter().zip(&bases) {
        // On the diagonal all elements of a row of C are the same one, so no word of several can be loaded.
        let pieces = match (matrix.along, matrix.name) {
            (false, _) => Pieces::Down,
            (true, "c") => Pieces::Elements,
            (true, _) => Pieces::Words,
        };
        let pieces = pieces.of(matrix.sides, matrix.operand.stride, WARP);
        writer.stage(&matrix.operand, &pieces, matrix.side, matrix.unit, base, |place| {
            matrix.address(place)
        });
    }
    // All threads have put elements into shared memory, and each loads what others have put there.
    writer.warp_barrier();
    let sizes: Vec<usize> =
        crate::matrix(variant.spelling(), &words).operands.iter().map(Operand::size).collect();
    let mut registers = Vec::new();
    // The first operand is D, which is not loaded.
    for ((matrix, base), &size) in matrices.iter().zip(&bases).zip(&sizes[1..]) {
        let stride = matrix.operand.stride;
        let each: Vec<String> =
            (0..size).map(|number| writer.numbered(matrix.name, number, stride)).collect();
        let at = Operand::Memory { base: base.clone(), offset: None };
        transfer(&mut writer, "load", matrix, [vector(each.clone()), at]);
        registers.push(each);
    }
    // PTX does not say which elements a register holds, so none are taken for equal.
    let matrices = Matrices {
        alike: (0..registers[2].len()).collect(),
        operands: registers.try_into().ok()?,
        sums: (sizes[0], d.stride.max(32)),
    };
    ways::write(&mut writer, &matrices, |_, _| Vec::new());
    let base = &bases[3];
    let each = vector((0..sizes[0]).map(|number| format!("d{number}")));
    transfer(&mut writer, "store", &sums, [Operand::Memory { base: base.clone(), offset: None }, each]);
    writer.warp_barrier();
    let pieces = Pieces::Elements.of(sums.sides, d.stride, WARP);
    let at = writer.shared_lane(&pieces, base, |place| sums.address(place));
    for (number, places) in pieces.each().enumerate() {
        let into = writer.numbered("%sum", number, d.stride);
        let offset = sums.address(places[0]).into();
        writer.body.ld(Space::Shared, Scalar::Bits(d.stride), &into, &at, offset);
    }
    writer.store("%sum", &pieces);
    Some(writer.end(WARP))
}

/// Writes a `wmma.load` or `wmma.store` (PTX ISA 9.7.16.4.3 and 9.7.16.4.4). Its last operand is the number of
/// elements from one row or column to the next.
fn transfer(writer: &mut Writer, what: &str, matrix: &Staged, operands: [Operand; 2]) {
    // `kernel` returns early where there is no shape.
    let Some([m, n, k]) = writer.variant.shape() else { return };
    let ty = matrix.operand.format.map_or("", |format| format.name);
    let (name, layout) = (matrix.name, matrix.layout);
    let text = format!("wmma.{what}.{name}.sync.aligned.{layout}.m{m}n{n}k{k}.shared.{ty}");
    let stride = if matrix.along { matrix.sides[1] } else { matrix.sides[0] };
    let operands = operands.into_iter().chain([u64::from(stride).into()]);
    writer.body.op(Opcode::read(&text), operands);
}
