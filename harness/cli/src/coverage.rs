//! Empty stand-ins for the functions that a library compiled for a fuzzer reports its coverage to, so that it can
//! be loaded without a fuzzer.
//!
//! The reports are ignored. A fuzzer has functions of its own under these names.

/// Defines functions that ignore their arguments, and `ALL`, the list of them.
macro_rules! ignored {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name() {}
        )*
        const ALL: &[extern "C" fn()] = &[$($name),*];
    };
}

ignored! {
    __sanitizer_cov_8bit_counters_init __sanitizer_cov_bool_flag_init __sanitizer_cov_pcs_init
    __sanitizer_cov_trace_pc __sanitizer_cov_trace_pc_guard __sanitizer_cov_trace_pc_guard_init
    __sanitizer_cov_trace_pc_indir
    __sanitizer_cov_trace_cmp1 __sanitizer_cov_trace_cmp2 __sanitizer_cov_trace_cmp4 __sanitizer_cov_trace_cmp8
    __sanitizer_cov_trace_const_cmp1 __sanitizer_cov_trace_const_cmp2 __sanitizer_cov_trace_const_cmp4
    __sanitizer_cov_trace_const_cmp8
    __sanitizer_cov_trace_cmpf __sanitizer_cov_trace_cmpd __sanitizer_cov_trace_switch
    __sanitizer_cov_trace_div4 __sanitizer_cov_trace_div8 __sanitizer_cov_trace_gep
}

/// Keeps the coverage functions in a program that never calls them.
pub fn keep() {
    std::hint::black_box(ALL);
}
