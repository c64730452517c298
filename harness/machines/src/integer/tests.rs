//! Tests of the instructions of integers, against results worked out by hand.

use ptx::syntax::Opcode;

use super::*;

fn computed<const N: usize>(opcode: &str, sources: [u64; N]) -> u64 {
    let mut four = [0; 4];
    four[..N].copy_from_slice(&sources);
    match Opcode::read(opcode) {
        Opcode::Integer(integer) => {
            assert!(is_legal(integer), "{opcode}");
            compute(integer, four)
        }
        _ => panic!("{opcode}"),
    }
}

#[test]
fn integers_are_of_their_width_and_sign() {
    let ones = u64::MAX;
    for (opcode, sources, result) in [
        ("add.u32", [0xffff_ffff, 2, 0], 1),
        ("sub.u64", [0, 1, 0], ones),
        ("mul.hi.u64", [ones, ones, 0], ones - 1),
        ("mul.hi.u32", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe),
        ("mul.wide.u32", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe_0000_0001),
        ("mad.wide.u32", [3, 4, 1 << 40], (1 << 40) + 12),
        ("mad.lo.u32", [0x8000_0000, 2, 5], 5),
        ("div.u32", [7, 2, 0], 3),
        ("div.u32", [7, 0, 0], 0xdead_beef),
        ("max.s32", [0xffff_ffff, 1, 0], 1),
        ("abs.s64", [1 << 63, 0, 0], 1 << 63),
        ("abs.s32", [0xffff_ffff, 0, 0], 1),
        ("clz.b32", [1, 0, 0], 31),
        ("clz.b64", [0, 0, 0], 64),
        ("shl.b64", [1, 64, 0], 0),
        ("shl.b32", [3, 31, 0], 0x8000_0000),
        ("shr.u64", [ones, 64, 0], 0),
        ("shr.s32", [0x8000_0000, 99, 0], 0xffff_ffff),
        ("cvt.u8.u16", [0x1ff, 0, 0], 0xff),
        ("cvt.u64.u32", [ones, 0, 0], 0xffff_ffff),
        ("setp.gt.u64", [ones, 1, 0], 1),
        ("selp.b32", [7, 8, 0], 8),
        ("prmt.b32", [0x1122_3344, 0, 0x0123], 0x4433_2211),
        // Bytes 0 and 4, and the signs of both.
        ("prmt.b32", [0x80, 0x55, 0x4c80], 0x5500_ff80),
        ("neg.s16", [1, 0, 0], 0xffff),
        ("neg.s64", [1 << 63, 0, 0], 1 << 63),
        ("cnot.b16", [0x1_0000, 0, 0], 1),
        ("cnot.b32", [2, 0, 0], 0),
        ("popc.b64", [ones, 0, 0], 64),
        ("popc.b32", [ones, 0, 0], 32),
        ("brev.b32", [0x8000_0002, 0, 0], 0x4000_0001),
        ("brev.b64", [1, 0, 0], 1 << 63),
        ("bfind.u32", [0, 0, 0], 0xffff_ffff),
        ("bfind.s32", [0xffff_ffff, 0, 0], 0xffff_ffff),
        ("bfind.s32", [0xffff_ff00, 0, 0], 7),
        ("bfind.u64", [1 << 40, 0, 0], 40),
        ("bfind.shiftamt.u32", [1, 0, 0], 31),
        ("bfind.shiftamt.s64", [0, 0, 0], 0xffff_ffff),
        ("rem.s32", [0xffff_fff9, 3, 0], 0xffff_ffff),
        ("rem.u16", [7, 4, 0], 3),
        ("div.s32", [0xffff_fff9, 2, 0], 0xffff_fffd),
        ("div.s32", [0x8000_0000, 0xffff_ffff, 0], 0x8000_0000),
        ("rem.s64", [1 << 63, ones, 0], 0),
        ("add.sat.s32", [0x7fff_ffff, 1, 0], 0x7fff_ffff),
        ("sub.sat.s32", [0x8000_0000, 1, 0], 0x8000_0000),
        ("mul.hi.s32", [0xffff_ffff, 1, 0], 0xffff_ffff),
        ("mul.hi.s64", [ones, 2, 0], ones),
        ("mul.wide.s16", [0xffff, 2, 0], 0xffff_fffe),
        ("mul.wide.s32", [0x8000_0000, 2, 0], 0xffff_ffff_0000_0000),
        ("mul.lo.s16", [0x100, 0x101, 0], 0x100),
        ("mad.hi.u32", [0x8000_0000, 4, 0xffff_ffff], 1),
        ("mad.wide.s16", [0xffff, 1, 1], 0),
        ("sad.u32", [1, 0xffff_ffff, 3], 1),
        ("sad.s32", [1, 0xffff_ffff, 3], 5),
        ("min.s16", [0x8000, 1, 0], 0x8000),
        ("min.u16", [0x8000, 1, 0], 1),
        ("setp.lo.u32", [1, 0xffff_ffff, 0], 1),
        ("setp.hs.u16", [0x8000, 0x8000, 0], 1),
        ("setp.ge.s16", [0x8000, 0, 0], 0),
        ("setp.eq.and.b32", [5, 5, 0], 0),
        ("setp.ne.or.s64", [5, 5, 1], 1),
        ("setp.lt.xor.s32", [ones, 0, 1], 0),
        ("set.gt.u32.s32", [1, ones, 0], 0xffff_ffff),
        ("set.gt.s32.u32", [1, ones, 0], 0),
        ("slct.b64.s32", [7, 8, 0], 7),
        ("slct.u16.s32", [7, 8, 0x8000_0000], 8),
        ("selp.f64", [7, 8, 1], 7),
        ("mov.pred", [ones, 0, 0], 1),
        ("not.pred", [1, 0, 0], 0),
        ("xor.pred", [1, 1, 0], 0),
        ("cvt.s64.s8", [0x80, 0, 0], 0xffff_ffff_ffff_ff80),
        ("cvt.u32.s16", [0x8000, 0, 0], 0xffff_8000),
        ("cvt.sat.u8.s32", [ones, 0, 0], 0),
        ("cvt.sat.s8.u64", [ones, 0, 0], 0x7f),
        ("cvt.sat.u32.s16", [0x7fff, 0, 0], 0x7fff),
        ("cvt.sat.s16.s64", [1 << 63, 0, 0], 0x8000),
        ("shf.l.wrap.b32", [0x8000_0000, 1, 33], 3),
        ("shf.l.clamp.b32", [0x1234, 1, 33], 0x1234),
        ("shf.r.wrap.b32", [0x10, 3, 4], 0x3000_0001),
        ("shf.r.clamp.b32", [0x10, 3, 99], 3),
        ("bfe.u32", [0xabcd_ef01, 8, 12], 0xdef),
        ("bfe.s32", [0xabcd_ef01, 8, 12], 0xffff_fdef),
        ("bfe.s32", [0x8000_0000, 28, 9], 0xffff_fff8),
        ("bfe.s32", [0x8000_0000, 40, 9], 0xffff_ffff),
        ("bfe.s32", [0x8000_0000, 40, 0], 0),
        ("bfe.u64", [ones, 0x104, 0x140], ones >> 4),
        ("bfe.u64", [ones, 0, 64], ones),
        ("bfe.s64", [1 << 20, 0, 21], 0xffff_ffff_fff0_0000),
    ] {
        assert_eq!(computed(opcode, sources), result, "{opcode} {sources:x?}");
    }
    for (opcode, sources, result) in [
        ("bfi.b32", [0xab, 0xffff_ffff, 4, 8], 0xffff_fabf),
        ("bfi.b32", [0xff, 0, 28, 8], 0xf000_0000),
        ("bfi.b32", [0xff, 0x1234, 32, 8], 0x1234),
        ("bfi.b64", [ones, 0, 0, 255], ones),
        ("bfi.b64", [0, ones, 8, 0], ones),
        // a ∧ b ∨ ¬a ∧ c, and whichever two agree
        ("lop3.b32", [0xff00, 0x1234, 0x5678, 0xca], 0x1278),
        ("lop3.b32", [0b1100, 0b1010, 0b0110, 0xe8], 0b1110),
        ("lop3.b32", [0, 0, 0, 1], 0xffff_ffff),
    ] {
        assert_eq!(computed(opcode, sources), result, "{opcode} {sources:x?}");
    }
}

/// Returns the types for which an instruction is legal, with spaces between them; `{}` stands for the type.
fn legal_types(spelling: &str) -> String {
    const TYPES: [&str; 19] = [
        "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64",
        "f16", "bf16x2", "tf32", "f32", "f64",
    ];
    let is_taken = |ty: &&&str| match Opcode::read(&spelling.replace("{}", ty)) {
        Opcode::Integer(integer) => is_legal(integer),
        Opcode::Carry(carry) => carries(carry),
        _ => false,
    };
    TYPES.iter().filter(is_taken).copied().collect::<Vec<_>>().join(" ")
}

/// Instructions have the types that the manual lists for them. ptxas 13.5 was asked about each of these spellings in a
/// kernel of PTX 9.0 for sm_90, and takes the same ones.
#[test]
fn instructions_have_the_types_of_the_manual() {
    const BITS: &str = "b16 b32 b64";
    const NUMBERS: &str = "u16 u32 u64 s16 s32 s64";
    const WIDE: &str = "u32 u64 s32 s64";
    const HALVES: &str = "u16 u32 s16 s32";
    let [all, bytes] = [format!("{BITS} {NUMBERS}"), "u8 u16 u32 u64 s8 s16 s32 s64".to_owned()];
    let [data, with_predicates] = [format!("{all} f32 f64"), format!("pred {BITS}")];
    for (spelling, types) in [
        ("mov.{}", &*format!("pred {data}")),
        ("selp.{}", &data),
        ("slct.{}.s32", &data),
        ("not.{}", &with_predicates),
        ("and.{}", &with_predicates),
        ("or.{}", &with_predicates),
        ("xor.{}", &with_predicates),
        ("cnot.{}", BITS),
        ("shl.{}", BITS),
        ("shr.{}", &all),
        ("clz.{}", "b32 b64"),
        ("popc.{}", "b32 b64"),
        ("brev.{}", "b32 b64"),
        ("bfi.{}", "b32 b64"),
        ("bfe.{}", WIDE),
        ("bfind.{}", WIDE),
        ("bfind.shiftamt.{}", WIDE),
        ("abs.{}", "s16 s32 s64"),
        ("neg.{}", "s16 s32 s64"),
        ("add.{}", NUMBERS),
        ("sub.{}", NUMBERS),
        ("add.sat.{}", "s32"),
        ("sub.sat.{}", "s32"),
        ("mul.lo.{}", NUMBERS),
        ("mul.hi.{}", NUMBERS),
        ("mul.wide.{}", HALVES),
        ("mad.lo.{}", NUMBERS),
        ("mad.hi.{}", NUMBERS),
        ("mad.wide.{}", HALVES),
        ("div.{}", NUMBERS),
        ("rem.{}", NUMBERS),
        ("min.{}", NUMBERS),
        ("max.{}", NUMBERS),
        ("sad.{}", NUMBERS),
        ("setp.eq.{}", &all),
        ("setp.ne.and.{}", &all),
        ("setp.lt.{}", NUMBERS),
        ("setp.ge.xor.{}", NUMBERS),
        ("setp.lo.{}", "u16 u32 u64"),
        ("setp.hs.or.{}", "u16 u32 u64"),
        ("set.eq.u32.{}", &all),
        ("set.gt.s32.{}", NUMBERS),
        ("set.ls.u32.{}", "u16 u32 u64"),
        ("set.eq.{}.s16", "u32 s32"),
        ("cvt.{}.u32", &bytes),
        ("cvt.s8.{}", &bytes),
        ("cvt.sat.u8.{}", "u16 u32 u64 s8 s16 s32 s64"),
        ("cvt.sat.s16.{}", "u16 u32 u64 s32 s64"),
        ("cvt.sat.s64.{}", "u64"),
        ("cvt.sat.u64.{}", "s8 s16 s32 s64"),
        ("add.cc.{}", WIDE),
        ("subc.{}", WIDE),
        ("mad.lo.cc.{}", WIDE),
        ("madc.hi.{}", WIDE),
    ] {
        assert_eq!(legal_types(spelling), types, "{spelling}");
    }
}

#[test]
fn carries_go_on() {
    for (opcode, sources, last, result) in [
        ("add.cc.u32", [0xffff_ffff, 1, 0], true, (0, true)),
        ("addc.u32", [0xffff_ffff, 0, 0], true, (0, true)),
        ("addc.cc.s64", [1, 2, 0], true, (4, false)),
        ("sub.cc.u32", [0, 1, 0], false, (0xffff_ffff, true)),
        ("subc.cc.u64", [5, 5, 0], true, (u64::MAX, true)),
        ("subc.u32", [5, 4, 0], true, (0, false)),
        ("mad.lo.cc.u32", [0x1_0000, 0xffff, 0x1_0000], false, (0, true)),
        ("madc.hi.u32", [0xffff_ffff, 0xffff_ffff, 1], true, (0, true)),
        ("madc.hi.cc.s32", [0xffff_ffff, 1, 0], true, (0, true)),
        ("madc.lo.cc.u64", [u64::MAX, 1, 0], false, (u64::MAX, false)),
    ] {
        let Opcode::Carry(carry) = Opcode::read(opcode) else { panic!("{opcode}") };
        assert_eq!(carried(carry, sources, last), result, "{opcode} {sources:x?}");
    }
}

#[test]
fn a_second_predicate_is_the_comparison_turned_round() {
    let second = |opcode: &str, sources| match Opcode::read(opcode) {
        Opcode::Integer(integer) => opposite(integer, sources),
        _ => panic!("{opcode}"),
    };
    assert_eq!(second("setp.lt.s32", [0xffff_ffff, 0, 0]), Some(0));
    assert_eq!(second("setp.lt.u32", [0xffff_ffff, 0, 0]), Some(1));
    // q = ¬(a < b) ∨ c, and c is not turned round.
    assert_eq!(second("setp.lt.or.s32", [0xffff_ffff, 0, 1]), Some(1));
    assert_eq!(second("setp.lt.and.s32", [1, 0, 0]), Some(0));
    assert_eq!(second("add.u32", [1, 0, 0]), None);
}
