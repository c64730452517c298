//! The help of `cargo xtask fuzz`, and what is said of a fuzz target that there is not.

use std::path::Path;

/// The end of a message about a wrong command line.
pub const SEE: &str = "`cargo xtask fuzz --help` describes targets and options";

/// The beginning of the first line of a fuzz target's file, before what it does.
const BEGINNING: &str = "//! The fuzz target that ";

/// The word after `fuzz` that asks the suite's own binary for a report.
const REPORT: &str = "report";

/// Whether a command line after `fuzz` asks for help.
pub fn is_asked_for(arguments: &[String]) -> bool {
    let is_help = |word: &String| word == "--help" || word == "-h";
    arguments.first().is_some_and(|word| word == "help") || arguments.iter().any(is_help)
}

/// Returns the help of `cargo xtask fuzz`, with what each target does by the first line of its file.
pub fn text(root: &Path, targets: &[String]) -> String {
    let does = |target: &String| {
        let path = root.join("fuzz/fuzz_targets").join(format!("{target}.rs"));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix(BEGINNING).unwrap_or_default().trim_end_matches('.').to_owned()
    };
    let lines: String =
        targets.iter().map(|target| format!("  {target:14} {}\n", does(target))).collect();
    format!(
        "\
Search with a fuzzer for inputs that fail, until the time is over

Usage: cargo xtask fuzz TARGET [OPTIONS] [FILE]...
       cargo xtask fuzz report [OPTIONS]

Targets:
{lines}
  {REPORT:14} writes a report of what `differential` found (cargo xtask fuzz report --help)

Arguments:
  [FILE]...      Inputs to try instead of searching; each at most 16 MiB

Options:
  --impl NAME    Implementation that `differential` tests, as for `cargo xtask conformance`
                 [default: emulator]
  --in-process   With --impl lib:PATH: load the library into the fuzzer, to see its branches
  --seconds N    Seconds to search [default: 60]
  --jobs N       Number of processes that search at once [default: 1]
  --out DIR      Directory of the corpus and of what is found [default: fuzz, in the sources]
  -h, --help     Print help

Building a target needs a C++ compiler.

Exit code: 0 if nothing is wrong; 1 if something is; 2 if the target could not be built or started.
"
    )
}

/// Returns the message about a fuzz target that there is not, with the nearest names.
pub fn unknown(name: &str, targets: &[String]) -> String {
    let names = targets.iter().map(String::as_str).chain([REPORT]);
    let mut near: Vec<(usize, &str)> = names.map(|known| (distance(name, known), known)).collect();
    // A word with more than half of its letters wrong is no slip of that name.
    near.retain(|(distance, known)| *distance <= known.len() / 2);
    near.sort_unstable();
    let near: Vec<String> = near.iter().take(3).map(|(_, known)| format!("`{known}`")).collect();
    match near.is_empty() {
        true => format!("there is no fuzz target `{name}`; the targets: {}; {SEE}", targets.join(", ")),
        false => format!("there is no fuzz target `{name}`; the nearest: {}; {SEE}", near.join(", ")),
    }
}

/// Returns the least number of letters to insert, remove or replace that make one word another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        // The cell above and to the left, which `row` no longer has when it is needed.
        let mut corner = at;
        row[0] = at + 1;
        for (column, known) in other.iter().enumerate() {
            let replaced = corner + usize::from(letter != *known);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn help_is_asked_for_in_three_ways() {
        for line in ["--help", "-h", "help", "help differential", "differential --seconds 1 -h"] {
            assert!(is_asked_for(&words(line)), "{line}");
        }
        for line in ["", "differential", "files help"] {
            assert!(!is_asked_for(&words(line)), "{line}");
        }
    }

    #[test]
    fn help_tells_what_each_target_does() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let targets = words("differential files oracles protocol spelling");
        let text = text(root, &targets);
        for target in &targets {
            let line = text.lines().find(|line| line.trim_start().starts_with(target.as_str()));
            assert!(line.is_some_and(|line| line.split_whitespace().count() > 3), "{target}: {text}");
        }
        assert!(text.contains("judges an implementation against MPFR\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    }

    #[test]
    fn an_unknown_target_is_told_with_the_nearest_names() {
        let targets = words("differential files oracles");
        assert!(unknown("diferential", &targets).contains("the nearest: `differential`;"));
        assert!(unknown("orcales", &targets).contains("the nearest: `oracles`;"));
        assert!(unknown("x", &targets).contains("differential, files, oracles"));
    }
}
