//! Tests of the implementations by others that come with the suite.

use std::path::Path;
use std::process::Command;

use implementations::bundled::BUNDLED;

use crate::common::assert_refused;

/// Every bundled implementation has the files that its commands need, and a row in the page about them.
#[test]
fn every_bundled_implementation_has_its_files_and_a_row() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../third-party");
    let page = std::fs::read_to_string(sources.join("README.md")).unwrap();
    for bundled in BUNDLED {
        for file in bundled.sources() {
            let path = sources.join(&file);
            assert!(path.exists(), "{}: there is no {}", bundled.name, path.display());
        }
        let row = format!("| `{}` |", bundled.name);
        assert!(page.contains(&row), "no row of {} in harness/third-party/README.md", bundled.name);
    }
}

#[test]
fn what_is_not_set_up_is_refused_with_the_remedy() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str], words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
        assert_refused(&command.args(arguments).current_dir(&directory).output().unwrap(), words);
    };
    refused(&["conformance", "--impl", "half"], &["half is not set up", "conformance setup half"]);
    refused(&["conformance", "--impl", "half,patience=1"], &["unknown option `patience=1`"]);
    let pascal = ["conformance", "--impl", "mma_sim,arch=pascal"];
    refused(&pascal, &["`arch=pascal` is not an architecture", "hopper", "rtx_blackwell"]);
    refused(&["conformance", "--impl", "mma_sim"], &["conformance setup mma_sim"]);
    refused(&["setup", "half"], &["the folder harness/third-party is not here", "the suite's folder"]);
    std::fs::create_dir_all(directory.path().join("harness/third-party")).unwrap();
    refused(&["setup", "thirds"], &["unknown name `thirds`; what can be set up", "half", "torch"]);
}
