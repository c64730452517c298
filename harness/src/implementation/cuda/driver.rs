//! What the implementation needs of a driver. There are two: NVIDIA's, and the one of the tests.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::ptx::SUMS;

/// A driver with its devices.
pub trait Driver {
    /// How many devices it has.
    fn count(&self) -> Result<usize>;

    /// The device of a number below [`Driver::count`].
    fn open(&self, number: usize) -> Result<Box<dyn Gpu>>;
}

/// Who a device is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name, and what tells it from others of that name.
    pub name: String,
    /// Its compute capability, times ten.
    pub capability: u16,
    /// Version of its driver.
    pub driver: String,
    /// What else is known of it, as it was found: its firmware, clocks, error correction.
    pub details: BTreeMap<String, String>,
}

/// What a kernel is found by, and what it is called with: the addresses of the columns of results,
/// those of the columns of operands, and the number of rows, as [`crate::ptx::kernel`] writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The name of its entry.
    pub name: String,
    /// Bytes in a row of each column of results …
    pub results: Vec<usize>,
    /// … and in one of each column of operands.
    pub operands: Vec<usize>,
}

/// A kernel that a device has loaded, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function(pub usize);

/// A device. All threads may use it.
pub trait Gpu: Send + Sync {
    /// Who it is.
    fn identity(&self) -> &Identity;

    /// Compiles a module at a level of optimisation, or at the driver's own, and finds its kernels.
    /// The inner error is what the compiler says of a module that it does not take.
    ///
    /// # Errors
    /// If the device is unable to go on.
    fn load(
        &self,
        module: &str,
        kernels: &[Interface],
        level: Option<u8>,
    ) -> Result<Result<Vec<Function>, String>>;

    /// A queue of work, with buffers of its own.
    fn stream(&self) -> Result<Box<dyn Stream + '_>>;
}

/// A queue of work, for one thread.
pub trait Stream {
    /// Runs a kernel on `rows` rows: its columns of operands are copied to the device, and those of
    /// results from there.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    fn run(
        &mut self,
        function: Function,
        rows: u32,
        operands: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> Result<()>;

    /// Compiles a module for a single call of its only kernel, which has no operands, and gives its
    /// results; the inner error is what the compiler says of a module that it does not take.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    fn run_once(
        &mut self,
        module: &str,
        kernel: &Interface,
        level: Option<u8>,
        rows: u32,
        results: &mut [&mut [u8]],
    ) -> Result<Result<(), String>>;

    /// Runs a kernel that judges, see [`crate::ptx::screen`], on `rows` vectors from number `first` on:
    /// gives its sums, and fills the columns of results if there are any.
    ///
    /// # Errors
    /// If the columns are not the kernel's, or the device is unable to go on.
    fn screen(
        &mut self,
        function: Function,
        first: u64,
        rows: u32,
        results: Option<&mut [&mut [u8]]>,
    ) -> Result<[u64; SUMS]>;
}

impl Interface {
    /// Whether columns have its widths and as many rows.
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
