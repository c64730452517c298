//! Tests of how exact functions are measured, with a compiler whose functions are known.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use compilers::Compiler;
use functions::{MeasurementSelection, Record, Tally, prepare};

use super::suite;

fn header(fault: &str) -> Compiler {
    suite();
    let command = format!("exec,deadline=60:python3 harness/cli/tests/compilers/header.py {fault}");
    Compiler::connect(&command, 2).unwrap()
}

fn options(only: &str, inputs: u64) -> MeasurementSelection {
    MeasurementSelection {
        only: vec![only.into()],
        targets: vec!["sm_90".into()],
        settings: vec!["default".into()],
        inputs,
    }
}

/// Measures one function; returns what is counted of it, by way, and the same as it is published.
fn measured(
    compiler: &Compiler,
    options: &MeasurementSelection,
    resume: bool,
    directory: &Path,
) -> (Vec<Tally>, Record) {
    let subjects = prepare(compiler, options, None).unwrap();
    let [subject] = &subjects[..] else { panic!("{} functions", subjects.len()) };
    assert!(subject.left_out.is_empty(), "{:?}", subject.left_out);
    let tallies = subject.measure(directory, resume, 2, &|_| ()).unwrap();
    let mut record = Record::new("header 1".into(), None);
    record.add(subject, tallies.clone());
    (tallies, record)
}

/// A planted mistake is counted exactly: cutting off gives the floor of every number but negative ones that are no
/// integers.
#[test]
fn a_planted_mistake_is_counted_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let of =
        |fault: &str| measured(&header(fault), &options("hfloor.f16", 1), false, directory.path()).0;
    let right = &of("")[..];
    assert_eq!((right.len(), right[0].inputs, right[0].wrong), (1, 1 << 16, 0));
    let wrong = &of("truncated")[0];
    // The wrong ones are negative numbers below 1 in size, and in each binade above those with bits behind the
    // point.
    let below_one = 0x3c00 - 1;
    let above: u64 = (0..10).map(|exponent| 1024 - (1 << exponent)).sum();
    assert_eq!([wrong.wrong, wrong.exceeding], [below_one + above; 2]);
    assert_eq!([wrong.nan, wrong.infinite, wrong.zero_sign], [0; 3]);
    // The worst result is −0 in the place of −1.
    let worst = wrong.worst.as_ref().unwrap();
    assert_eq!((worst.result, worst.nearest, worst.distance), (0x8000, 0xbc00, 0x3c00));
    assert_eq!(worst.error, 1024.0);
    assert_eq!(wrong.first.as_ref().unwrap().operands, [0x8001, 0]);
}

/// Each function with approximations is measured three ways: it is nearly right by the nearest results, and less by
/// what else the manual permits.
#[test]
fn each_function_with_approximations_is_measured_three_ways() {
    let directory = tempfile::tempdir().unwrap();
    let (ways, record) = measured(&header(""), &options("hexp2.f16", 1), false, directory.path());
    let wrong: Vec<u64> = ways.iter().map(|tally| tally.wrong).collect();
    // Because it is rounded to f32 and then to f16, one result is wrong even so.
    assert_eq!((wrong.len(), wrong[0]), (3, 1));
    assert!(wrong[1] > 1 && wrong[2] > 1, "{wrong:?}");
    let names: Vec<&str> = record.functions.iter().filter_map(|entry| entry.way.as_deref()).collect();
    assert_eq!(names, ["nearest", "lowest", "highest"]);
    assert!(
        record
            .functions
            .iter()
            .all(|entry| entry.exhaustive && entry.approximations == ["ex2.approx.ftz.f32"])
    );
    assert_eq!(record.table().lines().count(), 3);
}

/// A run that goes on comes to the same: results that were measured before are read and not measured again, and a
/// file that is cut off, or has another digit, is measured again.
#[test]
fn a_run_that_goes_on_comes_to_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let options = options("sqrtf", 1 << 21);
    let text = |record: &Record| serde_json::to_string(record).unwrap();
    let (tallies, whole) = measured(&header(""), &options, false, directory.path());
    assert_eq!((tallies[0].inputs, tallies[0].wrong), (1 << 21, 0));
    let folder = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    let files = ["000.json", "001.json"].map(|name| folder.join(name));
    // A file that is written again is another file, with another inode.
    let written = || files.each_ref().map(|file| std::fs::metadata(file).unwrap().ino());
    let first = written();
    std::fs::write(&files[1], "[{").unwrap();
    let (_, resumed) = measured(&header(""), &options, true, directory.path());
    assert_eq!(text(&resumed), text(&whole));
    let second = written();
    assert!(second[0] == first[0] && second[1] != first[1]);
    let changed = std::fs::read_to_string(&files[0]).unwrap().replace("\"wrong\":0", "\"wrong\":7");
    assert!(changed.contains("\"wrong\":7"));
    std::fs::write(&files[0], changed).unwrap();
    assert_eq!(measured(&header(""), &options, true, directory.path()).0[0].wrong, 0);
    let third = written();
    assert!(third[0] != second[0] && third[1] == second[1]);
}

#[test]
fn what_is_not_compiled_is_said() {
    let subjects = prepare(&header(""), &options("expf", 1), None).unwrap();
    assert!(subjects[0].measurements.is_empty());
    assert_eq!(subjects[0].left_out, ["default for sm_90: no expf"]);
    let none = prepare(&header(""), &options("no_such", 1), None).err().unwrap();
    assert!(none.to_string().contains("--only"), "{none}");
}
