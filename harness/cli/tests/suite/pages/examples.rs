//! Examples in pages: a block of code that begins with `$ cargo xtask …` shows what the command prints, so the command is
//! run, and has to print it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::root;
use crate::common::each;

/// The mark of what an example leaves out: whole lines, or a part of a line.
const GAP: &str = "…";

/// Commands that are not run, with the reason, by a part of their text.
const NOT_RUN: [(&str, &str); 6] = [
    (" setup ", "it downloads a compiler"),
    (" compilers ", "it needs a compiler, which `setup` downloads"),
    (".cu ", "it needs a compiler, which `setup` downloads"),
    (".py:", "it needs a compiler, which `setup` downloads"),
    ("report diff", "the commands before it make its reports"),
    ("qualify probe", "it takes minutes without optimising"),
];

/// Waivers of what `--impl canary` has wrong in the example of the page about waivers.
const CANARY_WAIVERS: &str = r#"{"waivers": [
  {"implementation": "canary", "variant": "fma.rn.bf16", "class": "ulp-above", "reason": "planted"},
  {"implementation": "canary", "variant": "fma.rn.bf16", "class": "ulp-below", "reason": "planted"}
]}"#;

/// A command of a page, and the lines that it is said to print.
struct Example {
    page: String,
    command: String,
    /// The first program in PTX that the page shows, which its examples are about.
    ptx: String,
    lines: Vec<String>,
}

/// Returns the blocks of code of a page.
fn blocks(text: &str) -> Vec<String> {
    let (mut blocks, mut inside) = (Vec::new(), false);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                blocks.push(String::new());
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => blocks.last_mut().unwrap().push_str(&text),
            _ => {}
        }
    }
    blocks
}

/// Returns the examples of a page.
fn examples(page: &str, text: &str) -> Vec<Example> {
    let blocks = blocks(text);
    let ptx = blocks.iter().find(|block| block.starts_with(".version")).cloned().unwrap_or_default();
    let mut examples: Vec<Example> = Vec::new();
    for block in blocks.iter().filter(|block| block.starts_with("$ ")) {
        for line in block.lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example {
                    page: page.to_owned(),
                    command: command.to_owned(),
                    ptx: ptx.clone(),
                    lines: Vec::new(),
                }),
                None => examples.last_mut().unwrap().lines.push(line.trim_end().to_owned()),
            }
        }
    }
    examples
}

/// Returns a line without the seconds that something took.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_time = |at: usize| words.get(at + 1).is_some_and(|next| matches!(*next, "s" | "s,"));
    let shown = words.iter().enumerate().map(|(at, word)| if is_time(at) { "T" } else { word });
    shown.collect::<Vec<&str>>().join(" ")
}

/// Whether a printed line is what a page shows.
fn fits(printed: &str, shown: &str) -> bool {
    let (printed, shown) = (timeless(printed.trim_end()), timeless(shown));
    if printed == shown {
        return true;
    }
    let mut rest = printed.as_str();
    let parts: Vec<&str> = shown.split(GAP).collect();
    let [first, middle @ .., last] = parts.as_slice() else { return false };
    let Some(behind) = rest.strip_prefix(first) else { return false };
    rest = behind;
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Returns the first line of an example that is not printed, each part between gaps being lines in a row.
fn missing<'a>(shown: &'a [String], printed: &[&str]) -> Option<&'a str> {
    let mut from = 0;
    for part in shown.split(|line| line.trim() == GAP).filter(|part| !part.is_empty()) {
        let common = |at: usize| {
            let pairs = part.iter().zip(printed.get(at..).unwrap_or_default());
            pairs.take_while(|(shown, printed)| fits(printed, shown)).count()
        };
        match (from..printed.len()).find(|&at| common(at) == part.len()) {
            Some(at) => from = at + part.len(),
            None => {
                let most = (from..printed.len()).map(common).max().unwrap_or(0);
                return part.get(most).map(String::as_str);
            }
        }
    }
    None
}

/// Runs the examples of a page one after the other in one folder, and returns what is wrong with them.
fn wrong(examples: &[Example]) -> Vec<String> {
    let name = examples[0].page.replace('/', "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bf16.ptx"), &examples[0].ptx).unwrap();
    fs::write(folder.join("canary.json"), CANARY_WAIVERS).unwrap();
    // Some examples read the published reports.
    std::os::unix::fs::symlink(root().join("reports"), folder.join("reports")).unwrap();
    let mut wrong = Vec::new();
    for Example { page, command, lines, .. } in examples {
        // A file that no command has written is one that the page introduces.
        let introduces = command.strip_prefix("cat ").is_some_and(|file| !folder.join(file).exists());
        if introduces || NOT_RUN.iter().any(|(part, _)| command.contains(part)) {
            continue;
        }
        let script = format!("cargo() {{ shift; \"$PROGRAM\" \"$@\"; }}\n{command}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(&folder)
            .env("PROGRAM", env!("CARGO_BIN_EXE_conformance"))
            .env(base::invocation::VARIABLE, "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let printed: Vec<&str> = printed.lines().collect();
        if let Some(line) = missing(lines, &printed) {
            let said = String::from_utf8_lossy(&output.stderr);
            wrong.push(format!(
                "{page}: `{command}` does not print\n  {line}\nbut\n{}\n{said}",
                printed.join("\n")
            ));
        }
    }
    wrong
}

#[test]
fn examples_print_what_pages_show() {
    let root = root();
    let mut by_page: BTreeMap<String, Vec<Example>> = BTreeMap::new();
    for path in super::pages(&root).into_keys() {
        let page = path.display().to_string();
        let text = fs::read_to_string(root.join(&path)).unwrap();
        let examples = examples(&page, &text);
        if !examples.is_empty() {
            by_page.insert(page, examples);
        }
    }
    // Pages about functions of one's own have the program of the first such page.
    let ptx =
        by_page.values().map(|examples| examples[0].ptx.clone()).find(|ptx| !ptx.is_empty()).unwrap();
    for examples in by_page.values_mut().filter(|examples| examples[0].ptx.is_empty()) {
        examples[0].ptx.clone_from(&ptx);
    }
    let all: Vec<&Vec<Example>> = by_page.values().collect();
    assert!(all.len() >= 10, "{} pages", all.len());
    let wrong: Vec<String> = each(&all, |examples| wrong(examples)).concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    for (part, why) in NOT_RUN {
        assert!(
            all.iter().any(|page| page.iter().any(|one| one.command.contains(part))),
            "{part}: {why}"
        );
    }
}

#[test]
fn wrong_examples_are_seen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = ["a 0.1 s", "b", "c [1, 2]", "d"];
    for (shown, lacks) in [
        ("a 2.5 s\nb", None),
        ("…\nb\n…\nd", None),
        ("b\nc […]\nd", None),
        ("a 0.1 s\n…\nc [1,…", None),
        ("b\nd", Some("d")),
        ("d\n…\nb", Some("b")),
        ("c [2…", Some("c [2…")),
    ] {
        assert_eq!(missing(&lines(shown), &printed), lacks, "{shown}");
    }
    let page = "```\n.version 1\n```\n\n```\n$ cargo xtask x\na\n$ cat y\nb\n```\n";
    let examples = examples("p", page);
    let found: Vec<_> =
        examples.iter().map(|one| (one.command.as_str(), one.lines.as_slice())).collect();
    assert_eq!(found, [("cargo xtask x", &["a".to_owned()][..]), ("cat y", &["b".to_owned()][..])]);
    assert_eq!(examples[0].ptx, ".version 1\n");
}
