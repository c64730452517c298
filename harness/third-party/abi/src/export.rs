//! The four functions behind the exported symbols. Strings are lent until the next call, and nothing
//! that panics gets past here: a panic becomes a reason.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{self, AssertUnwindSafe};
use std::ptr;

use crate::compute::Columns;
use crate::library::Library;

/// The version of the C interface.
pub const VERSION: u32 = 1;

thread_local! {
    /// The last string that was returned.
    static TEXT: RefCell<CString> = RefCell::default();
}

/// Lends a text to the caller until the next call, as one line without a zero byte.
fn lend(text: &str) -> *const c_char {
    let line = text.replace(['\n', '\r', '\0'], " ");
    let line = CString::new(line).expect("zero bytes are replaced");
    TEXT.with_borrow_mut(|kept| {
        *kept = line;
        kept.as_ptr()
    })
}

/// Calls a function and returns null, or a string that says what it complained of, be it by panicking.
fn guarded(function: impl FnOnce() -> Result<(), String>) -> *const c_char {
    let outcome = panic::catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| payload.downcast_ref::<&str>().copied());
        Err(format!("it panicked: {}", message.unwrap_or("without a message")))
    });
    outcome.map_or_else(|reason| lend(&reason), |()| ptr::null())
}

/// Returns the name of a library, and its version, as a C string.
pub fn name(library: &Library) -> *const c_char {
    lend(&library.name())
}

/// Returns null if a library has a variant, or the reason why not.
///
/// # Safety
/// `variant` is a string that ends in a zero byte.
pub unsafe fn supports(library: &Library, variant: *const c_char) -> *const c_char {
    // SAFETY: the caller's promise.
    let variant = unsafe { CStr::from_ptr(variant) };
    guarded(|| library.compute(&variant.to_string_lossy()).map(drop))
}

/// Computes rows of a variant, and returns null, or the reason why it could not.
///
/// # Safety
/// `variant` is a string that ends in a zero byte, and the columns are those of the variant, with `rows` rows.
pub unsafe fn run(
    library: &Library,
    variant: *const c_char,
    rows: usize,
    operands: *const *const c_void,
    results: *const *mut c_void,
) -> *const c_char {
    // SAFETY: the caller's promise.
    let variant = unsafe { CStr::from_ptr(variant) };
    guarded(|| {
        let compute = library.compute(&variant.to_string_lossy())?;
        // SAFETY: the caller's promise.
        unsafe { compute.rows(&Columns { rows, operands, results }) };
        Ok(())
    })
}

/// Exports a library, a `static` of the type [`Library`], under the names of the header.
#[macro_export]
macro_rules! export {
    ($library:expr) => {
        #[unsafe(no_mangle)]
        extern "C" fn ptx_conformance_version() -> u32 {
            $crate::VERSION
        }

        #[unsafe(no_mangle)]
        extern "C" fn ptx_conformance_name() -> *const ::std::ffi::c_char {
            $crate::name(&$library)
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn ptx_conformance_supports(
            variant: *const ::std::ffi::c_char,
        ) -> *const ::std::ffi::c_char {
            // SAFETY: the header has the caller promise it.
            unsafe { $crate::supports(&$library, variant) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn ptx_conformance_run(
            variant: *const ::std::ffi::c_char,
            rows: usize,
            operands: *const *const ::std::ffi::c_void,
            results: *const *mut ::std::ffi::c_void,
        ) -> *const ::std::ffi::c_char {
            // SAFETY: the header has the caller promise it.
            unsafe { $crate::run(&$library, variant, rows, operands, results) }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compute, unary};

    fn find(variant: &str) -> Option<Compute> {
        Some(match variant {
            "neg.f32" => unary(|a: f32| -a),
            "abs.f32" => unary(|_: f32| -> f32 { panic!("not today,\nnor tomorrow") }),
            _ => return None,
        })
    }

    static LIBRARY: Library =
        Library { package: "mine", lock: "name = \"mine\"\nversion = \"1.2.3\"\n", find };

    fn said(text: *const c_char) -> Option<&'static str> {
        // SAFETY: null, or a string that lives until the next call, which no test makes before it has
        // compared it.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().unwrap())
    }

    fn negate(variant: &CStr) -> (Option<&'static str>, [f32; 2]) {
        let (operand, mut result) = ([1.5_f32, -0.0], [0.0_f32; 2]);
        let (operands, results) = ([operand.as_ptr().cast()], [result.as_mut_ptr().cast()]);
        // SAFETY: columns of two rows of f32, as both variants have them.
        let why = unsafe { run(&LIBRARY, variant.as_ptr(), 2, operands.as_ptr(), results.as_ptr()) };
        (said(why), result)
    }

    #[test]
    fn rows_are_computed() {
        assert_eq!(said(name(&LIBRARY)), Some("mine 1.2.3"));
        let (why, result) = negate(c"neg.f32");
        assert_eq!((why, result.map(f32::to_bits)), (None, [0xbfc0_0000, 0]));
    }

    #[test]
    fn a_panic_is_a_reason_of_one_line() {
        assert_eq!(negate(c"abs.f32").0, Some("it panicked: not today, nor tomorrow"));
    }

    #[test]
    fn what_is_missing_has_a_reason() {
        // SAFETY: a string that ends in a zero byte.
        let why = |variant: &CStr| said(unsafe { supports(&LIBRARY, variant.as_ptr()) });
        assert_eq!(why(c"neg.f32"), None);
        assert_eq!(why(c"neg.f16"), Some("mine has no function for it"));
    }
}
