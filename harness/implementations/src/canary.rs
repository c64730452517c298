//! An implementation with known faults: a suite that misses one of them is broken.

mod approximation;
#[cfg(test)]
mod tests;

use anyhow::Result;
use faults::inject;
use formats::{Column, F32, F64};
use isa::Variant;
use model::{Fault, Model};

use super::{Description, Emulator, Implementation, Support, Worker};

pub use approximation::PLANTED_APPROXIMATIONS;

/// Planted faults of the canary: one fault of the model in each of these variants. Each of
/// [`PLANTED_APPROXIMATIONS`] has a fault of its own, and nothing is wrong elsewhere.
#[rustfmt::skip] // a table
pub const PLANTED: &[(&str, Fault)] = &[
    ("mul.ftz.f16",                                      Fault::InputNotFlushed),
    ("mul.rn.ftz.f16x2",                                 Fault::ResultNotFlushed),
    ("fma.rn.ftz.f16",                                   Fault::FlushLosesSign),
    ("add.rz.f32.f16",                                   Fault::NarrowSubnormalLost),
    ("fma.rn.f16x2",                                     Fault::Unfused),
    ("fma.rn.f16",                                       Fault::Through(&F32)),
    ("fma.rn.bf16",                                      Fault::Through(&F64)),
    ("mul.rn.f16",                                       Fault::TiesAway),
    ("mul.bf16x2",                                       Fault::Truncated),
    ("fma.rn.bf16x2",                                    Fault::StickyLost(40)),
    ("fma.rp.f32.f16",                                   Fault::StickyLost(60)),
    ("sub.rm.f32.bf16",                                  Fault::DownTowardZero),
    ("add.rm.f32.f16",                                   Fault::ZeroSumPositive),
    ("mul.rn.bf16",                                      Fault::OverflowToMax),
    ("fma.rz.f32.bf16",                                  Fault::OverflowToInfinity),
    ("fma.rn.sat.f16",                                   Fault::SatKeepsNan),
    ("sub.rp.sat.f32.f16",                               Fault::SatSigned),
    ("fma.rn.relu.bf16",                                 Fault::ReluKeepsPayload),
    ("fma.rn.relu.f16x2",                                Fault::ReluKeepsTiny),
    ("fma.rn.oob.f16",                                   Fault::OobFirstOnly),
    ("fma.rn.oob.relu.bf16",                             Fault::OobPositiveOnly),
    ("fma.rn.oob.bf16x2",                                Fault::OobAllLanes),
    ("mul.sat.f16x2",                                    Fault::LanesSwapped),
    ("fma.rn.f32",                                       Fault::Through(&F64)),
    ("fma.rn.f64",                                       Fault::Unfused),
    ("mul.rz.f32",                                       Fault::OverflowToInfinity),
    ("add.rn.ftz.f32x2",                                 Fault::FlushLosesSign),
    ("mad.rp.f32",                                       Fault::StickyLost(60)),
    ("sub.f64",                                          Fault::OperandsExchanged),
    ("fma.rn.f32x2.bf16x2.f32x2.f32x2",                  Fault::NarrowSubnormalLost),
    ("add.rz.ftz.f16x2.f32x2.f32x2",                     Fault::TowardZeroDown),
    ("fma.rn.e4m3x4.e2m1p4x4.e5m2x4",                    Fault::Unfused),
    ("mul.satfinite.e4m3x4.e5m2x4.ue8m0x4",              Fault::SatfiniteIgnored),
    ("add.e5m2x4.e2m3x4",                                Fault::TiesAway),
    ("div.rn.f32",                                       Fault::ResultFlushedAnyway),
    ("div.rn.f64",                                       Fault::ZeroByZeroInfinite),
    ("div.rp.f64",                                       Fault::StickyLost(54)),
    ("rcp.rp.ftz.f32",                                   Fault::InputNotFlushed),
    ("rcp.rn.f64",                                       Fault::ResultFlushedAnyway),
    ("sqrt.rn.f32",                                      Fault::RootOfZeroPositive),
    ("sqrt.rp.f64",                                      Fault::StickyLost(54)),
    ("abs.f32",                                          Fault::AbsKeepsNegativeZero),
    ("abs.bf16",                                         Fault::FlushedAnyway),
    ("neg.bf16x2",                                       Fault::NegSparesZero),
    ("copysign.f64",                                     Fault::OperandsExchanged),
    ("testp.subnormal.f32",                              Fault::ZeroSubnormal),
    ("testp.normal.f64",                                 Fault::ZeroNotNormal),
    ("min.f16",                                          Fault::ZerosEqual),
    ("max.f32",                                          Fault::NanWins),
    ("min.NaN.bf16x2",                                   Fault::NanLoses),
    ("max.abs.f32(a,b,c)",                                      Fault::ThirdIgnored),
    ("min.NaN.abs.f32(a,b,c)",                                  Fault::MagnitudesIgnored),
    ("redux.sync.min.abs.f32",                           Fault::ThirdIgnored),
    ("redux.sync.max.NaN.f32",                           Fault::NanLoses),
    ("max.xorsign.abs.bf16",                             Fault::XorsignIgnored),
    ("min.xorsign.abs.f32",                              Fault::XorsignSkipsNan),
    ("setp.ne.f32",                                      Fault::NeUnordered),
    ("setp.geu.f16",                                     Fault::UnorderedFalse),
    ("setp.eq.f64",                                      Fault::ComplementMissing),
    ("setp.gt.and.bf16",                                 Fault::PredicateIgnored),
    ("setp.lt.f16x2",                                    Fault::LanesSwapped),
    ("set.lt.u32.f64",                                   Fault::ZerosDiffer),
    ("set.eq.s32.f32",                                   Fault::TrueIsOne),
    ("set.le.ftz.f16x2.f16x2",                           Fault::InputNotFlushed),
    ("atom.global.add.f32",                              Fault::MemoryKept),
    ("red.shared.add.f32",                               Fault::MemoryFlushed),
    ("atom.global.add.noftz.v4.bf16",                    Fault::OriginalIsNew),
    ("red.global.max.noftz.v2.f16x2",                    Fault::LanesSwapped),
    ("slct.b32.f32",                                     Fault::NegativeZeroSelectsSecond),
    ("slct.f64.f32",                                     Fault::NanSelectsFirst),
    ("slct.ftz.u16.f32",                                 Fault::InputNotFlushed),
    ("cvt.rzi.s32.f32",                                  Fault::Wraps),
    ("cvt.rni.s16.f64",                                  Fault::ClampsShort),
    ("cvt.rzi.s64.f32",                                  Fault::NanToZero),
    ("cvt.rpi.f32.f32",                                  Fault::IntegralZeroPositive),
    ("cvt.rn.f32.s64",                                   Fault::Through(&F64)),
    ("cvt.rn.bf16.f64",                                  Fault::Through(&F32)),
    ("cvt.rna.tf32.f32",                                 Fault::AwayTiesEven),
    ("cvt.rn.satfinite.f16.f32",                         Fault::SatfiniteIgnored),
    ("cvt.rn.satfinite.e4m3x2.f32",                      Fault::SatfiniteNanMax),
    ("cvt.rn.satfinite.relu.e5m2x2.f16x2",               Fault::ReluNanToZero),
    ("cvt.rn.satfinite.e2m1x2.f32",                      Fault::NanNegativeMax),
    ("cvt.rn.satfinite.pzo.e3m2x2.f32",                  Fault::PzoIgnored),
    ("cvt.rn.f16x2.e4m3x2",                              Fault::LanesSwapped),
    ("cvt.rn.satfinite.s2f6x2.f32",                      Fault::TiesAway),
    ("cvt.rp.ue8m0x2.f32",                               Fault::PowerUp),
    ("cvt.rz.ue5m3x2.f32",                               Fault::FirstLaneEverywhere),
    ("cvt.rs.f16x2.f32",                                 Fault::RandomShort),
    ("cvt.rs.satfinite.e4m3x4.f32",                      Fault::RandomPairsSwapped),
    ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           Fault::ScaleIgnored),
    ("cvt.rn.satfinite.scaled::n1::ue8m0.e2m3x2.f32",    Fault::ScaleInverted),
    ("cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.bf16x2", Fault::InputNotFlushed),
    ("cast.rn.e4m3fnuz.f32",                             Fault::NegativeZeroKept),
    ("cast.rna.e5m2fnuz.bf16",                           Fault::AwayTiesEven),
    ("cast.rz.e5m2.f32",                                 Fault::TowardZeroDown),
];

/// The emulator with the faults of [`PLANTED`] and [`PLANTED_APPROXIMATIONS`] planted in it.
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
            Some(&(_, fault)) => {
                Model::new(variant, Some(fault)).run(operands, results);
                Ok(())
            }
            None => {
                self.emulator.run(variant, operands, results)?;
                let planted = PLANTED_APPROXIMATIONS.iter().find(|(text, _)| *text == variant.text());
                if let Some(&(_, wrong)) = planted {
                    // A copy, since the faults are computed from right results while these are written over.
                    let right = results.to_vec();
                    inject(variant, operands, &right, results, |_, inputs, right| wrong(inputs, right));
                }
                Ok(())
            }
        }
    }
}
