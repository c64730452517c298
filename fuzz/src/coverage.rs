//! What a library in this process may report to, as gcc compiles it, and libFuzzer lacks: it would not be loaded
//! without.

/// Comparisons of floating-point numbers (gcc's `-fsanitize-coverage=trace-cmp`), of which nothing is made.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpf(_: f32, _: f32) {}

/// As above.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpd(_: f64, _: f64) {}

/// Keeps them in a program that does not call them.
pub fn keep() {
    std::hint::black_box([
        __sanitizer_cov_trace_cmpf as *const (),
        __sanitizer_cov_trace_cmpd as *const (),
    ]);
}
