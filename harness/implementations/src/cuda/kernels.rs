//! The kernels of a device: compiled some at a time, when one of them is asked for.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use anyhow::{Error, Result, anyhow};
use base::interrupt;
use base::locks::lock;
use base::pool::Pool;
use base::progress::Progress;
use isa::{Register, Target, Variant};
use ptx::{Device, Header, LaunchShape, Listing, Printed, Unavailable, bisect};
use selection::subject::Subject;

use super::gpu::{Gpu, Interface, LoadedKernel};

/// Number of kernels in a module.
const ENTRIES: usize = 64;
/// Number of modules below which no progress bar is needed.
const FEW: usize = 16;

/// Outcome of compiling a module: each kernel is a function or what the compiler said of it; or why the device
/// could not go on.
type CompiledModule = Result<Vec<Result<LoadedKernel, String>>, Error>;

/// The kernels of a device. The kernels of a plan that stand together are compiled together. What nobody asks for
/// is never compiled, because what stands in for a driver may die of it.
pub struct DeviceKernels {
    device: Device,
    /// Level of optimisation; the driver's own if there is none.
    pub level: Option<u8>,
    /// Whether the operands stand in the text of the kernels, and are not loaded.
    pub constants: bool,
    /// Places of the variants that were asked for, by their names.
    places: Mutex<HashMap<&'static str, KernelPlace>>,
    /// Kernels that judge, by the names of their variants, each a module of its own.
    screens: HashMap<&'static str, OnceLock<Result<Option<LoadedKernel>, Error>>>,
}

/// Module of a variant, and the variant's place in it.
#[derive(Clone)]
struct KernelPlace {
    unit: Arc<LazyModule>,
    at: usize,
}

/// A module, compiled when one of its kernels is asked for.
struct LazyModule {
    header: Header,
    variants: Vec<&'static Variant>,
    compiled: OnceLock<CompiledModule>,
}

impl DeviceKernels {
    /// Makes the kernels of a device, to be compiled at a level of optimisation. Kernels of constants are made
    /// from batch to batch, see [`DeviceKernels::of_constants`]; what is compiled once are samples.
    pub fn new(device: Device, level: Option<u8>, constants: bool) -> DeviceKernels {
        let all = Variant::all().iter().filter(|variant| device.header(variant).is_ok());
        let screens = all.map(|variant| (variant.text(), OnceLock::new())).collect();
        DeviceKernels { device, level, constants, places: Mutex::default(), screens }
    }

    /// Returns the target of the device that has the most features.
    pub fn target(&self) -> Target {
        self.device.targets().1
    }

    /// Returns why the device does not have a variant, if it does not.
    pub fn lack(&self, variant: &Variant) -> Option<Unavailable> {
        self.device.header(variant).err()
    }

    /// Returns the kernel of a variant; the inner error is what the compiler said of it.
    ///
    /// # Errors
    /// If the device does not have the variant, or could not go on.
    pub fn get(&self, gpu: &Gpu, variant: &Variant) -> Result<Result<LoadedKernel, String>> {
        // The lock is not held while a module is compiled.
        let placed = self.places().get(variant.text()).cloned();
        let alone = || {
            let Ok(Subject::Variant(known)) = Subject::named(variant.text()) else { return None };
            self.placed(&[known]).pop()
        };
        let place = placed
            .or_else(alone)
            .ok_or_else(|| anyhow!("only supported variants are run, and {variant} is not"))?;
        match self.compiled(gpu, &place.unit) {
            Ok(functions) => Ok(functions[place.at].clone()),
            // The error is kept for whoever asks later, and cannot be cloned.
            Err(broken) => Err(anyhow!("{broken:#}")),
        }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<&'static str, KernelPlace>> {
        // Entries are added whole, so a thread that panicked under the lock left none half done.
        lock(&self.places)
    }

    /// Returns the places of those variants that the device has; modules are made of variants without a place.
    fn placed(&self, variants: &[&'static Variant]) -> Vec<KernelPlace> {
        let mut places = self.places();
        let mut by_header: BTreeMap<Header, Vec<&'static Variant>> = BTreeMap::new();
        for variant in variants.iter().filter(|variant| !places.contains_key(variant.text())) {
            let lacking = self.constants && (ptx::is_fatal(variant) || !ptx::has_constants(variant));
            if let (Ok(header), false) = (self.device.header(variant), lacking) {
                by_header.entry(header).or_default().push(variant);
            }
        }
        for (header, variants) in by_header {
            for variants in variants.chunks(ENTRIES) {
                let variants = variants.to_vec();
                let unit = Arc::new(LazyModule { header, variants, compiled: OnceLock::new() });
                for (at, variant) in unit.variants.iter().enumerate() {
                    places.insert(variant.text(), KernelPlace { unit: unit.clone(), at });
                }
            }
        }
        variants.iter().filter_map(|variant| places.get(variant.text()).cloned()).collect()
    }

    /// Returns what became of a module, which is compiled when that is first asked.
    fn compiled<'a>(&self, gpu: &Gpu, unit: &'a LazyModule) -> &'a CompiledModule {
        unit.compiled.get_or_init(|| unit.compile(gpu, self.level, self.constants))
    }

    /// Compiles some variants, as many modules at a time as there are processors. What came of each is kept.
    pub fn compile(&self, gpu: &Gpu, variants: &[&'static Variant]) {
        let mut units: Vec<Arc<LazyModule>> = Vec::new();
        let mut seen = HashSet::new();
        for KernelPlace { unit, .. } in self.placed(variants) {
            if seen.insert(Arc::as_ptr(&unit)) {
                units.push(unit);
            }
        }
        compile_each(&units, |unit| {
            self.compiled(gpu, unit);
        });
    }

    /// Returns a module that executes a variant of these vectors, the operands of each standing in its text, and
    /// the interface that it is called with.
    ///
    /// # Errors
    /// If the device does not have the variant.
    pub fn of_constants(&self, variant: &Variant, vectors: &[Vec<u64>]) -> Result<(Listing, Interface)> {
        let header = self.device.header(variant).map_err(|lack| anyhow!("{variant}: {lack}"))?;
        let interface = Interface { operands: Vec::new(), ..interface(variant) };
        let entry = Printed::from(&ptx::constants(variant, &interface.name, vectors));
        Ok((Listing::new(header, [&entry]), interface))
    }

    /// Returns the kernel that judges a variant on the device. `None` where there is none, or where the driver
    /// does not take it: then the host judges.
    ///
    /// # Errors
    /// If the device could not go on.
    pub fn screen(&self, gpu: &Gpu, variant: &Variant) -> Result<Option<LoadedKernel>> {
        let Some(place) = self.screens.get(variant.text()) else { return Ok(None) };
        match place.get_or_init(|| self.compile_screen(gpu, variant)) {
            Ok(function) => Ok(*function),
            Err(broken) => Err(anyhow!("{broken:#}")),
        }
    }

    fn compile_screen(&self, gpu: &Gpu, variant: &Variant) -> Result<Option<LoadedKernel>> {
        let header = self.device.header(variant).ok().filter(|header| header.ptx >= ptx::SCREENS_SINCE);
        let (Some(header), Some(entry)) = (header, ptx::screen(variant)) else { return Ok(None) };
        let entry = Printed::from(&entry);
        let module = Listing::new(header, [&entry]);
        let Interface { mut results, group, .. } = interface(variant);
        // The kernel of all triples has no columns of results.
        results.retain(|_| !sweeps::has_all_triples(variant));
        let interface = Interface { name: entry.name.clone(), results, operands: Vec::new(), group };
        let made = gpu.load(module.text(), &[interface], self.level)?;
        Ok(made.ok().and_then(|functions| functions.first().copied()))
    }
}

/// Compiles each of several items, as many at a time as there are processors. What is not begun when the run is
/// to end is left: whoever still asks for it compiles it.
pub fn compile_each<T: Sync>(all: &[T], compile: impl Fn(&T) + Sync) {
    let progress = || Progress::new("modules of kernels", all.len() as u64);
    let progress = (all.len() >= FEW).then(progress);
    let pool = Pool::of_processors().stopped_by(interrupt::flag());
    let compiled = pool.run_on_each(
        all,
        || Ok(()),
        |(), one| {
            compile(one);
            if let Some(progress) = &progress {
                progress.advance(1);
            }
            Ok(())
        },
    );
    // Whoever asks for what a bug in the suite kept from being compiled compiles it, and is told of the bug.
    drop(compiled);
    if let Some(progress) = progress {
        progress.finish();
    }
}

impl LazyModule {
    fn compile(&self, gpu: &Gpu, level: Option<u8>, constants: bool) -> CompiledModule {
        let kernels: Vec<(Printed, Interface)> = self
            .variants
            .iter()
            .map(|variant| (entry(variant, constants), interface(variant)))
            .collect();
        let made = bisect(&kernels, |part| {
            let module = Listing::new(self.header, part.iter().map(|(entry, _)| entry));
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

/// Writes the kernel of a variant, or, with `constants`, a sample of its kernels with operands in their text.
fn entry(variant: &Variant, constants: bool) -> Printed {
    let entry = match constants {
        true => ptx::constants(variant, &ptx::name(variant), &[vec![1; variant.operands().len()]]),
        false => ptx::kernel(variant),
    };
    Printed::from(&entry)
}

/// Returns the interface that the kernel of a variant is called with.
fn interface(variant: &Variant) -> Interface {
    let parts = variant.lane_signature().parts;
    let bytes = |word: &[Register]| word.iter().map(|register| register.ty.row_bytes()).sum();
    let widths = |registers: &[Register]| registers.chunks(parts).map(bytes).collect();
    let name = ptx::name(variant);
    let (results, operands) = (widths(variant.results()), widths(variant.operands()));
    Interface { name, results, operands, group: LaunchShape::ROWS }
}
