//! Names the folder of a judgement's report where the command line names none: functions that are judged one after the
//! other do not replace each other's reports.

use std::path::{Component, Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Arguments;
use super::source::python;

/// The folder that has those of all judgements.
pub const OUT: &str = "target/judge";
/// The most characters of a folder's name: mangled names may be longer than what a file system takes.
const NAME_MAX: usize = 100;
/// The name for code from standard input.
const STANDARD_INPUT: &str = "stdin";

/// Returns the folder for a function of a file, or for a file: `target/judge/FILE-FUNCTION`.
pub fn default_for(file: &str, function: Option<&str>) -> PathBuf {
    // The kernel of a file of Python is the function.
    let file = python(file).map_or(file, |(path, _)| path);
    let parts = Path::new(file).components().filter_map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let file = if file == "-" { STANDARD_INPUT.to_owned() } else { parts.collect::<Vec<_>>().join("-") };
    let all = function.map_or(file.clone(), |function| format!("{file}-{function}"));
    let is_usual = |one: char| one.is_alphanumeric() || matches!(one, '.' | '_' | '-' | '$');
    let name: String = all.chars().map(|one| if is_usual(one) { one } else { '_' }).collect();
    let count = name.chars().count();
    if name == all && count <= NAME_MAX && count > 0 {
        return Path::new(OUT).join(name);
    }
    // What was left out is still told from other names.
    let begin: String = name.chars().take(NAME_MAX).collect();
    Path::new(OUT).join(format!("{begin}-{:016x}", xxh3_64(all.as_bytes())))
}

impl Arguments {
    /// Returns the folder that the command line names, or that of all judgements.
    pub(super) fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| OUT.into())
    }

    /// Returns the arguments with the folder of a function, if the command line names none.
    pub(super) fn with_folder_of(&self, function: &str) -> Arguments {
        let file = self.file.as_deref().unwrap_or_default();
        let own = self.out.clone().unwrap_or_else(|| default_for(file, Some(function)));
        Arguments { out: Some(own), ..self.clone() }
    }

    /// Returns the folder of what a compiler makes of the file under all settings and for all targets.
    pub(super) fn folder_of_all(&self) -> PathBuf {
        let file = self.file.as_deref().unwrap_or_default();
        self.out.clone().unwrap_or_else(|| default_for(file, self.function.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_of_a_file_and_a_function() {
        let name = |file: &str, function| default_for(file, Some(function)).display().to_string();
        assert_eq!(name("bf16.ptx", "to_bf16"), "target/judge/bf16.ptx-to_bf16");
        assert_eq!(name("../a/b.cu", "f"), "target/judge/a-b.cu-f");
        assert_eq!(name("/a/b.cu", "f"), name("a/b.cu", "f"));
        assert_eq!(name("-", "f"), "target/judge/stdin-f");
        assert_eq!(default_for("a.cu", None), Path::new("target/judge/a.cu"));
        let long = "f".repeat(300);
        let [one, other] = [&long, &format!("{long}g")].map(|function| name("a.ptx", function));
        assert!(one.len() < 140 && one != other, "{one}");
        // Whatever a path has, the folder is one below that of all.
        for odd in ["a b.ptx", "a:b", "..", "/", ""] {
            let folder = default_for(odd, Some("f/../g"));
            assert_eq!(folder.components().count(), 3, "{odd}: {}", folder.display());
        }
    }
}
