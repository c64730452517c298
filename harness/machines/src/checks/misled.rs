//! Tests what a warp's fragments, selectors and registers are for: a device that mistakes them computes other sums, in
//! kernels of either placement. No value of an operand alone could show it.

use std::ops::Range;

use isa::matrix::MatrixVariant;
use ptx::Placement;
use ptx::syntax::Operand;

use super::dots::{Mismatches, mismatches};
use crate::interpreter::{Emulated, Tested, Values, WARP};

/// A mistake of a device about the operands or results of a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// Rows of A that stand beside each other are exchanged.
    Rows,
    /// Columns of B that stand beside each other are exchanged.
    Columns,
    /// Terms of A are exchanged with terms beside them, and those of B are not.
    Terms,
    /// Rows of C that stand beside each other are exchanged.
    Addends,
    /// Metadata are taken from the first threads, whatever the selector.
    MetadataThread,
    /// Metadata of rows that are eight apart are exchanged.
    MetadataRows,
    /// Scales of A are taken from the lowest byte, whatever the selector.
    ByteOfA,
    /// Scales of A are taken from the first pair of threads, whatever the selector.
    ThreadOfA,
    /// Scales of B are taken from the lowest byte, whatever the selector.
    ByteOfB,
    /// Scales of B are taken from the first thread, whatever the selector.
    ThreadOfB,
    /// Sums are exchanged between columns.
    Sums,
    /// Where D and an operand share a register, the operand is overwritten too early.
    InPlace,
    /// A single place of D is wrong, row 1 and column 2 or so.
    Place,
}

/// The places of an instruction's operands among its sources, which have those in braces one by one.
struct Sources {
    a: Range<usize>,
    b: Range<usize>,
    c: Range<usize>,
    metadata: Option<usize>,
    scales: Option<usize>,
    /// The number of chunks of a row's metadata.
    chunks: u32,
}

impl Sources {
    /// Finds the operands of an instruction among its sources, as the builder of instructions has them.
    fn of(variant: &MatrixVariant) -> Sources {
        let instruction = ptx::matrix(variant.spelling(), &variant.words());
        let sizes: Vec<usize> = instruction.operands.iter().map(Operand::size).collect();
        let [_, a, b, c, rest @ ..] = &sizes[..] else { panic!("{variant}") };
        let (b, c, end) = (*a..a + b, a + b..a + b + c, a + b + c);
        let metadata = variant.dot().sparsity.map(|_| end);
        // Metadata are two sources, of which the second is the selector.
        let scales = variant.dot().scales.map(|_| if metadata.is_some() { end + 2 } else { end });
        assert!(scales.is_none() || rest.len() >= 4, "{variant}");
        let chunks = variant.dot().sparsity.map_or(0, |sparsity| variant.dot().k / sparsity.chunk());
        Sources { a: 0..*a, b, c, metadata, scales, chunks }
    }
}

/// Exchanges the values of threads whose numbers differ in a bit.
fn exchanged(values: &mut [Values], bit: usize) {
    for register in values {
        // The lowest two bits are the place of a thread in its group of four, and the others number the group.
        let before = *register;
        *register = std::array::from_fn(|thread| before[thread ^ bit]);
    }
}

impl Mistake {
    const ALL: [Mistake; 13] = [
        Mistake::Rows,
        Mistake::Columns,
        Mistake::Terms,
        Mistake::Addends,
        Mistake::MetadataThread,
        Mistake::MetadataRows,
        Mistake::ByteOfA,
        Mistake::ThreadOfA,
        Mistake::ByteOfB,
        Mistake::ThreadOfB,
        Mistake::Sums,
        Mistake::InPlace,
        Mistake::Place,
    ];

    /// Whether a device can make the mistake in an instruction: there must be something to mistake.
    fn concerns(self, variant: &MatrixVariant, of: &Sources) -> bool {
        let scales = variant.dot().scales.map(|scales| scales.count);
        match self {
            Mistake::MetadataThread => of.metadata.is_some() && of.chunks < 16,
            Mistake::MetadataRows => of.metadata.is_some(),
            Mistake::ByteOfA | Mistake::ByteOfB => scales.is_some_and(|count| count < 4),
            Mistake::ThreadOfA | Mistake::ThreadOfB => scales.is_some(),
            _ => true,
        }
    }

    /// Executes an instruction with the mistake.
    fn execute(
        self,
        unit: &mut Emulated,
        of: &Sources,
        tested: &Tested,
        sources: &[Values],
    ) -> Vec<Values> {
        let mut sources = sources.to_vec();
        let zero = [0; WARP];
        match self {
            Mistake::Rows => exchanged(&mut sources[of.a.clone()], 4),
            Mistake::Columns => exchanged(&mut sources[of.b.clone()], 4),
            Mistake::Terms => exchanged(&mut sources[of.a.clone()], 1),
            Mistake::Addends => exchanged(&mut sources[of.c.clone()], 4),
            Mistake::MetadataThread => sources[of.metadata.unwrap() + 1] = zero,
            // Where a row has 64 bits, threads beside each other have these rows; else the halves of a word.
            Mistake::MetadataRows => {
                let words = &mut sources[of.metadata.unwrap()];
                match of.chunks {
                    16 => exchanged(std::slice::from_mut(words), 1),
                    _ => *words = words.map(|word| (word as u32).rotate_left(16).into()),
                }
            }
            // Behind each word of scales stand its byte and its thread, each as a source of its own.
            Mistake::ByteOfA => sources[of.scales.unwrap() + 1] = zero,
            Mistake::ThreadOfA => sources[of.scales.unwrap() + 2] = zero,
            Mistake::ByteOfB => sources[of.scales.unwrap() + 4] = zero,
            Mistake::ThreadOfB => sources[of.scales.unwrap() + 5] = zero,
            Mistake::InPlace if tested.in_place => sources[of.b.start] = zero,
            Mistake::Sums | Mistake::InPlace | Mistake::Place => {}
        }
        let mut results = unit.execute(tested, &sources).unwrap_or_else(|_| {
            // Metadata that mean nothing: such a device gives anything.
            let count = ptx::matrix(tested.spelling, &tested.matrix.unwrap().words()).operands[0].size();
            vec![[0x3c00_3c00; WARP]; count]
        });
        match self {
            Mistake::Sums => exchanged(&mut results, 1),
            // Thread 5 is the second one of the second group.
            Mistake::Place => results[0][5] ^= 1,
            _ => {}
        }
        results
    }
}

/// The instructions that are tested: one of each kind of fragments, selectors and shapes.
const VARIANTS: [&str; 9] = [
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
    "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e5m2.f32.ue8m0",
    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
    "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
];

#[test]
fn what_a_device_mistakes_changes_sums() {
    let mut made = 0;
    for text in VARIANTS {
        let variant: MatrixVariant = text.parse().unwrap();
        let sources = Sources::of(&variant);
        for mistake in Mistake::ALL.into_iter().filter(|mistake| mistake.concerns(&variant, &sources)) {
            made += 1;
            for placement in [Placement::Diagonal, Placement::Tile] {
                let mut unit = Emulated::default();
                let mut execute = |tested: &Tested, values: &[Values]| {
                    Ok(mistake.execute(&mut unit, &sources, tested, values))
                };
                let Mismatches { rows, wrong } = mismatches(&variant, placement, &mut execute);
                assert!(wrong > 0, "{mistake:?} of {text}, {placement:?}: all {rows} are right");
            }
        }
    }
    // As many as `docs/what/matrix-limits.md` says.
    assert_eq!(made, 78);
}
