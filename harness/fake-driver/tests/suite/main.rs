//! Tests of the fake device, by calls of the driver.

mod device;
mod functions;
mod matrices;
mod room;

use std::process::{Command, Stdio};

/// Returns whether this is a process for a driver with settings, of which a process has one. If it is not, runs a test
/// in such processes, one for each of these settings.
fn has_settings(test: &str, settings: &[String]) -> bool {
    const NAME: &str = "FAKE_DRIVER";
    if std::env::var_os(NAME).is_some() {
        return true;
    }
    let run = |settings: &String| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", test]).env(NAME, settings).stdout(Stdio::piped()).spawn().unwrap()
    };
    let each: Vec<_> = settings.iter().map(run).collect();
    for process in each {
        let output = process.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(" 1 passed"), "{text}");
    }
    false
}
