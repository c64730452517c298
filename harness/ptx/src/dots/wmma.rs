//! Writes kernels that test `wmma.mma`. PTX does not say which elements of a fragment a thread holds, so matrices are
//! put into shared memory and loaded from there by `wmma.load`, and sums go back by `wmma.store`. Each warp is a block
//! of its own.
//!
//! A kernel has the instruction under test eight times, in *ways* that differ in the registers that operands share, such
//! as D in the registers of C; three bits of the group's number choose the way that is run ([`super::ways`]). With
//! [`Placement::Tile`], all elements of D are dots of the batch. With [`Placement::Diagonal`], eight dots of the batch
//! stand on a diagonal of D, and the addend of a dot fills its row of C.

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
    /// The number of rows of the matrix, and the number of elements of each row, as the batch has them: the columns of B
    /// are rows there.
    rows_and_elements: [u32; 2],
    /// Whether the elements of a row lie beside each other in shared memory; if not, those of a column do.
    row_is_contiguous: bool,
    /// The bits from one element of a row in the batch to the next; 0 if all elements of the row are one element there,
    /// as in C on a diagonal.
    batch_step: u32,
    /// Order of the elements in shared memory, as the instruction calls it: `row` or `col`.
    layout: &'static str,
}

impl Staged {
    /// Returns where an element lies in the shared memory of the matrix, in bytes.
    fn address(&self, [row, inner]: ElementPlace) -> u32 {
        let [rows, each] = self.rows_and_elements;
        let number = if self.row_is_contiguous { row * each + inner } else { inner * rows + row };
        self.operand.stride / 8 * number
    }

    /// Returns the size of the matrix in shared memory, in bytes.
    fn bytes(&self) -> u32 {
        let [rows, each] = self.rows_and_elements;
        self.operand.stride / 8 * rows * each
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
    let addend_step = if placement == Placement::Tile { c.stride } else { 0 };
    let matrix = |name, operand, side, rows_and_elements, row_is_contiguous, batch_step, layout| {
        Staged { name, operand, side, rows_and_elements, row_is_contiguous, batch_step, layout }
    };
    let matrices = [
        matrix("a", a, FactorSide::A, [m, k], a_layout == "row", a.stride, a_layout),
        matrix("b", b, FactorSide::B, [n, k], b_layout == "col", b.stride, b_layout),
        matrix("c", c, FactorSide::A, [m, n], true, addend_step, "row"),
    ];
    let sums = matrix("d", d, FactorSide::A, [m, n], true, addend_step, "row");
    let products_per_instruction = 1;
    let mut writer = Writer::new(variant, placement, [m, n], products_per_instruction, WARP, WAYS);
    writer.begin();
    let bases: Vec<String> = matrices
        .iter()
        .chain([&sums])
        .map(|matrix| writer.shared(&format!("matrix_{}", matrix.name), matrix.bytes()))
        .collect();
    for (matrix, base) in matrices.iter().zip(&bases) {
        // On the diagonal all elements of a row of C are one element of the batch, so no word of several can be loaded.
        let pieces = match (matrix.row_is_contiguous, matrix.name) {
            (false, _) => Pieces::Down,
            (true, "c") => Pieces::Elements,
            (true, _) => Pieces::Words,
        };
        let pieces = pieces.of(matrix.rows_and_elements, matrix.operand.stride, WARP);
        writer.stage(&matrix.operand, &pieces, matrix.side, matrix.batch_step, base, |place| {
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
    let matrices = Matrices {
        // PTX does not say which elements a register holds, so no two registers of C are taken for equal.
        alike: (0..registers[2].len()).collect(),
        operands: registers.try_into().ok()?,
        // Fragments have registers of 32 bits, or of 64 for f64; two sums of 16 bits share one.
        sums: (sizes[0], d.stride.max(32)),
    };
    // Nothing follows the matrices: `wmma.mma` has no selectors and no scales.
    ways::write(&mut writer, &matrices, |_, _| Vec::new());
    let base = &bases[3];
    let each = vector((0..sizes[0]).map(|number| format!("d{number}")));
    transfer(&mut writer, "store", &sums, [Operand::Memory { base: base.clone(), offset: None }, each]);
    writer.warp_barrier();
    let pieces = Pieces::Elements.of(sums.rows_and_elements, d.stride, WARP);
    // An address is the sum of a part that the lane decides, which is computed once, and a part that the piece decides.
    let at = writer.shared_lane(&pieces, base, |place| sums.address(place));
    for (number, places) in pieces.each().enumerate() {
        let into = writer.numbered("%sum", number, d.stride);
        // A piece of `Pieces::Elements` is one element, so it has one place.
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
    let [rows, each] = matrix.rows_and_elements;
    let stride = if matrix.row_is_contiguous { each } else { rows };
    let operands = operands.into_iter().chain([u64::from(stride).into()]);
    writer.body.op(Opcode::read(&text), operands);
}
