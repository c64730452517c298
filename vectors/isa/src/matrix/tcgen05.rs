//! PTX ISA 9.7.18.10.10: `tcgen05.mma`, with `.sp` for a sparse A, and `.ws`. A name also has, of what only
//! operands say, whatever decides a result. It says where A lies, in tensor memory (`a-tmem`) or in shared memory
//! (`a-desc`). From the instruction descriptor it has the types of D, A and B, the type of the scales where there are
//! several, K, and the version of sparsity where it is 1.
//!
//! `.collector::…` and `.ashift` are about buffers and rows and belong to no name. Some forms are left out: K = 128 of
//! a dense A, of a sparse A K = 128 of 8 bits and K = 192, and K = 64 of `.kind::mxf8f6f4`, about which the tables of
//! 9.4 disagree; scales of ue5m3; and `.decompress::lut::b`.

use super::form::MatrixForm;

const PLAIN: &str = "8.6 sm_100f,sm_110f";
/// "`.scale_vec::1X`, `.scale_vec::2X`, `.scale_vec::4X` requires `sm_100a`" (9.7.18.10.10.1); ptxas has them
/// where architectures stand alone.
const VECTORS: &str = "8.6 sm_100a,sm_103a,sm_107a,sm_110a";
/// "Qualifier `.kind::mxf4nvf4` introduced in PTX ISA version 8.7."
const VECTORS_NV: &str = "8.7 sm_100a,sm_103a,sm_107a,sm_110a";
/// "Qualifiers `.block16` and `.block32` introduced in PTX ISA version 8.8."
const BLOCKS: &str = "8.8 sm_100f,sm_110f";
/// Sparse `.kind::mxf4` and `.kind::mxf4nvf4` belong to no family. Bit 12 of the descriptor, the version of sparsity,
/// decides which elements are stored, and each architecture takes one version (9.7.18.10.9.3). These architectures take
/// `v0`, which is in no name.
const SPARSE_4: &str = "8.6 sm_100a,sm_103a,sm_110a";
const SPARSE_4_NV: &str = "8.7 sm_100a,sm_103a,sm_110a";
const SPARSE_4_BLOCKS: &str = "8.8 sm_100a,sm_103a,sm_110a";
/// The architecture that takes `v1` as the version of sparsity, which names state.
const SM_107A: &str = "9.4 sm_107a";
/// "Support for scale type `UE4M3` with scale_vectorsize `.block32` requires target architecture `sm_107f`"
/// (9.7.18.10.7.1).
const UE4M3_32: &str = "9.4 sm_107f";
/// "K = 96 is only supported for following architecture-specific targets" (9.7.18.2.1.1); until 9.4 only two
/// blocks together had it.
const K96: &str = "8.8 sm_103a,sm_107a";
const K96_OF_ONE: &str = "9.4 sm_103a,sm_107a";

const MMA: &str = "9.7.18.10.10.1";
const SP: &str = "9.7.18.10.10.2";
const WS: &str = "9.7.18.10.10.3";
const WS_SP: &str = "9.7.18.10.10.4";

/// Returns the rows of the section.
#[rustfmt::skip] // one row, one line
pub fn rows() -> Vec<MatrixForm> {
    let row = MatrixForm::new;
    vec![
        row("tcgen05.mma.cta_group.kind::f16(a-desc|a-tmem,f16|f32.f16.f16,k16)",                                              PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::f16(a-desc|a-tmem,f32.bf16.bf16,k16)",                                                PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::tf32(a-desc|a-tmem,f32.tf32.tf32,k8)",                                                PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8f6f4.f8f6f4,k32)",                                     PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8.f8,k64)",                                             "9.4 sm_107f",   MMA),
        row("tcgen05.mma.cta_group.kind::mxf8f6f4.block_scale(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k32)",                     PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::mxf8f6f4.block_scale.block32(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k32)",             BLOCKS,          MMA),
        row("tcgen05.mma.cta_group.kind::mxf8f6f4.block_scale.scale_vec::1X(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k32)",       VECTORS,         MMA),
        row("tcgen05.mma.cta_group.kind::mxf4.block_scale(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k64)",                             PLAIN,           MMA),
        row("tcgen05.mma.cta_group.kind::mxf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k64)",                     BLOCKS,          MMA),
        row("tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k96)",                     K96_OF_ONE,      MMA),
        row("tcgen05.mma.cta_group::2.kind::mxf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k96)",                     K96,             MMA),
        row("tcgen05.mma.cta_group.kind::mxf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k64)",               VECTORS,         MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.block16(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k64)",           BLOCKS,          MMA),
        row("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k96)",           K96_OF_ONE,      MMA),
        row("tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block16(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k96)",           K96,             MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k64)",                 BLOCKS,          MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue4m3,k64)",                 UE4M3_32,        MMA),
        row("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k96)",                 K96_OF_ONE,      MMA),
        row("tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k96)",                 K96,             MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue4m3,k96)",                 SM_107A,         MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k64)",           VECTORS_NV,      MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue4m3,k64)",           SM_107A,         MMA),
        row("tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.scale_vec::4X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k64)",     VECTORS_NV,      MMA),
        row("tcgen05.mma.sp.cta_group.kind::f16(a-desc|a-tmem,f16|f32.f16.f16,k32)",                                           PLAIN,           SP),
        row("tcgen05.mma.sp.cta_group.kind::f16(a-desc|a-tmem,f32.bf16.bf16,k32)",                                             PLAIN,           SP),
        row("tcgen05.mma.sp.cta_group.kind::tf32(a-desc|a-tmem,f32.tf32.tf32,k16)",                                            PLAIN,           SP),
        row("tcgen05.mma.sp.cta_group.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8f6f4.f8f6f4,k64)",                                  PLAIN,           SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf8f6f4.block_scale(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k64)",                  PLAIN,           SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf8f6f4.block_scale.block32(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k64)",          BLOCKS,          SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf8f6f4.block_scale.scale_vec::1X(a-desc|a-tmem,f32.f8f6f4.f8f6f4.ue8m0,k64)",    VECTORS,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128)",                         SPARSE_4,        SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128)",                 SPARSE_4_BLOCKS, SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128)",           SPARSE_4,        SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.block16(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128)",       SPARSE_4_BLOCKS, SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128)",             SPARSE_4_BLOCKS, SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128)",       SPARSE_4_NV,     SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vec::4X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128)", SPARSE_4_NV,     SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128,v1)",                      SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128,v1)",              SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0,k128,v1)",        SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.block16(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128,v1)",    SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.block32(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128,v1)",    SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vec::2X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128,v1)",    SM_107A,         SP),
        row("tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vec::4X(a-desc|a-tmem,f32.e2m1.e2m1.ue8m0|ue4m3,k128,v1)", SM_107A,         SP),
        row("tcgen05.mma.ws.cta_group::1.kind::f16(a-desc|a-tmem,f16|f32.f16.f16,k16)",                                        PLAIN,           WS),
        row("tcgen05.mma.ws.cta_group::1.kind::f16(a-desc|a-tmem,f32.bf16.bf16,k16)",                                          PLAIN,           WS),
        row("tcgen05.mma.ws.cta_group::1.kind::tf32(a-desc|a-tmem,f32.tf32.tf32,k8)",                                          PLAIN,           WS),
        row("tcgen05.mma.ws.cta_group::1.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8f6f4.f8f6f4,k32)",                               PLAIN,           WS),
        row("tcgen05.mma.ws.cta_group::1.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8.f8,k64)",                                       "9.4 sm_107f",   WS),
        row("tcgen05.mma.ws.sp.cta_group::1.kind::f16(a-desc|a-tmem,f16|f32.f16.f16,k32)",                                     PLAIN,           WS_SP),
        row("tcgen05.mma.ws.sp.cta_group::1.kind::f16(a-desc|a-tmem,f32.bf16.bf16,k32)",                                       PLAIN,           WS_SP),
        row("tcgen05.mma.ws.sp.cta_group::1.kind::tf32(a-desc|a-tmem,f32.tf32.tf32,k16)",                                      PLAIN,           WS_SP),
        row("tcgen05.mma.ws.sp.cta_group::1.kind::f8f6f4(a-desc|a-tmem,f16|f32.f8f6f4.f8f6f4,k64)",                            PLAIN,           WS_SP),
    ]
}
