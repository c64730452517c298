//! Tests that command lines in earlier spellings do what they did, and that no help shows them.

use std::ffi::OsString;

use super::plain;

/// Command lines of the pages and scripts, in the spellings of earlier versions.
const FORMER: &str = include_str!("former.txt");

fn words(line: &str) -> Vec<OsString> {
    shlex::split(line).expect("words of a shell").into_iter().map(OsString::from).collect()
}

/// The search with a fuzz target is `xtask`'s own, and so is its test.
#[test]
fn every_command_line_of_the_pages_is_accepted() {
    let lines = FORMER.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in lines.filter(|line| !line.starts_with("fuzz differential")) {
        count += 1;
        match cli::accepts(words(line)) {
            Err(error) if error.exit_code() != 0 => panic!("{line}: {error}"),
            _ => {}
        }
    }
    assert!(count > 120, "{count}");
}

#[test]
fn both_spellings_of_a_command_do_the_same() {
    for (former, now) in [
        ("list --rows --only function/min.f32", "compilers list --only function/min.f32"),
        ("list --only x --rows", "compilers list --only x"),
        ("qualify --impl emulator --probe", "qualify probe --impl emulator"),
        ("qualify --compare /none /none", "qualify compare /none /none"),
        ("vectors blocks abs.f16 --count 1", "dev vectors blocks abs.f16 --count 1"),
        ("vectors innocuous --format e4m3", "dev vectors innocuous --type e4m3"),
        ("vectors kernel mul.f16 --judge", "vectors kernel mul.f16 --self-judging"),
        ("legality --ptxas /none", "dev legality --ptxas /none"),
        ("selfcheck --only none", "dev selfcheck --only none"),
        ("mutants --rows --compiler exec:/none", "dev mutants rows --compiler exec:/none"),
        (
            "compilers --only expf --functions --compiler x",
            "compilers functions --only expf --compiler x",
        ),
        ("fuzz programs --compiler exec:/none", "compilers programs --compiler exec:/none"),
        ("help vectors check", "dev vectors check --help"),
        ("vectors help check", "dev vectors check --help"),
        ("report help show", "report show --help"),
    ] {
        let [before, after] = [former, now].map(|line| {
            let words = shlex::split(line).expect("words of a shell");
            let output = plain(&words.iter().map(String::as_str).collect::<Vec<_>>());
            let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
            (output.status.code(), out, err)
        });
        assert_eq!(before, after, "{former}");
        assert!(!before.1.is_empty() || before.0 == Some(2), "{former}: {before:?}");
    }
}

/// A name that is nearly one that there is, or nearly a former one, is told.
#[test]
fn mistyped_commands_are_told_what_is_near() {
    for (line, near) in [
        (&["complers"][..], "'compilers'"),
        (&["selfchek"], "'dev selfcheck'"),
        (&["dev", "mutant"], "'mutants'"),
        (&["qualify", "prob"], "'probe'"),
        (&["report", "shw"], "'show'"),
    ] {
        let output = plain(line);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
        assert!(text.contains(near) && text.ends_with("(see --help)\n"), "{line:?}: {text}");
    }
}
