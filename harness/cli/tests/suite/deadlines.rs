//! Tests of who is late and who is not: each attempt has all its time, starting has a time of its own, and nothing
//! counts while the suite is stopped.
//!
//! Tests begin in the order of their names, so that others compute while these wait.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use reports::Report;

use crate::common::assert_refused;
use crate::processes::{class, faulty, report, run};

/// A client that supports all variants, notes its process id when it is to compute, and then answers nothing; `LOG`
/// stands for a file.
const HANGS: &str = "read hello; echo ptx-conformance 1 hangs 1
while read word rest; do
  case $word in
    supports) echo yes;;
    run) echo $$ >> LOG; sleep 1000;;
  esac
done";

fn script(directory: &Path, text: &str) -> (String, PathBuf) {
    let (path, log) = (directory.join("script.sh"), directory.join("log"));
    std::fs::write(&path, text.replace("LOG", log.to_str().unwrap())).unwrap();
    (format!("sh {}", path.display()), log)
}

fn start(implementation: &str, only: &str, out: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    command.args(["conformance", "--jobs", "1", "--only", only, "--impl", implementation, "--out"]);
    command.arg(out).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(run: Child, out: &Path) -> (Output, Report) {
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = reports::load(&out.join("report.json"));
    (output, report.unwrap_or_else(|error| panic!("{error}: {said}")))
}

fn wait_for(path: &Path) -> String {
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.ends_with('\n') {
            return text;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([name, pid]).status().unwrap().success());
}

/// A program that takes longer to start than an answer may take is not late, though for the one vector that it dies
/// of it is started again and again.
#[test]
fn a_program_that_is_slow_to_start_is_not_late() {
    let (_directory, faulty) = faulty();
    let report =
        report(&format!("exec,deadline=1:sh -c 'sleep 1.3; exec {faulty} crashes'"), &["neg.f16"]);
    let class = class(&report);
    assert_eq!((&*class.id, class.count), ("neg.f16/crashed", 1));
    assert_eq!(class.examples[0].operands[0].bits, "0x1234");
}

/// A program is not late if a part of a batch takes as long as the whole batch.
#[test]
fn parts_of_a_batch_have_all_the_time_of_a_batch() {
    let answer = "sleep 0.7; while read a; do test $a != 8000 || exit 9; \
                  printf \"%04x\\n\" $((0x$a ^ 0x8000)); done";
    let script = format!("if test $1 = variants; then echo neg.f16; else {answer}; fi");
    let report = report(&format!("text,deadline=4,vectors=8:sh -c '{script}' sh"), &["neg.f16"]);
    let class = class(&report);
    // Some sweeps have this vector, once each.
    let sweeps = report.variants.iter().flat_map(|variant| &variant.sweeps);
    assert!(sweeps.into_iter().all(|sweep| sweep.mismatches <= 1));
    let [example] = &class.examples[..] else { panic!("{:?}", class.examples) };
    assert_eq!((&*class.id, &*example.operands[0].bits), ("neg.f16/crashed", "0x8000"));
}

/// A program is not late if the suite is stopped while it computes, with the program or without it, for longer than
/// an answer may take: when both go on, the answer comes.
#[test]
fn nobody_is_late_while_the_suite_is_stopped() {
    let answering = "read hello; echo ptx-conformance 1 slow 1
        while read word variant rows rest; do
          case $word in
            supports) echo yes;;
            run) head -c $((2 * rows)) > /dev/null; test -e LOG || { echo $$ > LOG; sleep 1; }
                 echo results but $rows
                 perl -e 'print pack(\"V*\", 0 .. $ARGV[0] - 1), \"\\0\\0\" x $ARGV[0]' $rows;;
          esac
        done";
    if Command::new("perl").arg("-v").output().is_err() {
        base::terminal::say("not tested: there is no perl here");
        return;
    }
    // `sh` reads ahead no further than a line where it reads from a pipe.
    let stopped = |with_the_program: bool| {
        let directory = tempfile::tempdir().unwrap();
        let (program, log) = script(directory.path(), answering);
        let run = start(&format!("exec,deadline=3,vectors=9:{program}"), "neg.f16", directory.path());
        let program = wait_for(&log);
        let mut stopped = vec![run.id().to_string()];
        stopped.extend(with_the_program.then(|| program.trim().to_owned()));
        stopped.iter().for_each(|pid| signal("-STOP", pid));
        std::thread::sleep(Duration::from_secs(5));
        stopped.iter().for_each(|pid| signal("-CONT", pid));
        let (output, report) = end(run, directory.path());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((report.complete, report.totals.mismatches), (true, 0), "{said}");
    };
    std::thread::scope(|scope| {
        for with_the_program in [false, true] {
            let stopped = &stopped;
            scope.spawn(move || stopped(with_the_program));
        }
    });
}

/// After an interruption the attempt in hand keeps its deadline; no other is begun, though the culprit has not been
/// found.
#[test]
fn an_interruption_is_obeyed_while_a_culprit_is_searched_for() {
    let directory = tempfile::tempdir().unwrap();
    let (program, log) = script(directory.path(), HANGS);
    let run = start(&format!("exec,deadline=3:{program}"), "neg.f16", directory.path());
    wait_for(&log);
    signal("-INT", &run.id().to_string());
    let (output, report) = end(run, directory.path());
    assert_eq!(wait_for(&log).lines().count(), 1, "no further attempt");
    assert_eq!((output.status.code(), report.complete), (Some(2), false));
    assert_eq!(report.totals.mismatches, 0, "what was not finished is not told");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--resume") && !said.contains("error"), "{said}");
}

/// The suite gives up on a program that always hangs: to go on would take days over all variants.
#[test]
fn the_suite_gives_up_on_a_program_that_always_hangs() {
    let directory = tempfile::tempdir().unwrap();
    let (program, log) = script(directory.path(), HANGS);
    let run = start(&format!("exec,deadline=1,vectors=16:{program}"), "*.f16", directory.path());
    let (output, report) = end(run, directory.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for words in
        ["the suite has given up on it", "since its last answer", "the deadline of 1 s", "--resume"]
    {
        assert!(said.contains(words), "no {words} in {said}");
    }
    let attempts = wait_for(&log).lines().count();
    assert!((24..=40).contains(&attempts), "patience.rs says 40, less the pauses: {attempts}");
    assert_eq!((output.status.code(), report.complete), (Some(1), false), "what was found stands");
    let classes = report.variants.iter().flat_map(|variant| &variant.classes);
    assert!(classes.clone().count() > 0 && classes.clone().all(|class| class.id.ends_with("/timeout")));
    let examples = classes.flat_map(|class| &class.examples);
    for words in examples.map(|example| example.words.as_deref().unwrap_or_default()) {
        assert!(words.starts_with("no answer in 1 s (deadline=1)"), "{words}");
    }
}

/// A program that the suite ended is not said to have been killed: the suite's own doing is not told as the
/// program's.
#[test]
fn who_does_not_end_is_not_said_to_have_been_killed() {
    let script = "if test $1 = variants; then echo neg.f16; exit; fi
        while read a; do echo $a; done; exec >&-; sleep 1000";
    let report = report(&format!("text,vectors=1:sh -c '{script}' sh"), &["neg.f16"]);
    let class = class(&report);
    assert_eq!(class.id, "neg.f16/timeout");
    let words = class.examples[0].words.as_deref().unwrap_or_default();
    assert_eq!(words, "it closed its output after its last line and was still running 2 s later");
}

/// Programs that cannot be started are refused, each with its own reason.
#[test]
fn programs_that_cannot_be_started_are_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let (program, _) = script(directory.path(), "#!/no/such/interpreter\n");
    let path = program.strip_prefix("sh ").unwrap();
    assert!(Command::new("chmod").args(["+x", path]).status().unwrap().success());
    let refused = run(&format!("exec:{path}"), &["neg.f16"]).0;
    assert_refused(&refused, &["exists, but the interpreter or loader that it names does not"]);
    for limit in 4..14 {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -n {limit}; exec \"$0\" \"$@\"")]);
        shell.args([env!("CARGO_BIN_EXE_conformance"), "conformance", "--impl", "exec:cat", "--out"]);
        let output =
            shell.arg(directory.path().join("out")).args(["--only", "neg.f16"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{limit}: {said}");
        assert!(!said.contains("script.py") && !said.contains("bug in the suite"), "{limit}: {said}");
    }
}
