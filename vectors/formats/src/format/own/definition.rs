//! Definitions of formats as users write them, such as `mine=e5m10,bias=15,nan=all-ones`.

use std::fmt;
use std::str::FromStr;

use crate::{Format, FormatId, Scale, Specials};

/// Number of bits of the widest format that may be defined.
const WIDTH_MAX: u32 = 16;
/// Number of letters and digits of the longest name.
const NAME_MAX: usize = 24;
/// Number of bytes of the longest definition.
const TEXT_MAX: usize = 200;

/// The way in which definitions are written, in one sentence for messages.
pub const DEFINITION_HELP: &str = "write NAME=eXmY, with X exponent and Y significand bits, or NAME=ueXmY without a \
     sign, and after commas bias=N, nan=ieee|all-ones|negative-zero|none, infinity=yes|no and negative-zero=yes|no: \
     mine=e5m10,bias=15,nan=ieee";

/// A format as a user defines it: of at most 16 bits, with one of the rules for what is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    name: String,
    scale: Scale,
    signed: bool,
    exponent_bits: u32,
    trailing_bits: u32,
    bias: i32,
    specials: Specials,
}

/// Error of a definition that cannot be used, which says what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError(String);

impl DefinitionError {
    pub(super) fn new(words: impl Into<String>) -> DefinitionError {
        DefinitionError(words.into())
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DefinitionError {}

/// The rules for what is no number: how each is written, the rule, and whether the format has infinities and −0.
const RULES: [(&str, Specials, bool, bool); 4] = [
    ("ieee", Specials::Ieee, true, true),
    ("all-ones", Specials::NanAllOnes, false, true),
    ("negative-zero", Specials::NanNegativeZero, false, false),
    ("none", Specials::None, false, true),
];

impl Definition {
    /// Returns the name of the format, which stands in the names of its casts.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the definition without the name, such as `e5m10,bias=15,nan=ieee`.
    pub fn encoding(&self) -> String {
        let Definition { exponent_bits, trailing_bits, bias, .. } = self;
        let sign = if self.signed { "" } else { "u" };
        let rule = RULES.iter().find(|(_, specials, ..)| *specials == self.specials);
        let (nan, ..) = rule.expect("every rule has a row");
        format!("{sign}e{exponent_bits}m{trailing_bits},bias={bias},nan={nan}")
    }

    /// Returns the error of a definition whose name is taken; `whose` says by what.
    pub fn taken(&self, whose: &str) -> DefinitionError {
        let (name, encoding) = (&self.name, self.encoding());
        DefinitionError(format!(
            "the name `{name}` is that of {whose}: write another one before the definition, as in \
             my{name}={encoding}"
        ))
    }

    /// Returns the definition of a format that was defined.
    pub fn of(format: &Format) -> Definition {
        Definition {
            name: format.name.into(),
            scale: format.scale,
            signed: format.signed,
            exponent_bits: format.exponent_bits,
            trailing_bits: format.trailing_bits,
            bias: format.bias,
            specials: format.specials,
        }
    }

    /// Makes the format, whose name lives as long as the process.
    pub(super) fn format(&self, id: FormatId) -> Format {
        let name = Box::leak(self.name.clone().into_boxed_str());
        let bits = (self.exponent_bits, self.trailing_bits, self.bias);
        Format::with_exponent((id, name), (self.scale, self.signed), bits, self.specials)
    }

    /// Checks that every part of the suite can compute with the format.
    fn checked(self) -> Result<Definition, DefinitionError> {
        let Definition { exponent_bits, trailing_bits, bias, signed, .. } = self;
        let encoding = self.encoding();
        let refuse = |words: String| Err(DefinitionError(format!("`{encoding}`: {words}")));
        let width = u32::from(signed) + exponent_bits + trailing_bits;
        if width > WIDTH_MAX {
            return refuse(format!("the format has {width} bits, and {WIDTH_MAX} are the most"));
        }
        if exponent_bits < 2 || trailing_bits == 0 && signed {
            return refuse(
                "write at least e2m1, or ue2m0 for powers of two without a sign: a format needs two \
                 exponent bits, and a significand bit if it has a sign"
                    .into(),
            );
        }
        match self.specials {
            Specials::Ieee if trailing_bits == 0 => {
                return refuse(
                    "without significand bits there is room for one NaN and no infinity: write \
                     nan=all-ones or nan=none"
                        .into(),
                );
            }
            Specials::NanNegativeZero if !signed => {
                return refuse("without a sign there is no -0: write nan=all-ones or nan=none".into());
            }
            _ => {}
        }
        let format = Format::with_exponent(
            (FormatId::Own(0), ""),
            (self.scale, signed),
            (exponent_bits, trailing_bits, bias),
            self.specials,
        );
        // The number 1 is among the operands that sweeps are made of, and f64 holds all numbers of a format.
        let lowest = if self.scale == Scale::Power { 0 } else { 1 };
        let highest = (format.max_finite() >> trailing_bits) as i32;
        if !(lowest..=highest).contains(&bias) {
            return refuse(format!(
                "1 is no normal number of the format with a bias of {bias}: write a bias from {lowest} to \
                 {highest}"
            ));
        }
        if format.exponent_of_lsb() < -1022 || format.exponent_max() > 1023 {
            return refuse(
                "its smallest or largest number is none of f64: write at most 10 exponent bits, and a bias \
                 nearer to the middle"
                    .into(),
            );
        }
        Ok(self)
    }
}

/// Writes the whole definition, as [`Definition::from_str`] reads it.
impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.encoding())
    }
}

/// Reads `eXmY` or `ueXmY`: whether there is a sign, the exponent bits and the significand bits.
fn read_fields(text: &str) -> Option<(bool, u32, u32)> {
    let (signed, fields) = match text.strip_prefix('u') {
        Some(fields) => (false, fields),
        None => (true, text),
    };
    let (exponent, significand) = fields.strip_prefix('e')?.split_once('m')?;
    let bits = |digits: &str| {
        let is_number = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    Some((signed, bits(exponent)?, bits(significand)?))
}

/// Returns the name of a format that was given none: its fields, and a suffix for each thing that differs from IEEE 754.
fn derived_name(signed: bool, fields: (u32, u32), bias: Option<i32>, nan: &str) -> String {
    let sign = if signed { "" } else { "u" };
    let bias = bias.map_or(String::new(), |bias| format!("b{bias}"));
    let rule = match nan {
        "all-ones" => "fn",
        "negative-zero" => "fnuz",
        "none" => "finite",
        _ => "",
    };
    format!("{sign}e{}m{}{bias}{rule}", fields.0, fields.1)
}

impl FromStr for Definition {
    type Err = DefinitionError;

    fn from_str(text: &str) -> Result<Definition, DefinitionError> {
        let shown: String = text.chars().take(TEXT_MAX).collect();
        let refuse = |words: String| {
            DefinitionError(format!("`{shown}` is no format: {words}; {DEFINITION_HELP}"))
        };
        if text.len() > TEXT_MAX {
            return Err(refuse(format!("it has more than {TEXT_MAX} bytes")));
        }
        let mut words = text.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        let (name, fields) = match first.split_once('=') {
            Some((name, fields)) => (Some(name.trim()), fields.trim()),
            None => (None, first),
        };
        let Some((signed, exponent_bits, trailing_bits)) = read_fields(fields) else {
            return Err(refuse(format!("`{fields}` says no exponent and significand bits")));
        };
        let (mut bias, mut nan, mut infinity, mut negative_zero) = (None, None, None, None);
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, "yes"));
            let (key, value) = (key.trim(), value.trim());
            let yes = match value {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            };
            let known = match key {
                "bias" if bias.is_none() => {
                    bias = value.parse::<u16>().ok().map(i32::from);
                    bias.is_some()
                }
                "nan" if nan.is_none() => {
                    nan = RULES.iter().find(|(word, ..)| *word == value);
                    nan.is_some()
                }
                "infinity" if infinity.is_none() => {
                    infinity = yes;
                    yes.is_some()
                }
                "negative-zero" if negative_zero.is_none() => {
                    negative_zero = yes;
                    yes.is_some()
                }
                _ => false,
            };
            if !known {
                return Err(refuse(format!("`{word}` is none of its words, or stands there twice")));
            }
        }
        // Without a word about NaN, the others may leave one rule.
        let fits = |(_, _, has_infinity, has_zero): &&(&str, Specials, bool, bool)| {
            infinity.is_none_or(|yes| yes == *has_infinity)
                && negative_zero.is_none_or(|yes| yes == *has_zero)
        };
        let rule = match nan {
            Some(rule) => fits(&rule).then_some(rule),
            None if infinity == Some(false) && negative_zero != Some(false) => {
                return Err(refuse(
                    "without infinity, write which NaN it has: nan=all-ones or nan=none".into(),
                ));
            }
            None => RULES.iter().find(fits),
        };
        let Some((nan, specials, ..)) = rule else {
            return Err(refuse(
                "no rule has these together: nan=ieee has infinities and -0, nan=all-ones and nan=none have -0 \
                 alone, and nan=negative-zero has neither"
                    .into(),
            ));
        };
        let usual = if exponent_bits == 0 { 0 } else { (1 << (exponent_bits.min(16) - 1)) - 1 };
        let unusual = bias.filter(|bias| *bias != usual);
        let name = match name {
            Some(name) => name.to_owned(),
            None => derived_name(signed, (exponent_bits, trailing_bits), unusual, nan),
        };
        let is_name = name.len() <= NAME_MAX
            && name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if !is_name {
            return Err(refuse(format!(
                "a name has at most {NAME_MAX} lowercase letters and digits, and begins with a letter"
            )));
        }
        let scale = if trailing_bits == 0 { Scale::Power } else { Scale::Floating };
        let bias = bias.unwrap_or(usual);
        Definition { name, scale, signed, exponent_bits, trailing_bits, bias, specials: *specials }
            .checked()
    }
}
