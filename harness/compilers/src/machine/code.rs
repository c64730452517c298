//! Reads from the listings of nvdisasm which floating-point operations stand in the machine code of a kernel, so that
//! they can be compared with those that a document promises.
//!
//! Nobody publishes what machine code does, so this module computes nothing. It reads names, and undoes the three
//! guises that the assembler gives an operation:
//!
//! - A fused product whose addend is the neutral zero counts as a product.
//! - A fused product with a factor of 1 counts as a sum.
//! - A fused product of two zero registers whose product is the neutral zero, such as `HFMA2 R5, -RZ, RZ, 1.875, 0`,
//!   moves its addend. A sum with the neutral zero, such as `FADD R5, -RZ, -R0`, moves its other operand, perhaps with
//!   another sign. A move counts as no operation, unless it flushes or clamps.
//!
//! The *neutral zero* of a sum is the zero that changes no addend, not even the zero of the other sign. It is −0, because
//! +0 + −0 is +0; and +0 in an operation that rounds down (`.RM`), because there +0 + −0 is −0. A fused product with one
//! zero factor is no move: it gives NaN if the other factor is infinite or NaN. A move also makes a signalling NaN
//! quiet, which these names do not show.

use std::collections::BTreeSet;
use std::fmt;

/// A floating-point operation of machine code: its name and its modifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeOperation {
    /// The operation's name, such as `FADD`.
    pub name: String,
    /// The operation's modifiers, such as `FTZ` and `RZ`, sorted, so that their order does not count. Those of `F2F`
    /// and `F2FP` keep the order of the listing. The same modifier may be there twice: both factors of `QMMA` have a
    /// format.
    pub modifiers: Vec<String>,
}

/// The set of floating-point operations of a kernel, each once however often it stands there.
pub type Operations = BTreeSet<CodeOperation>;

/// Names of floating-point arithmetic: operations of f32, f64, f16 and bf16, minimum and maximum among them,
/// conversions, and `MUFU`, which approximates functions such as the reciprocal. Products of matrices are not listed:
/// they are known by the end of their names, `MMA`.
const ARITHMETIC: [&str; 20] = [
    "FADD", "FMUL", "FFMA", "FMNMX", "FHADD", "FHFMA", "DADD", "DMUL", "DFMA", "DMNMX", "HADD2",
    "HMUL2", "HFMA2", "HMNMX2", "MUFU", "F2F", "F2FP", "FRND", "I2F", "F2I",
];
/// Names of products of integer matrices, which end with `MMA` as well.
const INTEGER_PRODUCTS: [&str; 5] = ["IMMA", "BMMA", "IGMMA", "BGMMA", "UTCIMMA"];
/// Modifiers that do not say what is computed: the unit that executes the operation, the halves of a register in which
/// numbers lie, and the reuse of a register. [`CodeOperation`] leaves them out.
const IGNORED_MODIFIERS: [&str; 7] =
    ["MMA", "PACK_AB", "PACK_B", "PACK_AB_MERGE_C", "UNPACK_B", "UNPACK_B_MERGE_C", "reuse"];

impl CodeOperation {
    /// Reads an operation from a text like `FADD.FTZ.RZ`. Leaves out the modifiers that do not say what is computed,
    /// and the ending `_V2` of others: `BF16_V2` becomes `BF16`.
    pub fn named(text: &str) -> CodeOperation {
        let mut words = text.split('.');
        let name = words.next().unwrap_or_default().to_owned();
        let meant = |word: &&str| !IGNORED_MODIFIERS.contains(word) && !is_shape(word);
        let mut modifiers: Vec<String> = words
            .filter(meant)
            .map(|word| word.strip_suffix("_V2").unwrap_or(word).to_owned())
            .collect();
        // In a conversion between floating-point formats, `F2F` or `F2FP`, the order of the modifiers says which format
        // is the result's.
        if !name.starts_with("F2F") {
            modifiers.sort_unstable();
        }
        CodeOperation { name, modifiers }
    }

    /// Whether the operation is floating-point arithmetic: one of the listed names, which may have a 2 behind it for
    /// two lanes, or a product of matrices. Comparisons and selections such as `FSETP` are not, but minimum and maximum
    /// are.
    fn is_arithmetic(&self) -> bool {
        let name = self.name.strip_suffix('2').unwrap_or(&self.name);
        let is_product = self.name.ends_with("MMA") && !INTEGER_PRODUCTS.contains(&&*self.name);
        is_product || [name, &self.name].iter().any(|name| ARITHMETIC.contains(name))
    }

    /// Returns the floating-point operation that an instruction computes, without its guise; `None` if the instruction
    /// is no floating-point arithmetic, or only moves a number.
    fn read(opcode: &str, operands: &str) -> Option<CodeOperation> {
        let mut operation = CodeOperation::named(opcode);
        if !operation.is_arithmetic() {
            return None;
        }
        let operands: Vec<&str> = operands.split(", ").map(plain_zero).collect();
        let (name, sources) = (operation.name.clone(), operands.get(1..).unwrap_or_default());
        let is_fused = ["FFMA", "DFMA", "HFMA2"].contains(&one_lane(&name));
        let is_sum = ["FADD", "FADD2", "DADD", "HADD2"].contains(&&*name);
        // An operation that flushes or clamps changes what it moves.
        let is_plain = !["FTZ", "SAT", "RELU"].iter().any(|modifier| operation.has(modifier));
        let neutral = if operation.has("RM") { "RZ" } else { "-RZ" };
        let to = |kind: &str| name.replace("FMA", kind);
        match sources {
            [first, second, ..]
                if is_fused && is_plain && product_of_zeros(first, second) == Some(neutral) =>
            {
                return None;
            }
            [.., last] if is_fused && *last == neutral => operation.name = to("MUL"),
            // `HFMA2` has a constant for each of its lanes.
            [_, "1", "1", _] | [_, "1", _] if is_fused => operation.name = to("ADD"),
            [first, second] if is_sum && is_plain && (*first == neutral || *second == neutral) => {
                return None;
            }
            _ => {}
        }
        Some(operation)
    }

    /// Whether the operation has a modifier, such as `FTZ`.
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|own| own == modifier)
    }
}

impl fmt::Display for CodeOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.modifiers.iter().try_for_each(|modifier| write!(f, ".{modifier}"))
    }
}

/// Returns the name of a fused product without the 2 that stands for two lanes: `FFMA` for `FFMA2`. Other names stay as
/// they are: `HFMA2` has no other name.
fn one_lane(name: &str) -> &str {
    if name == "FFMA2" { "FFMA" } else { name }
}

/// Returns `RZ` or `-RZ` for any spelling of a zero register: with a half or lanes behind it, as in `-RZ.H0_H0`, and the
/// uniform one, `URZ`. Any other operand is returned as it is.
fn plain_zero(operand: &str) -> &str {
    match operand.split('.').next() {
        Some("RZ" | "URZ") => "RZ",
        Some("-RZ" | "-URZ") => "-RZ",
        _ => operand,
    }
}

/// Returns the product of two operands, as a zero register with its sign; `None` if one of them is no zero register.
fn product_of_zeros(first: &str, second: &str) -> Option<&'static str> {
    match (first, second) {
        ("RZ", "RZ") | ("-RZ", "-RZ") => Some("RZ"),
        ("RZ", "-RZ") | ("-RZ", "RZ") => Some("-RZ"),
        _ => None,
    }
}

/// Whether a modifier is the size of a product of matrices, such as `16816` or `64x16x16`.
fn is_shape(word: &str) -> bool {
    word.len() > 2 && word.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads the operations of each kernel of a listing, with the kernel's name.
pub fn kernels(listing: &str) -> Vec<(String, Operations)> {
    let mut kernels: Vec<(String, Operations)> = Vec::new();
    for line in listing.lines() {
        if let Some((_, name)) =
            line.trim_end().split_once(".text.").filter(|(_, name)| name.ends_with(':'))
        {
            kernels.push((name.trim_end_matches(':').to_owned(), Operations::new()));
        } else if let Some(((_, operations), (opcode, operands))) =
            kernels.last_mut().zip(instruction(line))
        {
            operations.extend(CodeOperation::read(opcode, operands));
        }
    }
    kernels
}

/// Reads the opcode and the operands of a line such as `/*0090*/ @P0 FADD.FTZ R1, R2, R3 ;`; `None` of other lines.
fn instruction(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let (text, _) = rest.split_once(';')?;
    let text = text.trim();
    let text = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ')?.1.trim_start(),
        None => text,
    };
    Some(text.split_once(char::is_whitespace).map_or((text, ""), |(opcode, rest)| (opcode, rest.trim())))
}
