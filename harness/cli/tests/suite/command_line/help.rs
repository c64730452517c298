//! Tests of help texts, of the page that is made of them, and of how the program names itself.

use std::process::{Command, Output};

use clap::builder::StyledStr;

use super::{conformance, findings, plain, report};

/// The commands that the help lists, in its order.
const LISTED: [&str; 11] = [
    "conformance",
    "judge",
    "explain",
    "replay",
    "report",
    "list",
    "qualify",
    "identify",
    "setup",
    "fuzz",
    "compilers",
];

/// Words that begin a text which does not stand alone.
const DANGLING: [&str; 5] = ["What ", "Of ", "That ", "Those ", "Its "];

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn help_lists_what_people_need_and_names_the_rest() {
    for option in ["--help", "-h", "help"] {
        let output = plain(&[option]);
        let help = text(&output);
        assert_eq!(output.status.code(), Some(0));
        let (_, listed) = help.split_once("Commands:\n").expect("a list");
        let lines: Vec<&str> = listed.lines().take_while(|line| !line.is_empty()).collect();
        let names: Vec<&str> =
            lines.iter().map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(names, LISTED, "{help}");
        let wide = help.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None);
        // The short help fits a screen; the long one also explains words.
        match help.split_once("\nWords:\n") {
            None => assert!(option == "-h" && help.lines().count() <= 24, "more than a screen: {help}"),
            Some((_, words)) => {
                for word in ["variant", "vector", "sweep", "tier", "waiver", "shard", "canary"] {
                    assert!(words.contains(&format!("\n  {word} ")), "no `{word}`: {help}");
                }
            }
        }
        for other in ["cluster", "vectors", "completions", "man", "dev"] {
            assert!(
                help.contains(&format!("{other} (")) || help.contains(&format!("{other},")),
                "{other}"
            );
        }
    }
}

/// Calls `look` with every command that is shown, and the words by which it is called.
fn each(command: &clap::Command, words: &str, look: &mut impl FnMut(&clap::Command, &str)) {
    look(command, words);
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        each(below, &format!("{words} {}", below.get_name()), look);
    }
}

#[test]
fn every_command_and_option_is_described() {
    let plain = |text: Option<&StyledStr>| text.map(ToString::to_string).unwrap_or_default();
    each(&cli::tree(), "conformance", &mut |command, words| {
        let about = plain(command.get_about());
        let long = plain(command.get_long_about());
        assert!(!about.is_empty() && about.lines().count() == 1 && about.len() < 80, "{words}: {about}");
        let is_leaf =
            command.get_subcommands().next().is_none() || command.get_arguments().next().is_some();
        assert!(!is_leaf || long.contains("Exit code: 0 "), "{words}: {long}");
        let mut texts = vec![about, long, plain(command.get_after_help())];
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let help = plain(argument.get_help());
            assert!(!help.is_empty(), "{words} {argument}");
            texts.extend([help, plain(argument.get_long_help())]);
            let values = argument.get_possible_values();
            texts.extend(values.iter().map(|value| plain(value.get_help())));
        }
        for text in texts {
            assert!(!DANGLING.iter().any(|word| text.starts_with(word)), "{words}: {text}");
            // The targets of a fuzzer are `cargo xtask`'s alone, and completions are of both ways to call.
            let other = text.replace("cargo xtask fuzz", "");
            let other = if words.ends_with(" completions") { String::new() } else { other };
            assert!(!other.contains("cargo xtask") && !text.contains('{'), "{words}: {text}");
        }
    });
}

/// Returns what a command prints where it is called by itself, and where `cargo xtask` starts it.
fn called(mut command: impl FnMut() -> Command) -> [String; 2] {
    let [alone, xtask] = [None, Some("1")].map(|variable| {
        let mut command = command();
        command.env_remove(base::invocation::VARIABLE);
        command.envs(variable.map(|value| (base::invocation::VARIABLE, value)));
        let output = command.output().unwrap();
        text(&output) + &String::from_utf8(output.stderr).unwrap()
    });
    [alone, xtask]
}

#[test]
fn what_is_said_names_the_program_as_it_was_called() {
    for (line, said) in [
        (&["--help"][..], "Usage: PROGRAM <COMMAND>"),
        (&["report", "show", "--help"], "Usage: PROGRAM report show [OPTIONS]"),
        (&["compilers", "--help"], "`PROGRAM compilers list`"),
        (&["completions", "--help"], "source <(PROGRAM completions bash)"),
        (&["list", "--only", "dot.*"], "`PROGRAM list` prints the variants"),
        (&["identify", "--impl", "emulator", "--only", "abs.f16"], "`PROGRAM list --only '*mma*'`"),
        (&["compilers", "list", "--only", "x"], "`PROGRAM compilers list` prints all"),
    ] {
        let said = ["conformance", "cargo xtask"].map(|program| said.replace("PROGRAM", program));
        let command = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
            command.args(line);
            command
        };
        for (text, said) in called(command).iter().zip(said) {
            assert!(text.contains(&said), "no `{said}` in: {text}");
        }
    }
}

/// A report and its page are the same however the program was called; what the terminal shows is not.
#[test]
fn what_is_kept_does_not_depend_on_how_the_program_was_called() {
    let directory = tempfile::tempdir().unwrap();
    let (out, page) = (directory.path().join("out"), directory.path().join("page.html"));
    let mut kept = Vec::new();
    let run = || conformance(&["conformance", "--impl", "canary", "--only", "mul.rn.f16"], &out);
    let texts = called(|| {
        if out.exists() {
            kept.push(findings(report(&out)));
        }
        run()
    });
    kept.push(findings(report(&out)));
    assert_eq!(kept[0], kept[1]);
    assert!(texts[0].contains("  replay: conformance replay "), "{}", texts[0]);
    assert!(texts[1].contains("  replay: cargo xtask replay "), "{}", texts[1]);
    // The first line has the time that the run took.
    let [alone, xtask] = texts.each_ref().map(|text| text.split_once('\n').expect("lines").1);
    assert_eq!(alone.replace(": conformance ", ": cargo xtask "), xtask);
    let mut pages = Vec::new();
    let html = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        command.args(["report", "html"]).arg(out.join("report.json")).arg("--out").arg(&page);
        command
    };
    called(|| {
        pages.extend(std::fs::read_to_string(&page));
        html()
    });
    pages.push(std::fs::read_to_string(&page).unwrap());
    assert!(pages.len() == 2 && pages[0] == pages[1]);
}
