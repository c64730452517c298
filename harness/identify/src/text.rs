//! The text of an identity: what was found, for people.

use std::fmt::Write;

use super::sum_computation::SumComputation;
use super::{ImplementationIdentity, VariantFinding};

impl ImplementationIdentity {
    /// Prints some lines for each group of variants, and a sum of all.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", reports::printable(&self.implementation));
        for finding in &self.findings {
            text += "\n";
            text += &finding.text();
        }
        let variants = |findings: &mut dyn Iterator<Item = &VariantFinding>| {
            findings.map(|finding| finding.variants.len()).sum::<usize>()
        };
        let all = variants(&mut self.findings.iter());
        let proven = variants(&mut self.findings.iter().filter(|finding| finding.is_proven()));
        let asked: usize = self.findings.iter().map(|finding| finding.asked).sum();
        let tried: u64 = self.findings.iter().map(|finding| finding.proof.vectors).sum();
        let compute = match all {
            1 => "variant computes as a known model, and is proven",
            _ => "variants compute as known models, and are proven",
        };
        let _ = writeln!(
            text,
            "\n{proven} of {all} {compute} (found with {asked} vectors, compared on {tried} vectors of sweeps)"
        );
        text
    }
}

impl VariantFinding {
    pub(super) fn text(&self) -> String {
        let mut text = self.variants.first().copied().unwrap_or_default().to_owned();
        if let others @ 1.. = self.variants.len() - 1 {
            let _ = write!(text, " and {others} like it");
        }
        let mut line = |name: &str, rest: &str| {
            let _ = write!(text, "\n  {name:7}{rest}");
        };
        line("order", &self.order);
        if !self.widths.is_empty() {
            line("widths", &self.widths.join(", "));
        }
        match (&self.models[..], &self.row) {
            ([], None) => line("model", "unknown, and no row of the table's kinds gives these answers"),
            ([], Some(row)) if self.way == Some(SumComputation::RoundedOnce) => {
                line("model", &format!("no tensor core's: {row}"));
            }
            ([], Some(row)) => line("model", &format!("unknown; a new row: {row}")),
            (models, row) => {
                line("model", &models[0]);
                row.iter().for_each(|row| line("row", row));
            }
        }
        self.open.iter().for_each(|open| line("open", open));
        line("proof", &self.proof_text());
        if let Some(first) = &self.proof.first {
            let operands = first.operands.iter().map(|(name, digits)| format!("{name} {digits}"));
            let operands = operands.collect::<Vec<_>>().join(", ");
            line("first", &format!("vector {} of {}, {}", first.vector, first.sweep, first.variant));
            line("", &format!("{operands}: {} and not {}", first.answer, first.guess));
        }
        text + "\n"
    }

    /// Says in words what came of trying the guess.
    fn proof_text(&self) -> String {
        let (asked, proof) = (self.asked, &self.proof);
        match self.way {
            None => format!("none: {asked} vectors asked"),
            Some(_) if proof.mismatches > 0 => format!(
                "not proven: {} of {} vectors of {} sweeps have another result; {asked} asked before",
                proof.mismatches, proof.vectors, proof.sweeps
            ),
            Some(_) => format!(
                "{} vectors of {} sweeps agree; {asked} asked before",
                proof.vectors, proof.sweeps
            ),
        }
    }
}
