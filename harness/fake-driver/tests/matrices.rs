//! Matrix instructions of a warp on the fake device, by calls of the driver: which modules are legal, what
//! kernels compute, and where a wrong result stands.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::CUresult;
use cudarc::driver::sys::cudaError_enum::{
    CUDA_ERROR_INVALID_PTX as INVALID_PTX, CUDA_ERROR_NOT_READY as NOT_READY, CUDA_SUCCESS as DONE,
};
// Whose functions are declared below.
use fake_driver as _;

unsafe extern "C" {
    fn cuInit(flags: c_uint) -> CUresult;
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> CUresult;
    fn cuCtxSetCurrent(context: *mut c_void) -> CUresult;
    fn cuModuleLoadDataEx(
        module: *mut *mut c_void,
        image: *const c_void,
        count: c_uint,
        names: *mut c_int,
        values: *mut *mut c_void,
    ) -> CUresult;
    fn cuModuleGetFunction(
        function: *mut *mut c_void,
        module: *mut c_void,
        name: *const std::ffi::c_char,
    ) -> CUresult;
    fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> CUresult;
    fn cuMemHostAlloc(to: *mut *mut c_void, bytes: usize, flags: c_uint) -> CUresult;
    fn cuMemcpyDtoHAsync_v2(
        to: *mut c_void,
        address: u64,
        bytes: usize,
        stream: *mut c_void,
    ) -> CUresult;
    fn cuStreamCreate(stream: *mut *mut c_void, flags: c_uint) -> CUresult;
    fn cuStreamQuery(stream: *mut c_void) -> CUresult;
    fn cuLaunchKernel(
        function: *mut c_void,
        blocks: c_uint,
        blocks_y: c_uint,
        blocks_z: c_uint,
        threads: c_uint,
        threads_y: c_uint,
        threads_z: c_uint,
        shared_bytes: c_uint,
        stream: *mut c_void,
        values: *mut *mut c_void,
        extra: *mut *mut c_void,
    ) -> CUresult;
}

/// A device of compute capability 9.0, of which one instruction gives a wrong result.
struct Device {
    stream: *mut c_void,
}

const RIGHT: &str = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
const WRONG: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

impl Device {
    fn open() -> Device {
        let (mut context, mut stream) = (null_mut(), null_mut());
        // SAFETY: the one test of this process has no other thread that reads the environment, and pointers
        // are to what the calls write.
        unsafe {
            std::env::set_var("FAKE_DRIVER", format!("wrong={WRONG}"));
            assert_eq!(cuInit(0), DONE);
            assert_eq!(cuDevicePrimaryCtxRetain(&mut context, 0), DONE);
            assert_eq!(cuCtxSetCurrent(context), DONE);
            assert_eq!(cuStreamCreate(&mut stream, 0), DONE);
        }
        Device { stream }
    }

    /// Loads a module.
    fn load(&self, text: &str) -> Result<*mut c_void, CUresult> {
        let (image, mut module) = (CString::new(text).unwrap(), null_mut());
        let (mut names, mut values) = ([0_i32; 1], [null_mut(); 1]);
        // SAFETY: no options are given, and the text ends with a zero.
        let error = unsafe {
            cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                0,
                names.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if error == DONE { Ok(module) } else { Err(error) }
    }

    /// The words that the kernel `k` stores, four of each thread.
    fn run(&self, module: *mut c_void, blocks: u32, threads: u32) -> Vec<u32> {
        let count = (4 * blocks * threads) as usize;
        let (mut function, mut out, mut host) = (null_mut(), 0_u64, null_mut());
        // SAFETY: pointers are to what the calls write or read; the memory of the host is the driver's, has
        // as many words, and is read when the stream is done.
        unsafe {
            assert_eq!(cuModuleGetFunction(&mut function, module, c"k".as_ptr()), DONE);
            assert_eq!(cuMemAlloc_v2(&mut out, 4 * count), DONE);
            assert_eq!(cuMemHostAlloc(&mut host, 4 * count, 0), DONE);
            let mut values = [(&raw mut out).cast::<c_void>()];
            let values = values.as_mut_ptr();
            let stream = self.stream;
            let launched =
                cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, values, null_mut());
            assert_eq!(launched, DONE);
            assert_eq!(cuMemcpyDtoHAsync_v2(host, out, 4 * count, stream), DONE);
            while cuStreamQuery(stream) == NOT_READY {}
            std::slice::from_raw_parts(host.cast::<u32>(), count).to_vec()
        }
    }
}

/// A module with a kernel of one instruction whose elements of A are 1 and of B are 2, with so many registers
/// of each, and of C the number of the block.
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

/// A module of a target with nothing but some instruction in it.
fn module(head: &str, instruction: &str) -> String {
    let (version, target) = head.split_once(' ').unwrap();
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b64 %q;\n.reg .b32 %r;\nret;\n{instruction}\n}}\n"
    )
}

#[test]
fn matrix_instructions_are_legal_where_they_are_and_wrong_where_they_shall_be() {
    let device = Device::open();
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
            for (at, &word) in device.run(module, 2, threads).iter().enumerate() {
                let (lane, register, block) = (at / 4 % 32, at % 4, at / 4 / threads as usize);
                // Row 1 and column 2.
                let is_wrong = instruction == WRONG && (lane, register) == (5, 0);
                let expected = (product_of + block as f32).to_bits() ^ u32::from(is_wrong);
                assert_eq!(word, expected, "{instruction} {threads} {at}");
            }
        }
    }
}
