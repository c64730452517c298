//! The list of places where ptxas and the table of matrix instructions are known to disagree, with the reasons why the
//! table has it its way.

use std::collections::HashMap;
use std::sync::OnceLock;

use isa::Target;
use isa::matrix::expand;

use super::super::Direction;
use super::super::compare::KnownDisagreement;
use super::super::question::AssemblerQuestion;
use super::question::{MatrixQuestion, instruction};

/// A known disagreement.
pub struct MatrixDisagreement {
    /// The spellings as the table would have them, with that part of a variant's name which its operands show.
    syntax: &'static str,
    /// The direction: which of ptxas and the table takes the spellings.
    direction: Direction,
    /// The targets: the row holds for each of them and for whatever offers the same, see [`Target::offers`].
    targets: Vec<Target>,
    /// The reason why the table has it its way.
    reason: &'static str,
}

impl MatrixDisagreement {
    fn accepted(syntax: &'static str, targets: &str, reason: &'static str) -> MatrixDisagreement {
        let targets = targets.split(',').map(|target| target.parse().expect("a target")).collect();
        MatrixDisagreement { syntax, direction: Direction::Accepted, targets, reason }
    }

    /// Returns the names that the row makes a claim on.
    pub fn claims(&self) -> Vec<String> {
        expand(self.syntax)
    }
}

/// Returns for each row of a list the numbers of the questions that it makes a claim on.
pub fn claimed(questions: &[MatrixQuestion], list: &[MatrixDisagreement]) -> Vec<Vec<u32>> {
    let places: HashMap<&str, u32> = (0..).zip(questions).map(|(at, of)| (of.text(), at)).collect();
    let number = |name: String| places.get(instruction(&name).as_str()).copied();
    list.iter().map(|row| row.claims().into_iter().filter_map(number).collect()).collect()
}

impl KnownDisagreement<MatrixQuestion> for MatrixDisagreement {
    fn says(&self) -> (&'static str, Direction, &'static str) {
        (self.syntax, self.direction, self.reason)
    }

    fn concerns(&self, target: Target) -> bool {
        self.targets.iter().any(|&first| target.offers(first))
    }
}

/// Returns the list of known disagreements. Each row holds for every spelling and target that it names, and one that
/// no longer does fails the run.
#[rustfmt::skip] // one row, one line
pub fn rows() -> &'static [MatrixDisagreement] {
    static ROWS: OnceLock<Vec<MatrixDisagreement>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let takes = MatrixDisagreement::accepted;
        vec![
            takes("wmma.mma.sync.aligned.layout.layout.m16n16k8|m16n16k16{.rnd}.f64.f64.f64.f64",                                    "sm_80",                    "the manual has m8n8k4 alone"),
            takes("mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32",                                                              "sm_80",                    "in no document; no matrix instruction is emitted, and a register is stored that was never set"),
            takes("mma.sync.aligned.m16n8k16.kind::f8f6f4.row.col.acc.f8.f8.acc",                                                   "sm_100f,sm_110f,sm_120f",  "the manual has m16n8k32 alone; the same as without a kind"),
            takes("mma.sync.aligned.m16n8k16.row.col.kind::f8f6f4.acc.f8.f8.acc",                                                   "sm_100f,sm_110f,sm_120f",  "the manual has m16n8k32 alone; the same as without a kind"),
            takes("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4|kind::f16|kind::tf32.acc.f8.f8.acc",                              "sm_100f,sm_110f",          "the manual has kinds on sm_120 alone; the same as without one"),
            takes("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.acc.f8.f8.acc",                                                 "sm_100f,sm_110f,sm_120f",  "the manual requires .block_scale; the same as without a kind"),
            takes("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4|kind::f16|kind::tf32.f32.f8.f8.f32",         "sm_100f,sm_110f",          "the manual has kinds on sm_120 alone; the same as without one"),
            takes("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.f32.f8.f8.f32",                            "sm_100f,sm_110f,sm_120f",  "the manual requires .block_scale; the same as without a kind"),
            takes("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col{.kind::mxf8f6f4}.f16.f8.f8.f16",                          "sm_120f",                  "the manual has f16 with .kind::f8f6f4 alone"),
            takes("wgmma.mma_async.sync.m64n8k16.f16|f32.f16.f16(a-desc|a-regs)",                                                   "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sync.m64n8k16.f32.bf16.bf16(a-desc|a-regs)",                                                     "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sync.m64n8k8.f32.tf32.tf32(a-desc|a-regs)",                                                      "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sync.m64n8k32.f16|f32.f8.f8(a-desc|a-regs)",                                                     "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sp.sync.m64n8k32.f16|f32.f16.f16(a-desc|a-regs)",                                                "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sp.sync.m64n8k32.f32.bf16.bf16(a-desc|a-regs)",                                                  "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sp.sync.m64n8k16.f32.tf32.tf32(a-desc|a-regs)",                                                  "sm_90a",                   "the manual requires .aligned"),
            takes("wgmma.mma_async.sp.sync.m64n8k64.f16|f32.f8.f8(a-desc|a-regs)",                                                  "sm_90a",                   "the manual requires .aligned"),
        ]
    })
}
