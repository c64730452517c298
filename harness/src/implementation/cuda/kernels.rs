//! The kernels of a device: compiled some at a time, when one of them is asked for.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use anyhow::{Error, Result, anyhow};
use vectors::Variant;

use super::driver::{Function, Gpu, Interface};
use crate::ptx::{self, Device, Entry, Header, Lack, Module, bisect};

/// Kernels in a module.
const ENTRIES: usize = 64;

/// What became of the kernels of a module, each a function or what the compiler said of it; or why
/// the device could not go on.
type Compiled = Result<Vec<Result<Function, String>>, Error>;

/// Every kernel that a device can have.
pub struct Kernels {
    device: Device,
    level: Option<u8>,
    modules: Vec<Unit>,
    /// Where each variant is: which module, and where there.
    places: HashMap<&'static str, (usize, usize)>,
}

/// A module, compiled when one of its kernels is asked for.
struct Unit {
    header: Header,
    variants: Vec<&'static Variant>,
    compiled: OnceLock<Compiled>,
}

impl Kernels {
    /// Those of a device, to be compiled at a level of optimisation.
    pub fn new(device: Device, level: Option<u8>) -> Kernels {
        let mut by_header: BTreeMap<Header, Vec<&'static Variant>> = BTreeMap::new();
        for variant in Variant::all() {
            if let Ok(header) = device.header(variant) {
                by_header.entry(header).or_default().push(variant);
            }
        }
        let (mut modules, mut places) = (Vec::new(), HashMap::new());
        for (header, variants) in by_header {
            for variants in variants.chunks(ENTRIES) {
                for (at, variant) in variants.iter().enumerate() {
                    places.insert(variant.text(), (modules.len(), at));
                }
                let variants = variants.to_vec();
                modules.push(Unit { header, variants, compiled: OnceLock::new() });
            }
        }
        Kernels { device, level, modules, places }
    }

    /// Why the device does not have a variant, if it does not.
    pub fn lack(&self, variant: &Variant) -> Option<Lack> {
        self.device.header(variant).err()
    }

    /// The kernel of a variant; the inner error is what the compiler said of it.
    ///
    /// # Errors
    /// If the device does not have it, or could not go on.
    pub fn get(&self, gpu: &dyn Gpu, variant: &Variant) -> Result<Result<Function, String>> {
        let &(unit, at) = self
            .places
            .get(variant.text())
            .ok_or_else(|| anyhow!("only supported variants are run, and {variant} is not"))?;
        let unit = &self.modules[unit];
        match unit.compiled.get_or_init(|| unit.compile(gpu, self.level)) {
            Ok(functions) => Ok(functions[at].clone()),
            Err(broken) => Err(anyhow!("{broken:#}")),
        }
    }
}

impl Unit {
    fn compile(&self, gpu: &dyn Gpu, level: Option<u8>) -> Compiled {
        let kernels: Vec<(Entry, Interface)> =
            self.variants.iter().map(|variant| (ptx::kernel(variant), interface(variant))).collect();
        let made = bisect(&kernels, |part| {
            let module = Module::new(self.header, part.iter().map(|(entry, _)| entry));
            let interfaces: Vec<Interface> = part.iter().map(|(_, one)| one.clone()).collect();
            gpu.load(module.text(), &interfaces, level)
        })?;
        let each = made.into_iter().flat_map(|(_, made)| match made {
            Ok(functions) => functions.into_iter().map(Ok).collect(),
            Err(said) => vec![Err(said)],
        });
        Ok(each.collect())
    }
}

/// What the kernel of a variant is called with.
fn interface(variant: &Variant) -> Interface {
    let widths = |registers: &[vectors::isa::Register]| {
        registers.iter().map(|register| register.ty.row_bytes()).collect()
    };
    let name = ptx::name(variant);
    Interface { name, results: widths(variant.results()), operands: widths(variant.operands()) }
}
