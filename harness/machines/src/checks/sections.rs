//! Tests that sections of the manual are numbered as the table numbers them, PTX ISA 9.4: a new version moves them, and
//! a number that was left behind names another instruction.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use isa::Variant;
use isa::matrix::MatrixVariant;

/// Returns the first three parts of the number that a text begins with: `9.7.16` of `9.7.16.5.8`.
fn chapter(text: &str) -> String {
    let number = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next();
    let parts = number.unwrap_or_default().split('.').filter(|part| !part.is_empty());
    parts.take(3).collect::<Vec<_>>().join(".")
}

/// Whether a line says of which version its numbers are: `PTX ISA 9.4, 9.7.1`.
fn has_version(line: &str) -> bool {
    let after = line.split("PTX ISA ").nth(1).unwrap_or_default();
    let version = after.split(", ").next().unwrap_or_default();
    version.split('.').count() == 2 && version.split('.').all(|part| part.parse::<u32>().is_ok())
}

/// Adds the files of a folder and of all folders in it.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, files),
            false => files.push(path),
        }
    }
}

#[test]
fn sections_are_numbered_as_the_table_numbers_them() {
    let forms = Variant::all().iter().map(|variant| variant.form().section);
    let matrices = MatrixVariant::all().iter().map(|variant| variant.form().section);
    let known: HashSet<String> = forms.chain(matrices).map(chapter).collect();
    let mut files = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    [here.join("src"), here.join("../ptx/src")].iter().for_each(|folder| sources(folder, &mut files));
    let mut cited = 0;
    // This file has `9.7.` itself, as the text that is looked for and in examples.
    for file in files.iter().filter(|file| !file.ends_with("checks/sections.rs")) {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !has_version(line)) {
            for (at, _) in line.match_indices("9.7.") {
                let chapter = chapter(&line[at..]);
                assert!(known.contains(&chapter), "{}: {}", file.display(), line.trim());
                cited += 1;
            }
        }
    }
    assert!(cited > 20, "{cited}");
}
