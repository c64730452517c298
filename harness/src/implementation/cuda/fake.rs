//! A driver without devices of its own: the emulator computes what its kernels should.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use vectors::digests::digest;
use vectors::isa::PtxVersion;
use vectors::sweep::{Sweep, columns_for, results_for};
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
    /// The call of this number to load a module loses the device, and it stays lost.
    pub lost_at: Option<usize>,
    /// So many batches are run, and then the device is lost.
    pub batches: Option<usize>,
    /// A row of every second batch has another result.
    pub flickers: bool,
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
            identity: Identity {
                name,
                capability: self.capability,
                driver: "CUDA 12.4".into(),
                details: [("ECC".to_owned(), "on".to_owned())].into(),
            },
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
        let load = self.loads.fetch_add(1, Ordering::Relaxed);
        if self.faults.lost_at.is_some_and(|lost| load >= lost) {
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
        let variant = of_kernel(&interface.name);
        let widths = interface.operands.iter();
        let mut inputs: Vec<Column> = widths.map(|&width| Column::new(width, rows as usize)).collect();
        for (input, operand) in inputs.iter_mut().zip(operands) {
            input.bytes_mut().copy_from_slice(operand);
        }
        let mut outputs = computed(variant, &inputs)?;
        if self.0.faults.flickers && batch % 2 == 1 {
            let wrong = outputs[0].get(3) ^ 1;
            outputs[0].set(3, wrong);
        }
        hand_over(&outputs, results);
        Ok(())
    }

    fn run_once(
        &mut self,
        module: &str,
        kernel: &Interface,
        _level: Option<u8>,
        rows: u32,
        results: &mut [&mut [u8]],
    ) -> Result<Result<(), String>> {
        if self.0.faults.bad.is_some_and(|bad| module.contains(bad)) {
            return Ok(Err("line 7; error: not this".into()));
        }
        assert!(kernel.fits(rows, [].into_iter(), results.iter().map(|column| &**column)));
        // The text has the operands, and what executes them there is the emulator here.
        let head = module.lines().find_map(|line| line.strip_prefix("// ")).expect("whose kernel");
        let variant: Variant = head.parse().expect("a variant");
        let spelling = format!("{} d, ", variant.spelling());
        let lines = module.lines().filter_map(|line| line.strip_prefix(&spelling));
        let mut operands = columns_for(&variant, rows as usize);
        for (row, line) in lines.enumerate() {
            for (column, literal) in operands.iter_mut().zip(line.trim_end_matches(';').split(", ")) {
                let digits = literal.strip_prefix("0f").expect("a literal of f32");
                column.set(row, u64::from_str_radix(digits, 16).expect("digits"));
            }
        }
        let outputs = computed(&variant, &operands)?;
        hand_over(&outputs, results);
        Ok(Ok(()))
    }

    fn screen(
        &mut self,
        function: Function,
        first: u64,
        rows: u32,
        results: Option<&mut [&mut [u8]]>,
    ) -> Result<[u64; ptx::SUMS]> {
        let interface = self.0.functions.lock().unwrap()[function.0].clone();
        let name = interface.name.strip_prefix("screen_").expect("a kernel that judges");
        let variant = of_kernel(name);
        let mut operands = columns_for(variant, rows as usize);
        Sweep::named("exhaustive").unwrap().fill(variant, 0, first, &mut operands);
        let outputs = computed(variant, &operands)?;
        hand_over(&outputs, results.unwrap_or_default());
        Ok([digest(first, &operands), digest(first, &outputs), 0])
    }
}

/// The variant whose kernel has this name.
fn of_kernel(name: &str) -> &'static Variant {
    let variant = Variant::all().iter().find(|variant| ptx::name(variant) == name);
    variant.expect("the kernel of a variant")
}

/// What a kernel should compute.
fn computed(variant: &Variant, operands: &[Column]) -> Result<Vec<Column>> {
    let mut results = results_for(variant, operands[0].rows());
    Emulator::scalar().run(variant, operands, &mut results)?;
    Ok(results)
}

fn hand_over(outputs: &[Column], results: &mut [&mut [u8]]) {
    for (result, output) in results.iter_mut().zip(outputs) {
        result.copy_from_slice(output.bytes());
    }
}
