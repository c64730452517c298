//! Loads an emulator's library and calls it, by the C interface of `harness/protocol/ptx_emulator.h`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;

use anyhow::Result;
use formats::Column;
use libloading::Library;

use crate::library::{function, open, text};

/// Header that declares the functions of the interface.
const HEADER: &str = "harness/protocol/ptx_emulator.h";

/// `ptx_emulator_load`: takes a module's text and an entry's name, and returns the kernel or null.
type Load = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
/// `ptx_emulator_run`: takes a kernel, the numbers of rows and of columns, the columns and their widths; returns 0, or
/// another number if it fails.
type EmulatorRun =
    unsafe extern "C" fn(*mut c_void, usize, usize, *const *mut c_void, *const usize) -> c_int;
/// `ptx_emulator_name` or `ptx_emulator_error`: takes nothing, and returns a string or null.
type EmulatorWords = unsafe extern "C" fn() -> *const c_char;

/// A loaded library, and the kernel that it was last given.
pub struct EmulatorLibrary {
    load: Load,
    run: EmulatorRun,
    name: Option<EmulatorWords>,
    error: Option<EmulatorWords>,
    kernel: *mut c_void,
    _library: Library,
}

impl EmulatorLibrary {
    /// Loads a library.
    ///
    /// # Errors
    /// If there is no library, or if it lacks a function.
    pub fn open(path: &Path) -> Result<EmulatorLibrary> {
        let library = open(path)?;
        // SAFETY: a library that exports the names of the header has to have their types.
        let (load, run, name, error) = unsafe {
            (
                *function::<Load>(&library, path, "ptx_emulator_load", HEADER)?,
                *function::<EmulatorRun>(&library, path, "ptx_emulator_run", HEADER)?,
                // A library may lack these two.
                library.get::<EmulatorWords>("ptx_emulator_name").ok().map(|function| *function),
                library.get::<EmulatorWords>("ptx_emulator_error").ok().map(|function| *function),
            )
        };
        Ok(EmulatorLibrary { load, run, name, error, kernel: std::ptr::null_mut(), _library: library })
    }

    /// Returns the name and version that the library gives itself; its file's name if it does not say.
    pub fn name(&self, path: &Path) -> String {
        // SAFETY: it takes nothing, and returns a string or nothing.
        let said = self.name.and_then(|name| unsafe { text(name()) });
        let file =
            || path.file_name().map_or("emulator".into(), |file| file.to_string_lossy().into_owned());
        said.filter(|said| !said.trim().is_empty()).unwrap_or_else(file)
    }

    /// Returns why the last call failed, if the library says it.
    fn words(&self) -> Option<String> {
        // SAFETY: it takes nothing, and returns a string or nothing.
        let said = self.error.and_then(|error| unsafe { text(error()) });
        said.filter(|said| !said.trim().is_empty())
    }

    /// Loads a kernel in the place of the one before; returns the reason why the library does not, if so.
    pub fn load(&mut self, module: &CString, entry: &CString) -> Option<String> {
        // SAFETY: both end in a zero byte.
        self.kernel = unsafe { (self.load)(module.as_ptr(), entry.as_ptr()) };
        let refused = || self.words().unwrap_or_else(|| "ptx_emulator_load returned nothing".into());
        self.kernel.is_null().then(refused)
    }

    /// Runs the kernel on all rows of its columns; returns the reason why the library does not, if so.
    pub fn run(&mut self, columns: &mut [Column]) -> Option<String> {
        if self.kernel.is_null() {
            return Some("no kernel is loaded".into());
        }
        let rows = columns.first().map_or(0, Column::rows);
        let widths: Vec<usize> = columns.iter().map(Column::row_bytes).collect();
        let given: Vec<*mut c_void> =
            columns.iter_mut().map(|column| column.bytes_mut().as_mut_ptr().cast()).collect();
        // SAFETY: there are so many columns, each of so many rows of its width, aligned to 8 bytes, and the
        // kernel is one that the library gave.
        let code =
            unsafe { (self.run)(self.kernel, rows, given.len(), given.as_ptr(), widths.as_ptr()) };
        (code != 0).then(|| match self.words() {
            Some(words) => format!("{words} (error {code})"),
            None => format!("ptx_emulator_run returned {code}"),
        })
    }
}
