//! Streams: copies and kernels in the order in which they were put there.

mod enqueue;
mod own;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cudarc::driver::result::{self as cuda, stream::StreamKind};
use cudarc::driver::sys::{self, CUresult};
use formats::Column;

pub use own::{OwnLaunches, OwnWord};

use super::buffer::Buffer;
use super::error::NameCall;
use super::gpu::{Gpu, Interface, LoadedKernel};
use ptx::{ROWS_EACH, SUMS};

/// Number of times that a stream is asked without a pause whether it is done.
const TURNS: u32 = 200;
/// Time between two questions whether a stream is done, once it was asked often enough without a pause.
const PAUSE: Duration = Duration::from_micros(50);

/// Threads that are started together, and how they are divided into blocks.
#[derive(Clone, Copy)]
pub struct LaunchThreads {
    /// Number of all threads.
    pub all: u32,
    /// Number of threads in a block.
    pub block: u32,
}

/// A stream, with a buffer on either side for each column.
pub struct Stream<'a> {
    gpu: &'a Gpu,
    queue: sys::CUstream,
    buffers: Vec<Buffer>,
}

impl<'a> Stream<'a> {
    /// Makes a stream, a queue of work for one thread.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn of(gpu: &'a Gpu) -> Result<Stream<'a>> {
        gpu.enter()?;
        let queue = cuda::stream::create(StreamKind::NonBlocking).of("cuStreamCreate")?;
        Ok(Stream { gpu, queue, buffers: Vec::new() })
    }

    /// Runs a kernel on `rows` rows: its columns of operands are copied to the device, and those of
    /// results from there.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    pub fn run(
        &mut self,
        function: LoadedKernel,
        rows: u32,
        operands: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> Result<()> {
        let (function, interface) = self.function(function)?;
        let columns = results.iter().map(|column| &**column);
        if !interface.fits(rows, operands.iter().copied(), columns) {
            bail!("the columns are not those of {}", interface.name);
        }
        if rows == 0 {
            return Ok(());
        }
        self.gpu.enter()?;
        let sizes: Vec<usize> = results.iter().map(|result| result.len()).collect();
        let all = sizes.iter().copied().chain(operands.iter().map(|operand| operand.len()));
        for (at, bytes) in all.enumerate() {
            self.reserve(at, bytes)?;
        }
        let queued = self.enqueue(function, interface.group, rows, operands, &sizes);
        // Waits even where queueing failed halfway: what was queued uses the buffers.
        let done = self.wait();
        queued.and(done)?;
        for (result, buffer) in results.iter_mut().zip(&mut self.buffers) {
            result.copy_from_slice(buffer.host(result.len()));
        }
        Ok(())
    }

    /// Runs a kernel on whole columns, as [`Stream::run`] does on their bytes.
    ///
    /// # Errors
    /// As [`Stream::run`].
    pub fn run_columns(
        &mut self,
        function: LoadedKernel,
        operands: &[Column],
        results: &mut [Column],
    ) -> Result<()> {
        let rows = u32::try_from(operands.first().map_or(0, Column::rows))
            .context("a batch has less than 2^32 rows")?;
        let operands: Vec<&[u8]> = operands.iter().map(Column::bytes).collect();
        let mut results: Vec<&mut [u8]> = results.iter_mut().map(Column::bytes_mut).collect();
        self.run(function, rows, &operands, &mut results)
    }

    /// Runs a kernel on columns that stand in the order of its parameters: all are copied to the device, and the
    /// first, its results, from there.
    ///
    /// # Errors
    /// If there is no such kernel, or the device is unable to go on.
    pub fn run_over(
        &mut self,
        function: LoadedKernel,
        columns: &mut [Column],
        results: usize,
    ) -> Result<()> {
        let (function, interface) = self.function(function)?;
        let rows = columns.first().map_or(0, Column::rows);
        let rows = u32::try_from(rows).context("a batch has less than 2^32 rows")?;
        if rows == 0 {
            return Ok(());
        }
        self.gpu.enter()?;
        for (at, column) in columns.iter().enumerate() {
            self.reserve(at, column.bytes().len())?;
        }
        let all: Vec<&[u8]> = columns.iter().map(Column::bytes).collect();
        let queued = self.enqueue_over(function, interface.group, rows, &all, results);
        // Waits even where queueing failed halfway: what was queued uses the buffers.
        let done = self.wait();
        queued.and(done)?;
        for (column, buffer) in columns.iter_mut().zip(&mut self.buffers).take(results) {
            let bytes = column.bytes_mut();
            bytes.copy_from_slice(buffer.host(bytes.len()));
        }
        Ok(())
    }

    /// Runs a kernel that takes nothing and gives nothing.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn idle(&mut self, function: LoadedKernel) -> Result<()> {
        let (function, _) = self.function(function)?;
        self.gpu.enter()?;
        let queued = self.enqueue_once(function, &[]);
        queued.and(self.wait())
    }

    /// Compiles a module for a single call of its only kernel, which has no operands, and fills `results`; the
    /// inner error is what the compiler says of a module that it does not take.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    pub fn run_once(
        &mut self,
        module: &str,
        kernel: &Interface,
        level: Option<u8>,
        rows: u32,
        results: &mut [&mut [u8]],
    ) -> Result<Result<(), String>> {
        if !kernel.fits(rows, [].into_iter(), results.iter().map(|column| &**column)) {
            bail!("the columns are not those of {}", kernel.name);
        }
        self.gpu.enter()?;
        let sizes: Vec<usize> = results.iter().map(|result| result.len()).collect();
        for (at, &bytes) in sizes.iter().enumerate() {
            // A driver allocates no buffer of zero bytes.
            self.reserve(at, bytes.max(1))?;
        }
        let module = match self.gpu.compile(module, level)? {
            Ok(module) => module,
            Err(said) => return Ok(Err(said)),
        };
        // Held until the module is unloaded, which waits for all that the device has to do.
        let _turn = self.gpu.wait_for_turn()?;
        // SAFETY: the module was loaded just now, and is unloaded below.
        let function = unsafe { Gpu::kernel(module, kernel) };
        let queued = function.and_then(|function| self.enqueue_once(function, &sizes));
        // Waits even where queueing failed halfway: what was queued uses the buffers.
        queued.and(self.wait())?;
        // SAFETY: nothing of it is running any more. Where that did not become known, it stays loaded.
        unsafe { cuda::module::unload(module) }.of("cuModuleUnload")?;
        for (result, buffer) in results.iter_mut().zip(&mut self.buffers) {
            result.copy_from_slice(buffer.host(result.len()));
        }
        Ok(Ok(()))
    }

    /// Runs so many threads of a kernel that judges, see [`ptx::screen`], the first on vectors from number
    /// `first` on. Returns the kernel's sums, and fills the columns of results if there are any.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    pub fn screen(
        &mut self,
        function: LoadedKernel,
        first: u64,
        threads: LaunchThreads,
        mut results: Option<&mut [&mut [u8]]>,
    ) -> Result<[u64; SUMS]> {
        let (function, interface) = self.function(function)?;
        let columns = results.iter().flat_map(|results| results.iter().map(|column| &**column));
        let columns: Vec<&[u8]> = columns.collect();
        let stored = results.is_some();
        // A number that overflows becomes 0, which only empty columns of results fit.
        let rows = threads.all.checked_mul(ROWS_EACH).filter(|_| stored).unwrap_or(0);
        if !interface.operands.is_empty()
            || !threads.all.is_multiple_of(threads.block)
            || stored && !interface.fits(rows, [].into_iter(), columns.into_iter())
        {
            bail!("the rows or columns are not those of {}", interface.name);
        }
        self.gpu.enter()?;
        let sizes: Vec<Option<usize>> =
            interface.results.iter().map(|width| stored.then_some(width * rows as usize)).collect();
        // Buffer 0 takes the sums, and the columns of results follow it.
        self.reserve(0, 8 * SUMS)?;
        for (at, bytes) in sizes.iter().enumerate() {
            // A column that is not stored needs a buffer to keep its place, and no driver allocates zero bytes.
            self.reserve(at + 1, bytes.unwrap_or(1))?;
        }
        let queued = self.enqueue_screen(function, first, threads, &sizes);
        // Waits even where queueing failed halfway: what was queued uses the buffers.
        let done = self.wait();
        queued.and(done)?;
        for (result, buffer) in
            results.iter_mut().flat_map(|all| all.iter_mut()).zip(&mut self.buffers[1..])
        {
            result.copy_from_slice(buffer.host(result.len()));
        }
        let sums = self.buffers[0].host(8 * SUMS);
        let word =
            |sum: usize| u64::from_le_bytes(sums[8 * sum..][..8].try_into().expect("eight bytes"));
        Ok(std::array::from_fn(word))
    }

    fn function(&self, function: LoadedKernel) -> Result<(sys::CUfunction, Interface)> {
        let loaded = self.gpu.loaded();
        let (function, interface) =
            loaded.functions.get(function.0).cloned().context("a kernel of another device")?;
        Ok((function.get(), interface))
    }

    /// Waits until all is done that was put on the stream.
    fn wait(&self) -> Result<()> {
        let (start, mut turns) = (Instant::now(), 0);
        loop {
            // SAFETY: the stream was made by `of`, and is destroyed when `self` is dropped.
            match unsafe { sys::cuStreamQuery(self.queue) } {
                CUresult::CUDA_ERROR_NOT_READY => {}
                done => return done.result().of("cuStreamQuery"),
            }
            turns += 1;
            match turns {
                ..TURNS => std::thread::yield_now(),
                _ if start.elapsed() < self.gpu.patience() => std::thread::sleep(PAUSE),
                _ => return Err(self.gpu.give_up()),
            }
        }
    }

    /// Makes buffer number `at` at least `bytes` bytes large.
    fn reserve(&mut self, at: usize, bytes: usize) -> Result<()> {
        let Some(buffer) = self.buffers.get_mut(at) else {
            self.buffers.push(self.gpu.buffer(bytes)?);
            return Ok(());
        };
        if buffer.bytes < bytes {
            let smaller = std::mem::replace(buffer, self.gpu.buffer(bytes)?);
            self.gpu.take_back([smaller]);
        }
        Ok(())
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // What fails here has failed before: a lost device takes everything with it.
        let done = self.gpu.enter().and_then(|()| self.wait());
        let buffers = std::mem::take(&mut self.buffers);
        if done.is_err() {
            // It may still write to them.
            std::mem::forget(buffers);
            return;
        }
        self.gpu.take_back(buffers);
        // SAFETY: it was made by `of`, and has nothing left to do.
        let _ = unsafe { cuda::stream::destroy(self.queue) };
    }
}
