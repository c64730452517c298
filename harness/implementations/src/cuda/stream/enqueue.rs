//! Puts the work of a batch on a CUDA stream: copies of columns to the device, a kernel, and copies of columns back.
//!
//! None of these functions waits. Their caller waits for the stream before it reads results or changes buffers.

use std::ffi::c_void;
use std::ptr;

use anyhow::Result;
use cudarc::driver::{result as cuda, sys};
use ptx::{LaunchShape, SUMS};

use super::{LaunchThreads, Stream};
use crate::cuda::buffer::Buffer;
use crate::cuda::error::NameCall;
use crate::unwritten::PATTERNS;

/// The parameters of a kernel, in their order.
struct Parameters {
    /// The addresses of columns on the device; 0 for a column that is not to be stored.
    addresses: Vec<sys::CUdeviceptr>,
    /// The number of rows, if the kernel takes it.
    rows: Option<u32>,
    /// The number of the first vector, if the kernel makes its vectors itself.
    first: Option<u64>,
}

impl Stream<'_> {
    /// Puts copies of operands to the device, the kernel, and copies of results back on the stream. `results` has the
    /// bytes of each column of results; their buffers come first.
    pub(super) fn enqueue(
        &mut self,
        function: sys::CUfunction,
        group: LaunchShape,
        rows: u32,
        operands: &[&[u8]],
        results: &[usize],
    ) -> Result<()> {
        self.clear(&self.buffers, results)?;
        Stream::send(self.queue, &mut self.buffers[results.len()..], operands)?;
        // `run` has seen that the columns are those of the function's interface.
        self.launch_rows(function, group, rows, results.len() + operands.len())?;
        Stream::fetch(self.queue, &mut self.buffers, results)
    }

    /// Puts copies of all columns to the device and the kernel on the stream, and copies of the first `results` columns
    /// back. Nothing is cleared before: the kernel writes over columns that have a content.
    pub(super) fn enqueue_over(
        &mut self,
        function: sys::CUfunction,
        group: LaunchShape,
        rows: u32,
        columns: &[&[u8]],
        results: usize,
    ) -> Result<()> {
        Stream::send(self.queue, &mut self.buffers, columns)?;
        self.launch_rows(function, group, rows, columns.len())?;
        let sizes: Vec<usize> = columns[..results].iter().map(|column| column.len()).collect();
        Stream::fetch(self.queue, &mut self.buffers, &sizes)
    }

    /// Starts a kernel whose parameters are the addresses of the first `columns` buffers and the number of rows.
    fn launch_rows(
        &self,
        function: sys::CUfunction,
        group: LaunchShape,
        rows: u32,
        columns: usize,
    ) -> Result<()> {
        let addresses = self.buffers[..columns].iter().map(|buffer| buffer.device).collect();
        let parameters = Parameters { addresses, rows: Some(rows), first: None };
        let threads = rows.div_ceil(group.dots) * group.threads;
        // SAFETY: the parameters of the suite's kernels are these. A kernel touches its rows of the columns and
        // nothing else; nor does a function that it calls, which is what a compiler made of the suite's own source,
        // or one that touches no memory.
        unsafe { self.launch(function, threads, group.block, parameters) }
    }

    /// Copies columns into the host's side of their buffers, and puts copies from there to the device on the stream.
    pub(super) fn send(queue: sys::CUstream, buffers: &mut [Buffer], columns: &[&[u8]]) -> Result<()> {
        for (buffer, column) in buffers.iter_mut().zip(columns) {
            buffer.host(column.len()).copy_from_slice(column);
            let device = buffer.device;
            // SAFETY: both sides have at least as many bytes, and stay as they are until the stream has
            // been waited for.
            unsafe { cuda::memcpy_htod_async(device, buffer.host(column.len()), queue) }
                .of("cuMemcpyHtoDAsync")?;
        }
        Ok(())
    }

    /// Puts a kernel of constants on the stream, one thread of it; see [`Stream::run_once`].
    pub(super) fn enqueue_once(&mut self, function: sys::CUfunction, results: &[usize]) -> Result<()> {
        self.clear(&self.buffers, results)?;
        let addresses = self.buffers[..results.len()].iter().map(|buffer| buffer.device).collect();
        // SAFETY: `run_once` has seen that the columns are those of the function's interface, whose
        // parameters are their addresses. The kernel fills them and touches nothing else.
        unsafe { self.launch(function, 1, 1, Parameters { addresses, rows: None, first: None }) }?;
        Stream::fetch(self.queue, &mut self.buffers, results)
    }

    /// Puts a kernel that judges on the stream, and the copy of its sums; see [`Stream::screen`].
    pub(super) fn enqueue_screen(
        &mut self,
        function: sys::CUfunction,
        first: u64,
        threads: LaunchThreads,
        results: &[Option<usize>],
    ) -> Result<()> {
        let queue = self.queue;
        let (sums, columns) = self.buffers[..=results.len()].split_first_mut().expect("reserved");
        // SAFETY: the buffer has at least as many bytes on the device.
        unsafe { cuda::memset_d8_async(sums.device, 0, 8 * SUMS, queue) }.of("cuMemsetD8Async")?;
        let stored = columns.iter().zip(results);
        let mut addresses: Vec<sys::CUdeviceptr> =
            stored.map(|(buffer, bytes)| bytes.map_or(0, |_| buffer.device)).collect();
        // The kernel's parameters are the columns, then the sums, and at last the first number.
        addresses.push(sums.device);
        let bytes: Vec<usize> = results.iter().map(|bytes| bytes.unwrap_or(0)).collect();
        self.clear(&self.buffers[1..], &bytes)?;
        // SAFETY: `screen` has seen that the columns are those of the function's interface, whose
        // parameters are their addresses or 0, that of the sums and a number. A kernel touches its
        // rows of the columns, and the sums, and nothing else.
        unsafe {
            let parameters = Parameters { addresses, rows: None, first: Some(first) };
            self.launch(function, threads.all, threads.block, parameters)
        }?;
        Stream::fetch(queue, &mut self.buffers[..1], &[8 * SUMS])?;
        Stream::fetch(queue, &mut self.buffers[1..], &bytes)
    }

    /// Starts `threads` threads of a kernel in blocks of `block`; the last block may have threads beyond them.
    ///
    /// # Safety
    /// The parameters must be the kernel's, and what it does with them must stay within what they
    /// are the addresses of, until the stream has been waited for.
    unsafe fn launch(
        &self,
        function: sys::CUfunction,
        threads: u32,
        block: u32,
        mut parameters: Parameters,
    ) -> Result<()> {
        let Parameters { addresses, rows, first } = &mut parameters;
        let addresses = addresses.iter_mut().map(|address| ptr::from_mut(address).cast());
        let rows = rows.iter_mut().map(|rows| ptr::from_mut(rows).cast());
        let first = first.iter_mut().map(|first| ptr::from_mut(first).cast());
        let mut values: Vec<*mut c_void> = addresses.chain(rows).chain(first).collect();
        let grid = (threads.div_ceil(block), 1, 1);
        // SAFETY: the caller's; the driver has read the values when the call returns.
        unsafe { cuda::launch_kernel(function, grid, (block, 1, 1), 0, self.queue, &mut values) }
            .of("cuLaunchKernel")
    }

    /// Fills columns on the device with the pattern of rows that nobody has written: the results of the batch before
    /// must not be taken for those of this one. Columns of 0 bytes are left out.
    fn clear(&self, buffers: &[Buffer], bytes: &[usize]) -> Result<()> {
        for (buffer, &bytes) in buffers.iter().zip(bytes).filter(|(_, bytes)| **bytes > 0) {
            // SAFETY: the buffer has at least as many bytes on the device.
            unsafe { cuda::memset_d8_async(buffer.device, PATTERNS[0], bytes, self.queue) }
                .of("cuMemsetD8Async")?;
        }
        Ok(())
    }

    /// Puts copies of columns to the host's side of their buffers on the stream. Columns of 0 bytes are left out.
    pub(super) fn fetch(queue: sys::CUstream, buffers: &mut [Buffer], bytes: &[usize]) -> Result<()> {
        for (buffer, &bytes) in buffers.iter_mut().zip(bytes).filter(|(_, bytes)| **bytes > 0) {
            let device = buffer.device;
            // SAFETY: both sides have at least as many bytes, and stay as they are until the stream has
            // been waited for.
            unsafe { cuda::memcpy_dtoh_async(buffer.host(bytes), device, queue) }
                .of("cuMemcpyDtoHAsync")?;
        }
        Ok(())
    }
}
