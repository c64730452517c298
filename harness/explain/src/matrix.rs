//! Explains a dot product of a matrix instruction: its terms, what its sum may be, and what each generation of tensor
//! cores makes of it, the terms aligned under each other with what falls off.

mod aligned;
mod operands;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use anyhow::{Context, Result};
use emulator::dot::{DotKernel, DotProduct, divided};
use formats::{Column, Format, TF32};
use isa::Target;
use isa::matrix::{Controls, Dot, DotData, Lowering, MatrixVariant, SumRelaxation, Unit, results_for};
use judge::SumTruth;
use oracle::dot::Sums;

use aligned::Term;

/// A target of each generation of tensor cores, the oldest first.
const TARGETS: &[&str] = &["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"];

/// An element of a matrix instruction's result, with its operands.
struct Element<'a> {
    variant: &'a MatrixVariant,
    columns: Vec<Column>,
    data: DotData,
}

/// Returns the page about one element of a matrix instruction's result, with the operands that `texts` give.
///
/// # Errors
/// If the operands cannot be read, or no instruction can have them.
pub fn page(variant: &MatrixVariant, texts: &[String]) -> Result<String> {
    let dot = variant.dot();
    let element = Element::new(variant, operands::read(variant, texts)?);
    let mut text = format!("{variant}\n");
    let Dot { k, a, b, c, d, .. } = dot;
    let stored = match dot.sparsity {
        Some(_) => format!(", of which A stores {}", dot.stored()),
        None => String::new(),
    };
    writeln!(text, "{k} products of {a:?} and {b:?}{stored}, added to {c:?}, in {d:?}")?;
    element.show(&mut text)?;
    let truth = Sums::new(variant).truth(&element.data);
    for (name, words) in in_words(&truth, d) {
        writeln!(text, "{name:12} {words}")?;
    }
    element.computed(truth, &mut text)?;
    Ok(text)
}

/// Returns the words to put behind a result that takes a relaxation, or is wrong; an empty text for any other.
fn verdict(variant: &MatrixVariant, truth: &SumTruth, result: u64) -> String {
    let all = variant.relaxations();
    let precision = all.iter().find(|relaxation| relaxation.is_of_precision()).copied();
    let mut taken: Vec<String> = Vec::new();
    let judged = truth.verdict(variant.dot().d, result, precision, |(relaxation, answer)| {
        match (answer, taken.last_mut()) {
            // Either of two relaxations is enough: the second is named beside the first.
            ("either", Some(first)) => *first = format!("{first} or {}", relaxation.name()),
            _ if relaxation.answers().first() == Some(&answer) => {}
            _ => taken.push(relaxation.name().to_owned()),
        }
    });
    match judged {
        Err(_) => "   not by what the manual promises".into(),
        Ok(()) if taken.is_empty() => String::new(),
        Ok(()) => format!("   right by {}", taken.join(", ")),
    }
}

/// The words for a sum in which a zero that a sparse A does not store meets NaN or an infinity.
const UNSELECTED: &str = ", or NaN: a zero that is not stored meets NaN or infinity";

/// Returns the sums that are right, and those that are right by a relaxation: the name of each line, and its words.
fn in_words(truth: &SumTruth, d: &Format) -> Vec<(&'static str, String)> {
    let one = |words: &str| vec![("right", words.to_owned())];
    match truth {
        SumTruth::Nan => one("NaN: an operand or a scale is, or infinities leave nothing else"),
        SumTruth::Infinite { negative, or_nan, sparse } => {
            let sign = if *negative { '-' } else { '+' };
            let or = match or_nan {
                Some(SumRelaxation::Subnormal) => ", or NaN: what it is multiplied by may count as zero",
                Some(_) => ", or NaN: the others may overflow to the other infinity",
                None if *sparse => UNSELECTED,
                None => "",
            };
            one(&format!("{sign}inf, as an operand{or}"))
        }
        SumTruth::Finite { nearest, promised, relaxed, flushed, both, sparse } => {
            let show = |bits| d.show(bits).to_string();
            let mut words = vec![("nearest", show(*nearest)), ("right", promised.words(show))];
            let relaxed = [("imprecise", relaxed), ("flushed", flushed), ("both", both)];
            let relaxed = relaxed.into_iter().filter_map(|(name, bounds)| Some((name, (*bounds)?)));
            words.extend(relaxed.map(|(name, bounds)| (name, bounds.words(show))));
            words.extend(
                sparse.then(|| ("unselected", UNSELECTED.trim_start_matches(", or ").to_owned())),
            );
            words
        }
    }
}

impl Element<'_> {
    /// Makes an element from columns of one row.
    fn new(variant: &MatrixVariant, columns: Vec<Column>) -> Element<'_> {
        let mut data = DotData::new(variant.dot());
        data.read(variant.dot(), variant.operands(), &columns, 0);
        Element { variant, columns, data }
    }

    /// Appends the products, the addend and what modifies them, as decoded numbers.
    fn show(&self, text: &mut String) -> Result<()> {
        let (dot, data) = (self.variant.dot(), &self.data);
        for (place, &b) in data.b.iter().enumerate() {
            let stored = data.places.iter().position(|&of| of == place).map(|at| data.a[at]);
            if stored.unwrap_or(0) == 0 && b == 0 {
                continue;
            }
            let a = stored.map_or("not stored".into(), |bits| dot.a.show(bits).to_string());
            writeln!(text, "{place:<12} {a}   ×   {}", dot.b.show(b))?;
        }
        writeln!(text, "{:12} {}", "c", dot.c.show(data.c))?;
        let by = data.controls.addend_scale;
        if by > 0 {
            let shown = dot.c.show(divided(dot.c, data.c, by));
            writeln!(text, "{:12} {shown}", format!("c / 2^{by}"))?;
        }
        for (what, words) in changes(data.controls) {
            writeln!(text, "{what:12} {words}")?;
        }
        if let Some(scales) = dot.scales {
            for (name, all) in ["scale-a", "scale-b"].into_iter().zip(&data.scales) {
                let shown = |&bits: &u64| scales.format.show(bits).decimal();
                writeln!(text, "{name:12} {}", all.iter().map(shown).collect::<Vec<_>>().join(", "))?;
            }
        }
        if let Some(sparsity) = dot.sparsity {
            let each = sparsity.metadata(&data.places);
            let each: Vec<String> = each.iter().map(|bits| format!("{bits:x}")).collect();
            writeln!(text, "{:12} {}", "metadata", each.join(","))?;
        }
        Ok(())
    }

    /// Returns the bits of the addend as it is added: zero where controls leave it out, divided where they scale it.
    fn addend(&self) -> u64 {
        match self.data.controls {
            Controls { accumulate: false, .. } => 0,
            Controls { addend_scale: 0, .. } => self.data.c,
            Controls { addend_scale, .. } => divided(self.variant.dot().c, self.data.c, addend_scale),
        }
    }

    /// Appends what each generation of tensor cores computes; generations that do the same stand together.
    fn computed(&self, truth: SumTruth, text: &mut String) -> Result<()> {
        let (variant, dot) = (self.variant, self.variant.dot());
        let mut known: Vec<(Lowering, Vec<&str>)> = Vec::new();
        for &name in TARGETS {
            let target: Target = name.parse().context("the table has it")?;
            let Some(lowering) = Lowering::of(variant, target) else { continue };
            match known.iter_mut().find(|(other, _)| *other == lowering) {
                Some((_, targets)) => targets.push(name),
                None => known.push((lowering, vec![name])),
            }
        }
        if known.is_empty() {
            text.push_str(
                "\nWhat tensor cores compute here is not published: there is no model of it.\n",
            );
        }
        for (lowering, targets) in known {
            let Some(mut kernel) = DotKernel::with_lowering(variant, lowering) else { continue };
            let mut results = results_for(variant, 1);
            kernel.run(&self.columns, &mut results);
            let result = results[0].get(0);
            let verdict = verdict(variant, &truth, result);
            writeln!(text, "\n{}: {}", targets.join(", "), sequence(lowering))?;
            if let Lowering::Unit(unit) = lowering {
                self.aligned(unit, text)?;
            }
            writeln!(text, "{:12} {}{verdict}", "d", dot.d.show(result))?;
        }
        Ok(())
    }

    /// Appends the terms of each group that the unit sums at once, aligned under each other. Appends nothing if C and
    /// D have different formats.
    fn aligned(&self, unit: Unit, text: &mut String) -> Result<()> {
        let dot = self.variant.dot();
        let (group, product) = (unit.group as usize, DotProduct::new(unit, dot.a, dot.b, dot.d));
        if dot.c != dot.d {
            return Ok(());
        }
        let a = registers(dot.a, &self.data.a, self.data.controls.negate_a);
        let b = registers(dot.b, &self.data.b, self.data.controls.negate_b);
        for start in (0..a.len()).step_by(group) {
            let end = a.len().min(start + group);
            let addend = product.compute(&a[..start], &b[..start], self.addend());
            let terms: Vec<(String, Term)> = (start..end)
                .map(|k| (k.to_string(), Term::product(dot, a[k], b[k])))
                .chain([(
                    (if start == 0 { "c" } else { "so far" }).to_owned(),
                    Term::number(dot.d, addend),
                )])
                .filter_map(|(name, term)| Some((name, term?)))
                .filter(|(_, term)| term.significand != 0)
                .collect();
            // A later group that adds nothing to the sum so far shows nothing.
            if start > 0 && terms.len() < 2 {
                continue;
            }
            let exponents = terms.iter().map(|(_, term)| term.exponent);
            let largest = exponents.chain([unit.zero_exponent]).max().unwrap_or(unit.zero_exponent);
            writeln!(text, "  × 2^{largest}")?;
            for (name, term) in terms {
                writeln!(text, "  {name:>10} {}", term.line(largest, unit.fraction_bits))?;
            }
        }
        Ok(())
    }
}

/// Returns the registers of A, or of B, with the signs that controls give them.
fn registers(format: &Format, elements: &[u64], negated: bool) -> Vec<u64> {
    let flip = if negated { format.sign_mask() } else { 0 };
    // PTX ISA 9.7.17.5.2: of a tf32 register the lower 13 bits are truncated, so the element lies above them.
    let below = if *format == TF32 { 13 } else { 0 };
    elements.iter().map(|bits| (bits ^ flip) << below).collect()
}

/// Returns what controls change: the operand that each change is about, and its words.
fn changes(controls: Controls) -> Vec<(&'static str, &'static str)> {
    let all = [
        (!controls.accumulate, "c", "is not added"),
        (controls.negate_a, "a", "the elements of A change their signs"),
        (controls.negate_b, "b", "the elements of B change their signs"),
    ];
    let so = all.into_iter().filter(|(is_so, ..)| *is_so);
    so.map(|(_, what, words)| (what, words)).collect()
}

/// Returns the words for the order and the widths in which a lowering adds.
fn sequence(lowering: Lowering) -> String {
    let unit = |unit: Unit| {
        let Unit { fraction_bits, group, .. } = unit;
        format!("groups of {group}, {fraction_bits} fraction bits behind the largest exponent")
    };
    match lowering {
        Lowering::Unit(of) => unit(of),
        Lowering::ThroughHalf(of) => {
            format!(
                "as f16, places 0 and 1 modulo 4, then the others: {}; c at the end, to nearest",
                unit(of)
            )
        }
        Lowering::Narrowed(of) => format!("{}; in f32, and rounded again", unit(of)),
        Lowering::Scaled(of) => format!("products scaled one by one; {}", unit(of)),
        Lowering::ScaledGroups(of) => format!("sums of 16 products scaled; {}", unit(of)),
        Lowering::SingleSoftware | Lowering::HalfSoftware => {
            "instructions for single numbers, in f32".into()
        }
        Lowering::Fused => "a chain of fused operations".into(),
    }
}
