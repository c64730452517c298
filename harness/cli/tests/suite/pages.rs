//! Every page of the repository: its links lead to files and headings that there are, the files that it names exist, and
//! the book has it as a chapter.

#[cfg(unix)]
mod examples;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The table of contents of the book, from the repository's root.
const CONTENTS: &str = "docs/SUMMARY.md";

/// Folders that hold no page of the repository: what is built, fetched or found.
const OTHERS: [&str; 5] = ["target", ".git", "artifacts", "corpus", "node_modules"];

/// Files that pages name and the repository does not have: fuzzing makes the folders, and a user makes the workflow.
const MADE: [&str; 3] = ["fuzz/artifacts", "fuzz/corpus", ".github/workflows/conformance-nightly.yml"];

/// The parts of a page that can be wrong.
#[derive(Default)]
struct Page {
    /// Destinations of links and images, as they are written.
    links: Vec<String>,
    /// Text in code style, outside of blocks of code.
    code: Vec<String>,
    /// Names by which links reach places in the page: headings, and elements with an `id`.
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(text: &str) -> Page {
        let mut page = Page::default();
        let mut heading: Option<String> = None;
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let slug = slug(&heading.take().unwrap_or_default());
                    let count = seen.entry(slug.clone()).or_default();
                    page.anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
                    *count += 1;
                }
                Event::Text(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
                Event::Code(code) => {
                    heading.iter_mut().for_each(|heading| heading.push_str(&code));
                    page.code.push(code.into_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    let ids = html.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next());
                    page.anchors.extend(ids.map(str::to_owned));
                }
                _ => {}
            }
        }
        page
    }
}

/// Returns the name by which a link reaches a heading, as GitHub and mdBook make it.
fn slug(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Adds the paths of all pages in a folder, from the repository's root.
fn find(root: &Path, folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !OTHERS.iter().any(|other| name == *other) {
            find(root, &path, pages);
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path);
        }
    }
}

/// Returns every page of the repository by its path from the root.
fn pages(root: &Path) -> BTreeMap<PathBuf, Page> {
    let mut paths = Vec::new();
    find(root, Path::new(""), &mut paths);
    let read = |path: &PathBuf| Page::read(&fs::read_to_string(root.join(path)).unwrap());
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// Returns a relative path without `.` and `..`; `None` if it leaves the repository.
fn resolved(path: &Path) -> Option<PathBuf> {
    path.components().try_fold(PathBuf::new(), |mut sum, part| {
        match part {
            Component::Normal(name) => sum.push(name),
            Component::ParentDir if !sum.pop() => return None,
            Component::RootDir | Component::Prefix(_) => return None,
            Component::ParentDir | Component::CurDir => {}
        }
        Some(sum)
    })
}

/// Returns what is wrong with a link of a page, in words.
fn wrong_link(root: &Path, pages: &BTreeMap<PathBuf, Page>, from: &Path, link: &str) -> Option<String> {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (path, anchor) =
        link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let to = if path.is_empty() {
        from.to_owned()
    } else {
        let Some(to) = resolved(&from.parent().unwrap().join(path)) else {
            return Some(format!("`{link}` leaves the repository"));
        };
        to
    };
    if !root.join(&to).exists() {
        return Some(format!("`{link}`: there is no {}", to.display()));
    }
    let anchor = anchor?;
    let has = pages.get(&to).is_some_and(|page| page.anchors.contains(anchor));
    (!has && to.extension().is_some_and(|ending| ending == "md"))
        .then(|| format!("`{link}`: {} has no heading #{anchor}", to.display()))
}

/// Returns whether code in a page names a file of the repository by its path from the root.
fn names_file(tops: &BTreeSet<String>, code: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/+".contains(letter);
    let top = code.split('/').next().unwrap_or_default();
    code.contains('/')
        && !MADE.contains(&code)
        && code.chars().all(plain)
        && tops.contains(top)
        && top != "target"
}

#[test]
fn links_and_paths_lead_somewhere() {
    let root = root();
    let pages = pages(&root);
    assert!(pages.len() > 100, "{} pages", pages.len());
    let tops =
        fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let tops: BTreeSet<String> = tops.collect();
    let mut wrong = Vec::new();
    for (path, page) in &pages {
        let links = page.links.iter().filter_map(|link| wrong_link(&root, &pages, path, link));
        wrong.extend(links.map(|words| format!("{}: {words}", path.display())));
        let lost = page.code.iter().filter(|code| names_file(&tops, code) && !root.join(code).exists());
        wrong.extend(lost.map(|code| format!("{}: there is no `{code}`", path.display())));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_page_is_a_chapter_of_the_book() {
    let root = root();
    let pages = pages(&root);
    let contents = &pages[Path::new(CONTENTS)];
    let chapters: Vec<PathBuf> = contents
        .links
        .iter()
        .map(|link| resolved(&Path::new("docs").join(link)).expect("a chapter is in the repository"))
        .collect();
    let once: BTreeSet<&PathBuf> = chapters.iter().collect();
    assert_eq!(once.len(), chapters.len(), "a chapter stands once");
    let lacks: Vec<_> = pages
        .keys()
        .filter(|page| !once.contains(page) && *page != Path::new(CONTENTS))
        .filter(|page| !page.starts_with(".github"))
        .collect();
    assert!(lacks.is_empty(), "{CONTENTS} lacks {lacks:?}");
}

/// What the page says is found, and what is wrong with a page is seen.
#[test]
fn wrong_links_are_seen() {
    let text = "# A `b` — c\n\n[x](y.md#z) `harness/none.rs` `harness/*.rs`\n\n<a id=\"here\"></a>\n\n# A `b` — c\n";
    let page = Page::read(text);
    assert_eq!(page.links, ["y.md#z"]);
    let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
    assert_eq!(anchors, ["a-b--c", "a-b--c-1", "here"]);
    let tops = BTreeSet::from(["harness".to_owned()]);
    assert_eq!(page.code.iter().filter(|code| names_file(&tops, code)).count(), 1);

    let root = root();
    let pages = BTreeMap::from([(PathBuf::from("README.md"), page)]);
    let wrong = |link: &str| wrong_link(&root, &pages, Path::new("README.md"), link);
    assert_eq!(wrong("#a-b--c-1"), None);
    assert_eq!(wrong("Cargo.toml"), None);
    assert!(wrong("#nowhere").is_some_and(|words| words.contains("no heading")));
    assert!(wrong("none.md").is_some_and(|words| words.contains("there is no")));
    assert!(wrong("../elsewhere.md").is_some_and(|words| words.contains("leaves")));
}
