//! Every section of the PTX manual that a page or the code cites by number is one that the instruction table has, or is
//! listed here with its subject. A section of another version than 9.4 stands only where that version is named.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use isa::Variant;
use isa::matrix::MatrixVariant;

/// Sections of PTX ISA 9.4 that no row of the table has, and what they are about.
const OTHERS: &[(&str, &str)] = &[
    ("9.7.1", "integer arithmetic"),
    ("9.7.2", "integer arithmetic of extended precision"),
    ("9.7.9", "logic and shifts"),
    ("9.7.10.29", "maps of tensors"),
    ("9.7.10.30", "spcompress"),
    ("9.7.11.3", "types that fabric reduces"),
    ("9.7.14.5", "call"),
    ("9.7.16.3", "scales of mma"),
    ("9.7.16.4.1", "fragments of wmma"),
    ("9.7.16.4.2", "storage of matrices for wmma"),
    ("9.7.16.4.3", "wmma.load"),
    ("9.7.16.4.4", "wmma.store"),
    ("9.7.16.5.1", "fragments of mma.m8n8k4"),
    ("9.7.16.5.2", "fragments of mma.m8n8k4 of f64"),
    ("9.7.16.5.11", "fragments of mma.m16n8k64"),
    ("9.7.16.6.1", "metadata of mma.sp"),
    ("9.7.16.6.2", "fragments of mma.sp"),
    ("9.7.17.2", "shapes of wgmma"),
    ("9.7.17.5.1", "matrices of wgmma in registers and shared memory"),
    ("9.7.17.5.1.1", "fragments of wgmma"),
    ("9.7.17.5.1.2", "descriptors of wgmma"),
    ("9.7.17.6.1", "metadata of wgmma"),
    ("9.7.18.2.1.1", "shapes of tcgen05.mma"),
    ("9.7.18.10.7.1", "scales of tcgen05.mma"),
    ("9.7.18.10.9", "sparse matrices of tcgen05.mma"),
    ("9.7.18.10.9.1", "metadata of tcgen05.mma of tf32"),
    ("9.7.18.10.9.2", "metadata of tcgen05.mma of 16 and 8 bits"),
    ("9.7.18.10.9.3", "metadata of tcgen05.mma of 4 bits"),
];

/// Sections of PTX ISA 9.1 that its numbers differ in, and what they are about.
const OLDER: &[(&str, &str)] = &[
    ("9.7.9.14", "multimem"),
    ("9.7.9.25.4.2", "cp.reduce.async.bulk"),
    ("9.7.13.5", "atom"),
    ("9.7.13.6", "red"),
    ("9.7.13.7", "red.async"),
    ("9.7.13.12", "redux"),
];

/// The folders whose files are read.
const FOLDERS: [&str; 6] = ["docs", "vectors", "harness", "reports", "fuzz", "xtask"];

/// Returns the numbers in a text, such as `9.1` and `9.7.16.5.14`.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let numbers = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    numbers.map(|number| number.trim_matches('.'))
}

/// Returns every number of a section of chapter 9.7 in a text.
fn cited(text: &str) -> BTreeSet<&str> {
    numbers(text).filter(|section| section.starts_with("9.7.")).collect()
}

/// Adds the text of each page and each source file in a folder, by its path.
fn read(folder: &Path, texts: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "target") {
                read(&path, texts);
            }
        } else if path
            .extension()
            .is_some_and(|ending| ["md", "rs", "py"].iter().any(|of| ending == *of))
        {
            texts.insert(path.display().to_string(), fs::read_to_string(&path).unwrap());
        }
    }
}

/// Returns the sections of the table, and the sections that these are parts of.
fn of_the_table() -> BTreeSet<&'static str> {
    let scalar = Variant::all().iter().map(|variant| variant.form().section);
    let matrix = MatrixVariant::all().iter().map(|variant| variant.form().section);
    let sections = scalar.chain(matrix);
    let whole_and_parts = |section: &'static str| {
        section.match_indices('.').map(|(at, _)| &section[..at]).chain([section])
    };
    sections.flat_map(whole_and_parts).collect()
}

/// Returns which sections that a text cites are unknown.
fn unknown<'a>(known: &BTreeSet<&str>, text: &'a str) -> Vec<&'a str> {
    let has = |list: &[(&str, &str)], section: &str| list.iter().any(|row| row.0 == section);
    let names_older = numbers(text).any(|number| number == "9.1");
    let is_unknown = |section: &&str| {
        !(known.contains(section) || has(OTHERS, section) || has(OLDER, section) && names_older)
    };
    cited(text).into_iter().filter(is_unknown).collect()
}

#[test]
fn cited_sections_of_the_manual_are_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut texts = BTreeMap::new();
    FOLDERS.iter().for_each(|folder| read(&root.join(folder), &mut texts));
    // This file cites wrong numbers.
    texts.retain(|path, _| !path.ends_with("suite/citations.rs"));
    let known = of_the_table();
    assert!(known.len() > 60 && texts.len() > 500, "{} sections, {} files", known.len(), texts.len());
    let of_file = |(path, text): (&String, &String)| {
        let path = path.clone();
        let unknown = unknown(&known, text).into_iter().map(str::to_owned).collect::<Vec<_>>();
        unknown.into_iter().map(move |section| format!("{path}: {section}"))
    };
    let wrong: Vec<String> = texts.iter().flat_map(of_file).collect();
    assert!(
        wrong.is_empty(),
        "sections that the table does not have; correct the number, or list it in citations.rs:\n{}",
        wrong.join("\n")
    );
    let all: BTreeSet<&str> = texts.values().flat_map(|text| cited(text)).collect();
    let lists = OTHERS.iter().chain(OLDER).map(|row| row.0);
    let over: Vec<&str> =
        lists.filter(|section| known.contains(section) || !all.contains(section)).collect();
    assert!(over.is_empty(), "listed in citations.rs, and cited nowhere or in the table: {over:?}");
}

#[test]
fn wrong_citations_are_seen() {
    let known = of_the_table();
    assert!(known.contains("9.7.16.5.14") && known.contains("9.7.16"));
    for (text, wrong) in [
        ("(9.7.16.5.14), 9.7.16.4.5.", vec![]),
        ("9.7.14.5.14 for 9.7.16.5.14", vec!["9.7.14.5.14"]),
        ("of 9.7.14, and 9.7.16", vec!["9.7.14"]),
        ("9.7.13.5 is atom", vec!["9.7.13.5"]),
        ("9.7.13.5 of PTX ISA 9.1 is atom", vec![]),
        ("version 19.7.14, 9.7", vec![]),
    ] {
        assert_eq!(unknown(&known, text), wrong, "{text}");
    }
}
