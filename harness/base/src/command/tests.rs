//! Tests of what becomes of commands that end, and of those that do not.

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn shell(script: &str, streams: Streams, deadline: Duration) -> Result<Output, CommandFailure> {
    output_within(Command::new("sh").args(["-c", script]), streams, deadline)
}

/// Returns the failure, in words, of a script that has half a second; the words come soon after that.
fn late(script: &str) -> String {
    let started = Instant::now();
    let failure = shell(script, Streams::Both, Duration::from_millis(500)).expect_err("late");
    assert!(started.elapsed() < LONG / 2, "{script}: {:?}", started.elapsed());
    assert!(matches!(failure.kind, FailureKind::Late(_)), "{failure:?}");
    failure.to_string()
}

#[test]
fn what_is_printed_is_what_was_asked_for() {
    let script = "echo one; echo two >&2; echo three; exit 6";
    let both = shell(script, Streams::Both, LONG).expect("an end");
    assert_eq!((both.text.as_str(), both.status.code()), ("one\ntwo\nthree\n", Some(6)));
    let output = shell(script, Streams::Output, LONG).expect("an end");
    assert_eq!(output.text, "one\nthree\n");
    // Standard input is empty: nobody types anything.
    assert_eq!(shell("cat", Streams::Both, LONG).expect("an end").text, "");
}

/// Tests commands that print more than a pipe holds, 64 KiB: such a command waits for its reader, and must not
/// wait for ever.
#[test]
fn a_flood_is_read_and_one_without_an_end_is_refused() {
    let flood = shell("head -c 3000000 /dev/zero", Streams::Both, LONG).expect("an end");
    assert_eq!((flood.text.len(), flood.status.success()), (3_000_000, true));
    let endless = shell("cat /dev/zero", Streams::Output, LONG).expect_err("too much");
    assert_eq!(endless.to_string(), "sh printed more than 64 MiB");
}

#[test]
fn what_goes_on_is_killed_at_its_deadline() {
    assert_eq!(late("exec sleep 60"), "sh did not finish within 0.5 seconds");
    // This command says nothing more, and does not end.
    late("exec sleep 60 >&- 2>&-");
    // This command has ended, and what it has started holds the pipe.
    late("sleep 2 & exit 0");
    let folder = tempfile::tempdir().expect("a folder");
    let mark = folder.path().join("alive");
    late(&format!("sleep 1; touch {}", mark.display()));
    std::thread::sleep(Duration::from_secs(1));
    assert!(!mark.exists(), "it was not killed");
}

#[test]
fn what_is_not_there_is_named() {
    let failure = output_within(&mut Command::new("/no/such/command"), Streams::Both, LONG);
    let failure = failure.expect_err("there is none");
    assert!(matches!(failure.kind, FailureKind::NotStarted(_)));
    let said = failure.to_string();
    assert!(said.starts_with("/no/such/command cannot be started: No such file"), "{said}");
}

/// Tests that a command may be run again.
#[test]
fn a_command_is_as_it_was() {
    let mut command = Command::new("echo");
    command.arg("again");
    for _ in 0..2 {
        assert_eq!(output_within(&mut command, Streams::Both, LONG).expect("an end").text, "again\n");
    }
}
