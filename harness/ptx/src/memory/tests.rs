//! Kernels on a word of a thread's own, or of two threads, as text.

use crate::kernel::kernel;

fn holds(variant: &str, parts: &[&str]) {
    let text = kernel(&variant.parse().unwrap()).to_string();
    let places: Vec<usize> = parts
        .iter()
        .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}")))
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn a_word_of_global_memory_is_its_row_of_the_result() {
    holds(
        "atom.global.add.f32",
        &[
            "ld.param.u64 %at, [column_m];\n",
            "mov.u64 %word, %at;\nst.global.f32 [%at], %a;\natom.global.add.f32 %d, [%word], %b;\n",
            "st.global.f32 [%at], %d;\nDONE:\nret;\n",
        ],
    );
    holds(
        "atom.add.noftz.f16",
        &["mov.u64 %word, %at;\ncvta.to.global.u64 %at, %at;\nst.global.b16 [%at], %a;\n"],
    );
    holds(
        "red.global.add.f64",
        &["st.global.f64 [%at], %a;\nred.global.add.f64 [%word], %b;\nDONE:\nret;\n"],
    );
}

#[test]
fn a_word_of_shared_memory_is_the_threads_own() {
    holds(
        "atom.shared.add.noftz.f16x2",
        &[
            ".shared .align 4 .b8 %words[4096];\n",
            "st.shared.b32 [%word], %a;\natom.shared.add.noftz.f16x2 %d, [%word], %b;\n",
            "ld.shared.b32 %m, [%word];\n",
            "st.global.b32 [%at], %m;\n",
            "st.global.b32 [%at], %d;\nDONE:\nret;\n",
        ],
    );
}

#[test]
fn a_word_of_128_bits_is_a_row_of_16_bytes() {
    holds(
        "atom.global.add.noftz.v8.bf16",
        &[
            ".param .u64 column_m,\n.param .u64 column_d,\n.param .u64 column_a,\n.param .u64 column_b,\n",
            "mul.wide.u32 %offset, %row, 16;\n",
            "ld.global.b64 %a0, [%at];\nld.global.b64 %a1, [%at+8];\n",
            "ld.global.b16 %b6, [%at+12];\nld.global.b16 %b7, [%at+14];\n",
            "st.global.b64 [%at], %a0;\nst.global.b64 [%at+8], %a1;\n",
            "atom.global.add.noftz.v8.bf16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, [%word], {%b0, %b1, ",
            "st.global.b16 [%at], %d0;\nst.global.b16 [%at+2], %d1;\n",
        ],
    );
    holds(
        "red.add.v4.f32",
        &["ld.global.b32 %b3, [%at+12];\n", "red.add.v4.f32 [%word], {%b0, %b1, %b2, %b3};\n"],
    );
}

/// A store that the asynchronous proxy is to see has a fence behind it (PTX ISA 8.4, "Proxies").
#[test]
fn a_block_of_words_lies_in_shared_memory_and_is_waited_for() {
    holds(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32",
        &[
            ".shared .align 16 .b8 %words[16384];\n",
            "ld.global.b64 %a0, [%at];\nld.global.b64 %a1, [%at+8];\n",
            "ld.global.b64 %b0, [%at];\nld.global.b64 %b1, [%at+8];\n",
            "st.global.b64 [%at], %a0;\nst.global.b64 [%at+8], %a1;\n",
            "st.shared.b64 [%other], %b0;\nst.shared.b64 [%other+8], %b1;\nfence.proxy.async;\n",
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%word], [%other], 16;\n",
            "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nDONE:\nret;\n",
        ],
    );
}

#[test]
fn elements_of_vectors_are_registers() {
    holds(
        "atom.global.max.noftz.v2.bf16x2",
        &[
            "ld.global.b32 %b0, [%at];\nld.global.b32 %b1, [%at+4];\n",
            "st.global.b64 [%at], %a;\n",
            "atom.global.max.noftz.v2.bf16x2 {%d0, %d1}, [%word], {%b0, %b1};\n",
            "st.global.b32 [%at], %d0;\nst.global.b32 [%at+4], %d1;\n",
        ],
    );
    holds(
        "red.global.add.noftz.v4.f16",
        &["red.global.add.noftz.v4.f16 [%word], {%b0, %b1, %b2, %b3};\n"],
    );
}

#[test]
fn two_threads_of_a_warp_meet_at_one_word() {
    holds(
        "red.global.add.f32(b,c)",
        &[
            "and.b32 %first, %row, 0xffffffe0;\n",
            "NEXT:\nadd.s32 %row, %first, %round;\n",
            "setp.le.u32 %is_one, %apart, 1;\nselp.b32 %own, %b, %c, %is_first;\n",
            "@%is_first st.global.f32 [%at+0], %a;\nbar.warp.sync 0xffffffff;\n",
            "@%is_one red.global.add.f32 [%word], %own;\nbar.warp.sync 0xffffffff;\nadd.s32 %round",
            "setp.ne.u32 %beyond, %round, 32;\n@%beyond bra NEXT;\nDONE:\nret;\n",
        ],
    );
}

#[test]
fn in_shared_memory_a_warp_has_one_word_at_a_time() {
    holds(
        "red.shared.add.noftz.bf16x2(b,c)",
        &[
            ".shared .align 4 .b8 %words[4096];\n",
            "and.b32 %slot, %thread, 0xffffffe0;\n",
            "@%is_first st.shared.b32 [%word+0], %a;\n",
            "@%is_one red.shared.add.noftz.bf16x2 [%word], %own;\nbar.warp.sync 0xffffffff;\n",
            "ld.shared.b32 %m, [%word];\n",
            "@%is_first st.global.b32 [%at+0], %m;\nbar.warp.sync 0xffffffff;\nadd.s32 %round",
        ],
    );
}
