//! Tests of the faults of sums by examples worked out by hand, and of the sums that they concern.

use isa::matrix::Lowering;

use super::{data, target, variant};
use crate::{DotFault, DotModel, FaultJudge};

const HALF: &str = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32";

#[test]
#[rustfmt::skip] // a table
fn wrong_by_as_much_as_they_say() {
    use DotFault::*;
    const HALVES: &str = "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16";
    const BFLOAT: &str = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    const DOUBLE: &str = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    // Each line has the variant on Hopper, terms, the addend, and the right and the wrong result.
    let wrong: &[(DotFault, &str, &str, u64, [u64; 2])] = &[
        (FractionBitsLess, HALF, "0:3c00*3c00 1:bc00*3c00 2:0c00*0800", 0, [0x3300_0000, 0]),
        (FractionBitsMore, HALF, "0:3c00*3c00 1:bc00*3c00 2:0c00*0400", 0, [0, 0x3280_0000]),
        (FloorInsteadOfTruncation, HALF, "0:3c00*3c00 1:bc00*3c00 2:8c00*0400", 0, [0, 0xb300_0000]),
        (StickyBit, HALF, "0:3c00*3c00 1:bc00*3c00 2:8c00*0400", 0, [0, 0xb300_0000]),
        // 2.25 is aligned as 2^0 times 2.25 unless it is normalised.
        (ProductsNormalised, HALF, "0:3e00*3e00 1:be00*3e00 2:0c00*0800", 0, [0x3300_0000, 0]),
        (RoundedToNearest, HALF, "0:3c00*3c00 1:0c00*1000 2:0c00*0c00", 0, [0x3f80_0001, 0x3f80_0002]),
        (Truncated, HALVES, "0:1000*3c00 8:1000*3c00 9:0c00*3c00", 0x3c00, [0x3c01; 2]),
        (Truncated, HALVES, "0:1000*3c00 1:0c00*3c00", 0x3c00, [0x3c01, 0x3c00]),
        (GroupHalved, HALF, "0-15:0c00*0c00 0:3c00*3c00 8:bc00*3c00", 0, [0x3560_0000, 0x3550_0000]),
        (AddendLast, HALF, "0:3c00*3c00 1:bc00*3c00", 0x3280_0000, [0, 0x3280_0000]),
        (AddendFirst, HALF, "0:3c00*3c00 1:3c00*3c00", 0x3380_0000, [0x4000_0000; 2]),
        (AddendFirst, HALF, "0:bc00*3c00 1-2:0c00*0c00", 0x3f80_0000, [0x3400_0000; 2]),
        (WideSumRoundedOnce, BFLOAT, "0:7180*7180 1:f180*7180 2:3f80*3f80", 0, [0, 0x3f80_0000]),
        (FusedChain, BFLOAT, "0:7180*7180 8:f180*7180", 0, [0, 0x7f80_0000]),
        (ZeroExponentUp, BFLOAT, "0:3400*0080 1:ac80*0380", 0, [0, 1]),
        (ZeroExponentDown, BFLOAT, "0:3400*0080 1:ac00*0380", 0, [1, 0]),
        (SubnormalOperandsFlushed, HALF, "0:0001*3c00", 0, [0x3380_0000, 0]),
        (SubnormalElementsHalved, HALF, "0:0001*3c00", 0, [0x3380_0000, 0x3300_0000]),
        (SubnormalAddendFlushed, HALF, "", 1, [1, 0]),
        (SubnormalAddendHalved, HALF, "", 2, [2, 1]),
        (SubnormalResultsFlushed, HALF, "", 1, [1, 0]),
        (NegativeZeroSum, HALF, "0-15:8000*0000", 0x8000_0000, [0, 0x8000_0000]),
        (AccumulatedInHalf, HALF, "0:3c00*3c00 1:0c00*3c00", 0, [0x3f80_0800, 0x3f80_0000]),
        (ShortAccumulator, HALF, "", 0x3f80_0200, [0x3f80_0200, 0x3f80_0000]),
        (InfinityTimesZeroIsZero, HALF, "0:7c00*0000", 0, [0x7fff_ffff, 0]),
        (NanIgnored, HALF, "0:7e00*3c00", 0, [0x7fff_ffff, 0x47c0_0000]),
        (NanIgnored, HALF, "", 0x7fff_ffff, [0x7fff_ffff, 0x7f80_0000]),
        (SignOfBIgnored, HALF, "0:3c00*bc00", 0, [0xbf80_0000, 0x3f80_0000]),
        (AddendIgnored, HALF, "0:3c00*3c00", 0x3f80_0000, [0x4000_0000, 0x3f80_0000]),
        (LastTermDropped, HALF, "15:3c00*3c00", 0, [0x3f80_0000, 0]),
        (TermsReversed, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "0:3c00*3c00", 0, [0x3f80_0000; 2]),
        // The products are ties; numbers of f64 next to 1.5 and to 1 differ by 2^-52. The addend is 2^-200, or minus that.
        (ProductsRounded, DOUBLE, "2:3ff0000000000001*3ff8000000000000", 0xb370_0000_0000_0000, [0x3ff8_0000_0000_0001, 0x3ff8_0000_0000_0002]),
        (StickyLost106, DOUBLE, "3:3ff0000000000003*3ff8000000000000", 0x3370_0000_0000_0000, [0x3ff8_0000_0000_0005, 0x3ff8_0000_0000_0004]),
        // 2^-53 and 2^-55, 2^-60, 2^-74, 2^-92 beside 1.
        (BitLost3, DOUBLE, "1:3ca4000000000000*3ff0000000000000", 0x3ff0_0000_0000_0000, [0x3ff0_0000_0000_0001, 0x3ff0_0000_0000_0000]),
        (BitLost8, DOUBLE, "1:3ca4000000000000*3ff0000000000000", 0x3ff0_0000_0000_0000, [0x3ff0_0000_0000_0001; 2]),
        (BitLost8, DOUBLE, "1:3ca0200000000000*3ff0000000000000", 0x3ff0_0000_0000_0000, [0x3ff0_0000_0000_0001, 0x3ff0_0000_0000_0000]),
        (BitLost22, DOUBLE, "1:3ca0000080000000*3ff0000000000000", 0x3ff0_0000_0000_0000, [0x3ff0_0000_0000_0001, 0x3ff0_0000_0000_0000]),
        (BitLost40, DOUBLE, "1:3ca0000000002000*3ff0000000000000", 0x3ff0_0000_0000_0000, [0x3ff0_0000_0000_0001, 0x3ff0_0000_0000_0000]),
        // The product is 1 and 2^-10, and half of the last place and one bit of f16.
        (ProductsRounded, HALVES, "0:3c01*3c01", 0, [0x3c02; 2]),
        (OverflowSaturates, BFLOAT, "0:7f00*4000", 0, [0x7f80_0000, 0x7f7f_ffff]),
    ];
    for &(fault, text, terms, c, expected) in wrong {
        let (variant, on) = (variant(text), target("sm_90"));
        let data = data(&variant, terms, c);
        let right = DotModel::of(&variant, on).map(|model| model.compute(&data));
        let wrong = DotModel::with_fault(&variant, on, fault).map(|model| model.compute(&data));
        if fault == TermsReversed {
            assert_eq!(wrong, None, "one group has no order");
            continue;
        }
        assert_eq!([right, wrong], expected.map(Some), "{fault:?}: {terms} + {c:x}, {right:x?} {wrong:x?}");
    }
}

#[test]
fn names_are_unique_and_words_are_sentences() {
    let mut ids: Vec<&str> = DotFault::ALL.iter().map(|fault| fault.id()).collect();
    assert!(ids.iter().all(|id| id.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphanumeric())));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), DotFault::ALL.len());
    assert!(DotFault::ALL.iter().all(|fault| !fault.words().ends_with('.')));
}

/// Checks that faults of scales concern sums with scales, and so on.
#[test]
fn faults_concern_what_they_are_about() {
    let mut concerned = vec![0; DotFault::ALL.len()];
    for (variant, target) in Lowering::every() {
        let dot = variant.dot();
        for (&fault, count) in DotFault::ALL.iter().zip(&mut concerned) {
            let concerns = DotModel::with_fault(variant, target, fault).is_some();
            *count += u32::from(concerns);
            let id = fault.id();
            let has = match () {
                () if id.starts_with("scale-") => dot.scales.is_some(),
                () if id.starts_with("metadata-") => dot.sparsity.is_some(),
                () if id.starts_with("tf32-") => dot.a.name == "tf32",
                () if id == "negation-ignored" || id == "accumulate-ignored" => {
                    variant.text().starts_with("wgmma") || variant.text().starts_with("tcgen05")
                }
                () if id.contains("-lost-") => dot.d.name == "f64",
                () if id.starts_with("group-") || id.contains("fraction-bits") => dot.d.name != "f64",
                () => true,
            };
            assert!(has || !concerns, "{id} of {variant}");
        }
    }
    assert!(concerned.iter().all(|&count| count > 0), "{concerned:?}");
}

#[test]
fn who_should_see_a_fault_depends_on_the_sum() {
    let seen = |fault: DotFault, text: &str, on: &str| {
        let variant = variant(text);
        fault.judge_that_sees(&variant, Lowering::assumed(&variant, target(on)).expect("a sequence"))
    };
    let bits = DotFault::FractionBitsLess;
    assert_eq!(
        [seen(bits, HALF, "sm_70"), seen(bits, HALF, "sm_80")],
        [FaultJudge::Contract, FaultJudge::Bits]
    );
    let fp8 = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    let short = DotFault::ShortAccumulator;
    assert_eq!(
        [seen(short, HALF, "sm_90"), seen(short, fp8, "sm_120")],
        [FaultJudge::Contract, FaultJudge::Bits]
    );
    let (double, subnormal) =
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", DotFault::SubnormalOperandsFlushed);
    assert_eq!(
        [seen(subnormal, HALF, "sm_90"), seen(subnormal, double, "sm_90")],
        [FaultJudge::Permitted, FaultJudge::Contract]
    );
}
