//! The end of a process that gets no more memory: one sentence in place of an abort.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator. Where it has no memory left, the process says so and ends with exit code 2; the results of a
/// run are on the disk each second, so `--resume` goes on from there.
pub struct SpokenAllocator;

// SAFETY: every request is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for SpokenAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        spoken(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same.
        spoken(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`, which is the same.
        spoken(unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, which is the same.
        unsafe { System.dealloc(old, layout) }
    }
}

/// Returns memory that the system gave; ends the process if it gave none.
fn spoken(memory: *mut u8) -> *mut u8 {
    #[cfg(unix)]
    if memory.is_null() {
        exhausted();
    }
    memory
}

/// Says that there is no memory left, and ends the process, without asking for any.
#[cfg(unix)]
fn exhausted() -> ! {
    const WORDS: &[u8] =
        b"error: no memory is left: give the process more (see `ulimit -v`, or the limit of its \
        container), or fewer --jobs; --resume continues a run that had begun\n";
    // SAFETY: the bytes live as long as the process, and neither function takes anything else.
    unsafe {
        libc::write(libc::STDERR_FILENO, WORDS.as_ptr().cast(), WORDS.len());
        libc::_exit(crate::FAILED.into())
    }
}
