//! Tests of what is printed on terminals of 20 and of 80 columns.
#![cfg(target_os = "linux")]

use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Command, ExitStatus, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Runs the binary on a terminal, and returns what it wrote there and its status.
fn on_terminal(columns: u16, arguments: &[&str]) -> (String, ExitStatus) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let end = |_| -> Stdio {
        OwnedFd::from(
            std::fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap(),
        )
        .into()
    };
    let streams = [0, 1].map(end);
    tcsetwinsize(&terminal, size).unwrap();
    let [out, err] = streams;
    let mut command = Command::new(env!("CARGO_BIN_EXE_conformance"));
    let command = command.args(arguments).stdin(Stdio::null()).env("TERM", "xterm");
    let mut child = command.stdout(out).stderr(err).spawn().unwrap();
    // This side reads to the end only if it holds no copy of the other side itself.
    *command = Command::new("true");
    let mut bytes = Vec::new();
    // Linux reports the end of a terminal as an error.
    let _ = std::fs::File::from(terminal).read_to_end(&mut bytes);
    (String::from_utf8(bytes).unwrap(), child.wait().unwrap())
}

/// Returns the lines that were written, also those that were written over, without colours and cursor movements.
fn lines(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\x1b' => {
                assert_eq!(rest.next(), Some('['), "a sequence that is none of colours and movements");
                rest.find(char::is_ascii_alphabetic);
            }
            '\r' => plain.push('\n'),
            _ => plain.push(letter),
        }
    }
    plain.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn fits(columns: u16, arguments: &[&str]) {
    let (text, status) = on_terminal(columns, arguments);
    assert!(matches!(status.code(), Some(0 | 1)), "{text}");
    let lines = lines(&text);
    assert!(lines.len() > 3, "{text}");
    for line in lines {
        // Names, paths and commands stay whole, for whoever copies them.
        let first = line.split(' ').next().unwrap_or_default();
        let copied = !line.trim_start().contains(' ')
            || ["replay: ", "explain: "].iter().any(|name| line.trim_start().starts_with(name))
            || line.starts_with("Report: ")
            || first.contains('/');
        assert!(copied || line.chars().count() <= usize::from(columns), "{columns} columns: {line}");
    }
}

#[test]
fn a_run_fits() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let run = ["conformance", "--impl", "canary", "--only", "fma.rn.*f16", "--only", "tanh.approx.*"];
    for columns in [20, 80] {
        fits(columns, &[&run[..], &["--out", out]].concat());
    }
}

#[test]
fn a_list_fits() {
    for columns in [20, 80] {
        fits(columns, &["list", "--only", "cvt.rn.*"]);
    }
}
