//! The engine between libFuzzer and a target: it tries inputs, and keeps what they find at once, one input of each
//! class. The search then goes on, and ends with a line of statistics.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use implementations::library;
use isa::Variant;
use sweeps::fnv1a;

use crate::coverage;
use crate::target::IN_PROCESS;
use crate::{Findings, FuzzFinding, FuzzTarget, Random};

/// The environment variable that names the folder of corpus and findings, if it is not the folder of these sources.
const OUT: &str = "FUZZ_OUT";
/// The file beside the kept inputs that has a line for each class of findings.
const LIST: &str = "findings.txt";
/// Longest name of a kept input's file, in letters: the name is the end of its class.
const LONGEST: usize = 200;
/// Least time between two lines of statistics.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The exit code if something was found.
const FOUND: i32 = 1;
/// The exit code if the work could not be done.
const FAILED: i32 = 2;

// libFuzzer and `atexit` call plain functions, which find the search only in a static.
static RUN: Mutex<Option<SearchState>> = Mutex::new(None);

thread_local! {
    /// Place and words of this thread's last panic, for [`last_panic`].
    static PANIC: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// The state of a search: its target, and the counts of what was done so far.
struct SearchState {
    target: &'static FuzzTarget,
    /// The folder that findings are kept in.
    artifacts: PathBuf,
    started: Instant,
    /// When the last line of statistics was printed.
    shown: Instant,
    executions: u64,
    tried: u64,
    variants: BTreeSet<&'static str>,
    /// The classes that were found, each with the number of inputs that it was found in.
    classes: BTreeMap<String, u64>,
    /// Number of findings whose class the same input had shown before.
    more: u64,
    /// Number of mismatches that did not come again in a process of their own.
    unconfirmed: u64,
    /// Number of classes that no earlier run had found.
    fresh: usize,
}

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> i32;
    fn _exit(code: i32) -> !;
}

/// Ends the process, with whatever of libFuzzer is still running in it.
fn exit(code: i32) -> ! {
    // Not `exit`: that runs `atexit` handlers, and `end`, which calls this, is one.
    // SAFETY: this function of C may be called at any time.
    unsafe { _exit(code) }
}

/// Prepares the search for a target; libFuzzer calls it once, before it reads the corpus.
///
/// Where the folder of the corpus is empty, the target's seeds become the corpus.
pub fn start(target: &'static FuzzTarget) {
    // First of all: a process that serves a library never becomes a fuzzer.
    serve_library();
    coverage::keep();
    if let Err(error) = (target.begin)() {
        give_up(&format!("{error:#}"));
    }
    *run() = Some(SearchState::new(target, folder("artifacts", target)));
    if let Err(error) = seed(target) {
        give_up(&format!("the first inputs of the corpus cannot be written: {error}"));
    }
    // Replaces the hook that ends the process: a panic is a finding like others.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or("somewhere".into(), |location| {
            // Three parts of the path name the file, wherever the sources lie.
            let parts: Vec<&str> = location.file().rsplit('/').take(3).collect();
            let file: Vec<&str> = parts.into_iter().rev().collect();
            format!("{}:{}", file.join("/"), location.line())
        });
        let words = panic.payload_as_str().unwrap_or("a panic without a message").replace('\n', " ");
        PANIC.set(Some((format!("panic at {place}"), words)));
    }));
    // SAFETY: the handler takes nothing, gives nothing, and does not unwind.
    unsafe { atexit(end) };
}

/// Tries an input, and counts and keeps what it finds; a panic is a finding, too.
pub fn execute(bytes: &[u8]) {
    let target = run().as_ref().expect("it was started").target;
    let mut findings = Findings::default();
    let attempt = AssertUnwindSafe(|| (target.attempt)(bytes, &mut findings));
    if catch_unwind(attempt).is_err() {
        let (class, words) = last_panic();
        findings.add(class, bytes, words);
    }
    if let Some(run) = run().as_mut() {
        run.count(findings);
    }
}

/// Changes the input in the first `size` bytes of `data`, and returns its new size, at most `max`.
///
/// One input in eight is changed by `bytes`, which is libFuzzer's own way.
pub fn mutate(
    target: &FuzzTarget,
    data: &mut [u8],
    size: usize,
    max: usize,
    seed: u32,
    bytes: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let mut random = Random::new(seed.into());
    if random.below(8) == 0 {
        return bytes(data, size, max);
    }
    let change = || (target.mutate)(&data[..size], &mut random);
    // No input shows a panic of the change itself, so there is nothing to keep.
    let Ok(changed) = catch_unwind(AssertUnwindSafe(change)) else {
        let (class, words) = last_panic();
        give_up(&format!("making an input failed, {class}: {words}"));
    };
    // libFuzzer gives room for `max` bytes, and a change may be longer.
    let size = changed.len().min(max);
    data[..size].copy_from_slice(&changed[..size]);
    size
}

/// Returns where the last panic was, and what it said.
fn last_panic() -> (String, String) {
    PANIC.take().unwrap_or_else(|| ("panic".into(), "no words".into()))
}

/// Ends the search with the reason why it cannot go on, and the exit code for work that could not be done.
pub fn give_up(why: &str) -> ! {
    eprintln!("error: {why}");
    exit(FAILED)
}

/// Serves a library and exits, if this program was started to load one and speak for it, as the suite's own is.
fn serve_library() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() != Some(library::SERVE) {
        return;
    }
    let served = library::serve(Path::new(&arguments.next().unwrap_or_default()));
    if let Err(error) = served {
        give_up(&format!("{error:#}"));
    }
    exit(0)
}

/// Returns the folder of a target's corpus, or of its findings.
///
/// Inputs that a library in this process makes interesting have a folder of their own.
fn folder(kind: &str, target: &FuzzTarget) -> PathBuf {
    let in_process = std::env::var_os(IN_PROCESS).is_some();
    let name = if in_process { "in-process" } else { target.name };
    let base = std::env::var_os(OUT).map_or(env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    base.join(kind).join(name)
}

/// Writes the seeds into the corpus, if there is a folder for it and it is empty.
fn seed(target: &FuzzTarget) -> std::io::Result<()> {
    let corpus = folder("corpus", target);
    if !corpus.is_dir() || fs::read_dir(&corpus)?.next().is_some() {
        return Ok(());
    }
    for bytes in (target.seeds)() {
        fs::write(corpus.join(format!("seed-{:016x}", fnv1a(&bytes))), bytes)?;
    }
    Ok(())
}

fn run() -> MutexGuard<'static, Option<SearchState>> {
    // No input is tried under the lock, so a panic that is a finding does not poison it.
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SearchState {
    /// Begins a search that has done nothing so far.
    fn new(target: &'static FuzzTarget, artifacts: PathBuf) -> SearchState {
        let (started, shown) = (Instant::now(), Instant::now());
        let (variants, classes) = (BTreeSet::new(), BTreeMap::new());
        SearchState {
            target,
            artifacts,
            started,
            shown,
            executions: 0,
            tried: 0,
            variants,
            classes,
            more: 0,
            unconfirmed: 0,
            fresh: 0,
        }
    }

    /// Counts what an input found, keeps it, and prints a line of statistics now and then.
    fn count(&mut self, findings: Findings) {
        self.executions += 1;
        self.tried += findings.tried;
        self.variants.extend(findings.variants);
        self.more += findings.more;
        self.unconfirmed += findings.unconfirmed;
        for finding in findings.found {
            self.keep(finding);
        }
        if self.shown.elapsed() >= LINE_EVERY {
            self.shown = Instant::now();
            eprintln!("{}", self.line());
        }
    }

    /// Counts a finding, and writes the first one of each class to disk and to the screen.
    fn keep(&mut self, FuzzFinding { class, bytes, words }: FuzzFinding) {
        let count = self.classes.entry(class.clone()).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        let letter = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => letter,
            _ => '-',
        };
        let name: String = class.chars().map(letter).collect();
        // The name is ASCII by now, so it may be cut at any byte.
        let path = self.artifacts.join(&name[name.len().saturating_sub(LONGEST)..]);
        let line = format!("{class}: {words}\n");
        let write = || {
            fs::create_dir_all(&self.artifacts)?;
            // An input that an earlier run kept stays as it is, and its class counts as found before.
            OpenOptions::new().write(true).create_new(true).open(&path)?.write_all(&bytes)?;
            let list = self.artifacts.join(LIST);
            OpenOptions::new().append(true).create(true).open(list)?.write_all(line.as_bytes())
        };
        let kept = match write() {
            Ok(()) => {
                self.fresh += 1;
                format!("kept as {}", path.display())
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => "found before".into(),
            Err(error) => format!("not kept ({error}): {bytes:x?}"),
        };
        eprintln!("FOUND {line}      {kept}");
    }

    /// Returns the line of statistics.
    fn line(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let findings = self.classes.values().sum::<u64>() + self.more;
        let unconfirmed = match self.unconfirmed {
            0 => String::new(),
            count => format!(", and {count} that did not occur again in a process of its own"),
        };
        format!(
            "{}: {} executions, {} {} ({:.0} a second), {} of {} variants; {findings} findings in {} \
             classes, {} of them new{unconfirmed}",
            self.target.name,
            self.executions,
            self.tried,
            self.target.unit,
            self.tried as f64 / seconds,
            self.variants.len(),
            Variant::all().len(),
            self.classes.len(),
            self.fresh,
        )
    }
}

/// Prints the statistics of a process that libFuzzer ends, and sets its exit code.
extern "C" fn end() {
    // Where findings are being counted, the lock is held, and waiting for it here would never end.
    let Ok(run) = RUN.try_lock() else { return };
    let Some(run) = run.as_ref() else { return };
    eprintln!("{}", run.line());
    if !run.classes.is_empty() {
        exit(FOUND);
    }
    // A search has a limit of time. Given files are only tried, and may well amount to nothing.
    let searched = std::env::args().any(|argument| argument.starts_with("-max_total_time"));
    if searched && run.tried == 0 {
        give_up("nothing was tried: no input was valid for this target");
    }
}

#[cfg(test)]
mod tests;
