//! Tests of `judge` on kernels: threads that work together, and other threads than the first.

use std::process::Output;

use super::{Folder, printed, said};
use crate::common::assert_refused;

/// Each thread negates an element. The words are replaced by tests.
pub const NEGATES: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry negates(.param .u64 x, .param .u64 y, .param .u32 n)
{
.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.u32 %r1, [n];
mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
mad.lo.s32 %r5, %r2, %r3, %r4;
setp.ge.s32 %p1, %r5, %r1;
@%p1 bra DONE;
mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
ld.global.f32 %f1, [%rd4];
neg.f32 %f2, %f1;
st.global.f32 [%rd5], %f2;
DONE:
ret;
}
";

/// A block adds up its elements in shared memory.
pub const SUM: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 x, .param .u64 y)
.reqntid 64
{
.shared .align 4 .b8 words[256];
.reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mov.u32 %r6, %ntid.x;
mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; mov.u32 %r4, words; mad.lo.u32 %r5, %r1, 4, %r4;
ld.global.f32 %f1, [%rd1];
st.shared.f32 [%r5], %f1;
bar.sync 0;
NEXT:
shr.u32 %r6, %r6, 1; setp.ge.u32 %p1, %r1, %r6; @%p1 bra WAIT;
mad.lo.u32 %r10, %r6, 4, %r5;
ld.shared.f32 %f2, [%r10];
ld.shared.f32 %f3, [%r5];
add.rn.f32 %f3, %f3, %f2;
st.shared.f32 [%r5], %f3;
WAIT:
bar.sync 0;
setp.gt.u32 %p2, %r6, 1; @%p2 bra NEXT;
setp.ne.u32 %p1, %r1, 0; @%p1 ret;
ld.shared.f32 %f4, [words];
st.global.f32 [%rd2], %f4;
ret;
}
";

const SUM_LAUNCH: &str = "[a, b, c, 0x80000000...], &d";
const SUM_MEANING: &str = "add.rn.f32(add.rn.f32(a, c), b)";

/// Returns what was printed without line breaks, which stand anywhere in a sentence.
pub fn in_one_line(output: &Output) -> String {
    printed(output).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first thread is right in all of these, and the others are not in some.
#[test]
fn other_threads_than_the_first_are_judged() {
    let right = Folder::with(NEGATES);
    let output = right.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(
        said(&output).contains(
            "If no result is wrong, a part of the vectors is tried with --launch 'a, &d, rows; threads=32, blocks=2', and \
             with these behind the `;`: `threads=32, blocks=2, rows=53`; `threads=96, blocks=3, rows=253`. Each vector is \
             one element of such a launch."
        ),
        "{}",
        said(&output)
    );
    // The report is that of the whole tier.
    let report = right.report();
    assert_eq!(report.implementation.name, "code:own.ptx#negates");
    assert!(report.totals.vectors > 49_000 && report.reduced.is_empty(), "{:?}", report.reduced);

    let second =
        Folder::with(&NEGATES.replace("mad.lo.s32 %r5, %r2, %r3, %r4", "mul.lo.s32 %r5, %r2, %r3"));
    let output = second.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let name = "code:own.ptx#negates(a, &d, rows; threads=32, blocks=2)";
    assert_eq!(second.report().implementation.name, name);
    assert!(
        printed(&output).contains("failed: no result is stored")
            || printed(&output).contains("no result is stored"),
        "{}",
        printed(&output)
    );
    let again = second.run(&["replay", "out/report.json", "--impl", name]);
    assert_eq!(again.status.code(), Some(1), "{}", printed(&again));
    assert!(printed(&again).contains(&format!("mismatches occur with {name}.")), "{}", printed(&again));

    let late = Folder::with(&NEGATES.replace("setp.ge.s32", "setp.gt.s32"));
    let output = late.judge(&["--as", "neg.f32"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let report = late.report();
    assert_eq!(
        report.implementation.name,
        "code:own.ptx#negates(a, &d, rows; threads=32, blocks=2, rows=53)"
    );
    let text = in_one_line(&output);
    assert!(
        text.contains(
            "`ld.global.f32 %f1, [%rd4];`, thread 21 of block 1: access to memory that is not allocated"
        ),
        "{text}"
    );
}

#[test]
fn all_threads_of_a_block_are_launched_if_it_is_said() {
    let folder = Folder::with(NEGATES);
    let output = folder.judge(&["--as", "neg.f32", "--threads", "8", "--where", "a is not nan"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(
        said(&output).contains(
            "The kernel is launched with --launch 'a, &d, rows; threads=8'. Each row is a launch of its own, of 1 block of \
             8 threads, in which the vector is one element."
        ),
        "{}",
        said(&output)
    );
    assert_eq!(folder.report().implementation.name, "code:own.ptx#negates(; threads=8)");
    let refused = folder.judge(&["--as", "neg.f32", "--threads", "0"]);
    assert_refused(&refused, &["--threads"]);
}

#[test]
fn a_block_that_adds_up_is_judged_and_one_that_does_not_wait_fails() {
    let folder = Folder::with(SUM);
    // Sums of 64 elements for each vector of the quick tier take a debug build minutes.
    let few = ["--where", "1 <= |a| < 256 and 1 <= |b| < 256 and 1 <= |c| < 256"];
    let options = [&["--as", SUM_MEANING, "--launch", SUM_LAUNCH][..], &few].concat();
    let output = folder.judge(&options);
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), said(&output));
    assert!(
        printed(&output).contains("All 27 instructions were executed, with every choice both ways."),
        "{}",
        printed(&output)
    );
    // Sums in another order are other sums.
    let other = ["--as", "add.rn.f32(add.rn.f32(a, b), c)", "--launch", SUM_LAUNCH];
    let other = folder.judge(&[&other[..], &few].concat());
    assert_eq!(other.status.code(), Some(1), "{}", printed(&other));
    let alone = folder.judge(&["--as", "add.rn.f32"]);
    assert_eq!(alone.status.code(), Some(2), "{}", said(&alone));
    let hint = "say which of them are operands, such as --launch '[a, b, 0...], &d'";
    assert!(said(&alone).contains(hint), "{}", said(&alone));

    let folder = Folder::with(&SUM.replacen("bar.sync 0;\n", "", 1));
    let output = folder.judge(&options);
    assert_eq!(output.status.code(), Some(1), "{}{}", printed(&output), said(&output));
    let text = in_one_line(&output);
    assert!(
        text.contains("`sum`, line 17, instruction 15, `ld.shared.f32 %f2, [%r10];`, thread 0 of block 0: reads what"),
        "{text}"
    );
    let name = format!("code:own.ptx#sum({SUM_LAUNCH})");
    assert_eq!(folder.report().implementation.name, name);
    let again = folder.run(&["replay", "out/report.json", "--impl", &name]);
    assert_eq!(again.status.code(), Some(1), "{}", printed(&again));
}
