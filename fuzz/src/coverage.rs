//! Coverage callbacks that libFuzzer lacks: a library that gcc compiled may call them, and would not load without them.

/// Takes a comparison of two `f32` (gcc's `-fsanitize-coverage=trace-cmp`), and does nothing with it.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpf(_: f32, _: f32) {}

/// Takes a comparison of two `f64` (gcc's `-fsanitize-coverage=trace-cmp`), and does nothing with it.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpd(_: f64, _: f64) {}

/// Keeps the coverage callbacks of this module in a program that does not call them.
pub fn keep() {
    std::hint::black_box([
        __sanitizer_cov_trace_cmpf as *const (),
        __sanitizer_cov_trace_cmpd as *const (),
    ]);
}
