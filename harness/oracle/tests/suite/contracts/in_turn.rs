//! Tests of what two threads leave in one word: either order of adding is right, and nothing else.

use judge::MismatchKind;

use super::{accepted, refused};

#[test]
fn two_threads_come_in_either_order() {
    let text = "red.global.add.f32(b,c)";
    let (first, second) = (("thread-order", "b first"), ("thread-order", "c first"));
    // 1 + 2^-24 is a tie, and rounded to 1.
    let operands = [0x3f80_0000, 0x3380_0000, 0xbf80_0000];
    accepted(text, &operands, 0, &[first]);
    accepted(text, &operands, 0x3380_0000, &[second]);
    // One thread's sum is lost, both are, or none is rounded.
    for answer in [0x3f80_0000, 0xbf80_0000, 0x3400_0000] {
        refused(text, &operands, answer, MismatchKind::ZeroLost);
    }
    refused(text, &operands, 0x8000_0000, MismatchKind::ZeroSign);
    // 1 + 1 + 1 is 3 in any order, and nothing is open.
    accepted(text, &[0x3f80_0000; 3], 0x4040_0000, &[]);
    refused(text, &[0x3f80_0000; 3], 0x4000_0000, MismatchKind::Number);
    // A NaN is one in any order.
    accepted(text, &[0x3f80_0000, 0x7fc0_0001, 0], 0x7fff_ffff, &[("any-nan", "canonical")]);
}

/// Checks that each sum is flushed in global memory, and kept in shared memory.
#[test]
fn each_sum_is_flushed_where_one_is() {
    // 2^-126 − 2^-127, and 2^-127 more.
    let operands = [0x0080_0000, 0x8040_0000, 0x0040_0000];
    accepted("red.global.add.f32(b,c)", &operands, 0x0080_0000, &[]);
    accepted("red.shared.add.f32(b,c)", &operands, 0x0080_0000, &[]);
    // 1.5 × 2^-126 − 2^-126 is flushed before 2^-126 comes.
    let operands = [0x00c0_0000, 0x8080_0000, 0x0080_0000];
    let (first, second) = (("thread-order", "b first"), ("thread-order", "c first"));
    accepted("red.global.add.f32(b,c)", &operands, 0x0080_0000, &[first]);
    accepted("red.global.add.f32(b,c)", &operands, 0x00c0_0000, &[second]);
    accepted("red.shared.add.f32(b,c)", &operands, 0x00c0_0000, &[]);
    refused("red.shared.add.f32(b,c)", &operands, 0x0080_0000, MismatchKind::Number);
}
