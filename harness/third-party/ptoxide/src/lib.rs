//! The crate `ptoxide`, which interprets PTX, behind the two functions of `harness/protocol/ptx_emulator.h`. The
//! interpreter's memory is its own, so columns are copied into it and back.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ptoxide::{Argument, Context, LaunchParams};

/// The number of threads in a block.
const BLOCK: usize = 256;
/// The alignment of every column, in bytes.
const ALIGNMENT: usize = 8;
/// The largest number of characters of the words about the last call.
const WORDS: usize = 200;

/// A module, with the name of its kernel.
struct Kernel {
    context: Context,
    entry: String,
}

thread_local! {
    /// The reason why the last call failed.
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Calls something of the crate's, which panics over what it does not have. It returns `None` and keeps the crate's
/// words if that fails.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no words");
        Err(format!("it panics: {words}"))
    });
    match done {
        Ok(done) => Some(done),
        Err(words) => {
            let line: String = words.chars().filter(|letter| !letter.is_control()).take(WORDS).collect();
            ERROR.set(CString::new(line).unwrap_or_default());
            None
        }
    }
}

/// Returns the crate's name and version.
#[unsafe(no_mangle)]
pub extern "C" fn ptx_emulator_name() -> *const c_char {
    c"ptoxide 0.1.0".as_ptr()
}

/// Returns the reason why the last call failed.
#[unsafe(no_mangle)]
pub extern "C" fn ptx_emulator_error() -> *const c_char {
    ERROR.with_borrow(|error| error.as_ptr())
}

/// Reads a module and returns its kernel, or null if the crate does not take it.
///
/// # Safety
/// Both texts have to end in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_emulator_load(module: *const c_char, entry: *const c_char) -> *mut c_void {
    // SAFETY: they are strings.
    let [module, entry] = [module, entry].map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy());
    let kernel = guarded(|| {
        let context = Context::new_with_module(&module).map_err(|error| error.to_string())?;
        Ok(Kernel { context, entry: entry.into_owned() })
    });
    kernel.map_or(std::ptr::null_mut(), |kernel| Box::into_raw(Box::new(kernel)).cast())
}

/// Runs a kernel, and returns 0, or 1 if it fails.
///
/// # Safety
/// `kernel` has to be one that was loaded; there have to be `columns` columns, each of `rows` rows of its width.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_emulator_run(
    kernel: *mut c_void,
    rows: usize,
    columns: usize,
    column: *const *mut c_void,
    width: *const usize,
) -> c_int {
    // SAFETY: it is one that was loaded, and nobody else has it.
    let kernel = unsafe { &mut *kernel.cast::<Kernel>() };
    // SAFETY: there are so many columns, each of so many rows of its width, and no two are the same memory.
    let mut columns: Vec<&mut [u8]> = unsafe {
        let (column, width) = (
            std::slice::from_raw_parts(column, columns),
            std::slice::from_raw_parts(width, columns),
        );
        let bytes = |(&column, &width): (&*mut c_void, &usize)| {
            std::slice::from_raw_parts_mut(column.cast(), rows * width)
        };
        column.iter().zip(width).map(bytes).collect()
    };
    guarded(|| run(kernel, rows, &mut columns)).map_or(1, |()| 0)
}

fn run(Kernel { context, entry }: &mut Kernel, rows: usize, columns: &mut [&mut [u8]]) -> Result<(), String> {
    context.reset_mem();
    let mut places = Vec::new();
    for column in columns.iter() {
        let place = context.alloc_raw(column.len(), ALIGNMENT);
        context.write_raw(place, 0, column);
        places.push(place);
    }
    let mut arguments: Vec<Argument> = places.iter().map(|&place| Argument::Ptr(place)).collect();
    arguments.push(Argument::U32(rows as u32));
    let blocks = rows.div_ceil(BLOCK) as u32;
    let launch = LaunchParams::func(entry).grid1d(blocks).block1d(BLOCK as u32);
    context.run(launch, &arguments).map_err(|error| error.to_string())?;
    for (column, place) in columns.iter_mut().zip(places) {
        context.read_raw(place, 0, column);
    }
    Ok(())
}
