//! Finds which variants an emulator has: each kernel is loaded and run on one row, and a kernel that ends the
//! process, errs or takes too long is one that the emulator does not have.
//!
//! One process answers question after question, because starting it may take longer than all it is asked.
//! But emulators end, or are never the same again after what they do not know. So a refusal counts only of
//! a process that was asked nothing before, or that afterwards still does what it did at first: the
//! *control*, the first kernel that worked.
//!
//! A question that ends the process costs a start. So of a family, an operation on its types, those variants are
//! asked about first that have no modifier or one more than they must have; where each of them is fatal, so are
//! the others said to be, which only add to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use base::locks::{lock, opened};
use base::pool::Pool;
use base::progress::{self, Progress};
use base::terminal::say;
use base::{bug, interrupt};
use formats::Column;
use isa::{Type, Variant, columns_for, results_for};

use crate::process::kernels::{self, BatchRows, KernelModule};
use crate::process::{Child, ChildProgram, Failure, Patience, explained};
use crate::unwritten::PATTERNS;
use crate::{FailureKind, Support, in_words};

/// A variant and its kernel.
pub type KernelQuestion = (&'static Variant, KernelModule);

/// Number of times that starting a process is tried.
const STARTS: usize = 3;
/// Number of a family's kernels that may take the whole deadline, before the others get less.
const HANGS: usize = 2;
/// Divisor of the deadline for the rest of a family whose kernels hang; they have at least a second.
const HASTE: u32 = 10;
/// Number of variants of a family that must be fatal to say anything of the family.
const SAMPLE: usize = 2;
/// Number of processes for each processor that ask at the same time: most of a start is waiting.
const EACH: usize = 2;
/// Number of questions below which no progress bar is needed.
const FEW: usize = 50;

/// Asks the emulator about each of some variants. Returns the answers, without those that were not asked
/// because the run was to end.
pub fn ask<'a>(
    program: &ChildProgram,
    questions: &'a [KernelQuestion],
    all: bool,
) -> Vec<(&'a KernelQuestion, Support)> {
    let mut order: Vec<&KernelQuestion> = questions.iter().collect();
    // The plainest first: what works of them is the control.
    order.sort_by_key(|(variant, _)| modifiers(variant));
    let mut plainest = BTreeMap::new();
    // In reverse, so that the plainest of a family is inserted last and stays.
    for (variant, _) in order.iter().rev() {
        plainest.insert(family(variant), modifiers(variant));
    }
    let is_plain = |question: &&KernelQuestion| {
        all || modifiers(question.0) <= plainest.get(&family(question.0)).map_or(0, |least| least + 1)
    };
    let (plain, others): (Vec<_>, Vec<_>) = order.iter().partition(|question| is_plain(question));
    let shared = ProbingState {
        program,
        control: OnceLock::new(),
        hangs: Mutex::default(),
        answers: Mutex::default(),
        fatal: Mutex::default(),
        progress: (order.len() >= FEW).then(|| Progress::new("variants tried", order.len() as u64)),
    };
    if order.len() >= FEW && !progress::is_silent() {
        say(&format!("Asking the emulator which of {} variants it has.", order.len()));
    }
    shared.ask_all(&plain);
    let fatal = shared.fatal_families(&plain);
    let (given_up, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(variant, _)| fatal.contains(&family(variant)));
    shared.ask_all(&others);
    for question in given_up.into_iter().filter(|_| !interrupt::requested()) {
        shared.note(
            question,
            Support::No(format!(
                "not asked: all plainer variants of {} end the emulator (ask all the same with \
                 `ptx,ask=all:…`)",
                family(question.0)
            )),
        );
    }
    if let Some(progress) = &shared.progress {
        progress.finish();
    }
    opened(shared.answers)
}

/// State that the threads which ask share.
struct ProbingState<'a, 'q> {
    program: &'a ChildProgram,
    /// First question whose kernel worked, and the results that it gave.
    control: OnceLock<(&'q KernelQuestion, Vec<Column>)>,
    /// Number of variants of each family that took too long.
    hangs: Mutex<BTreeMap<String, usize>>,
    answers: Mutex<Vec<(&'q KernelQuestion, Support)>>,
    /// Names of the variants that ended a new process, or hung it.
    fatal: Mutex<BTreeSet<&'static str>>,
    progress: Option<Progress>,
}

/// Returns the family of a variant as words: an operation on its types, whose variants stand and fall together.
fn family(variant: &Variant) -> String {
    let mut words = variant.spelling().split('.');
    let operation = words.next().unwrap_or_default();
    words.filter(|word| Type::named(word).is_some()).fold(operation.into(), |all, ty| all + "." + ty)
}

/// Returns how many words a variant has besides its operation and its types.
fn modifiers(variant: &Variant) -> usize {
    variant.spelling().split('.').skip(1).filter(|word| Type::named(word).is_none()).count()
}

impl<'q> ProbingState<'_, 'q> {
    /// Asks some of the questions, with several processes.
    fn ask_all(&self, questions: &[&'q KernelQuestion]) {
        let prober = || Ok(Prober { shared: self, child: None, patience: Patience::default() });
        let pool = Pool::of_processors().times(EACH).stopped_by(interrupt::flag());
        let asked = pool.run_on_each(questions, prober, |prober, question| {
            // A bug of the suite fails one variant, and is told with it.
            let answer = bug::catch_panic(|| Ok(prober.ask(question)));
            self.note(question, answer.unwrap_or_else(|bug| Support::Fails(bug.to_string())));
            Ok(())
        });
        debug_assert!(asked.error.is_none(), "nothing fails, and fewer threads will do");
    }

    /// Keeps an answer.
    fn note(&self, question: &'q KernelQuestion, answer: Support) {
        lock(&self.answers).push((question, answer));
        if let Some(progress) = &self.progress {
            progress.advance(1);
        }
    }

    /// Returns the families of which every variant that was asked about was fatal.
    fn fatal_families(&self, asked: &[&KernelQuestion]) -> BTreeSet<String> {
        let fatal = lock(&self.fatal);
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (variant, _) in asked {
            let (all, ended) = counts.entry(family(variant)).or_default();
            *all += 1;
            *ended += usize::from(fatal.contains(variant.text()));
        }
        let hopeless = |(all, ended): &(usize, usize)| all == ended && *all >= SAMPLE;
        counts.into_iter().filter(|(_, counts)| hopeless(counts)).map(|(family, _)| family).collect()
    }

    /// Returns how long the kernel of a variant may take.
    fn deadline(&self, variant: &Variant) -> Duration {
        let hangs = lock(&self.hangs);
        let whole = self.program.limits.deadline;
        match hangs.get(&family(variant)) {
            Some(&hangs) if hangs >= HANGS => (whole / HASTE).max(Duration::from_secs(1)).min(whole),
            _ => whole,
        }
    }

    /// Counts a variant that took too long for its family.
    fn hung(&self, variant: &Variant) {
        let mut hangs = lock(&self.hangs);
        *hangs.entry(family(variant)).or_default() += 1;
    }
}

/// A thread that asks, with its process.
struct Prober<'a, 'q> {
    shared: &'a ProbingState<'a, 'q>,
    /// Process that was asked something before.
    child: Option<Child>,
    patience: Patience,
}

impl<'q> Prober<'_, 'q> {
    /// Asks one question: of the process that was asked before, and where that settles nothing, of a new one.
    fn ask(&mut self, question: &'q KernelQuestion) -> Support {
        if let Some(exhausted) = self.patience.exhausted(&self.shared.program.limits) {
            return Support::Fails(format!("not asked: {exhausted}"));
        }
        if let Some(mut child) = self.child.take() {
            match self.attempt(&mut child, question) {
                Ok(Ok(results)) => return self.works(child, question, results),
                Ok(Err(reason)) if self.is_sound(&mut child) => {
                    self.child = Some(child);
                    return Support::No(reason);
                }
                // What the process was asked before may be to blame, so a new one is asked.
                Ok(Err(_)) | Err(_) => {}
            }
        }
        let mut child = match self.start(question) {
            Ok(child) => child,
            Err(failure) => {
                return Support::Fails(format!("when asked whether it has the variant: {failure}"));
            }
        };
        match self.attempt(&mut child, question) {
            Ok(Ok(results)) => self.works(child, question, results),
            // A new process was asked nothing before, so its refusal counts.
            Ok(Err(reason)) => {
                self.child = Some(child);
                Support::No(reason)
            }
            Err(failure) => {
                let mut fatal = lock(&self.shared.fatal);
                fatal.insert(question.0.text());
                Support::No(explained(&mut child, failure).words)
            }
        }
    }

    /// Keeps a process whose kernel worked; the first such kernel becomes the control.
    fn works(&mut self, child: Child, question: &'q KernelQuestion, results: Vec<Column>) -> Support {
        // The control that the first thread found stays.
        let _ = self.shared.control.set((question, results));
        self.child = Some(child);
        Support::Yes
    }

    /// Starts a process for a variant, and tries again if that fails at once.
    fn start(&mut self, (variant, _): &KernelQuestion) -> Result<Child, Failure> {
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
        (variant, kernel): &KernelQuestion,
    ) -> Result<Result<Vec<Column>, String>, Failure> {
        let limits = self.shared.program.limits.clone();
        let deadline = limits.with_deadline(self.shared.deadline(variant));
        let (operands, mut results) = (columns_for(variant, 1), results_for(variant, 1));
        let answer = match kernels::load(child, kernel, &mut deadline.answer_deadline()) {
            Ok(Ok(())) => in_words(variant, &operands, &mut results, |operands, results| {
                let (rows, pattern) = (0..1, PATTERNS[0]);
                let batch = BatchRows { operands, results, rows, pattern };
                kernels::run(child, batch, &mut deadline.answer_deadline())
            }),
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
