//! Spellings of earlier versions: they still work, and no help shows them.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue};

/// Commands under another name than now: the words that a command line began with, and those of now.
const MOVED: &[(&[&str], &[&str])] = &[
    (&["selfcheck"], &["dev", "selfcheck"]),
    (&["mutants"], &["dev", "mutants"]),
    (&["legality"], &["dev", "legality"]),
    (&["defences"], &["dev", "defences"]),
    (&["vectors", "check"], &["dev", "vectors", "check"]),
    (&["vectors", "prove"], &["dev", "vectors", "prove"]),
    (&["vectors", "innocuous"], &["dev", "vectors", "innocuous"]),
    (&["vectors", "blocks"], &["dev", "vectors", "blocks"]),
    (&["fuzz", "programs"], &["compilers", "programs"]),
];

/// Commands that were an option of another command: the words of that command, the option, and the words of now.
const OPTIONS: &[(&[&str], &str, &[&str])] = &[
    (&["compilers"], "--functions", &["compilers", "functions"]),
    (&["list"], "--rows", &["compilers", "list"]),
    (&["qualify"], "--compare", &["qualify", "compare"]),
    (&["qualify"], "--probe", &["qualify", "probe"]),
    (&["dev", "mutants"], "--rows", &["dev", "mutants", "rows"]),
];

/// The words after which `help` is a command.
const HELPING: &[&[&str]] = &[&[], &["cluster"], &["fuzz"], &["report"], &["vectors"]];

/// Returns a command line, without the program, in the spelling of now.
///
/// A word `help` before a command becomes an option behind it: `help COMMAND` becomes `COMMAND --help`, so that it
/// knows the former names of commands, too.
pub fn renewed(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_help = |above: &&&[&str]| {
        begins(&words, above) && words.get(above.len()).is_some_and(|word| word == "help")
    };
    if let Some(above) = HELPING.iter().find(is_help) {
        words.remove(above.len());
        words.push("--help".into());
    }
    // Commands are renamed before options are looked at: `mutants --rows` is two changes.
    if let Some((was, is)) = MOVED.iter().find(|(was, _)| begins(&words, was)) {
        replace(&mut words, was.len(), is);
    }
    for (command, option, is) in OPTIONS {
        let at = words.iter().position(|word| word == option).filter(|_| begins(&words, command));
        if let Some(at) = at {
            words.remove(at);
            replace(&mut words, command.len(), is);
            break;
        }
    }
    words
}

/// Returns the command of now whose former name is nearly a word, as far as there is one.
pub fn nearest(word: &str) -> Option<String> {
    let names = MOVED.iter().filter_map(|(was, _)| match was {
        [name] => Some(clap::Command::new(*name)),
        _ => None,
    });
    let former = clap::Command::new("former").no_binary_name(true).subcommands(names);
    let error = former.try_get_matches_from([word]).err()?;
    let Some(ContextValue::Strings(near)) = error.get(ContextKind::SuggestedSubcommand) else {
        return None;
    };
    let (_, is) = MOVED.iter().find(|(was, _)| near.iter().any(|name| [name.as_str()] == **was))?;
    Some(is.join(" "))
}

/// Whether a command line begins with these words.
fn begins(words: &[OsString], with: &[&str]) -> bool {
    words.len() >= with.len() && words.iter().zip(with).all(|(word, with)| word == OsStr::new(with))
}

/// Replaces the first `count` words of a command line.
fn replace(words: &mut Vec<OsString>, count: usize, by: &[&str]) {
    words.splice(..count, by.iter().map(OsString::from));
}
