//! The rows of the matrix of attacks, a module for each of its subjects.

mod clients;
mod dots;
mod emulators;
mod files;
mod limits;
mod signals;

use std::sync::OnceLock;

use anyhow::{Result, ensure};
use selection::subject::Subject;

use super::DefenceRow;
use super::client::{DefenceCase, LANES, guilty};
use super::sandbox::Sandbox;

/// The heading that rows stand under, and the instruction that their programs are asked about.
struct RowGroup(&'static str, &'static DefenceCase);

impl RowGroup {
    const fn row(
        &self,
        fault: &'static str,
        expected: &'static str,
        attempt: fn(&Sandbox) -> Result<String>,
    ) -> DefenceRow {
        DefenceRow { group: self.0, case: self.1, fault, expected, attempt }
    }
}

/// Returns all rows of the matrix, in the order of the page.
pub fn rows() -> &'static [DefenceRow] {
    static ROWS: OnceLock<Vec<DefenceRow>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows = Vec::new();
        rows.extend(clients::ROWS);
        rows.extend(emulators::ROWS);
        rows.extend(dots::ROWS);
        rows.extend(files::ROWS);
        rows.extend(signals::ROWS);
        rows.extend(limits::ROWS);
        rows
    })
}

/// Checks the report: its only mismatches are of one kind, each of them on the guilty vector, and all others agree.
fn only_the_guilty(sandbox: &Sandbox, kind: &str) -> Result<String> {
    let report = sandbox.report()?;
    let classes: Vec<_> = report.variants.iter().flat_map(|variant| &variant.classes).collect();
    let [class] = classes[..] else {
        let ids: Vec<&str> = classes.iter().map(|class| class.id.as_str()).collect();
        anyhow::bail!("{} classes in place of one: {}", ids.len(), ids.join(", "));
    };
    ensure!(class.id == format!("{}/{kind}", sandbox.case.variant), "the class is {}", class.id);
    let widths = Subject::named(sandbox.case.variant)?.operand_names();
    let due = guilty(sandbox.case)?;
    let due: Vec<String> = due.iter().zip(widths).map(|(bits, (_, bytes))| bits.hex(bytes)).collect();
    for example in &class.examples {
        let bits: Vec<&str> = example.operands.iter().map(|operand| operand.bits.as_str()).collect();
        ensure!(bits == due, "accused: {}, guilty: {}", bits.join(" "), due.join(" "));
    }
    ensure!(class.count == class.examples.len() as u64, "{} mismatches", class.count);
    ensure!(report.complete, "it did not reach its end");
    Ok(format!("{} of {} vectors `{kind}`, the guilty one", class.count, report.totals.vectors))
}

/// Checks that the report is valid and is of a run that was broken off.
fn partial(sandbox: &Sandbox) -> Result<()> {
    ensure!(!sandbox.report()?.complete, "the report says that the run reached its end");
    Ok(())
}
