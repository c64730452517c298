//! Which variants an emulator has: each kernel is loaded and run on one row, and what ends the process,
//! errs or takes too long is one that it does not have.
//!
//! One process answers question after question, because starting it may take longer than all it is asked.
//! But emulators end, or are never the same again after what they do not know. So a refusal counts only of
//! a process that was asked nothing before, or that afterwards still does what it did at first: the
//! *control*, the first kernel that worked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use vectors::sweep::{columns_for, results_for};
use vectors::{Column, Variant};

use crate::implementation::process::kernels::{self, Batch, Kernel};
use crate::implementation::process::{Child, Failure, Patience, Program, explained};
use crate::implementation::{FailureKind, Support};
use crate::interrupt;
use crate::progress::Progress;
use crate::terminal::say;

/// A variant and its kernel.
pub type Question = (&'static Variant, Kernel);

/// What every byte of a result is before a kernel is tried.
const PATTERN: u8 = 0xa5;
/// A process that does not start is started so often.
const STARTS: usize = 3;
/// So many of a family may take the whole deadline; the others of it …
const HANGS: usize = 2;
/// … have so much of it, and at least a second.
const HASTE: u32 = 10;
/// Fewer questions need no bar.
const FEW: usize = 50;

/// Asks about each of some variants; gives the answers, without those that were not asked since the run was
/// to end.
pub fn ask<'a>(program: &Program, questions: &'a [Question]) -> Vec<(&'a Question, Support)> {
    let mut order: Vec<&Question> = questions.iter().collect();
    // The plainest first: what works of them is the control.
    order.sort_by_key(|(variant, _)| variant.spelling().split('.').count());
    let shared = Shared {
        program,
        next: AtomicUsize::new(0),
        control: OnceLock::new(),
        hangs: Mutex::default(),
        answers: Mutex::default(),
        progress: (order.len() >= FEW)
            .then(|| Progress::new("variants tried", order.len() as u64).ok())
            .flatten(),
    };
    if order.len() >= FEW {
        say(&format!("the emulator is asked which of {} variants it has", order.len()));
    }
    let threads = std::thread::available_parallelism().map_or(1, |processors| processors.get());
    std::thread::scope(|scope| {
        for _ in 1..threads.min(order.len()) {
            // Where no thread is to be had, this one does it all.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || shared.work(&order));
        }
        shared.work(&order);
    });
    if let Some(progress) = &shared.progress {
        progress.finish();
    }
    shared.answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What the threads share.
struct Shared<'a, 'q> {
    program: &'a Program,
    next: AtomicUsize,
    /// What worked first, and what it gave.
    control: OnceLock<(&'q Question, Vec<Column>)>,
    /// How many of each family took too long.
    hangs: Mutex<BTreeMap<String, usize>>,
    answers: Mutex<Vec<(&'q Question, Support)>>,
    progress: Option<Progress>,
}

/// The variants that stand and fall together: an operation on a type.
fn family(variant: &Variant) -> String {
    let mut words = variant.spelling().split('.');
    format!("{} {}", words.next().unwrap_or_default(), words.next_back().unwrap_or_default())
}

impl<'q> Shared<'_, 'q> {
    fn work(&self, order: &[&'q Question]) {
        let mut prober = Prober { shared: self, child: None, patience: Patience::default() };
        while let Some(question) = order.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if interrupt::requested() {
                return;
            }
            let answer = prober.ask(question);
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.push((question, answer));
            drop(answers);
            if let Some(progress) = &self.progress {
                progress.advance(1);
            }
        }
    }

    /// How long a kernel may take.
    fn deadline(&self, variant: &Variant) -> Duration {
        let hangs = self.hangs.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = self.program.limits.deadline;
        match hangs.get(&family(variant)) {
            Some(&hangs) if hangs >= HANGS => (whole / HASTE).max(Duration::from_secs(1)).min(whole),
            _ => whole,
        }
    }

    fn hung(&self, variant: &Variant) {
        let mut hangs = self.hangs.lock().unwrap_or_else(PoisonError::into_inner);
        *hangs.entry(family(variant)).or_default() += 1;
    }
}

/// One thread's process.
struct Prober<'a, 'q> {
    shared: &'a Shared<'a, 'q>,
    /// One that was asked something before.
    child: Option<Child>,
    patience: Patience,
}

impl<'q> Prober<'_, 'q> {
    fn ask(&mut self, question: &'q Question) -> Support {
        if let Some(exhausted) = self.patience.exhausted(&self.shared.program.limits) {
            return Support::Fails(format!("not asked for: {exhausted}"));
        }
        if let Some(mut child) = self.child.take() {
            match self.attempt(&mut child, question) {
                Ok(Ok(results)) => return self.works(child, question, results),
                Ok(Err(reason)) if self.is_sound(&mut child) => {
                    self.child = Some(child);
                    return Support::No(reason);
                }
                // It may be for what the process was asked before.
                Ok(Err(_)) | Err(_) => {}
            }
        }
        let mut child = match self.start(question) {
            Ok(child) => child,
            Err(failure) => return Support::Fails(format!("asked whether it has it: {failure}")),
        };
        match self.attempt(&mut child, question) {
            Ok(Ok(results)) => self.works(child, question, results),
            Ok(Err(reason)) => {
                self.child = Some(child);
                Support::No(reason)
            }
            Err(failure) => Support::No(explained(&mut child, failure).words),
        }
    }

    fn works(&mut self, child: Child, question: &'q Question, results: Vec<Column>) -> Support {
        // The first thread's.
        let _ = self.shared.control.set((question, results));
        self.child = Some(child);
        Support::Yes
    }

    fn start(&mut self, (variant, _): &Question) -> Result<Child, Failure> {
        let mut tries = 0;
        loop {
            tries += 1;
            let started = self.shared.program.start_for(variant.text());
            match started.map_err(|error| Failure::crashed(format!("{error:#}"))).flatten() {
                Ok(child) => return Ok(child),
                Err(failure) if tries == STARTS || failure.kind == FailureKind::Timeout => {
                    self.patience.lose(self.shared.program.limits.lost(&failure));
                    return Err(failure);
                }
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// Whether a process still does what it did at first, if anything was ever done.
    fn is_sound(&mut self, child: &mut Child) -> bool {
        let Some((question, due)) = self.shared.control.get() else { return false };
        matches!(self.attempt(child, question), Ok(Ok(results)) if results == *due)
    }

    /// Loads a kernel and runs it on one row of zeros. The inner error is the emulator's reason why not.
    fn attempt(
        &mut self,
        child: &mut Child,
        (variant, kernel): &Question,
    ) -> Result<Result<Vec<Column>, String>, Failure> {
        let limits = self.shared.program.limits;
        let deadline = limits.with_deadline(self.shared.deadline(variant));
        let (operands, mut results) = (columns_for(variant, 1), results_for(variant, 1));
        let answer = match kernels::load(child, kernel, &mut deadline.answer_deadline()) {
            Ok(Ok(())) => {
                let batch =
                    Batch { operands: &operands, results: &mut results, rows: 0..1, pattern: PATTERN };
                kernels::run(child, batch, &mut deadline.answer_deadline())
            }
            other => other,
        };
        match &answer {
            Ok(_) => self.patience.answered(),
            Err(failure) if failure.kind == FailureKind::Timeout => {
                self.shared.hung(variant);
                self.patience.lose(deadline.deadline);
            }
            Err(_) => {}
        }
        answer.map(|answer| answer.map(|()| results))
    }
}
