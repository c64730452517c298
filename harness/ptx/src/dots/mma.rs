//! Kernels of `mma` and `mma.sp`, where each thread loads its own fragments into registers.

use isa::matrix::MatrixVariant;

use super::fragment::{Fragment, Fragments, SIDE};
use super::selectors;
use super::ways::{self, Matrices};
use super::writer::{FactorSide, WAYS, Writer};
use super::{DotKernel, Placement};
use crate::warp::WARP;

/// Threads of a block.
const BLOCK: u32 = 256;

/// Returns the kernel of a variant; `None` if the variant has no fragments or no shape.
pub fn kernel(variant: &MatrixVariant, placement: Placement) -> Option<DotKernel> {
    let Fragments { a, b, c, d } = Fragments::of(variant)?;
    let [m, n, _] = variant.shape()?;
    // A warp computes four products of m8n8k4 of f16, on a diagonal.
    let products = if d.lanes.contains(&[SIDE, SIDE]) { 4 } else { 1 };
    let mut writer = Writer::new(variant, placement, [m, n], products, WARP, WAYS);
    writer.begin();
    let operand = |at: usize| variant.operands()[at];
    writer.load("a", &operand(0), &a, FactorSide::A, a.stride);
    writer.load("b", &operand(1), &b, FactorSide::B, b.stride);
    // On the diagonal a row has one addend, whatever the column; in tiles every sum has its own.
    let unit = if placement == Placement::Tile { c.stride } else { 0 };
    writer.load("c", &operand(2), &c, FactorSide::A, unit);
    let selected = selectors::of(variant.operands());
    for (one, operand) in &selected {
        one.load(&mut writer, operand);
    }
    let names = |name: &str, fragment: &Fragment| -> Vec<String> {
        (0..fragment.registers()).map(|number| format!("{name}{number}")).collect()
    };
    // On the diagonal, all elements of a row have one addend.
    let rows: Vec<Vec<u32>> =
        c.each().map(|places| places.iter().map(|&[row, _]| row).collect()).collect();
    let first = |of: &Vec<u32>| rows.iter().position(|row| row == of).unwrap_or_default();
    let matrices = Matrices {
        operands: [names("a", &a), names("b", &b), names("c", &c)],
        alike: rows.iter().map(first).collect(),
        sums: (d.registers(), d.width()),
    };
    ways::write(&mut writer, &matrices, |writer, number| {
        selected.iter().flat_map(|(one, _)| one.operands(writer, number)).collect()
    });
    writer.store("d", &d);
    Some(writer.end(BLOCK))
}
