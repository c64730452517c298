//! A driver without devices of its own: the emulator computes what its kernels should.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use vectors::isa::PtxVersion;
use vectors::{Column, Variant};

use super::driver::{Driver, Function, Gpu, Identity, Interface, Stream};
use crate::implementation::{Emulator, Worker};
use crate::ptx;

/// What is wrong with a fake driver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// The device cannot be opened.
    pub closed: bool,
    /// Modules with this in their text are refused.
    pub bad: Option<&'static str>,
    /// The call of this number to load a module loses the device.
    pub lost_at: Option<usize>,
    /// So many batches are run, and then the device is lost.
    pub batches: Option<usize>,
}

/// A driver with some devices, all alike.
pub struct Fake {
    pub devices: usize,
    pub capability: u16,
    pub newest: &'static str,
    pub faults: Faults,
}

impl Driver for Fake {
    fn count(&self) -> Result<usize> {
        Ok(self.devices)
    }

    fn open(&self, number: usize) -> Result<Box<dyn Gpu>> {
        if self.faults.closed {
            bail!("cuDevicePrimaryCtxRetain gave CUDA_ERROR_DEVICE_UNAVAILABLE (busy)");
        }
        let name = format!("Fake {number}");
        Ok(Box::new(FakeGpu {
            identity: Identity { name, capability: self.capability, driver: "CUDA 12.4".into() },
            newest: self.newest.parse().expect("a version"),
            faults: self.faults,
            loads: AtomicUsize::new(0),
            batches: AtomicUsize::new(0),
            functions: Mutex::default(),
        }))
    }
}

struct FakeGpu {
    identity: Identity,
    newest: PtxVersion,
    faults: Faults,
    loads: AtomicUsize,
    batches: AtomicUsize,
    functions: Mutex<Vec<Interface>>,
}

impl Gpu for FakeGpu {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn load(
        &self,
        module: &str,
        kernels: &[Interface],
        level: Option<u8>,
    ) -> Result<Result<Vec<Function>, String>> {
        if self.faults.lost_at == Some(self.loads.fetch_add(1, Ordering::Relaxed)) {
            bail!("cuModuleLoadDataEx gave CUDA_ERROR_ILLEGAL_ADDRESS (lost)");
        }
        assert!(level.is_none_or(|level| level <= 4));
        let version = module.strip_prefix(".version ").and_then(|rest| rest.lines().next());
        if version.expect("a version").parse::<PtxVersion>().expect("a version") > self.newest {
            return Ok(Err("unsupported version".into()));
        }
        if self.faults.bad.is_some_and(|bad| module.contains(bad)) {
            return Ok(Err("line 7; error: not this".into()));
        }
        let mut functions = self.functions.lock().unwrap();
        let first = functions.len();
        for kernel in kernels {
            assert!(module.contains(&format!(".visible .entry {}(", kernel.name)), "{}", kernel.name);
            functions.push(kernel.clone());
        }
        Ok(Ok((first..functions.len()).map(Function).collect()))
    }

    fn stream(&self) -> Result<Box<dyn Stream + '_>> {
        Ok(Box::new(FakeStream(self)))
    }
}

struct FakeStream<'a>(&'a FakeGpu);

impl Stream for FakeStream<'_> {
    fn run(
        &mut self,
        function: Function,
        rows: u32,
        operands: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> Result<()> {
        let batch = self.0.batches.fetch_add(1, Ordering::Relaxed);
        if self.0.faults.batches.is_some_and(|most| batch >= most) {
            bail!("cuStreamSynchronize gave CUDA_ERROR_ILLEGAL_ADDRESS (lost)");
        }
        let interface = self.0.functions.lock().unwrap()[function.0].clone();
        let columns = results.iter().map(|column| &**column);
        assert!(interface.fits(rows, operands.iter().copied(), columns));
        let variant = Variant::all().iter().find(|variant| ptx::name(variant) == interface.name);
        let variant = variant.expect("the kernel of a variant");
        let widths = interface.operands.iter();
        let mut inputs: Vec<Column> = widths.map(|&width| Column::new(width, rows as usize)).collect();
        for (input, operand) in inputs.iter_mut().zip(operands) {
            input.bytes_mut().copy_from_slice(operand);
        }
        let widths = interface.results.iter();
        let mut outputs: Vec<Column> = widths.map(|&width| Column::new(width, rows as usize)).collect();
        Emulator::scalar().run(variant, &inputs, &mut outputs)?;
        for (result, output) in results.iter_mut().zip(&outputs) {
            result.copy_from_slice(output.bytes());
        }
        Ok(())
    }
}
