//! Tests of completions, in the shells that are there, and of manual pages.

use std::path::Path;
use std::process::Command;

use super::{output, plain};

/// A script that completes cargo in a way of its own, loads the completions, and prints those of a line.
const BASH: &str = "
_theirs() { COMPREPLY=(\"theirs:$2\"); }
[ -z \"$BEFORE\" ] || complete -F _theirs cargo
. \"$SCRIPT\"
[ -z \"$TWICE\" ] || . \"$SCRIPT\"
completed() {
    COMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    [[ $(complete -p \"$1\") =~ \\ -F\\ ([^ ]+) ]]
    \"${BASH_REMATCH[1]}\" \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"
    echo \"${COMPREPLY[*]}\"
}
completed \"$@\"
";

fn script(folder: &Path, shell: &str) -> std::path::PathBuf {
    let path = folder.join(shell);
    std::fs::write(&path, plain(&["completions", shell]).stdout).unwrap();
    path
}

#[test]
fn bash_completes_the_program_and_cargo_xtask() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(folder.path(), "bash");
    let completed = |line: &[&str], variables: &[&str]| {
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", BASH, "bash"]).args(line).env("SCRIPT", &script);
        bash.envs(variables.iter().map(|name| (name, "1")));
        let output = bash.output().expect("bash");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && errors.is_empty(), "{line:?}: {errors}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    for (line, due) in [
        (&["conformance", "expl"][..], "explain"),
        (&["conformance", "dev", "self"], "selfcheck"),
        (&["conformance", "conformance", "--tier", "exh"], "exhaustive"),
        (&["cargo", "xtask", "expl"], "explain"),
        (&["cargo", "xtask", "report", "mer"], "merge"),
        (&["cargo", "+1.95", "xtask", "qualify", "pro"], "probe"),
        (&["cargo", "xtask", "conformance", "--shar"], "--shard"),
    ] {
        for variables in [&[][..], &["BEFORE"], &["BEFORE", "TWICE"]] {
            assert_eq!(completed(line, variables), due, "{line:?} {variables:?}");
        }
    }
    // Cargo's own completions go on.
    for variables in [&["BEFORE"][..], &["BEFORE", "TWICE"]] {
        assert_eq!(completed(&["cargo", "bui"], variables), "theirs:bui");
        assert_eq!(completed(&["cargo", "xtas"], variables), "theirs:xtas");
    }
    assert_eq!(completed(&["cargo", "bui"], &[]), "");
    // Nothing is completed that no help shows.
    for hidden in ["serve", "hostile", "superv", "mutan"] {
        assert_eq!(completed(&["conformance", hidden], &[]), "", "{hidden}");
    }
}

#[test]
fn shells_and_man_know_every_command() {
    for (shell, parts) in [
        ("bash", ["_conformance()", "complete -F __conformance_cargo"]),
        ("zsh", ["#compdef conformance", "_cargo-xtask()"]),
        ("fish", ["complete -c conformance", "complete -c cargo -n"]),
        ("elvish", ["edit:completion", "legality"]),
        ("powershell", ["Register-ArgumentCompleter", "legality"]),
    ] {
        let script = String::from_utf8(plain(&["completions", shell]).stdout).unwrap();
        for part in [&parts[..], &["legality", "selfcheck"]].concat() {
            assert!(script.contains(part), "{shell} lacks {part}: {script}");
        }
    }
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(output(&["man"], directory.path()).status.code(), Some(0));
    for (page, part) in [
        ("conformance.1", "cluster"),
        ("conformance-dev.1", "selfcheck"),
        ("conformance-report-diff.1", "\\-\\-format"),
    ] {
        let page = std::fs::read_to_string(directory.path().join(page)).unwrap();
        assert!(page.starts_with(".ie") && page.contains(part), "{page}");
    }
}
