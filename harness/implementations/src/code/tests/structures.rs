//! Tests of kernels and functions whose parameters are structures.

use super::{code, function, kernel, refusal, run, variant};
use crate::code::{Code, LaunchText};

/// Two arrays and the bounds of a launch by value, in the manner of Warp: an array has its data, its length and how far
/// its elements lie from each other.
const PARAMETERS: &str =
    ".param .align 8 .b8 dim[24], .param .align 8 .b8 x[56], .param .align 8 .b8 y[56]";

fn strided(body: &str) -> String {
    kernel(
        PARAMETERS,
        &format!(
            "ld.param.u32 %r1, [dim+16]; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; \
             mad.lo.u32 %r5, %r2, %r3, %r4; setp.ge.u32 %p1, %r5, %r1; @%p1 ret; ld.param.u64 %rd1, [x]; \
             ld.param.u64 %rd2, [y]; ld.param.u32 %r6, [x+32]; ld.param.u32 %r7, [y+32]; mul.wide.s32 %rd3, %r5, %r6; \
             mul.wide.s32 %rd4, %r5, %r7; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd4; {body}"
        ),
    )
}

const NEGATES: &str = "ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; st.global.f32 [%rd2], %f2;";

#[test]
fn fields_are_found_by_executing() {
    let text = strided(NEGATES);
    let found = code(&text);
    let launch = "{16:rows}, {0:a, 32:4}, {0:&d, 32:4}";
    assert_eq!(found.launch().as_deref(), Some(launch));
    let rows: &[&[u64]] = &[&[1], &[0x7f80_0000]];
    assert_eq!(run(&found, "neg.f32", rows), (vec![0x8000_0001, 0xff80_0000], vec![]));
    // Other threads find their elements, too, and a user may say all of it.
    let others = found.other_launches(variant("neg.f32"));
    assert_eq!(others.len(), 3);
    assert_eq!(others[1].to_string(), format!("{launch}; threads=32, blocks=2, rows=53"));
    for other in &others {
        let again: LaunchText = other.to_string().parse().unwrap();
        assert_eq!(again, *other);
        let code = found.relaunched(other).unwrap();
        assert_eq!(run(&code, "neg.f32", rows), (vec![0x8000_0001, 0xff80_0000], vec![]));
    }
    let said: LaunchText = "n={rows}, x={a, 4}, y={&d, 32:4}".parse().unwrap();
    let code = Code::of_text("test.ptx", &text, None, Some(&said)).unwrap();
    assert_eq!(code.launch().as_deref(), Some(launch));
    // Elements that lie too near to each other are not those of the other threads.
    let said: LaunchText = "{rows}, {a, 8}, {&d, 4}; threads=4".parse().unwrap();
    let code = Code::of_text("test.ptx", &text, None, Some(&said)).unwrap();
    assert_eq!(run(&code, "neg.f32", &[&[1], &[2], &[3], &[4]]).1.len(), 4);
}

/// A thread goes on with further elements until there are no more, as compilers of Python write it.
#[test]
fn strides_are_found_in_a_loop_over_the_grid() {
    let body = "mov.u32 %r8, %nctaid.x; mul.lo.u32 %r8, %r8, %r3; L: ld.global.f32 %f1, [%rd1]; neg.f32 %f2, %f1; \
                st.global.f32 [%rd2], %f2; add.u32 %r5, %r5, %r8; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; \
                mul.wide.s32 %rd3, %r5, %r6; mul.wide.s32 %rd4, %r5, %r7; add.s64 %rd1, %rd1, %rd3; \
                add.s64 %rd2, %rd2, %rd4; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L;";
    let found = code(&strided(body));
    assert_eq!(found.launch().as_deref(), Some("{16:rows}, {0:a, 32:4}, {0:&d, 32:4}"));
    for other in found.other_launches(variant("neg.f32")) {
        let code = found.relaunched(&other).unwrap();
        assert_eq!(run(&code, "neg.f32", &[&[1], &[2]]), (vec![0x8000_0001, 0x8000_0002], vec![]));
    }
}

#[test]
fn a_function_may_take_structures() {
    let body = "ld.param.f32 %f1, [a]; ld.param.f32 %f2, [a+8]; ld.param.u64 %rd1, [b+8]; ld.f32 %f3, [%rd1]; \
                fma.rn.f32 %f3, %f1, %f2, %f3; st.param.f32 [r], %f3;";
    let text = function(".param .align 4 .b8 a[12], .param .align 8 .b8 b[16]", ".b32", body);
    let found = code(&text);
    assert_eq!(found.launch().as_deref(), Some("{0:a, 8:b}, {8:c}"));
    let rows: &[&[u64]] = &[&[0x4000_0000, 0x4040_0000, 0x3f80_0000]];
    assert_eq!(run(&found, "fma.rn.f32", rows), (vec![0x40e0_0000], vec![]));
}

#[test]
fn what_is_not_found_says_what_is_read() {
    let text = strided(NEGATES);
    for (launch, said) in [
        (
            "rows, {a}, {&d}",
            "--launch has `rows` for `dim`, which is a structure of 24 bytes: write its fields in braces, such as {16:a}",
        ),
        (
            "{8:rows}, {a}, {&d}",
            "--launch has `8:rows` for `dim`, of which nothing is read there: it reads bytes 16 to 19",
        ),
        (
            "{rows}, {a, 4, 5}, {&d}",
            "--launch has `5` for `x`, of which nothing is read there: it reads bytes 0 to 7, bytes 32 to 35",
        ),
        ("{rows}, {&d, &e}, {a}", "--launch has `&e` for `x+32`, which is no pointer"),
    ] {
        let refusal = refusal(&text, None, Some(launch));
        assert!(refusal.contains(said), "{refusal}");
    }
    let idle = refusal(&strided(""), None, None);
    assert!(
        idle.contains(
            "it wrote nothing; it reads the bytes 16 to 19 of `dim` as the number of elements, "
        ),
        "{idle}"
    );
    let address = kernel(PARAMETERS, "mov.b64 %rd1, x; ld.param.u64 %rd2, [%rd1+8];");
    let address = refusal(&address, None, None);
    assert!(
        address
            .contains("the kernel's parameter `x` has 56 bytes, and what is read of them is not known"),
        "{address}"
    );
    for text in ["{0:a", "{x:a}", "{{a}}"] {
        assert!(text.parse::<LaunchText>().is_err(), "{text}");
    }
    let plain = kernel(super::POINTERS, "");
    assert!(
        refusal_of(&plain).contains("--launch has `{a}` for `x`, which is no structure"),
        "{}",
        refusal_of(&plain)
    );
}

fn refusal_of(text: &str) -> String {
    refusal(text, None, Some("{a}, &d, rows"))
}
