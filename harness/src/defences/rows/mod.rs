//! The rows of the matrix.

mod clients;
mod files;
mod limits;
mod signals;

use std::sync::OnceLock;

use anyhow::{Result, ensure};

use super::Row;
use super::client::{VARIANT, guilty};
use super::ground::Ground;

/// The heading that rows stand under.
struct Group(&'static str);

impl Group {
    const fn row(
        &self,
        fault: &'static str,
        expected: &'static str,
        attempt: fn(&Ground) -> Result<String>,
    ) -> Row {
        Row { group: self.0, fault, expected, attempt }
    }
}

/// All of them.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut rows = Vec::new();
        rows.extend(clients::ROWS);
        rows.extend(files::ROWS);
        rows.extend(signals::ROWS);
        rows.extend(limits::ROWS);
        rows
    })
}

/// A report in which some vectors are mismatches of a kind, each of them the guilty one, and all others
/// agree.
fn only_the_guilty(ground: &Ground, kind: &str) -> Result<String> {
    let report = ground.report()?;
    let classes: Vec<_> = report.variants.iter().flat_map(|variant| &variant.classes).collect();
    let [class] = classes[..] else {
        let ids: Vec<&str> = classes.iter().map(|class| class.id.as_str()).collect();
        anyhow::bail!("{} classes in place of one: {}", ids.len(), ids.join(", "));
    };
    ensure!(class.id == format!("{VARIANT}/{kind}"), "the class is {}", class.id);
    let due: Vec<String> = guilty()?.iter().map(|bits| format!("{bits:#06x}")).collect();
    for example in &class.examples {
        let bits: Vec<&str> = example.operands.iter().map(|operand| operand.bits.as_str()).collect();
        ensure!(bits == due, "accused: {}, guilty: {}", bits.join(" "), due.join(" "));
    }
    ensure!(class.count == class.examples.len() as u64, "{} mismatches", class.count);
    ensure!(report.complete, "it did not reach its end");
    Ok(format!("{} of {} vectors `{kind}`, the guilty one", class.count, report.totals.vectors))
}

/// A report that is valid, and of a run that was broken off.
fn partial(ground: &Ground) -> Result<()> {
    ensure!(!ground.report()?.complete, "the report says that the run reached its end");
    Ok(())
}
