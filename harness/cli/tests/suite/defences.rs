//! Tests that the committed matrix of attacks is that of the code, and that the hostile program has the faults it
//! claims.

use cli::defences::client::FAULTS;
use cli::defences::{self, rows};

const PAGE: &str = include_str!("../../../DEFENCES.md");

/// The page has one line for each row, in the order of the code and with its words.
#[test]
fn the_page_has_the_rows_of_the_code() {
    let lines: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| ")).collect();
    let lines: Vec<&str> = lines
        .into_iter()
        .filter(|line| !line.starts_with("| ---") && !line.starts_with("| what was"))
        .collect();
    assert_eq!(lines.len(), rows().len(), "renew it: cargo xtask dev defences --write");
    for (line, row) in lines.iter().zip(rows()) {
        let beginning = defences::beginning(row);
        assert!(line.starts_with(&beginning), "{line}\nis not\n{beginning}");
        assert!(line.len() > beginning.len() + 3, "nothing was seen: {line}");
        assert!(PAGE.contains(&format!("\n## {}\n", row.group)), "{}", row.group);
    }
}

#[test]
fn faults_have_names_of_their_own() {
    for row in rows() {
        let same = rows().iter().filter(|other| other.fault == row.fault);
        assert_eq!(same.count(), 1, "{}", row.fault);
    }
    assert!(defences::client::run("no-such-fault", None).is_err());
    assert!(FAULTS.contains(&"none"));
}

/// The command `dev defences` ends with exit code 0 where a row is as expected.
#[cfg(target_os = "linux")]
#[test]
fn a_row_is_tried_by_the_command() {
    let run = |only: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_conformance"))
            .args(["dev", "defences", "--only", only])
            .output()
            .expect("it starts")
    };
    let right = run("a right program");
    assert_eq!(right.status.code(), Some(0), "{}", String::from_utf8_lossy(&right.stderr));
    let text = String::from_utf8_lossy(&right.stdout).into_owned();
    assert!(text.contains("| a right program | every vector agrees | exit code 0"), "{text}");
    assert!(text.contains("1 fault, 0 not as expected"), "{text}");
    assert_eq!(run("no such fault").status.code(), Some(2));
}

/// Where the hostile client is missing, the message says what to do.
#[test]
fn a_missing_client_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = defences::client_beside(&folder.path().join("conformance")).expect_err("none is there");
    assert!(error.to_string().contains("run in the suite's folder, builds it"), "{error}");
}
