//! Test that the oracle allocates nothing per vector, neither in Rust nor in MPFR behind it. MPFR itself needs
//! scratch numbers in functions other than sums, products, quotients and square roots; these are left out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

use gmp_mpfr_sys::gmp;
use isa::{Op, Variant, columns_for};
use judge::Truth;
use oracle::Oracle;
use sweeps::Sweep;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

struct Counting;

// SAFETY: everything is the system allocator's, but for the count.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn realloc(pointer: *mut c_void, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

extern "C" fn counting_malloc(size: usize) -> *mut c_void {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: GMP asks for memory of this size.
    unsafe { malloc(size) }
}

unsafe extern "C" fn counting_realloc(pointer: *mut c_void, _: usize, size: usize) -> *mut c_void {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the pointer came from `counting_malloc`.
    unsafe { realloc(pointer, size) }
}

unsafe extern "C" fn plain_free(pointer: *mut c_void, _: usize) {
    // SAFETY: the pointer came from `counting_malloc`.
    unsafe { free(pointer) }
}

/// The step from one measured variant to the next: one of each row is measured, and each modifier somewhere.
const SAMPLED: usize = 13;
const ROWS: u64 = 1000;

/// Whether MPFR computes the function of a variant in scratch numbers of its own.
fn allocates(variant: &Variant) -> bool {
    use Op::{Cos, Ex2, Lg2, Rsqrt, Sin, Tanh};
    matches!(variant.meaning().op, Cos | Ex2 | Lg2 | Rsqrt | Sin | Tanh)
}

/// Checks a sample of the variants; see [`SAMPLED`].
#[test]
fn judging_a_batch_again_allocates_nothing() {
    // SAFETY: called before GMP has any memory; the functions meet its requirements.
    unsafe {
        gmp::set_memory_functions(Some(counting_malloc), Some(counting_realloc), Some(plain_free));
    };
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    drop(rug::Float::new(53));
    assert!(ALLOCATIONS.load(Ordering::Relaxed) > before, "MPFR's allocations are counted");
    for variant in Variant::all().iter().step_by(SAMPLED).filter(|variant| !allocates(variant)) {
        let mut oracle = Oracle::new(variant);
        let mut truth = Truth::new(variant);
        for sweep in Sweep::all() {
            let rows = sweep.length(variant).at_most(ROWS);
            if rows == 0 {
                continue;
            }
            let mut columns = columns_for(variant, rows as usize);
            sweep.fill(variant, 1, 0, &mut columns);
            oracle.expect(&columns, &mut truth);
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            oracle.expect(&columns, &mut truth);
            let count = ALLOCATIONS.load(Ordering::Relaxed) - before;
            assert_eq!(count, 0, "{count} allocations for {rows} vectors of {variant}, {}", sweep.name);
        }
    }
}
