//! Launches of kernels that are somebody's own: their parameters are in any order, and a batch may be many launches.

use std::ffi::c_void;
use std::ptr;

use anyhow::{Result, bail};
use cudarc::driver::{result as cuda, sys};
use formats::Column;

use super::Stream;
use crate::cuda::error::NameCall;
use crate::cuda::gpu::LoadedKernel;

/// The most launches that are put on a stream before it is waited for. A driver that has no room for another one waits
/// for the device, and nobody would look at the deadline.
const QUEUED_MAX: usize = 256;

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum OwnWord<'a> {
    /// The address of the column of this number, and the bytes that lie between the places of two launches in it.
    Address {
        /// The number of the column.
        column: usize,
        /// The bytes from one launch to the next.
        step: usize,
    },
    /// A number, the same in all launches.
    Number(u64),
    /// A number for each launch.
    Each(&'a [u64]),
}

/// Launches of a kernel, all with the same number of threads.
#[derive(Clone, Copy, Debug)]
pub struct OwnLaunches<'a> {
    /// The parameters of the kernel, in order.
    pub words: &'a [OwnWord<'a>],
    /// The number of launches.
    pub launches: usize,
    /// The number of blocks of a launch.
    pub blocks: u32,
    /// The number of threads in a block.
    pub block: u32,
}

impl Stream<'_> {
    /// Runs launches of a kernel on columns: all are copied to the device, and all from there.
    ///
    /// The kernel is somebody's own, and may touch whatever it likes of the device's memory and of the host's memory
    /// that columns go through. So it is trusted as a library under test is, which is loaded into this process.
    ///
    /// # Errors
    /// If there is no such kernel or column, or the device is unable to go on.
    pub fn run_own(
        &mut self,
        function: LoadedKernel,
        columns: &mut [Column],
        launches: OwnLaunches,
    ) -> Result<()> {
        let (function, _) = self.function(function)?;
        if launches.launches == 0 || launches.blocks == 0 {
            return Ok(());
        }
        self.gpu.enter()?;
        for (at, column) in columns.iter().enumerate() {
            // A driver allocates no buffer of zero bytes.
            self.reserve(at, column.bytes().len().max(1))?;
        }
        let all: Vec<&[u8]> = columns.iter().map(Column::bytes).collect();
        let queued = Stream::send(self.queue, &mut self.buffers, &all)
            .and_then(|()| self.enqueue_own(function, launches));
        let sizes: Vec<usize> = all.iter().map(|column| column.len()).collect();
        let queued =
            queued.and_then(|()| Stream::fetch(self.queue, &mut self.buffers[..sizes.len()], &sizes));
        // Waits even where queueing failed halfway: what was queued uses the buffers.
        let done = self.wait();
        queued.and(done)?;
        for (column, buffer) in columns.iter_mut().zip(&mut self.buffers) {
            let bytes = column.bytes_mut();
            bytes.copy_from_slice(buffer.host(bytes.len()));
        }
        Ok(())
    }

    /// Puts launches on the stream, and waits for it where they are many.
    fn enqueue_own(&mut self, function: sys::CUfunction, launches: OwnLaunches) -> Result<()> {
        for launch in 0..launches.launches {
            if launch > 0 && launch.is_multiple_of(QUEUED_MAX) {
                self.wait()?;
            }
            let word = |word: &OwnWord| match *word {
                OwnWord::Address { column, step } => {
                    let buffer = self.buffers.get(column)?;
                    Some(buffer.device + (launch * step) as u64)
                }
                OwnWord::Number(number) => Some(number),
                OwnWord::Each(each) => each.get(launch).copied(),
            };
            let words: Option<Vec<u64>> = launches.words.iter().map(word).collect();
            let Some(mut words) = words else { bail!("a parameter of the kernel has no value") };
            let mut values: Vec<*mut c_void> =
                words.iter_mut().map(|word| ptr::from_mut(word).cast()).collect();
            let (grid, block) = ((launches.blocks, 1, 1), (launches.block, 1, 1));
            // SAFETY: there is a word of 8 bytes for each parameter, none of which has more, and the driver has read
            // them when the call returns. What the kernel does with them is its owner's, as `run_own` says.
            unsafe { cuda::launch_kernel(function, grid, block, 0, self.queue, &mut values) }
                .of("cuLaunchKernel")?;
        }
        Ok(())
    }
}
