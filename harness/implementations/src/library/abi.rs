//! Loads a library under test and calls it, by the C interface of `harness/protocol/ptx_conformance.h`, version 1.

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;

use anyhow::{Context, Result, bail};
use formats::Column;
use libloading::{Library, Symbol};

/// Header that declares the functions of the interface.
const HEADER: &str = "harness/protocol/ptx_conformance.h";
/// Version of the interface, `PTX_CONFORMANCE_VERSION` in the header.
const VERSION: u32 = 1;

/// `ptx_conformance_version`: returns the version of the interface that the library was made for.
type Version = unsafe extern "C" fn() -> u32;
/// `ptx_conformance_name`: returns the name and version that the library gives itself.
type Name = unsafe extern "C" fn() -> *const c_char;
/// `ptx_conformance_supports`: returns null if the library has the variant of this name, or else the reason why not.
type Supports = unsafe extern "C" fn(*const c_char) -> *const c_char;
/// `ptx_conformance_run`: computes a batch from a variant's name, the number of rows, the columns of operands and the
/// columns of results; returns null, or the reason why it failed.
type LibraryRun = unsafe extern "C" fn(
    *const c_char,
    usize,
    *const *const c_void,
    *const *mut c_void,
) -> *const c_char;

/// A loaded library, and its functions.
pub struct LoadedLibrary {
    name: Name,
    supports: Supports,
    run: LibraryRun,
    /// Library that the functions are in, kept loaded.
    _library: Library,
}

impl LoadedLibrary {
    /// Loads a library.
    ///
    /// # Errors
    /// If there is no library, if it lacks a function, or if it was made for another version.
    pub fn load(path: &Path) -> Result<LoadedLibrary> {
        let (shown, library) = (path.display(), open(path)?);
        // SAFETY: a library that exports the names of the header has to have their types.
        let (version, name, supports, run) = unsafe {
            (
                *function::<Version>(&library, path, "ptx_conformance_version", HEADER)?,
                *function::<Name>(&library, path, "ptx_conformance_name", HEADER)?,
                *function::<Supports>(&library, path, "ptx_conformance_supports", HEADER)?,
                *function::<LibraryRun>(&library, path, "ptx_conformance_run", HEADER)?,
            )
        };
        // SAFETY: it takes nothing.
        let version = unsafe { version() };
        if version != VERSION {
            bail!(
                "{shown} was made for version {version} of the interface, not {VERSION}: compile it with \
                 the header of this suite, harness/protocol/ptx_conformance.h"
            );
        }
        Ok(LoadedLibrary { name, supports, run, _library: library })
    }

    /// Returns the name and version that the library gives itself.
    pub fn name(&self) -> Option<String> {
        // SAFETY: it takes nothing, and returns a string.
        unsafe { text((self.name)()) }
    }

    /// Returns the reason why the library does not have a variant, if it does not.
    pub fn lacks(&self, variant: &CString) -> Option<String> {
        // SAFETY: the variant ends in a zero byte; the function returns a string or nothing.
        unsafe { text((self.supports)(variant.as_ptr())) }
    }

    /// Has a batch computed; returns the reason why that failed, if it did.
    pub fn run(&self, variant: &CString, operands: &[Column], results: &mut [Column]) -> Option<String> {
        let rows = operands.first().map_or(0, Column::rows);
        let given: Vec<*const c_void> =
            operands.iter().map(|column| column.bytes().as_ptr().cast()).collect();
        let computed: Vec<*mut c_void> =
            results.iter_mut().map(|column| column.bytes_mut().as_mut_ptr().cast()).collect();
        // SAFETY: each column has as many rows as it is told, aligned to 8 bytes; the function returns a
        // string or nothing.
        unsafe { text((self.run)(variant.as_ptr(), rows, given.as_ptr(), computed.as_ptr())) }
    }
}

/// Loads a library into this process, which is there for that.
///
/// # Errors
/// If there is no such library, or it cannot be loaded.
pub fn open(path: &Path) -> Result<Library> {
    let shown = path.display();
    if !path.exists() {
        bail!("the file {shown} does not exist");
    }
    // SAFETY: what the library does when it is loaded is its own.
    unsafe { Library::new(path) }
        .map_err(|error| anyhow::anyhow!("{shown} cannot be loaded: {}", one_line(&error)))
}

/// Returns a function of the library, which `header` declares.
///
/// # Safety
/// The function has to have the type `T`.
pub unsafe fn function<'a, T>(
    library: &'a Library,
    path: &Path,
    name: &str,
    header: &str,
) -> Result<Symbol<'a, T>> {
    // SAFETY: see above.
    unsafe { library.get(name) }.ok().with_context(|| {
        format!("{} does not export {name}: export the functions that {header} declares", path.display())
    })
}

/// Returns a copy of a string that a library has returned; `None` if it is null. Ends of lines become blanks, so that
/// the string fits into a line of a report.
///
/// # Safety
/// `string` has to be null or end in a zero byte.
pub unsafe fn text(string: *const c_char) -> Option<String> {
    // SAFETY: see above.
    let string = (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) })?;
    Some(string.to_string_lossy().replace(['\n', '\r'], " "))
}

/// Returns an error and its cause on one line.
fn one_line(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}"));
    format!("{error}{}", source.unwrap_or_default()).replace('\n', " ")
}
