//! The dialect of texts of kernels and columns: one process is given a kernel and runs it on batch after batch
//! (`harness/protocol/emulators.md`).

use std::ops::Range;

use formats::Column;
use isa::{PtxVersion, Target, Variant};
use ptx::{Device, Listing, Printed, Unavailable, VersionHistory};

use super::binary::{answer, columns, in_step, instead, widths};
use super::child::Child;
use super::deadline::Deadline;
use super::failure::Failure;
use super::limits::Limits;

/// Version of the protocol that is spoken.
pub const VERSION: &str = "ptx-emulator 1";

/// Target and version at the head of modules, where they are not the oldest target that has the variant and the
/// oldest version that has it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// Target of the modules.
    pub target: Option<Target>,
    /// Oldest version of PTX that the modules may state.
    pub version: Option<PtxVersion>,
}

/// A module of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelModule {
    /// Name of the kernel.
    pub entry: String,
    /// Text of the module.
    pub text: String,
}

impl Head {
    /// Returns the kernel of a variant.
    ///
    /// # Errors
    /// If there is no such kernel; the error says why.
    pub fn kernel(self, variant: &Variant) -> Result<KernelModule, Unavailable> {
        let first = variant.form().since.iter().flat_map(|since| since.targets.first()).next().copied();
        let target = self.target.or(first).ok_or(Unavailable::Cast)?;
        let start = target.since().ok_or(Unavailable::Cast)?;
        let newest = VersionHistory::every_version().newest();
        let mut header = Device::only_target(target, start, newest).header(variant)?;
        header.ptx = header.ptx.max(self.version.unwrap_or(header.ptx));
        let entry = Printed::from(&ptx::kernel(variant));
        Ok(KernelModule { text: Listing::new(header, [&entry]).text().into(), entry: entry.name })
    }
}

/// Some rows of the columns of a batch.
pub struct BatchRows<'a> {
    /// Columns that a kernel reads.
    pub operands: &'a [Column],
    /// Columns that the kernel's results go to.
    pub results: &'a mut [Column],
    /// Range of the rows that are meant.
    pub rows: Range<usize>,
    /// Value of every byte of the results before the kernel runs.
    pub pattern: u8,
}

/// Has a child load a kernel, in the place of the one before; the inner error is the child's reason why not.
pub fn load(
    child: &mut Child,
    kernel: &KernelModule,
    deadline: &mut Deadline,
) -> Result<Result<(), String>, Failure> {
    in_step(child)?;
    // Whatever comes of it, the kernel before is gone.
    child.holds = None;
    child.write(format!("load {} {}\n{}", kernel.entry, kernel.text.len(), kernel.text).into_bytes());
    let line = answer(child, deadline)?;
    match line.split_once(' ') {
        _ if line == "loaded" => Ok(Ok(())),
        Some(("no", reason)) => Ok(Err(reason.to_owned())),
        _ => Err(instead(&line, "loaded, or no REASON")),
    }
}

/// Has a child run the kernel that it holds; the inner error is the child's reason why not.
pub fn run(
    child: &mut Child,
    batch: BatchRows,
    deadline: &mut Deadline,
) -> Result<Result<(), String>, Failure> {
    in_step(child)?;
    let BatchRows { operands, results, rows, pattern } = batch;
    let all = widths(results.iter().chain(operands));
    let mut message = format!("run {} {all} {}\n", rows.len(), results.len()).into_bytes();
    for column in results.iter() {
        message.resize(message.len() + column.bytes_of(rows.clone()).len(), pattern);
    }
    operands.iter().for_each(|column| message.extend_from_slice(column.bytes_of(rows.clone())));
    child.write(message);
    let line = answer(child, deadline)?;
    if let Some(reason) = line.strip_prefix("failed ") {
        return Ok(Err(reason.to_owned()));
    }
    if line != "results" {
        return Err(instead(&line, "results, or failed REASON"));
    }
    columns(child, results, rows, deadline)?;
    Ok(Ok(()))
}

/// Has a child compute a batch of a variant; the child is given the variant's kernel if it does not hold it.
pub fn compute(
    child: &mut Child,
    head: Head,
    variant: &str,
    batch: BatchRows,
    limits: &Limits,
) -> Result<(), Failure> {
    if child.holds.as_deref() != Some(variant) {
        let parsed: Variant =
            variant.parse().map_err(|_| Failure::nonsense("the name is not a variant"))?;
        let kernel = head.kernel(&parsed).map_err(|lack| Failure::nonsense(lack.to_string()))?;
        if let Err(reason) = load(child, &kernel, &mut limits.answer_deadline())? {
            return Err(Failure::nonsense(format!("it refuses the kernel: {reason}")));
        }
        child.holds = Some(variant.to_owned());
    }
    let done = run(child, batch, &mut limits.answer_deadline())?;
    done.map_err(|reason| Failure::self_reported(&reason))
}
