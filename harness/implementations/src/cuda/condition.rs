//! Condition in which a device was found, as `nvidia-smi` has it, which comes with every driver. That program is
//! only asked: nothing about a device is ever changed.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use base::command::{Output, Streams, output_within};

/// Time that `nvidia-smi` has: where a device is in a bad state, it may never answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Fields that `nvidia-smi` is asked for, and what a report calls each.
const FIELDS: [(&str, &str); 6] = [
    ("vbios_version", "VBIOS"),
    ("clocks.current.sm", "SM clock"),
    ("clocks.max.sm", "highest SM clock"),
    ("clocks.current.memory", "memory clock"),
    ("clocks.max.memory", "highest memory clock"),
    ("ecc.mode.current", "ECC"),
];

/// Returns what is known of the device with this UUID (`GPU-…`), by name; nothing where there is no `nvidia-smi`,
/// or where it does not answer.
pub fn condition(uuid: &str) -> BTreeMap<String, String> {
    let query = FIELDS.map(|(field, _)| field).join(",");
    let mut command = Command::new("nvidia-smi");
    command.args(["--id", uuid, "--query-gpu", &query, "--format", "csv,noheader"]);
    answer(&mut command, PATIENCE).map_or_else(BTreeMap::new, |line| read(&line))
}

/// Returns what a command prints, if it succeeds in time.
fn answer(command: &mut Command, patience: Duration) -> Option<String> {
    let Output { status, text } = output_within(command, Streams::Output, patience).ok()?;
    status.success().then_some(text)
}

/// Reads the line of answers that `nvidia-smi` prints.
fn read(line: &str) -> BTreeMap<String, String> {
    let values = line.trim().split(", ");
    // What a device does not have is answered in brackets, such as `[N/A]`.
    let known = FIELDS.iter().zip(values).filter(|(_, value)| !value.starts_with('['));
    known.map(|((_, name), value)| ((*name).to_owned(), value.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_named_and_what_is_not_supported_is_left_out() {
        let found = read("96.00.89.00.01, 345 MHz, 1980 MHz, 2619 MHz, 2619 MHz, Enabled\n");
        assert_eq!(
            (found.len(), found["VBIOS"].as_str(), found["ECC"].as_str()),
            (6, "96.00.89.00.01", "Enabled")
        );
        assert_eq!(found["highest SM clock"], "1980 MHz");
        let found = read("90.02.0b.00.0f, 210 MHz, 2100 MHz, [N/A], [N/A], [Not Supported]\n");
        assert_eq!((found.len(), found.get("ECC")), (3, None));
        assert!(condition("GPU-of-nobody").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn what_does_not_answer_in_time_is_left_alone() {
        let answer =
            |script: &str| answer(Command::new("sh").args(["-c", script]), Duration::from_millis(300));
        assert_eq!(answer("echo yes"), Some("yes\n".into()));
        assert_eq!(answer("echo no; exit 6"), None);
        assert_eq!(answer("exec sleep 60"), None);
        assert_eq!(super::answer(&mut Command::new("no such command"), PATIENCE), None);
    }
}
