//! Tests of a device that judges all triples of an `fma`.
//!
//! A real device takes minutes for all of them, and this one months: so only some are asked for, by a process that
//! loads the driver.

use emulator::{Backend, Kernel};
use formats::digests::triples::Weights;
use implementations::Screening;
use isa::{Variant, columns_for, results_for};
use sweeps::Sweep;

use super::{FakeMachine, said};

/// The argument for the process in the place of its tests: the name of the test to run.
const INNER: &str = "gpu::triples::what_a_device_says_of_some";
/// The environment variable for the name of the variant that is wrong on the device, if any.
const WRONG: &str = "WRONG";
/// The number of vectors that are asked for at least.
const PART: u64 = ptx::TRIPLES_OF_WARP;

fn asked(wrong: Option<&str>) {
    let settings = wrong.map_or(String::new(), |name| format!(";wrong={name}"));
    let machine = FakeMachine::with(&format!("capability=90;ptx=9.4{settings}"));
    let mut tests = machine.program(std::env::current_exe().unwrap().to_str().unwrap());
    tests.args(["--exact", INNER, "--ignored", "--nocapture"]).env(WRONG, wrong.unwrap_or_default());
    let output = tests.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{}", said(&output));
}

#[test]
fn a_device_judges_triples() {
    asked(None);
}

#[test]
fn what_is_wrong_on_a_device_shows_among_triples() {
    asked(Some("fma.rn.f16x2"));
}

/// Compares what a device says of some triples with what is right, in a process that finds the driver.
#[test]
#[ignore = "run by the others, where there is a driver"]
fn what_a_device_says_of_some() {
    let wrong = std::env::var(WRONG).unwrap();
    let device = implementations::named("cuda:0").unwrap();
    let constants = implementations::named("cuda:0,constants").unwrap();
    for (name, parts) in [("fma.rn.f16", 1), ("fma.rn.f16x2", 3), ("fma.rn.oob.relu.bf16", 2)] {
        let variant = Variant::all().iter().find(|variant| variant.text() == name).unwrap();
        assert!(device.judges_triples(variant) && !constants.judges_triples(variant));
        let (first, rows) = (0x3c01_bff8 << 16, (parts * PART) as usize);
        let found = device.worker().unwrap().screen(variant, first, rows, None).unwrap().unwrap();
        let (mut operands, mut results) = (columns_for(variant, rows), results_for(variant, rows));
        Sweep::exhaustive().fill(variant, 0, first, &mut operands);
        Kernel::of(variant, Backend::Lanes).unwrap().run(&operands, &mut results);
        let weights = Weights::of(&operands);
        let right =
            Screening { inputs: weights.inputs(), results: weights.results(&results[0]), differing: 0 };
        match name == wrong {
            true => assert!(found.differing > 0 && found.results != right.results, "{found:?}"),
            false => assert_eq!(found, right, "{name}"),
        }
        // A device judges no triples where results are wanted, no fewer than a warp has, and no other sweeps.
        let mut worker = device.worker().unwrap();
        assert_eq!(worker.screen(variant, first, rows, Some(&mut results)).unwrap(), None);
        assert_eq!(worker.screen(variant, first, rows - 1, None).unwrap(), None);
    }
    let variant: Variant = "mul.f16".parse().unwrap();
    assert!(!device.judges_triples(&variant));
}
