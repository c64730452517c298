//! The state of the driver: its devices, each with what belongs to its context.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use cudarc::driver::sys::CUresult;
use machines::interpreter::MemoryError;

use crate::kernel::FakeKernel;
use crate::memory::{Allocations, Pinned};
use crate::misuse::misuse;
use crate::module::KernelsByName;
use crate::settings::DriverSettings;
use crate::stream::{Stream, StreamOperation};

/// The value that a call gives, or an error that is not success.
pub type DriverResult<T = ()> = Result<T, CUresult>;

/// The driver of this process.
pub struct Driver {
    pub settings: DriverSettings,
    pub initialised: bool,
    /// The number of modules that were loaded, on all devices.
    pub loads: usize,
    /// The number of kernels that were called, on all devices.
    pub launches: usize,
    /// The error that was found on a device, after which nothing goes right.
    lost: Option<CUresult>,
    contexts: Vec<Context>,
    handles: usize,
}

/// The state of one device: everything that belongs to its context.
#[derive(Default)]
pub struct Context {
    /// The number of times that the context was retained and not released.
    pub retained: usize,
    pub memory: Allocations,
    pub pinned: Pinned,
    pub modules: BTreeMap<usize, KernelsByName>,
    /// Kernels, each with its module.
    pub functions: BTreeMap<usize, (usize, Arc<FakeKernel>)>,
    pub streams: BTreeMap<usize, Stream>,
}

/// The handle of the first device's context; that of any other is the sum of this and the device's number.
const CONTEXT: usize = 0x1000;

thread_local! {
    /// The handle of the context that is current to this thread; 0 if none is.
    pub static CURRENT: Cell<usize> = const { Cell::new(0) };
}

impl Driver {
    /// Gives the driver of this process to one call at a time.
    pub fn with_driver<T>(call: impl FnOnce(&mut Driver) -> T) -> T {
        static DRIVER: LazyLock<Mutex<Driver>> = LazyLock::new(|| {
            let settings = DriverSettings::of_environment();
            let contexts = (0..settings.devices).map(|_| Context::default()).collect();
            Mutex::new(Driver {
                settings,
                initialised: false,
                loads: 0,
                launches: 0,
                lost: None,
                contexts,
                // Handles of contexts lie below.
                handles: 2 * CONTEXT,
            })
        });
        call(&mut DRIVER.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a handle that was not given before.
    pub fn handle(&mut self) -> usize {
        self.handles += 1;
        self.handles
    }

    /// Returns the device of a number.
    pub fn device(&mut self, number: i32) -> DriverResult<&mut Context> {
        let number = usize::try_from(number).ok();
        number
            .and_then(|number| self.contexts.get_mut(number))
            .ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)
    }

    /// Returns the handle of a device's context.
    pub fn handle_of(number: i32) -> usize {
        CONTEXT + number as usize
    }

    /// Returns the context that is current to this thread.
    pub fn current(&mut self) -> DriverResult<&mut Context> {
        self.healthy()?;
        let handle = CURRENT.get();
        let context = handle.checked_sub(CONTEXT).and_then(|number| self.contexts.get_mut(number));
        context.filter(|context| context.retained > 0).ok_or(CUresult::CUDA_ERROR_INVALID_CONTEXT)
    }

    /// Checks that no device was lost, and else returns the error of the loss: after it nothing goes right.
    pub fn healthy(&self) -> DriverResult {
        self.lost.map_or(Ok(()), Err)
    }

    /// Loses the device, and returns the error: from now on nothing goes right.
    pub fn lose(&mut self, failure: MemoryError) -> CUresult {
        let error = match failure {
            MemoryError::Address | MemoryError::Table => CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            MemoryError::Alignment => CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
        };
        self.lost = Some(error);
        error
    }

    /// Checks a call that waits for all that devices have to do: if a kernel never ends, neither does the call, and the
    /// process ends.
    pub fn waits(&self) {
        let hangs = |operation: &StreamOperation| operation.hangs(&self.settings);
        if self.contexts.iter().any(|context| context.is_due(hangs)) {
            misuse("a call waits for a kernel that never ends");
        }
    }

    /// Does what was put on a stream, when the stream is asked for the second time.
    pub fn finish(&mut self, stream: usize) -> DriverResult {
        let settings = self.settings.clone();
        let context = self.current()?;
        let stream = context.streams.get_mut(&stream).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        // The first question finds the stream at work and the second finds it done, so that callers have to wait.
        stream.asked = !stream.asked;
        let hangs = stream.queued.iter().any(|operation| operation.hangs(&settings));
        if !stream.is_empty() && (stream.asked || hangs) {
            return Err(CUresult::CUDA_ERROR_NOT_READY);
        }
        for operation in std::mem::take(&mut stream.queued) {
            // SAFETY: memory of the host is in `pinned`, and is not freed while a stream uses it.
            if let Err(failure) = unsafe { operation.perform(&mut context.memory, &settings) } {
                return Err(self.lose(failure));
            }
        }
        Ok(())
    }
}

impl Context {
    /// Puts an operation on a stream.
    pub fn put(&mut self, stream: usize, operation: StreamOperation) -> DriverResult {
        let stream = self.streams.get_mut(&stream).ok_or(CUresult::CUDA_ERROR_INVALID_HANDLE)?;
        stream.queued.push(operation);
        Ok(())
    }

    /// Whether a stream has an operation to do that `which` means.
    pub fn is_due(&self, which: impl Fn(&StreamOperation) -> bool) -> bool {
        self.streams.values().flat_map(|stream| &stream.queued).any(which)
    }

    /// Names what the owner of the context has not given back; `None` if there is nothing.
    pub fn unreleased(&self) -> Option<String> {
        let counts = [
            (self.streams.len(), "streams"),
            (self.modules.len(), "modules"),
            (self.memory.count(), "allocations of the device"),
            (self.pinned.count(), "allocations of the host"),
        ];
        let left = counts.into_iter().filter(|(count, _)| *count > 0);
        let left: Vec<String> = left.map(|(count, what)| format!("{count} {what}")).collect();
        (!left.is_empty()).then(|| left.join(", "))
    }
}
