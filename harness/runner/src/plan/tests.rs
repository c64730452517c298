//! Tests of plans, and of the blocks that they are cut into.

use implementations::{Description, Emulator, Worker};
use isa::Variant;
use selection::budget::Tier;

use super::*;
use crate::request::Shard;

fn plan(shard: Option<Shard>) -> Plan {
    Plan::new(request(shard), &Emulator::scalar()).unwrap()
}

fn request(shard: Option<Shard>) -> RunRequest {
    RunRequest {
        tier: Tier::Quick,
        seed: 1,
        only: vec!["mul.f16".into(), "fma.rn.oob.bf16x2".into()],
        skip: Vec::new(),
        target: None,
        model: None,
        shard,
        judging: Judging::Screened,
    }
}

/// A model is refused where no matrix instruction is selected: who names a model believes that something is held to
/// it.
#[test]
fn a_model_of_nothing_is_refused() {
    let model = || Some("sm_90".parse().unwrap());
    let error = |request| Plan::new(request, &Emulator::scalar()).err().map(|why| why.to_string());
    let refused = error(RunRequest { model: model(), ..request(None) }).unwrap();
    assert!(refused.starts_with("--model sm_90 is for matrix instructions"), "{refused}");
    let mut both = RunRequest { model: model(), ..request(None) };
    both.only.push("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".into());
    assert_eq!(error(both), None);
}

/// An implementation that could try all triples.
struct Fast(Emulator);

impl Implementation for Fast {
    fn describe(&self) -> Description {
        self.0.describe()
    }

    fn support(&self, variant: &Variant) -> Support {
        Implementation::support(&self.0, variant)
    }

    fn judges_triples(&self, _variant: &Variant) -> bool {
        true
    }

    fn worker(&self) -> Result<Box<dyn Worker + '_>> {
        self.0.worker()
    }
}

/// All triples are given to an implementation that judges them where it makes them, and to no other, in the
/// exhaustive tier.
#[test]
fn triples_are_for_those_who_can() {
    let fast = Fast(Emulator::scalar());
    let planned = |tier, judging, implementation: &dyn Implementation| {
        let only = vec!["fma.rn.bf16x2".into(), "fma.rn.f32.bf16".into()];
        let request = RunRequest {
            tier,
            only,
            judging,
            shard: Some(Shard { index: 3, count: 7 }),
            ..request(None)
        };
        let plan = Plan::new(request, implementation).unwrap();
        let all = plan.tasks.iter().position(Task::is_of_triples);
        all.map(|task| {
            let blocks = plan.blocks();
            let rows = (0..blocks.len()).map(|place| blocks.get(place)).filter(|b| b.task == task);
            let rows: u64 = rows.map(|block| block.rows as u64).sum();
            assert_eq!(rows, plan.vectors_per_task()[task]);
            assert_eq!(plan.tasks[task].judged_by, JudgedBy::Emulator);
            rows >> 32
        })
    };
    let shard = planned(Tier::Exhaustive, Judging::Screened, &fast);
    assert!(shard.is_some_and(|blocks| (blocks * 7).abs_diff(1 << 16) < 7), "{shard:?}");
    assert_eq!(planned(Tier::Exhaustive, Judging::Mpfr, &fast), None);
    assert_eq!(planned(Tier::Nightly, Judging::Screened, &fast), None);
    assert_eq!(planned(Tier::Exhaustive, Judging::Screened, &Emulator::scalar()), None);
}

fn blocks(plan: &Plan) -> Vec<Block> {
    let blocks = plan.blocks();
    (0..blocks.len()).map(|place| blocks.get(place)).collect()
}

/// The blocks of each task follow each other from its first vector to its last.
#[test]
fn blocks_cover_each_task_once() {
    let plan = plan(None);
    let blocks = blocks(&plan);
    for (index, task) in plan.tasks.iter().enumerate() {
        let mut next = 0;
        for block in blocks.iter().filter(|block| block.task == index) {
            assert_eq!((block.first, block.number), (next, next / BLOCK));
            next += block.rows as u64;
        }
        assert_eq!(next, task.vectors, "{} {}", task.subject(), task.asked.sweep());
    }
    assert!(blocks.is_sorted_by_key(|block| (block.task, block.number)));
}

#[test]
fn shards_are_a_partition_of_the_blocks() {
    let parts = [1, 2, 3].map(|index| plan(Some(Shard { index, count: 3 })));
    let mut of_parts: Vec<Block> = parts.iter().flat_map(blocks).collect();
    of_parts.sort_by_key(|block| (block.task, block.number));
    assert_eq!(of_parts, blocks(&plan(None)));
}

#[test]
fn the_vectors_of_a_task_are_those_of_its_blocks() {
    for shard in [None, Some(Shard { index: 2, count: 3 }), Some(Shard { index: 5, count: 7 })] {
        let plan = plan(shard);
        let mut vectors = vec![0; plan.tasks.len()];
        blocks(&plan).iter().for_each(|block| vectors[block.task] += block.rows as u64);
        assert_eq!(plan.vectors_per_task(), vectors);
    }
}
