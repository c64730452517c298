//! Devices, their contexts, and the modules that they have loaded.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail};
use base::locks::lock;
use cudarc::driver::{result as cuda, sys};
use handles::Handle;
use ptx::LaunchShape;

use super::buffer::Buffer;
use super::error::NameCall;

/// Identity of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceIdentity {
    /// Name of the device, and what tells it from others of that name.
    pub name: String,
    /// Compute capability of the device, times ten.
    pub capability: u16,
    /// Version of the device's driver.
    pub driver: String,
    /// Further facts about the device, as it was found: its firmware, clocks, error correction.
    pub details: BTreeMap<String, String>,
}

/// A device, its context, and what is loaded there. All threads may use it.
pub struct Gpu {
    identity: DeviceIdentity,
    device: sys::CUdevice,
    context: SharedHandle<sys::CUcontext>,
    loaded: Mutex<LoadedModules>,
    /// Buffers that no stream uses. They are kept for others, because freeing one waits for all that the
    /// device has to do, however long that takes.
    spare: Mutex<Vec<Buffer>>,
    /// Turn to run a module that is unloaded at once: unloading waits for all that the device has to do, as freeing
    /// a buffer does.
    turn: Mutex<()>,
    /// Time that the device has for a batch.
    patience: Duration,
    /// Whether the device once took longer for a batch than it may. From then on nothing more is asked of it: it
    /// would not answer, and may still write to memory that it was given.
    stuck: AtomicBool,
}

/// Modules and functions that a device has loaded.
#[derive(Default)]
pub struct LoadedModules {
    modules: Vec<SharedHandle<sys::CUmodule>>,
    /// Functions by their numbers, with their interfaces.
    pub functions: Vec<(SharedHandle<sys::CUfunction>, Interface)>,
}

/// A handle of the driver, which threads share.
#[derive(Clone, Copy)]
pub struct SharedHandle<T: Handle>(T);

impl<T: Handle> SharedHandle<T> {
    /// Returns the handle.
    pub fn get(self) -> T {
        self.0
    }
}

/// Kinds of handles of the driver that there are: nothing outside this module adds one.
mod handles {
    use cudarc::driver::sys;

    /// A handle that the driver looks up by its name, and that nothing here looks behind.
    pub trait Handle: Copy {}

    impl Handle for sys::CUcontext {}
    impl Handle for sys::CUmodule {}
    impl Handle for sys::CUfunction {}
}

// SAFETY: of the three kinds of handles. Since CUDA 4.0 a context may be current to any number of
// threads at once, and so may be used what belongs to it.
unsafe impl<T: Handle> Send for SharedHandle<T> {}
// SAFETY: as above.
unsafe impl<T: Handle> Sync for SharedHandle<T> {}

/// Interface of a kernel: its name, and what it is called with. These are the addresses of the columns of
/// results, those of the columns of operands, and the number of rows, as [`ptx::kernel`] writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name of the kernel's entry.
    pub name: String,
    /// Bytes in a row of each column of results.
    pub results: Vec<usize>,
    /// Bytes in a row of each column of operands.
    pub operands: Vec<usize>,
    /// Group of threads: how many of them take how many rows.
    pub group: LaunchShape,
}

/// A kernel that a device has loaded, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadedKernel(pub usize);

impl Interface {
    /// Whether columns have the widths of this interface and as many rows.
    pub fn fits<'a>(
        &self,
        rows: u32,
        mut operands: impl ExactSizeIterator<Item = &'a [u8]>,
        mut results: impl ExactSizeIterator<Item = &'a [u8]>,
    ) -> bool {
        let rows = rows as usize;
        let fit = |columns: &mut dyn ExactSizeIterator<Item = &'a [u8]>, widths: &[usize]| {
            columns.len() == widths.len()
                && columns.zip(widths).all(|(column, width)| column.len() == width * rows)
        };
        fit(&mut operands, &self.operands) && fit(&mut results, &self.results)
    }
}

impl Gpu {
    /// Makes a device with its context, which was retained and is released when the device is dropped.
    pub fn new(
        identity: DeviceIdentity,
        device: sys::CUdevice,
        context: sys::CUcontext,
        patience: Duration,
    ) -> Gpu {
        Gpu {
            identity,
            device,
            context: SharedHandle(context),
            loaded: Mutex::default(),
            spare: Mutex::default(),
            turn: Mutex::default(),
            patience,
            stuck: AtomicBool::new(false),
        }
    }

    /// Returns how long the device has for a batch.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Gives the device up; the returned error says why.
    pub fn give_up(&self) -> Error {
        self.stuck.store(true, Ordering::Relaxed);
        let seconds = self.patience.as_secs();
        anyhow!("it did not finish a batch within {seconds} s; allow more with `deadline=`")
    }

    /// Whether the device was given up.
    fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    /// Returns the identity of the device.
    pub fn identity(&self) -> &DeviceIdentity {
        &self.identity
    }

    /// Compiles a module at a level of optimisation, or at the driver's own, and finds its kernels.
    /// The inner error is what the compiler says of a module that it does not take.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn load(
        &self,
        module: &str,
        kernels: &[Interface],
        level: Option<u8>,
    ) -> Result<Result<Vec<LoadedKernel>, String>> {
        let loaded = match self.compile(module, level)? {
            Ok(loaded) => loaded,
            Err(said) => return Ok(Err(said)),
        };
        let mut all = self.loaded();
        all.modules.push(SharedHandle(loaded));
        let mut functions = Vec::new();
        for kernel in kernels {
            // SAFETY: the module was loaded just now, and is not unloaded before `self` is dropped.
            let function = unsafe { Gpu::kernel(loaded, kernel) }?;
            functions.push(LoadedKernel(all.functions.len()));
            all.functions.push((SharedHandle(function), kernel.clone()));
        }
        Ok(Ok(functions))
    }

    /// Makes the device's context that of this thread, which most calls need.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn enter(&self) -> Result<()> {
        if self.is_stuck() {
            bail!("it no longer answers");
        }
        // SAFETY: the context is retained until `self` is dropped.
        unsafe { cuda::ctx::set_current(self.context.get()) }.of("cuCtxSetCurrent")
    }

    /// Locks and returns what the device has loaded.
    pub fn loaded(&self) -> MutexGuard<'_, LoadedModules> {
        // Entries are added whole, so a thread that panicked under the lock left none half done; so below.
        lock(&self.loaded)
    }

    /// Returns a buffer of at least so many bytes, in the current context.
    ///
    /// # Errors
    /// If there is no memory, or the device is unable to go on.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer> {
        let mut spare = lock(&self.spare);
        match spare.iter().position(|buffer| buffer.bytes >= bytes) {
            Some(at) => Ok(spare.swap_remove(at)),
            None => Buffer::new(bytes),
        }
    }

    /// Takes back buffers that nothing uses any more.
    pub fn take_back(&self, buffers: impl IntoIterator<Item = Buffer>) {
        lock(&self.spare).extend(buffers);
    }

    /// Waits for the turn to run a module that is unloaded at once.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn wait_for_turn(&self) -> Result<MutexGuard<'_, ()>> {
        let turn = lock(&self.turn);
        self.enter()?;
        Ok(turn)
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        let spare = std::mem::take(&mut *lock(&self.spare));
        // What fails here has failed before: a lost device takes everything with it. One that is stuck
        // does not even free memory.
        if self.enter().is_err() {
            std::mem::forget(spare);
            return;
        }
        drop(spare);
        for module in self.loaded().modules.drain(..) {
            // SAFETY: it was loaded by `load`, and no stream is left that could use it: those borrow
            // the device.
            let _ = unsafe { cuda::module::unload(module.get()) };
        }
        // SAFETY: it was retained by `open`, once.
        let _ = unsafe { cuda::primary_ctx::release(self.device) };
    }
}
