//! The page of all options, docs/use/options.md: it is made of the help texts, and held to them.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};

/// The page, from this crate's folder.
const PAGE: &str = "../../docs/use/options.md";

const BEGINNING: &str = "\
# Commands and options

The command `UPDATE_OPTIONS=1 cargo test -p ptx-conformance-cli options` makes this page from the help texts. \
Do not edit the page.

`conformance` is the program by itself. In the suite's folder, `cargo xtask` builds and runs it: \
`cargo xtask list` is `conformance list`. Every command prints its part of this page with `--help`. \
`conformance --help` prints the [words](#words) that the help texts use.

";

/// Returns the commands that help shows, with the options that these have, each after the one that it belongs to.
fn shown(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|below| {
        // Clap adds a command `help` to each.
        !below.is_hide_set() && below.get_name() != "help"
    });
    let mut all = Vec::new();
    for below in below {
        all.push(below);
        all.extend(shown(below));
    }
    all
}

fn title(command: &Command) -> &str {
    command.get_bin_name().expect("the tree is built")
}

/// Appends a help text: paragraphs as they are, and as code what is indented. `margin` stands before every line.
fn append(page: &mut String, text: &str, margin: &str) {
    // Only empty lines are trimmed: a text may begin with code.
    for paragraph in text.trim_end().trim_start_matches('\n').split("\n\n") {
        let is_code = paragraph.lines().all(|line| line.starts_with("  "));
        let fence = if is_code { format!("{margin}```\n") } else { String::new() };
        let lines = paragraph.lines().map(|line| match is_code {
            true => format!("{margin}{}\n", &line[2..]),
            false => format!(
                "{margin}{}\n",
                line.replace('*', "\\*").replace("\\*`", "*`").replace("`\\*", "`*")
            ),
        });
        let lines: String = lines.collect();
        *page += &format!("{fence}{lines}{fence}\n");
    }
}

/// Appends an item for an option: its name and value, its help, the values that it can have, and its default.
fn item(page: &mut String, argument: &Arg) {
    let help = argument.get_long_help().or(argument.get_help()).expect("a help text").to_string();
    let (first, rest) = help.trim().split_once("\n\n").unwrap_or((help.trim(), ""));
    write!(page, "- `{argument}`: {}", first.trim_end_matches('.').replace('\n', " ")).unwrap();
    let values = argument.get_possible_values();
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| value.to_string_lossy().into()).collect();
    if !defaults.is_empty()
        && !argument.is_hide_default_value_set()
        && argument.get_action().takes_values()
    {
        write!(page, " [default: {}]", defaults.join(" ")).unwrap();
    }
    *page += ".\n";
    if argument.get_action().takes_values() {
        // Values without a help text of their own are told in one line.
        if values.iter().all(|value| value.get_help().is_none()) && !values.is_empty() {
            let names: Vec<String> =
                values.iter().map(|value| format!("`{}`", value.get_name())).collect();
            page.truncate(page.len() - 2);
            *page += &format!(": {}.\n", names.join(", "));
            return;
        }
        for value in values.iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            writeln!(page, "  - `{}`{help}.", value.get_name()).unwrap();
        }
    }
    if !rest.is_empty() {
        page.push('\n');
        append(page, rest, "  ");
    }
}

fn page() -> String {
    let mut tree = cli::tree();
    tree.build();
    let mut page = BEGINNING.to_owned();
    for command in shown(&tree) {
        let name = title(command);
        let indent = "  ".repeat(name.split(' ').count() - 2);
        let about = command.get_about().expect("a help text");
        writeln!(page, "{indent}- [{name}](#{}): {about}.", name.replace(' ', "-")).unwrap();
    }
    let words = tree.get_after_long_help().expect("the words").to_string();
    let (_, words) = words.split_once("Words:\n\n").expect("a list of words");
    page += "\n## Words\n\n";
    append(&mut page, words, "");
    page.truncate(page.trim_end().len() + 1);
    for command in shown(&tree) {
        writeln!(page, "\n## {}\n", title(command)).unwrap();
        let about = command.get_long_about().or(command.get_about()).expect("a help text").to_string();
        append(&mut page, &format!("{}.", about.trim_end_matches('.')), "");
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").lines().map(str::trim).collect::<Vec<_>>();
        writeln!(page, "```\n{}\n```", usage.join("\n")).unwrap();
        let arguments = command.get_arguments().filter(|argument| {
            !argument.is_hide_set() && argument.get_id() != "help" && argument.get_id() != "version"
        });
        let mut list = String::new();
        arguments.for_each(|argument| item(&mut list, argument));
        if !list.is_empty() {
            write!(page, "\n{}\n", list.trim_end()).unwrap();
        }
        if let Some(after) = command.get_after_long_help() {
            page.push('\n');
            append(&mut page, &after.to_string(), "");
            page.truncate(page.trim_end().len() + 1);
        }
    }
    page
}

#[test]
fn the_page_has_the_options_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os("UPDATE_OPTIONS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/use/options.md does not belong to the help texts any more; renew it: \
         UPDATE_OPTIONS=1 cargo test -p ptx-conformance-cli options"
    );
}
