//! A dot product of a matrix instruction: its terms, what its sum may be, and what each generation of tensor
//! cores makes of it, the terms aligned under each other with what falls off.

mod aligned;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use anyhow::{Context, Result, bail};
use emulator::dot::{DotProduct, Lowered, divided};
use judge::{Bounds, SumTruth};
use oracle::dot::Sums;
use vectors::Format;
use vectors::format::TF32;
use vectors::isa::Target;
use vectors::matrix::{Dot, DotData, Lowering, MatrixVariant, SumRelaxation, Unit, datum};

use aligned::Term;

/// One target of each generation, the oldest first.
const TARGETS: &[&str] = &["sm_70", "sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"];

/// The operands of one element.
struct Operands {
    /// Registers: of tf32, 32 bits.
    a: Vec<u64>,
    b: Vec<u64>,
    c: u64,
    /// By how many powers of two the addend is divided.
    addend_scale: u8,
    scales: [Vec<u64>; 2],
}

/// What is said about operands that cannot be read.
const WRITTEN: &str = "write products by their place, the addend and scales like `0:3c00*3c00 4-7:0c00*0c00 \
                       c=3f800000 scale-a=7f,7f`, in hexadecimal; what is left out is zero, a scale 1; \
                       `scale-d=3` divides the addend of some by 2^3";

/// The page about one element.
pub fn page(variant: &MatrixVariant, texts: &[String]) -> Result<String> {
    let dot = variant.dot();
    let operands = Operands::read(dot, texts)?;
    let mut text = format!("{variant}\n");
    let Dot { k, a, b, c, d, .. } = dot;
    writeln!(text, "{k} products of {a:?} and {b:?}, added to {c:?}, in {d:?}")?;
    operands.show(dot, &mut text)?;
    let truth = Sums::new(variant).truth(&operands.data(dot)?);
    for (name, words) in in_words(&truth, d) {
        writeln!(text, "{name:12} {words}")?;
    }
    operands.computed(variant, truth, &mut text)?;
    Ok(text)
}

/// What there is to say about a result that takes a relaxation, or is wrong.
fn verdict(variant: &MatrixVariant, truth: &SumTruth, result: u64) -> String {
    let all = variant.relaxations();
    let precision = all.iter().find(|relaxation| relaxation.is_of_precision()).copied();
    let mut taken = Vec::new();
    let judged = truth.verdict(variant.dot().d, result, precision, |(relaxation, answer)| {
        if relaxation.answers().first() != Some(&answer) {
            taken.push(relaxation.name());
        }
    });
    match judged {
        Err(_) => "   not by what the manual promises".into(),
        Ok(()) if taken.is_empty() => String::new(),
        Ok(()) => format!("   right by {}", taken.join(", ")),
    }
}

/// What is said where a zero of a sparse A meets NaN or an infinity.
const UNSELECTED: &str = ", or NaN: a zero that is not stored meets NaN or infinity";

/// What is right, and what is by a relaxation.
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
            let mut words =
                vec![("nearest", d.show(*nearest).to_string()), ("right", within(promised, d))];
            let relaxed = [("imprecise", relaxed), ("flushed", flushed), ("both", both)];
            let relaxed = relaxed.into_iter().filter_map(|(name, bounds)| Some((name, (*bounds)?)));
            words.extend(relaxed.map(|(name, bounds)| (name, within(&bounds, d))));
            words.extend(
                sparse.then(|| ("unselected", UNSELECTED.trim_start_matches(", or ").to_owned())),
            );
            words
        }
    }
}

fn within(bounds: &Bounds, d: &Format) -> String {
    let Bounds { low, high, exact, may_overflow } = *bounds;
    let (lowest, highest) = (d.show(low), d.show(high));
    match exact {
        Some(_) if low == high => {
            format!("{lowest}, and nothing else: no order of adding rounds anything")
        }
        Some(quantum) => {
            format!(
                "multiples of 2^{quantum} from {lowest} to {highest}: no order of adding rounds anything"
            )
        }
        None => {
            let overflow = match may_overflow {
                [false, false] => "",
                [true, true] => ", an infinity or NaN: a part of the sum may overflow",
                _ => ", or infinity: a part of the sum may overflow",
            };
            format!("{lowest} to {highest}, by some order of adding{overflow}")
        }
    }
}

impl Operands {
    fn read(dot: &Dot, texts: &[String]) -> Result<Operands> {
        let k = dot.k as usize;
        let one = dot.scales.map_or(0, |scales| scales.format.one());
        let count = dot.scales.map_or(0, |scales| scales.count as usize);
        let scales = [vec![one; count], vec![one; count]];
        let mut read = Operands { a: vec![0; k], b: vec![0; k], c: 0, addend_scale: 0, scales };
        for text in texts {
            read.take(dot, text).with_context(|| format!("`{text}` is no operand: {WRITTEN}"))?;
        }
        Ok(read)
    }

    /// Takes one argument of the command line.
    fn take(&mut self, dot: &Dot, text: &str) -> Result<()> {
        let number = |digits: &str, width: u32| -> Result<u64> {
            let digits = digits.strip_prefix("0x").unwrap_or(digits);
            let number = u64::from_str_radix(digits, 16).context("that is no number")?;
            if width < 64 && number >> width != 0 {
                bail!("0x{number:x} has more than {width} bits");
            }
            Ok(number)
        };
        let width = |format: &Format| if *format == TF32 { 32 } else { format.width() };
        if let Some(bits) = text.strip_prefix("c=") {
            self.c = number(bits, width(dot.c))?;
            return Ok(());
        }
        if let Some(power) = text.strip_prefix("scale-d=") {
            if !dot.scaled_addend {
                bail!(
                    "its addend is not scaled: `.kind::f16` and `.kind::tf32` of `tcgen05.mma` have that"
                );
            }
            let power: u8 = power.parse().context("that is no number")?;
            if power > 15 {
                bail!("it is 0 to 15");
            }
            self.addend_scale = power;
            return Ok(());
        }
        for (which, name) in ["scale-a=", "scale-b="].into_iter().enumerate() {
            if let Some(list) = text.strip_prefix(name) {
                let scales: Vec<u64> =
                    list.split(',').map(|bits| number(bits, 8)).collect::<Result<_>>()?;
                if scales.len() != self.scales[which].len() {
                    bail!("it takes {} scales, not {}", self.scales[which].len(), scales.len());
                }
                self.scales[which] = scales;
                return Ok(());
            }
        }
        let (places, product) = text.split_once(':').context("there is no `:`")?;
        let (x, y) = product.split_once('*').context("there is no `*`")?;
        let (first, last) = places.split_once('-').unwrap_or((places, places));
        let (first, last): (usize, usize) = (first.parse()?, last.parse()?);
        if first > last || last >= self.a.len() {
            bail!("places are 0 to {}", self.a.len() - 1);
        }
        let (x, y) = (number(x, width(dot.a))?, number(y, width(dot.b))?);
        self.a[first..=last].fill(x);
        self.b[first..=last].fill(y);
        Ok(())
    }

    /// As data: of a sparse A, the elements that are not zero in their places.
    fn data(&self, dot: &Dot) -> Result<DotData> {
        let mut data = DotData::new(dot);
        if let Some(sparsity) = dot.sparsity {
            data.places = sparsity.stored(&self.a).context(
                "so many elements of A cannot be stored: half of each chunk are, and the others are zero",
            )?;
        }
        data.b = self.b.iter().map(|&bits| datum(dot.b, bits)).collect();
        data.a = data.places.iter().map(|&place| datum(dot.a, self.a[place])).collect();
        data.c = self.c;
        data.controls.addend_scale = self.addend_scale;
        if let Some(scales) = dot.scales {
            data.scales = self
                .scales
                .each_ref()
                .map(|all| all.iter().map(|bits| bits & scales.format.mask()).collect());
        }
        Ok(data)
    }

    fn show(&self, dot: &Dot, text: &mut String) -> Result<()> {
        for place in 0..self.a.len() {
            if self.a[place] == 0 && self.b[place] == 0 {
                continue;
            }
            let (x, y) = (datum(dot.a, self.a[place]), datum(dot.b, self.b[place]));
            writeln!(text, "{place:<12} {}   ×   {}", dot.a.show(x), dot.b.show(y))?;
        }
        writeln!(text, "{:12} {}", "c", dot.c.show(self.c))?;
        if self.addend_scale > 0 {
            let (by, shown) = (self.addend_scale, dot.c.show(self.addend(dot)));
            writeln!(text, "{:12} {shown}", format!("c / 2^{by}"))?;
        }
        if let Some(scales) = dot.scales {
            for (name, all) in ["scale-a", "scale-b"].into_iter().zip(&self.scales) {
                let shown = |&bits: &u64| scales.format.show(bits & scales.format.mask()).decimal();
                writeln!(text, "{name:12} {}", all.iter().map(shown).collect::<Vec<_>>().join(", "))?;
            }
        }
        Ok(())
    }

    /// The addend as it is added.
    fn addend(&self, dot: &Dot) -> u64 {
        if self.addend_scale > 0 { divided(dot.c, self.c, self.addend_scale) } else { self.c }
    }

    /// What each generation gives, those together that do the same.
    fn computed(&self, variant: &MatrixVariant, truth: SumTruth, text: &mut String) -> Result<()> {
        let dot = variant.dot();
        let mut known: Vec<(Lowering, Vec<&str>)> = Vec::new();
        for &name in TARGETS {
            let target: Target = name.parse().context("the table has it")?;
            let Some(lowering) = Lowering::of(variant, target) else { continue };
            match known.iter_mut().find(|(other, _)| *other == lowering) {
                Some((_, targets)) => targets.push(name),
                None => known.push((lowering, vec![name])),
            }
        }
        for (lowering, targets) in known {
            let Some(lowered) = Lowered::new(*dot, lowering) else { continue };
            let result = lowered.compute_scaled(
                [&self.a, &self.b],
                self.addend(dot),
                self.scales.each_ref().map(Vec::as_slice),
            );
            let verdict = verdict(variant, &truth, result);
            writeln!(text, "\n{}: {}", targets.join(", "), sequence(lowering))?;
            if let Lowering::Unit(unit) = lowering {
                self.aligned(dot, unit, text)?;
            }
            writeln!(text, "{:12} {}{verdict}", "d", dot.d.show(result))?;
        }
        Ok(())
    }

    /// The terms of each group under each other.
    fn aligned(&self, dot: &Dot, unit: Unit, text: &mut String) -> Result<()> {
        let (group, product) = (unit.group as usize, DotProduct::new(unit, dot.a, dot.b, dot.d));
        if dot.c != dot.d {
            return Ok(());
        }
        for start in (0..self.a.len()).step_by(group) {
            let end = self.a.len().min(start + group);
            let addend = product.compute(&self.a[..start], &self.b[..start], self.addend(dot));
            let terms: Vec<(String, Term)> = (start..end)
                .map(|k| (k.to_string(), Term::product(dot, self.a[k], self.b[k])))
                .chain([(
                    (if start == 0 { "c" } else { "so far" }).to_owned(),
                    Term::number(dot.d, addend),
                )])
                .filter_map(|(name, term)| Some((name, term?)))
                .filter(|(_, term)| term.significand != 0)
                .collect();
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
