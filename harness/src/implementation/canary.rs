//! An implementation with known faults: a suite that misses one of them is broken.

mod approximation;
#[cfg(test)]
mod tests;

use anyhow::Result;
use model::{Deviation, Model};
use vectors::{Column, Variant};

use super::{Description, Emulator, Implementation, Support, Worker};
use crate::injection::inject;

pub use approximation::PLANTED_APPROXIMATIONS;

/// What is wrong with the canary: one deviation in each of these variants, one fault in each of
/// [`PLANTED_APPROXIMATIONS`], and nothing elsewhere.
#[rustfmt::skip] // a table
pub const PLANTED: &[(&str, Deviation)] = &[
    ("mul.ftz.f16",                                      Deviation::InputNotFlushed),
    ("mul.rn.ftz.f16x2",                                 Deviation::ResultNotFlushed),
    ("fma.rn.ftz.f16",                                   Deviation::FlushLosesSign),
    ("add.rz.f32.f16",                                   Deviation::NarrowSubnormalLost),
    ("fma.rn.f16x2",                                     Deviation::Unfused),
    ("fma.rn.f16",                                       Deviation::ThroughF32),
    ("fma.rn.bf16",                                      Deviation::ThroughF64),
    ("mul.rn.f16",                                       Deviation::TiesAway),
    ("mul.bf16x2",                                       Deviation::Truncated),
    ("fma.rn.bf16x2",                                    Deviation::StickyLost40),
    ("fma.rp.f32.f16",                                   Deviation::StickyLost60),
    ("sub.rm.f32.bf16",                                  Deviation::DownTowardZero),
    ("add.rm.f32.f16",                                   Deviation::ZeroSumPositive),
    ("mul.rn.bf16",                                      Deviation::OverflowToMax),
    ("fma.rz.f32.bf16",                                  Deviation::OverflowToInfinity),
    ("fma.rn.sat.f16",                                   Deviation::SatKeepsNan),
    ("sub.rp.sat.f32.f16",                               Deviation::SatSigned),
    ("fma.rn.relu.bf16",                                 Deviation::ReluKeepsPayload),
    ("fma.rn.relu.f16x2",                                Deviation::ReluKeepsTiny),
    ("fma.rn.oob.f16",                                   Deviation::OobFirstOnly),
    ("fma.rn.oob.relu.bf16",                             Deviation::OobPositiveOnly),
    ("fma.rn.oob.bf16x2",                                Deviation::OobAllLanes),
    ("mul.sat.f16x2",                                    Deviation::LanesSwapped),
    ("fma.rn.f32",                                       Deviation::ThroughF64),
    ("fma.rn.f64",                                       Deviation::Unfused),
    ("mul.rz.f32",                                       Deviation::OverflowToInfinity),
    ("add.rn.ftz.f32x2",                                 Deviation::FlushLosesSign),
    ("mad.rp.f32",                                       Deviation::StickyLost60),
    ("sub.f64",                                          Deviation::OperandsExchanged),
    ("fma.rn.f32x2.bf16x2.f32x2.f32x2",                  Deviation::NarrowSubnormalLost),
    ("add.rz.ftz.f16x2.f32x2.f32x2",                     Deviation::ResultNotFlushed),
    ("fma.rn.e4m3x4.e2m1p4x4.e5m2x4",                    Deviation::Unfused),
    ("mul.satfinite.e4m3x4.e5m2x4.ue8m0x4",              Deviation::SatfiniteIgnored),
    ("add.e5m2x4.e2m3x4",                                Deviation::TiesAway),
    ("div.rn.f32",                                       Deviation::ResultFlushedAnyway),
    ("div.rn.f64",                                       Deviation::ZeroByZeroInfinite),
    ("div.rp.f64",                                       Deviation::StickyLost54),
    ("rcp.rp.ftz.f32",                                   Deviation::InputNotFlushed),
    ("rcp.rn.f64",                                       Deviation::ResultFlushedAnyway),
    ("sqrt.rn.f32",                                      Deviation::RootOfZeroPositive),
    ("sqrt.rp.f64",                                      Deviation::StickyLost54),
    ("abs.f32",                                          Deviation::AbsKeepsNegativeZero),
    ("abs.bf16",                                         Deviation::FlushedAnyway),
    ("neg.bf16x2",                                       Deviation::NegSparesZero),
    ("copysign.f64",                                     Deviation::OperandsExchanged),
    ("testp.subnormal.f32",                              Deviation::ZeroSubnormal),
    ("testp.normal.f64",                                 Deviation::ZeroNotNormal),
    ("min.f16",                                          Deviation::ZerosEqual),
    ("max.f32",                                          Deviation::NanWins),
    ("min.NaN.bf16x2",                                   Deviation::NanLoses),
    ("max.abs.f32(a,b,c)",                                      Deviation::ThirdIgnored),
    ("min.NaN.abs.f32(a,b,c)",                                  Deviation::MagnitudesIgnored),
    ("max.xorsign.abs.bf16",                             Deviation::XorsignIgnored),
    ("min.xorsign.abs.f32",                              Deviation::XorsignSkipsNan),
    ("setp.ne.f32",                                      Deviation::NeUnordered),
    ("setp.geu.f16",                                     Deviation::UnorderedFalse),
    ("setp.eq.f64",                                      Deviation::ComplementMissing),
    ("setp.gt.and.bf16",                                 Deviation::PredicateIgnored),
    ("setp.lt.f16x2",                                    Deviation::LanesSwapped),
    ("set.lt.u32.f64",                                   Deviation::ZerosDiffer),
    ("set.eq.s32.f32",                                   Deviation::TrueIsOne),
    ("set.le.ftz.f16x2.f16x2",                           Deviation::InputNotFlushed),
    ("slct.b32.f32",                                     Deviation::NegativeZeroSelectsSecond),
    ("slct.f64.f32",                                     Deviation::NanSelectsFirst),
    ("slct.ftz.u16.f32",                                 Deviation::InputNotFlushed),
    ("cvt.rzi.s32.f32",                                  Deviation::Wraps),
    ("cvt.rni.s16.f64",                                  Deviation::ClampsShort),
    ("cvt.rzi.s64.f32",                                  Deviation::NanToZero),
    ("cvt.rpi.f32.f32",                                  Deviation::IntegralZeroPositive),
    ("cvt.rn.f32.s64",                                   Deviation::ThroughF64),
    ("cvt.rn.bf16.f64",                                  Deviation::ThroughF32),
    ("cvt.rna.tf32.f32",                                 Deviation::AwayTiesEven),
    ("cvt.rn.satfinite.f16.f32",                         Deviation::SatfiniteIgnored),
    ("cvt.rn.satfinite.e4m3x2.f32",                      Deviation::SatfiniteNanMax),
    ("cvt.rn.satfinite.relu.e5m2x2.f16x2",               Deviation::NanKeepsSign),
    ("cvt.rn.satfinite.e2m1x2.f32",                      Deviation::NanNegativeMax),
    ("cvt.rn.satfinite.pzo.e3m2x2.f32",                  Deviation::PzoIgnored),
    ("cvt.rn.f16x2.e4m3x2",                              Deviation::LanesSwapped),
    ("cvt.rn.satfinite.s2f6x2.f32",                      Deviation::TiesAway),
    ("cvt.rp.ue8m0x2.f32",                               Deviation::PowerUp),
    ("cvt.rz.ue5m3x2.f32",                               Deviation::OverflowToInfinity),
    ("cvt.rs.f16x2.f32",                                 Deviation::RandomShort),
    ("cvt.rs.satfinite.e4m3x4.f32",                      Deviation::RandomPairsSwapped),
    ("cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",           Deviation::ScaleIgnored),
    ("cvt.rn.satfinite.scaled::n1::ue8m0.e2m3x2.f32",    Deviation::ScaleInverted),
    ("cvt.rn.satfinite.scaled::n1::ue8m0.e5m2x2.bf16x2", Deviation::InputNotFlushed),
    ("cast.rn.e4m3fnuz.f32",                             Deviation::NegativeZeroKept),
    ("cast.rna.e5m2fnuz.bf16",                           Deviation::AwayTiesEven),
    ("cast.rz.e5m2.f32",                                 Deviation::OverflowToInfinity),
];

/// The emulator, but for [`PLANTED`] and [`PLANTED_APPROXIMATIONS`].
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
            None => {
                self.emulator.run(variant, operands, results)?;
                let planted = PLANTED_APPROXIMATIONS.iter().find(|(text, _)| *text == variant.text());
                if let Some(&(_, wrong)) = planted {
                    let right = results.to_vec();
                    inject(variant, operands, &right, results, |_, inputs, right| wrong(inputs, right));
                }
                Ok(())
            }
        }
    }
}
