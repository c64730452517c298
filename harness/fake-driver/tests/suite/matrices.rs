//! Tests of matrix instructions of a warp: which modules are legal, what kernels compute, and where a wrong result
//! stands.

use cudarc::driver::sys::cudaError_enum::CUDA_ERROR_INVALID_PTX as INVALID_PTX;

use crate::device::{TestDevice, TestModule};
use crate::has_settings;

const RIGHT: &str = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
const WRONG: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

/// Runs the kernel `k` of a module, and returns the words that it stores, four of each thread.
fn words(device: &TestDevice, module: &TestModule, grid: [u32; 2]) -> Vec<u32> {
    let bytes = (16 * grid[0] * grid[1]) as usize;
    let out = device.buffer(bytes);
    device.run(module, "k", grid, &[out.address]);
    let found = device.read(&out, bytes);
    found.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Returns a module with a kernel of one instruction. Elements of A are 1, of B 2, and of C the number of the block; A
/// and B have so many registers.
fn product(instruction: &str, [a, b]: [usize; 2]) -> String {
    let braces = |name: &str, count| format!("{{{}}}", vec![name; count].join(", "));
    format!(
        ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b64 %out;\n.reg .b32 %d<4>, %one, %two, %c, %block, %size, %thread;\n.reg .pred %first;\n\
         ld.param.u64 %out, [out];\nmov.u32 %block, %ctaid.x;\nmov.u32 %size, %ntid.x;\n\
         mov.u32 %thread, %tid.x;\nmad.lo.u32 %thread, %block, %size, %thread;\n\
         mad.wide.u32 %out, %thread, 16, %out;\nmov.b32 %one, 0x3c003c00;\nmov.b32 %two, 0x40004000;\n\
         setp.eq.u32 %first, %block, 0;\nselp.b32 %c, 0x00000000, 0x3f800000, %first;\n\
         {instruction} {{%d0, %d1, %d2, %d3}}, {}, {}, {};\n\
         st.global.b32 [%out+0], %d0;\nst.global.b32 [%out+4], %d1;\nst.global.b32 [%out+8], %d2;\n\
         st.global.b32 [%out+12], %d3;\nret;\n}}\n",
        braces("%one", a),
        braces("%two", b),
        braces("%c", 4),
    )
}

/// Returns a module of a target with nothing but some instruction in it.
fn module(head: &str, instruction: &str) -> String {
    let (version, target) = head.split_once(' ').unwrap();
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b64 %q;\n.reg .b32 %r;\nret;\n{instruction}\n}}\n"
    )
}

#[test]
fn matrix_instructions_are_legal_where_they_are_and_wrong_where_they_shall_be() {
    let test = "matrices::matrix_instructions_are_legal_where_they_are_and_wrong_where_they_shall_be";
    if !has_settings(test, &[format!("wrong={WRONG}")]) {
        return;
    }
    let device = TestDevice::open();
    let (four, two, eight) = ("{%r, %r, %r, %r}", "{%r, %r}", "{%r, %r, %r, %r, %r, %r, %r, %r}");
    let half =
        format!("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {four}, {four}, {two}, {four};");
    let missing =
        format!("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {four}, {two}, {two}, {four};");
    let bytes =
        format!("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {four}, {four}, {two}, {four};");
    let scaled = format!(
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0 \
         {four}, {four}, {two}, {four}, %r, {{0, 0}}, %r, {{0, 0}};"
    );
    let tile = format!("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {eight}, [%q], 16;");
    let warpgroup = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r}, %q, %q, 1, 1, 1, 0, 0;";
    for (head, instruction, legal) in [
        ("7.0 sm_80", half.as_str(), true),
        ("7.0 sm_75", &half, false),
        ("6.5 sm_75", &half, false),
        ("7.0 sm_80", &missing, false),
        ("8.4 sm_89", &bytes, true),
        ("8.4 sm_80", &bytes, false),
        ("8.3 sm_89", &bytes, false),
        ("9.0 sm_90a", &scaled, false),
        ("6.3 sm_70", &tile, true),
        ("6.2 sm_70", &tile, false),
        ("9.0 sm_90a", warpgroup, false),
    ] {
        let loaded = device.load(&module(head, instruction)).map(drop);
        assert_eq!(loaded, if legal { Ok(()) } else { Err(INVALID_PTX) }, "{head} {instruction}");
    }

    for (instruction, registers, product_of) in [(RIGHT, [2, 1], 16.0_f32), (WRONG, [4, 2], 32.0)] {
        let module = device.load(&product(instruction, registers)).unwrap();
        // Blocks of one warp, and of two.
        for threads in [32, 64] {
            for (at, &word) in words(&device, &module, [2, threads]).iter().enumerate() {
                let (lane, register, block) = (at / 4 % 32, at % 4, at / 4 / threads as usize);
                // Row 1 and column 2.
                let is_wrong = instruction == WRONG && (lane, register) == (5, 0);
                let expected = (product_of + block as f32).to_bits() ^ u32::from(is_wrong);
                assert_eq!(word, expected, "{instruction} {threads} {at}");
            }
        }
    }
}
