//! What a run will do: which variants, which sweeps, how many vectors of each, cut into blocks.

use std::ops::Range;

use anyhow::{Result, bail};
use oracle::Oracle;
use vectors::digests::{Proof, triples};
use vectors::isa::Target;
use vectors::matrix::Lowering;
use vectors::sweep::Sweep;

use super::request::{Judging, Request, Shard};
use crate::budget::{Tier, budget_of, of_triples};
use crate::campaign::Given;
use crate::implementation::{Implementation, Support};
use crate::select::judged;
use crate::subject::{Asked, Subject};

/// Vectors in a block, the unit of work and of digests; the last block of a sweep may be shorter.
pub const BLOCK: u64 = 1 << 16;
/// The same of all triples, which are judged where they are made.
const BLOCK_OF_TRIPLES: u64 = 1 << 32;

/// Some vectors of one sweep for one variant.
#[derive(Clone, Debug)]
pub struct Task {
    /// Whose vectors, of which sweep.
    pub asked: Asked,
    /// Vectors 0 to this are run, the blocks of other shards left out.
    pub vectors: u64,
    /// Who judges them.
    pub judged_by: JudgedBy,
    /// What MPFR found these vectors to give, where it has judged them all before: the digest that
    /// must come out at the end.
    pub proven: Option<&'static Proof>,
}

/// Who judges the vectors of a task. Whoever it is, MPFR judges a sample of the blocks, and all rows
/// of a batch in which some have no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedBy {
    /// MPFR, every vector.
    Mpfr,
    /// The emulator, as far as results agree with its own, since all of them are proven; MPFR judges
    /// the others.
    Emulator,
    /// Series with a proven bound.
    Series,
    /// What a target computes, bit for bit, every vector: the contract is not asked.
    Model,
}

impl JudgedBy {
    /// What judging a vector costs, about, in nanoseconds of a processor: with making it and computing its result
    /// (BENCHMARKS). Only how they compare matters.
    pub const fn cost(self) -> f64 {
        match self {
            JudgedBy::Mpfr => 80.0,
            JudgedBy::Emulator => 12.0,
            JudgedBy::Series => 35.0,
            JudgedBy::Model => 100.0,
        }
    }
}

impl Task {
    /// What it is about.
    pub fn subject(&self) -> Subject {
        self.asked.subject()
    }

    /// Whether it has all triples of a variant.
    pub const fn is_of_triples(&self) -> bool {
        self.vectors == triples::ALL
    }

    /// Vectors in a block of it.
    const fn block(&self) -> u64 {
        if self.is_of_triples() { BLOCK_OF_TRIPLES } else { BLOCK }
    }

    /// With who judges it. Sums of products are MPFR's, or a model's.
    fn judged(self, Request { judging, model, .. }: &Request) -> Task {
        let Asked::Lanes(variant, sweep) = self.asked else {
            let judged_by = if model.is_some() { JudgedBy::Model } else { JudgedBy::Mpfr };
            return Task { judged_by, ..self };
        };
        let mpfr = *judging == Judging::Mpfr;
        let proven = Proof::of(variant, sweep.name, self.vectors);
        let proven = proven.filter(|_| !mpfr && self.vectors > BLOCK);
        let judged_by = match () {
            () if mpfr => JudgedBy::Mpfr,
            () if sweep.name == Sweep::exhaustive().name && Oracle::has_series(variant) => {
                JudgedBy::Series
            }
            () if proven.is_some() => JudgedBy::Emulator,
            () => JudgedBy::Mpfr,
        };
        Task { judged_by, proven, ..self }
    }
}

/// How many vectors of a sweep a request has for an implementation.
fn vectors_of(request: &Request, asked: Asked, implementation: &dyn Implementation) -> u64 {
    let triples = of_triples(request.tier, asked);
    match asked {
        Asked::Lanes(variant, _)
            if triples > 0
                && request.judging == Judging::Screened
                && implementation.judges_triples(variant) =>
        {
            triples
        }
        _ => budget_of(request.tier, asked, implementation.vectors_max()),
    }
}

/// Why a matrix instruction cannot be held to a model, if it cannot.
fn unknown(subject: Subject, model: Option<Target>) -> Option<String> {
    let (Subject::Matrix(variant), Some(target)) = (subject, model) else { return None };
    if !variant.form().available(Some(target), None) {
        return Some(format!("{target} does not have it"));
    }
    let known = Lowering::of(variant, target).is_some();
    (!known).then(|| format!("nobody has published what {target} computes of it"))
}

/// What was asked for and is not run.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// What it is.
    pub subject: Subject,
    /// Why it is not run.
    pub reason: String,
}

/// Everything that a run will do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What was asked for.
    pub request: Request,
    /// What will be run, in order.
    pub tasks: Vec<Task>,
    /// What will not, because the implementation does not have it …
    pub unsupported: Vec<LeftOut>,
    /// … or because it should have it and cannot begin with it.
    pub failing: Vec<LeftOut>,
    /// The fewest vectors that a variant gets whose inputs are not all tried.
    pub vectors_min: u64,
    /// How many vectors of a sweep the implementation can be given at most, where it is slow.
    pub vectors_max: Option<u64>,
}

/// Consecutive vectors of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the task in the plan.
    pub task: usize,
    /// Number of the block in its task.
    pub number: u64,
    /// First vector.
    pub first: u64,
    /// Number of vectors.
    pub rows: usize,
}

impl Plan {
    /// The plan for a request and an implementation.
    ///
    /// # Errors
    /// If the request selects no variant, or names a model and selects nothing that it is of.
    pub fn new(request: Request, implementation: &dyn Implementation) -> Result<Plan> {
        let mut plan = Plan::empty(request, implementation);
        let subjects = judged(&plan.request.only, &plan.request.skip, plan.request.target)?;
        let is_matrix = |subject: &Subject| matches!(subject, Subject::Matrix(_));
        if let (Some(target), false) = (plan.request.model, subjects.iter().any(is_matrix)) {
            bail!(
                "--model {target} is of matrix instructions, and --only selects none: add one of \
                 --only 'mma*', 'wmma*', 'wgmma*', 'tcgen05*', or leave --model out"
            );
        }
        let known = |subject: &Subject| unknown(*subject, plan.request.model).is_none();
        implementation.prepare(&subjects.iter().copied().filter(known).collect::<Vec<_>>());
        for subject in subjects {
            let support = || implementation.support_subject(subject);
            if !plan
                .takes(subject, unknown(subject, plan.request.model).map_or_else(support, Support::No))
            {
                continue;
            }
            for asked in Asked::all(subject) {
                let vectors = vectors_of(&plan.request, asked, implementation);
                if vectors > 0 {
                    let task = Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None };
                    plan.tasks.push(task.judged(&plan.request));
                }
            }
        }
        let of_subjects = plan.tasks.chunk_by(|a, b| a.subject() == b.subject());
        let sampled = of_subjects
            .filter(|tasks| tasks.iter().all(|t| t.asked.sweep() != Sweep::exhaustive().name));
        let vectors = sampled.map(|tasks| tasks.iter().map(|task| task.vectors).sum());
        plan.vectors_min = vectors.min().unwrap_or(0);
        Ok(plan)
    }

    /// The plan of given vectors, of each variant at most one list, for an implementation; MPFR judges them.
    pub fn of_given(given: Vec<Given>, implementation: &dyn Implementation) -> Plan {
        let request = Request { judging: Judging::Mpfr, ..Request::of(Tier::Quick, Vec::new()) };
        let mut plan = Plan::empty(request, implementation);
        let subjects: Vec<Subject> = given.iter().map(|of| Subject::Variant(of.variant)).collect();
        implementation.prepare(&subjects);
        for (given, subject) in given.into_iter().zip(subjects) {
            if plan.takes(subject, implementation.support_subject(subject)) {
                // Like a sweep, it is there to the end.
                let asked = Asked::Given(Box::leak(Box::new(given)));
                let vectors = budget_of(plan.request.tier, asked, None);
                plan.tasks.push(Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None });
            }
        }
        plan
    }

    /// One of nothing.
    fn empty(request: Request, implementation: &dyn Implementation) -> Plan {
        Plan {
            request,
            tasks: Vec::new(),
            unsupported: Vec::new(),
            failing: Vec::new(),
            vectors_min: 0,
            vectors_max: implementation.vectors_max(),
        }
    }

    /// Whether the implementation begins with a subject; if not, it is left out.
    fn takes(&mut self, subject: Subject, support: Support) -> bool {
        match support {
            Support::Yes => return true,
            Support::No(reason) => self.unsupported.push(LeftOut { subject, reason }),
            Support::Fails(reason) => self.failing.push(LeftOut { subject, reason }),
        }
        false
    }

    /// The blocks of this run's shard, in order.
    pub fn blocks(&self) -> Blocks<'_> {
        let mut ends = Vec::with_capacity(self.tasks.len());
        for task in &self.tasks {
            ends.push(ends.last().copied().unwrap_or(0) + task.vectors.div_ceil(task.block()));
        }
        let shard = self.request.shard.unwrap_or(Shard { index: 1, count: 1 });
        Blocks { plan: self, ends, shard }
    }

    /// Vectors that this run's shard has of each task.
    pub fn vectors_per_task(&self) -> Vec<u64> {
        let blocks = self.blocks();
        let vectors = |task: usize| {
            let (places, block) = (blocks.places(task), self.tasks[task].block());
            // Only the last block of a task may be shorter.
            let short = places.clone().next_back().map(|place| block - blocks.get(place).rows as u64);
            (places.end - places.start) as u64 * block - short.unwrap_or(0)
        };
        (0..self.tasks.len()).map(vectors).collect()
    }
}

/// The blocks of a plan's shard, by their places; a nightly plan has tens of millions.
pub struct Blocks<'a> {
    plan: &'a Plan,
    /// For each task, the number of blocks up to its end, all shards taken together.
    ends: Vec<u64>,
    shard: Shard,
}

impl Blocks<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.before(self.ends.last().copied().unwrap_or(0))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The block at a place.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn get(&self, place: usize) -> Block {
        let overall = place as u64 * self.shard.count + self.shard.index - 1;
        let task = self.ends.partition_point(|&end| end <= overall);
        let number = overall - self.start(task);
        let Task { vectors, .. } = self.plan.tasks[task];
        let block = self.plan.tasks[task].block();
        let first = number * block;
        let rows = block.min(vectors - first) as usize;
        Block { task, number, first, rows }
    }

    /// The places of a task's blocks.
    fn places(&self, task: usize) -> Range<usize> {
        self.before(self.start(task))..self.before(self.ends[task])
    }

    /// The number of blocks before those of a task.
    fn start(&self, task: usize) -> u64 {
        task.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// How many of the first so many blocks are this shard's.
    fn before(&self, overall: u64) -> usize {
        let Shard { index, count } = self.shard;
        (overall / count + u64::from(overall % count >= index)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Tier;
    use crate::implementation::{Description, Emulator, Worker};
    use vectors::Variant;

    fn plan(shard: Option<Shard>) -> Plan {
        Plan::new(request(shard), &Emulator::scalar()).unwrap()
    }

    fn request(shard: Option<Shard>) -> Request {
        Request {
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

    /// Who names one believes that something is held to it.
    #[test]
    fn a_model_of_nothing_is_refused() {
        let model = || Some("sm_90".parse().unwrap());
        let error = |request| Plan::new(request, &Emulator::scalar()).err().map(|why| why.to_string());
        let refused = error(Request { model: model(), ..request(None) }).unwrap();
        assert!(refused.starts_with("--model sm_90 is of matrix instructions"), "{refused}");
        let mut both = Request { model: model(), ..request(None) };
        both.only.push("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32".into());
        assert_eq!(error(both), None);
    }

    /// One that could try all triples.
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

    /// Who judges them where they are made, and nobody else, is given all triples, in the exhaustive tier.
    #[test]
    fn triples_are_for_those_who_can() {
        let fast = Fast(Emulator::scalar());
        let planned = |tier, judging, implementation: &dyn Implementation| {
            let only = vec!["fma.rn.bf16x2".into(), "fma.rn.f32.bf16".into()];
            let request = Request {
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
}
