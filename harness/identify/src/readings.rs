//! The readings of a sum's widths: what answers tell of them, and the same in words.

use std::fmt;

use formats::Format;

/// The readings from answers, each where operands can show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// Number of fraction bits that are kept behind the largest exponent.
    pub fraction_bits: Option<u32>,
    /// Number of fraction bits that are kept at least, where no operands reach the last of them.
    pub at_least: Option<u32>,
    /// Whether a block that cancels keeps the exponent of its scales.
    pub block_keeps: Option<bool>,
    /// The treatment of bits behind those that are kept.
    pub rest: Option<Rest>,
    /// Whether products are aligned by their own exponents, not by the exponents of their operands.
    pub normalised: Option<bool>,
    /// Number of fraction bits of the result.
    pub result_bits: Option<u32>,
    /// The rounding of the sum.
    pub rounding: Option<NumberRounding>,
    /// The exponent that zeros have in the alignment.
    pub zero_exponent: Option<i32>,
    /// Whether a subnormal addend counts.
    pub addend_kept: Option<bool>,
    /// Whether a subnormal operand of a product counts.
    pub operand_kept: Option<bool>,
    /// The bits of a NaN.
    pub nan: Option<u64>,
    /// The bits of a sum of −0 and nothing else.
    pub negative_zero: Option<u64>,
}

/// The treatment of bits that a sum has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Cut,
    Floored,
    Rounded,
    Ceiled,
}

/// The rounding of a number that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRounding {
    TowardZero,
    NearestEven,
    NearestAway,
    Down,
    Up,
}

impl Readings {
    /// Describes the readings in words, a line for each.
    pub fn lines(&self, d: &Format) -> Vec<String> {
        let mut lines = Vec::new();
        let mut say = |text: Option<String>| lines.extend(text);
        say(self.fraction_bits.map(|bits| format!("{bits} fraction bits")));
        let least = self.at_least.filter(|_| self.fraction_bits.is_none());
        say(least.map(|bits| format!("at least {bits} fraction bits")));
        say(self.rest.map(|rest| rest.to_string()));
        say(self.block_keeps.map(|keeps| {
            let keeps = if keeps { "keeps" } else { "loses" };
            format!("a block that cancels {keeps} its exponent")
        }));
        say(self.normalised.filter(|normalised| *normalised).map(|_| "products normalised".into()));
        say(self.rounding.map(|rounding| format!("sum {rounding}")));
        say(self
            .result_bits
            .filter(|bits| *bits != d.trailing_bits)
            .map(|bits| format!("{bits} fraction bits of it kept")));
        say(self.zero_exponent.map(|exponent| format!("zeros at 2^{exponent}")));
        let flushed = |kept: Option<bool>, what: &str| {
            kept.filter(|kept| !kept).map(|_| format!("{what} flushed"))
        };
        say(flushed(self.addend_kept, "subnormal addends"));
        say(flushed(self.operand_kept, "subnormal operands"));
        say(self
            .nan
            .filter(|bits| *bits != d.canonical_nan())
            .map(|bits| format!("NaN {}", d.show(bits).hex())));
        say(self.nan.is_none().then(|| "NaN is lost".into()));
        say(self
            .negative_zero
            .filter(|bits| *bits != 0)
            .map(|bits| format!("−0 becomes {}", d.show(bits).hex())));
        lines
    }
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rest::Cut => "the rest cut off toward zero",
            Rest::Floored => "the rest cut off downward",
            Rest::Ceiled => "the rest cut off upward",
            Rest::Rounded => "the rest rounded",
        })
    }
}

impl fmt::Display for NumberRounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NumberRounding::TowardZero => "rounded toward zero",
            NumberRounding::NearestEven => "rounded to nearest even",
            NumberRounding::NearestAway => "rounded to nearest, ties away",
            NumberRounding::Down => "rounded down",
            NumberRounding::Up => "rounded up",
        })
    }
}
