//! Tests of matrix instructions, held to their contract or to what a target computes.

use super::*;

const TEXT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
const ROWS: usize = 64;

/// The tensor cores of sm_90, with another last bit in one row.
struct OneBit(Emulator, Option<usize>);

impl Worker for OneBit {
    fn run(&mut self, _: &Variant, _: &[Column], _: &mut [Column]) -> Result<()> {
        bail!("nobody asks")
    }

    fn run_dots(
        &mut self,
        variant: &isa::matrix::MatrixVariant,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        self.0.run_dots(variant, operands, results)?;
        if let Some(row) = self.1 {
            let other = results[0].get(row) ^ 1;
            results[0].set(row, other);
        }
        Ok(())
    }
}

/// A changed last bit is within the contract's bounds, and not what the model computes; a target without the
/// instruction is no model of it.
#[test]
fn a_model_is_of_every_bit_and_a_contract_is_not() {
    let target = |text: &str| text.parse::<Target>().unwrap();
    let (emulator, lacks) = (Emulator::of(target("sm_90")), target("sm_70"));
    let plan = Plan::new(RunRequest::of(Tier::Quick, vec![TEXT.into()]), &emulator).unwrap();
    let task = plan.tasks.iter().max_by_key(|task| task.vectors).unwrap();
    let block = Block { task: 0, number: 1, first: 0, rows: ROWS };
    let judged = |model: Option<Target>, row: Option<usize>| {
        let mut judge = BlockJudge::held_to(task.subject(), Judging::Screened, model);
        judge.run_block(task, block, 0, &mut OneBit(emulator, row)).unwrap()
    };
    for model in [None, Some(target("sm_90")), Some(lacks)] {
        let right = judged(model, None);
        assert_eq!((right.vectors, right.mismatches), (ROWS as u64, 0));
        assert!(model != Some(target("sm_90")) || right.results == right.expected);
    }
    let one = |model| (0..ROWS).map(|row| judged(model, Some(row)).mismatches).collect::<Vec<_>>();
    assert_eq!(one(Some(target("sm_90"))), [1; ROWS]);
    let contract = one(None);
    assert!(contract.contains(&0), "{contract:?}");
    assert_eq!(one(Some(lacks)), contract);
}
