//! The emulator against MPFR, vector by vector.

#![no_main]

use fuzz::Case;
use harness::implementation::{Emulator, Implementation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| {
    let emulator = Emulator::scalar();
    let mut worker = emulator.worker().expect("the emulator starts");
    if let Some(mismatch) = case.try_on(worker.as_mut()) {
        panic!("{} {:#x?}: {mismatch:#x?}", case.variant, case.operands);
    }
});
