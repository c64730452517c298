//! The check of the kernels against NVIDIA's assembler. Each kernel becomes machine code for every target that has its
//! variant, and kernels of lanes are refused for every other target. (For matrix instructions `legality` asks about
//! refusal.)

mod job;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use formats::column;
use isa::matrix::MatrixVariant;
use isa::{PtxVersion, Target, Variant};
use ptx::{Device, DotKernel, Header, Placement, Printed, Unavailable};
use selection::select::Selection;
use selection::subject::Subject;
use sweeps::Sweep;

use super::assembler::Assembler;
use super::inquiry::calendar;
use super::run::is_in_sample;
use super::work::share;
use super::{Disagreement, LegalityRequest, matrix};
use job::KernelsJob;

/// Numbers of kernels in a module that becomes code, and in one that is only to be refused: a second's work.
const CODE: usize = 200;
const REFUSED: usize = 2000;
/// The number of matrix instructions' kernels in a module that becomes code; these kernels are longer.
const MATRICES: usize = 16;
/// The sampling of a reduced run: it has one in so many matrix instructions.
const SAMPLE: usize = 23;
/// Number of vectors that a kernel of constants has.
const ROWS: usize = 2;

/// The kernels that ptxas 13.5 is known to die of, see [`ptx::is_fatal`]: kernels of constants that it should take.
pub const FATAL: &str =
    "an internal error where all threads have the same scale of eight bits (.scaled::n1::ue8m0)";

/// The result of a run.
#[derive(Debug)]
pub struct KernelsOutcome {
    /// The newest version of PTX that the assembler knows.
    pub newest: PtxVersion,
    /// The number of variants; each has one kernel or two, and some one more, which judges.
    pub variants: usize,
    /// The number of targets.
    pub targets: usize,
    /// The number of kernels that became code, each target counted.
    pub assembled: u64,
    /// The number of kernels that were refused, as they should be, each target counted.
    pub refused: u64,
    /// The number of kernels that the assembler died of, as it is known to ([`FATAL`]), each target counted.
    pub fatal: u64,
    /// The reductions of this run, in words.
    pub reduced: Vec<String>,
    /// The kernels that are refused and should not be, or the other way round.
    pub disagreements: Vec<Disagreement>,
}

/// The kernels of a variant.
struct VariantKernels {
    of: Subject,
    /// The kernel of columns, or for a matrix instruction that of the diagonal.
    first: Printed,
    /// The kernel of constants, where there is one, or for a matrix instruction that of tiles.
    second: Option<Printed>,
    /// The kernel that judges, where there is one.
    screen: Option<Printed>,
}

/// The outcome of modules in numbers of kernels, and the kernels that should have come out otherwise.
#[derive(Default)]
struct ModuleOutcomes {
    assembled: u64,
    refused: u64,
    fatal: u64,
    disagreements: Vec<Disagreement>,
}

/// Assembles every kernel that a request names. `progress` is told the number of kernels on which there are verdicts,
/// and on which there will be.
///
/// # Errors
/// If the request selects nothing, or if the assembler does not do its part.
pub fn run(
    assembler: &Assembler,
    request: &LegalityRequest,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<KernelsOutcome> {
    let Selection { variants: mut lanes, matrices } = Selection::of(&request.only, None)?;
    lanes.retain(|variant| variant.is_ptx() && ptx::has_kernel(variant));
    // What `--only` names is asked about as a whole.
    let sampled = |at: usize| !request.reduced || !request.only.is_empty() || at.is_multiple_of(SAMPLE);
    let matrices = matrices.into_iter().filter(|variant| DotKernel::is_written(variant));
    let matrices = matrices.enumerate().filter(|(at, _)| sampled(*at)).map(|(_, variant)| variant);
    let directory =
        tempfile::tempdir().context("there is no temporary directory: make room, or set TMPDIR")?;
    let newest = calendar(assembler, directory.path())?.newest();
    let targets: Vec<_> = Target::all()
        .filter(|&(target, start)| {
            let sample = is_in_sample(target) || matrix::is_in_sample(target);
            start <= newest && (!request.reduced || sample)
        })
        .collect();
    let kernels: Vec<VariantKernels> = lanes
        .into_iter()
        .map(VariantKernels::of)
        .chain(matrices.filter_map(VariantKernels::of_matrix))
        .collect();
    if kernels.is_empty() {
        bail!(
            "--only selects nothing that has a kernel: casts have none, nor have `multimem`, `fabric`, tensors and `tcgen05`"
        );
    }
    let jobs = jobs(&kernels, &targets, newest, |kernels, target| {
        !request.reduced
            || match kernels.of {
                Subject::Variant(_) => is_in_sample(target),
                Subject::Matrix(_) => matrix::is_in_sample(target),
            }
    });

    let mut all = ModuleOutcomes::default();
    let carry_out = |job: &KernelsJob, file: &Path| job.carry_out(assembler, file);
    for found in share(&jobs, request, directory.path(), progress, KernelsJob::count, carry_out)? {
        all.add(found);
    }
    let ModuleOutcomes { assembled, refused, fatal, disagreements } = all;
    let mut reduced = Vec::new();
    if request.reduced {
        let sample = format!("4 targets for lanes, 4 for one in {SAMPLE} matrix instructions");
        reduced.push(format!("{sample} (--reduced)"));
    }
    if !request.only.is_empty() {
        reduced.push(format!("what matches these patterns: {} (--only)", request.only.join(", ")));
    }
    Ok(KernelsOutcome {
        newest,
        variants: kernels.len(),
        targets: targets.len(),
        assembled,
        refused,
        fatal,
        reduced,
        disagreements: gather(disagreements),
    })
}

impl VariantKernels {
    fn of(variant: &'static Variant) -> VariantKernels {
        let mut columns = isa::columns_for(variant, ROWS);
        let uniform = Sweep::named("uniform").expect("the sweep that every variant has");
        uniform.fill(variant, 0, 0, &mut columns);
        let vectors: Vec<_> = (0..ROWS).map(|row| column::row(&columns, row)).collect();
        // Both kernels of a variant may stand in one module, so their names differ.
        let name = format!("{}_of_constants", ptx::name(variant));
        VariantKernels {
            of: Subject::Variant(variant),
            first: Printed::from(&ptx::kernel(variant)),
            second: ptx::has_constants(variant)
                .then(|| Printed::from(&ptx::constants(variant, &name, &vectors))),
            screen: ptx::screen(variant).as_ref().map(Printed::from),
        }
    }

    fn of_matrix(variant: &'static MatrixVariant) -> Option<VariantKernels> {
        let printed =
            |placement| DotKernel::of(variant, placement).map(|kernel| Printed::from(&kernel.entry));
        let [first, second] = [printed(Placement::Diagonal)?, printed(Placement::Tile)?];
        Some(VariantKernels { of: Subject::Matrix(variant), first, second: Some(second), screen: None })
    }

    /// Returns the one or two kernels that every target that has the variant takes.
    fn both(&self) -> impl Iterator<Item = &Printed> {
        [&self.first].into_iter().chain(&self.second)
    }

    /// Returns the header of the kernels' module on a device.
    fn header(&self, device: &Device) -> Result<Header, Unavailable> {
        match self.of {
            Subject::Variant(variant) => device.header(variant),
            Subject::Matrix(variant) => device.header_of_matrix(variant),
        }
    }

    /// Whether the assembler dies of the second kernel.
    fn is_fatal(&self) -> bool {
        matches!(self.of, Subject::Variant(variant) if ptx::is_fatal(variant))
    }
}

impl ModuleOutcomes {
    fn add(&mut self, more: ModuleOutcomes) {
        self.assembled += more.assembled;
        self.refused += more.refused;
        self.fatal += more.fatal;
        self.disagreements.extend(more.disagreements);
    }
}

/// Returns the modules to assemble. On each target they have every variant that the target has, with the header that a
/// device would be given, and every other variant in the newest version.
fn jobs<'a>(
    kernels: &'a [VariantKernels],
    targets: &[(Target, PtxVersion)],
    newest: PtxVersion,
    wanted: impl Fn(&VariantKernels, Target) -> bool,
) -> Vec<KernelsJob<'a>> {
    let mut jobs = Vec::new();
    for &(target, start) in targets {
        let device = Device::only_target(target, start, newest);
        let mut modules: BTreeMap<(bool, Header), Vec<&VariantKernels>> = BTreeMap::new();
        for kernels in kernels.iter().filter(|kernels| wanted(kernels, target)) {
            let header = kernels.header(&device);
            let legal = header.is_ok();
            // That matrix instructions are refused is asked with their spellings, see `matrix::run`.
            if !legal && matches!(kernels.of, Subject::Matrix(_)) {
                continue;
            }
            let header = header.unwrap_or(Header { ptx: newest, target });
            modules.entry((legal, header)).or_default().push(kernels);
        }
        for ((legal, header), kernels) in modules {
            let (matrices, lanes): (Vec<&VariantKernels>, Vec<&VariantKernels>) =
                kernels.iter().partition(|one| matches!(one.of, Subject::Matrix(_)));
            for (kernels, most) in [(lanes, if legal { CODE } else { REFUSED }), (matrices, MATRICES)] {
                jobs.extend(kernels.chunks(most).map(|part| KernelsJob {
                    header,
                    kernels: part.to_vec(),
                    legal,
                }));
            }
        }
    }
    jobs
}

/// Merges the disagreements into one for each kernel, version and direction.
fn gather(mut disagreements: Vec<Disagreement>) -> Vec<Disagreement> {
    let key = |one: &Disagreement| (one.subject.clone(), one.direction, one.ptx);
    disagreements.sort_by_key(|one| (key(one), one.targets.clone()));
    disagreements.dedup_by(|next, kept| {
        let same = key(next) == key(kept);
        if same {
            kept.targets.append(&mut next.targets);
        }
        same
    });
    disagreements
}
