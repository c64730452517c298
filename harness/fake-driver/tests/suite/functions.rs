//! Tests that every variant of registers gives the same, executed by a kernel on the fake device and by a function of a
//! batch.
//!
//! On both sides the emulator computes the variant itself, so the comparison shows nothing of that. Operands and
//! results take different ways: in a kernel addresses, memory of a device, warps, predicates in registers and threads
//! beyond the last row, in a function parameters and columns of registers.

use std::collections::BTreeMap;

use formats::Column;
use isa::{Variant, columns_for, results_for};
use machines::functions::{Nearest, Passed, RunnableFunction};
use ptx::Header;
use sweeps::Sweep;

use crate::device::{Buffer, TestDevice, TestModule};
use crate::has_settings;

/// The number of rows of each sweep that has as many.
const ROWS: u64 = 100;
/// A number of steps that is enough for one row.
const STEPS: u64 = 1000;
/// The compute capabilities of the devices, times ten, the second for what the first does not have.
const CAPABILITIES: [u16; 2] = [100, 107];
const NEWEST: &str = "9.5";
/// The number of threads of a block, with which the last one of some grids is not whole.
const THREADS: u32 = 96;
/// The byte that results hold before a kernel is run.
const UNWRITTEN: u8 = 0xa5;
/// The number of kernels of one module.
const TOGETHER: usize = 64;

#[test]
fn functions_give_what_kernels_do() {
    let settings = CAPABILITIES.map(|capability| format!("capability={capability};ptx={NEWEST}"));
    if !has_settings("functions::functions_give_what_kernels_do", &settings) {
        return;
    }
    let own = settings.iter().position(|own| Ok(own) == std::env::var("FAKE_DRIVER").as_ref());
    let own = own.expect("FAKE_DRIVER is one of these settings, or not set");
    let takes =
        CAPABILITIES.map(|capability| ptx::Device::of(capability, NEWEST.parse().unwrap()).unwrap());
    let alone = |variant: &&Variant| variant.is_ptx() && variant.is_of_registers();
    let mut modules: BTreeMap<Header, Vec<&Variant>> = BTreeMap::new();
    for variant in Variant::all().iter().filter(alone) {
        let first = takes.iter().position(|device| device.header(variant).is_ok());
        let first = first.unwrap_or_else(|| panic!("no device has {variant}"));
        if first == own {
            modules.entry(takes[first].header(variant).unwrap()).or_default().push(variant);
        }
    }
    let mut tried = Tried::on(TestDevice::open());
    for (header, variants) in modules {
        for variants in variants.chunks(TOGETHER) {
            let entries: String =
                variants.iter().map(|variant| ptx::kernel(variant).to_string()).collect();
            let module = tried.device.load(&format!("{header}{entries}")).unwrap();
            variants.iter().for_each(|variant| tried.variant(&module, variant));
            tried.device.unload(module);
        }
    }
}

/// The device, unit and buffers that variants are tried with, one after the other.
struct Tried {
    device: TestDevice,
    unit: Nearest,
    /// A buffer for each column.
    buffers: Vec<Buffer>,
}

impl Tried {
    fn on(device: TestDevice) -> Tried {
        Tried { device, unit: Nearest::default(), buffers: Vec::new() }
    }

    fn variant(&mut self, module: &TestModule, variant: &Variant) {
        let operands = operands(variant);
        let rows = operands[0].rows();
        let [mut kernel, mut function] = [(); 2].map(|()| results_for(variant, rows));
        kernel.iter_mut().for_each(|column| column.bytes_mut().fill(UNWRITTEN));
        self.kernel(module, variant, &operands, &mut kernel);
        let text = ptx::function(variant).parse().unwrap();
        let one = RunnableFunction::of(&text, "f").unwrap_or_else(|errors| panic!("{}", errors[0]));
        let mut passed: Vec<Passed> = operands.iter().map(Passed::Value).collect();
        let ran = one.run(&mut self.unit, &mut passed, &mut function, STEPS);
        assert_eq!(ran, Ok(()), "{variant}");
        assert_eq!(kernel, function, "{variant}");
    }

    /// Has the device execute the kernel of a variant.
    fn kernel(
        &mut self,
        module: &TestModule,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) {
        let rows = operands[0].rows();
        while self.buffers.len() < results.len() + operands.len() {
            self.buffers.push(self.device.buffer(8 * ROWS as usize * Sweep::all().len()));
        }
        let (of_results, of_operands) = self.buffers.split_at(results.len());
        for (column, buffer) in results.iter().chain(operands).zip(&self.buffers) {
            self.device.write(buffer, column.bytes());
        }
        let buffers = of_results.iter().chain(&of_operands[..operands.len()]);
        let parameters: Vec<u64> = buffers.map(|buffer| buffer.address).chain([rows as u64]).collect();
        let grid = [(rows as u32).div_ceil(THREADS), THREADS];
        self.device.run(module, &ptx::name(variant), grid, &parameters);
        for (column, buffer) in results.iter_mut().zip(of_results) {
            let bytes = column.bytes().len();
            column.bytes_mut().copy_from_slice(&self.device.read(buffer, bytes));
        }
    }
}

/// Returns the first rows of every sweep.
fn operands(variant: &Variant) -> Vec<Column> {
    let mut all = columns_for(variant, 0);
    for sweep in Sweep::all() {
        let rows = sweep.length(variant).at_most(ROWS) as usize;
        if rows == 0 {
            continue;
        }
        let mut operands = columns_for(variant, rows);
        sweep.fill(variant, 6, 0, &mut operands);
        for (column, more) in all.iter_mut().zip(&operands) {
            let before = column.rows();
            column.resize(before + rows);
            column.bytes_of_mut(before..before + rows).copy_from_slice(more.bytes());
        }
    }
    all
}
