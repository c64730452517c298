//! An implementation with known faults: a suite that misses one of them is broken.

use anyhow::Result;
use vectors::{Column, Variant};

use super::{Description, Emulator, Implementation, Support, Worker};
use crate::mutant::{Deviation, Model};

/// What is wrong with the canary: one deviation in each of these variants, and nothing elsewhere.
#[rustfmt::skip] // a table
pub const PLANTED: &[(&str, Deviation)] = &[
    ("mul.ftz.f16",               Deviation::InputNotFlushed),
    ("mul.rn.ftz.f16x2",          Deviation::ResultNotFlushed),
    ("fma.rn.ftz.f16",            Deviation::FlushLosesSign),
    ("add.rz.f32.f16",            Deviation::NarrowSubnormalLost),
    ("fma.rn.f16x2",              Deviation::Unfused),
    ("fma.rn.f16",                Deviation::ThroughF32),
    ("fma.rn.bf16",               Deviation::ThroughF64),
    ("mul.rn.f16",                Deviation::TiesAway),
    ("mul.bf16x2",                Deviation::Truncated),
    ("fma.rn.bf16x2",             Deviation::StickyLost(40)),
    ("fma.rp.f32.f16",            Deviation::StickyLost(60)),
    ("sub.rm.f32.bf16",           Deviation::DownTowardZero),
    ("add.rm.f32.f16",            Deviation::ZeroSumPositive),
    ("mul.rn.bf16",               Deviation::OverflowToMax),
    ("fma.rz.f32.bf16",           Deviation::OverflowToInfinity),
    ("fma.rn.sat.f16",            Deviation::SatKeepsNan),
    ("sub.rp.sat.f32.f16",        Deviation::SatSigned),
    ("fma.rn.relu.bf16",          Deviation::ReluKeepsPayload),
    ("fma.rn.relu.f16x2",         Deviation::ReluKeepsTiny),
    ("fma.rn.oob.f16",            Deviation::OobFirstOnly),
    ("fma.rn.oob.relu.bf16",      Deviation::OobPositiveOnly),
    ("fma.rn.oob.bf16x2",         Deviation::OobAllLanes),
    ("mul.sat.f16x2",             Deviation::LanesSwapped),
];

/// The emulator, but for [`PLANTED`].
#[derive(Clone, Copy, Debug)]
pub struct Canary;

impl Implementation for Canary {
    fn describe(&self) -> Description {
        let version = env!("CARGO_PKG_VERSION").into();
        Description { name: "canary".into(), version, ..Description::default() }
    }

    fn support(&self, variant: &Variant) -> Support {
        Emulator::lanes().support(variant)
    }

    fn worker(&self) -> Result<Box<dyn Worker>> {
        Ok(Box::new(CanaryWorker { emulator: Emulator::lanes() }))
    }
}

struct CanaryWorker {
    emulator: Emulator,
}

impl Worker for CanaryWorker {
    fn run(&mut self, variant: &Variant, operands: &[Column], results: &mut [Column]) -> Result<()> {
        match PLANTED.iter().find(|(text, _)| *text == variant.text()) {
            Some(&(_, deviation)) => {
                Model::new(variant, Some(deviation)).run(operands, results);
                Ok(())
            }
            None => self.emulator.run(variant, operands, results),
        }
    }
}
