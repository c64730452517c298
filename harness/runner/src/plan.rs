//! The plan of a run: which variants, which sweeps, how many vectors of each, cut into blocks.

mod blocks;

use std::sync::Arc;

use anyhow::{Result, bail};
use formats::digests::triples;
use implementations::{Implementation, Support};
use isa::Target;
use isa::matrix::Lowering;
use selection::VectorList;
use selection::budget::{Tier, budget_of, of_triples};
use selection::select::judged;
use selection::subject::{Subject, VectorSource};
use sweeps::{Proof, Sweep};

use super::meaning::Meaning;
use super::request::{Judging, RunRequest};

pub(crate) use blocks::block_count;
pub use blocks::{Block, Blocks};

/// Number of vectors in a block, the unit of work and of digests; the last block of a sweep may be shorter.
pub const BLOCK: u64 = 1 << 16;
/// Number of vectors in a block of all triples, which are judged where they are made.
const BLOCK_OF_TRIPLES: u64 = 1 << 32;

/// A task of a run: some vectors of one sweep for one variant.
#[derive(Clone, Debug)]
pub struct Task {
    /// The subject that the vectors are for, and the sweep that they are of.
    pub asked: VectorSource,
    /// The number of vectors, counted from vector 0; the blocks of other shards are not run.
    pub vectors: u64,
    /// The judge of the vectors.
    pub judged_by: JudgedBy,
    /// The digest that must come out at the end, where MPFR has judged all these vectors before.
    pub proven: Option<&'static Proof>,
}

/// The judge of a task's vectors. Whoever it is, MPFR judges a sample of the blocks, and all rows of a batch in which
/// some have no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedBy {
    /// MPFR, for every vector.
    Mpfr,
    /// The emulator, for results that agree with its own, since all of its own are proven; MPFR judges the others.
    Emulator,
    /// Series with a proven bound.
    Series,
    /// The model of what a target computes, bit for bit and for every vector; the contract is not asked.
    Model,
}

impl JudgedBy {
    /// Returns about what judging a vector costs, in nanoseconds of a processor, with making the vector and computing
    /// its result (BENCHMARKS). Only how the costs compare matters.
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
    /// Returns the subject of the task.
    pub fn subject(&self) -> Subject {
        self.asked.subject()
    }

    /// Whether the task has all triples of a variant.
    pub const fn is_of_triples(&self) -> bool {
        self.vectors == triples::ALL
    }

    /// Returns the number of vectors in a block of the task.
    const fn block(&self) -> u64 {
        block_length(self.vectors)
    }

    /// Returns the task with the judge that the request asks for. Sums of products are judged by MPFR, or by a model.
    fn judged(self, RunRequest { judging, model, .. }: &RunRequest) -> Task {
        let VectorSource::Lanes(variant, sweep) = self.asked else {
            let judged_by = if model.is_some() { JudgedBy::Model } else { JudgedBy::Mpfr };
            return Task { judged_by, ..self };
        };
        let mpfr = *judging == Judging::Mpfr;
        let proven = Proof::of(variant, sweep.name, self.vectors);
        let proven = proven.filter(|_| !mpfr && self.vectors > BLOCK);
        let judged_by = match () {
            () if mpfr => JudgedBy::Mpfr,
            () if sweep.name == Sweep::exhaustive().name && variant.approximates_one_f32() => {
                JudgedBy::Series
            }
            () if proven.is_some() => JudgedBy::Emulator,
            () => JudgedBy::Mpfr,
        };
        Task { judged_by, proven, ..self }
    }
}

/// Returns the number of vectors in a block of a task of this many vectors.
const fn block_length(vectors: u64) -> u64 {
    if vectors == triples::ALL { BLOCK_OF_TRIPLES } else { BLOCK }
}

/// Returns how many vectors of a sweep a request has for an implementation.
fn vectors_of(request: &RunRequest, asked: VectorSource, implementation: &dyn Implementation) -> u64 {
    let triples = of_triples(request.tier, asked);
    match asked {
        VectorSource::Lanes(variant, _)
            if triples > 0
                && request.judging == Judging::Screened
                && implementation.judges_triples(variant) =>
        {
            triples
        }
        _ => budget_of(request.tier, asked, implementation.vectors_max()),
    }
}

/// Returns why a matrix instruction cannot be held to a model; `None` if it can, or if no model is asked for.
fn unknown(subject: Subject, model: Option<Target>) -> Option<String> {
    let (Subject::Matrix(variant), Some(target)) = (subject, model) else { return None };
    if !variant.form().available(Some(target), None) {
        return Some(format!("{target} does not have it"));
    }
    let known = Lowering::of(variant, target).is_some();
    (!known).then(|| format!("no model is published of what {target} computes for it"))
}

/// A subject that was asked for and is not run.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The subject that is not run.
    pub subject: Subject,
    /// The reason why the subject is not run.
    pub reason: String,
}

/// A plan: everything that a run will do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The request that the plan is for.
    pub request: RunRequest,
    /// The tasks that will be run, in order.
    pub tasks: Vec<Task>,
    /// The subjects that will not be run because the implementation does not have them.
    pub unsupported: Vec<LeftOut>,
    /// The subjects that will not be run because the implementation should have them and cannot begin with them.
    pub failing: Vec<LeftOut>,
    /// The fewest vectors that any variant gets whose inputs are not all tried.
    pub vectors_min: u64,
    /// The most vectors of a sweep that the implementation can be given, where it is slow.
    pub vectors_max: Option<u64>,
    /// The meaning that results are held to, if it is not the contract of the only subject.
    pub meaning: Option<Arc<dyn Meaning>>,
}

impl Plan {
    /// Creates the plan for a request and an implementation.
    ///
    /// # Errors
    /// If the request selects no variant, or names a model and selects no matrix instruction.
    pub fn new(request: RunRequest, implementation: &dyn Implementation) -> Result<Plan> {
        let mut plan = Plan::empty(request, implementation);
        let subjects = judged(&plan.request.only, &plan.request.skip, plan.request.target)?;
        let is_matrix = |subject: &Subject| matches!(subject, Subject::Matrix(_));
        if let (Some(target), false) = (plan.request.model, subjects.iter().any(is_matrix)) {
            bail!(
                "--model {target} is for matrix instructions, and --only selects none: add one of \
                 --only 'mma*', 'wmma*', 'wgmma*', 'tcgen05*', or leave --model out"
            );
        }
        // An implementation is not asked to prepare what no model could judge.
        let known = |subject: &Subject| unknown(*subject, plan.request.model).is_none();
        implementation.prepare(&subjects.iter().copied().filter(known).collect::<Vec<_>>());
        for subject in subjects {
            let support = || implementation.support_subject(subject);
            if !plan
                .takes(subject, unknown(subject, plan.request.model).map_or_else(support, Support::No))
            {
                continue;
            }
            for asked in VectorSource::all(subject) {
                let vectors = vectors_of(&plan.request, asked, implementation);
                if vectors > 0 {
                    let task = Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None };
                    plan.tasks.push(task.judged(&plan.request));
                }
            }
        }
        // Where all inputs are tried, the number of vectors says nothing about how well a variant is covered.
        let of_subjects = plan.tasks.chunk_by(|a, b| a.subject() == b.subject());
        let sampled = of_subjects
            .filter(|tasks| tasks.iter().all(|t| t.asked.sweep() != Sweep::exhaustive().name));
        let vectors = sampled.map(|tasks| tasks.iter().map(|task| task.vectors).sum());
        plan.vectors_min = vectors.min().unwrap_or(0);
        Ok(plan)
    }

    /// Returns the plan with a meaning that the results of its only subject are held to.
    #[must_use]
    pub fn held_to_meaning(mut self, meaning: Arc<dyn Meaning>) -> Plan {
        for task in &mut self.tasks {
            // What is proven or has a series is the contract.
            (task.judged_by, task.proven) = (JudgedBy::Mpfr, None);
        }
        self.meaning = Some(meaning);
        self
    }

    /// Returns the name of a subject in reports: that of its meaning, if it is held to one.
    pub fn name(&self, subject: Subject) -> String {
        self.meaning.as_ref().map_or_else(|| subject.to_string(), |meaning| meaning.text())
    }

    /// Creates the plan of given vectors for an implementation, with at most one list of each variant; MPFR judges
    /// them.
    pub fn of_given(given: Vec<VectorList>, implementation: &dyn Implementation) -> Plan {
        let request = RunRequest { judging: Judging::Mpfr, ..RunRequest::of(Tier::Quick, Vec::new()) };
        let mut plan = Plan::empty(request, implementation);
        let subjects: Vec<Subject> = given.iter().map(|of| Subject::Variant(of.variant)).collect();
        implementation.prepare(&subjects);
        for (given, subject) in given.into_iter().zip(subjects) {
            if plan.takes(subject, implementation.support_subject(subject)) {
                // Like a sweep, a list lives to the end of the program.
                let asked = VectorSource::Given(Box::leak(Box::new(given)));
                let vectors = budget_of(plan.request.tier, asked, None);
                plan.tasks.push(Task { asked, vectors, judged_by: JudgedBy::Mpfr, proven: None });
            }
        }
        plan
    }

    /// Creates a plan without tasks.
    fn empty(request: RunRequest, implementation: &dyn Implementation) -> Plan {
        Plan {
            request,
            tasks: Vec::new(),
            unsupported: Vec::new(),
            failing: Vec::new(),
            vectors_min: 0,
            vectors_max: implementation.vectors_max(),
            meaning: None,
        }
    }

    /// Whether the implementation begins with a subject; if not, the subject is left out.
    fn takes(&mut self, subject: Subject, support: Support) -> bool {
        match support {
            Support::Yes => return true,
            Support::No(reason) => self.unsupported.push(LeftOut { subject, reason }),
            Support::Fails(reason) => self.failing.push(LeftOut { subject, reason }),
        }
        false
    }
}

#[cfg(test)]
pub(super) mod tests;
