//! PTX versions and target architectures: their names, their order, and which targets may use what.

use std::fmt;
use std::str::FromStr;

/// A version of the PTX ISA, such as 8.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    /// The number before the dot.
    pub major: u8,
    /// The number after the dot.
    pub minor: u8,
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// An error for text that is no PTX version or no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The text is not written like what it should be.
    #[error("`{text}` is not a {what}; write it like `{example}`")]
    Unreadable {
        /// The text as given.
        text: String,
        /// The name of what the text should be, for the message.
        what: &'static str,
        /// An example of how that is written.
        example: &'static str,
    },
    /// The text is written like a target, and there is no target of that name.
    #[error("there is no target `{text}`; the nearest: {nearest}")]
    NoTarget {
        /// The text as given.
        text: String,
        /// The known targets of the same number, or of the numbers next to it.
        nearest: String,
    },
}

impl FromStr for PtxVersion {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<PtxVersion, ParseError> {
        text.split_once('.')
            .and_then(|(major, minor)| {
                Some(PtxVersion { major: major.parse().ok()?, minor: minor.parse().ok()? })
            })
            .ok_or_else(|| ParseError::Unreadable {
                text: text.into(),
                what: "PTX version",
                example: "8.6",
            })
    }
}

/// The set of features that a target has beyond its generation's (PTX ISA, `.target`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Features {
    /// `sm_90`: the features that every later generation keeps.
    Baseline,
    /// `sm_100f`: the features of the target's family.
    Family,
    /// `sm_90a`: the features of this architecture alone.
    Architecture,
}

/// A target architecture, such as `sm_90` or `sm_100a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The compute capability times ten: 90 for `sm_90`.
    pub number: u16,
    /// The features that the letter behind the number stands for.
    pub features: Features,
}

/// Returns the target `sm_<number>`.
pub const fn sm(number: u16) -> Target {
    Target { number, features: Features::Baseline }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.features {
            Features::Baseline => "",
            Features::Family => "f",
            Features::Architecture => "a",
        };
        write!(f, "sm_{}{letter}", self.number)
    }
}

impl FromStr for Target {
    type Err = ParseError;

    /// Reads the name of a known target.
    ///
    /// # Errors
    /// [`ParseError::Unreadable`] where the text is not written like a target, [`ParseError::NoTarget`] where none has
    /// that name.
    fn from_str(text: &str) -> Result<Target, ParseError> {
        let Some(target) = Target::read(text) else {
            return Err(ParseError::Unreadable { text: text.into(), what: "target", example: "sm_90" });
        };
        if Target::all().any(|(known, _)| known == target) {
            return Ok(target);
        }
        let numbers = || Target::all().map(|(known, _)| known.number);
        let below = numbers().filter(|&number| number <= target.number).max();
        let above = numbers().filter(|&number| number > target.number).min();
        // A number that exists lacks only the letter: the nearest are all its targets.
        let near = |number: u16| match below == Some(target.number) {
            true => number == target.number,
            false => [below, above].contains(&Some(number)),
        };
        let mut nearest: Vec<Target> =
            Target::all().map(|(known, _)| known).filter(|known| near(known.number)).collect();
        nearest.sort_unstable();
        let nearest: Vec<String> = nearest.iter().map(|known| format!("`{known}`")).collect();
        Err(ParseError::NoTarget { text: text.into(), nearest: nearest.join(", ") })
    }
}

/// The PTX versions, each with the targets that it brought. ptxas 13.5.37 accepts exactly these; the manual has `sm_70`
/// from 6.0.
const TARGETS: &[(&str, &str)] = &[
    ("2.0", "sm_20"),
    ("3.0", "sm_30"),
    ("3.1", "sm_35"),
    ("4.0", "sm_32 sm_50"),
    ("4.1", "sm_37 sm_52"),
    ("4.2", "sm_53"),
    ("5.0", "sm_60 sm_61 sm_62"),
    ("5.1", "sm_70"),
    ("6.1", "sm_72"),
    ("6.3", "sm_75"),
    ("7.0", "sm_80"),
    ("7.1", "sm_86"),
    ("7.4", "sm_87"),
    ("7.8", "sm_89 sm_90"),
    ("8.0", "sm_90a"),
    ("8.6", "sm_100 sm_100a sm_101 sm_101a"),
    ("8.7", "sm_120 sm_120a"),
    ("8.8", "sm_100f sm_101f sm_103 sm_103a sm_103f sm_120f sm_121 sm_121a sm_121f"),
    ("9.0", "sm_88 sm_110 sm_110a sm_110f"),
    ("9.4", "sm_107 sm_107a sm_107f"),
];

/// The version and targets with which a form became available. The table's first version and target are a floor: a form
/// that has them may be older.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Since {
    /// The first PTX version that has the form on these targets.
    pub ptx: PtxVersion,
    /// The targets that have the form; [`Target::offers`] says which other targets follow from each.
    pub targets: Vec<Target>,
}

impl FromStr for Since {
    type Err = ParseError;

    /// Reads a PTX version with its targets, as in `8.6 sm_100a,sm_120a`.
    fn from_str(text: &str) -> Result<Since, ParseError> {
        let unreadable = || ParseError::Unreadable {
            text: text.into(),
            what: "version with targets",
            example: "8.6 sm_100a,sm_120a",
        };
        let (ptx, targets) = text.split_once(' ').ok_or_else(unreadable)?;
        let targets: Result<_, _> = targets.split(',').map(str::parse).collect();
        Ok(Since { ptx: ptx.parse()?, targets: targets? })
    }
}

impl Target {
    /// Reads text that is written like a target, whether or not there is such a target.
    fn read(text: &str) -> Option<Target> {
        let rest = text.strip_prefix("sm_")?;
        let (digits, features) = match rest.strip_suffix('a') {
            Some(digits) => (digits, Features::Architecture),
            None => match rest.strip_suffix('f') {
                Some(digits) => (digits, Features::Family),
                None => (rest, Features::Baseline),
            },
        };
        let plain = (2..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| plain && !digits.starts_with('0'))?;
        Some(Target { number, features })
    }

    /// Whether a module for this target may use what exists since `first` (PTX ISA, `.target`). From a plain `first`
    /// on, every later target may; from a family's, the family's later members with family or architecture features;
    /// from an architecture's, that architecture alone.
    pub fn offers(self, first: Target) -> bool {
        let [number, since] = [self, first].map(Target::generation);
        match first.features {
            Features::Baseline => number >= since,
            Features::Family => {
                // The members of a family differ in the last digit alone.
                self.features != Features::Baseline && number >= since && number / 10 == since / 10
            }
            Features::Architecture => (number, self.features) == (since, first.features),
        }
    }

    /// Returns the number by which targets compare: `sm_101` was renamed to `sm_110` in PTX 9.0.
    const fn generation(self) -> u16 {
        if self.number == 101 { 110 } else { self.number }
    }

    /// Returns the first PTX version that has the target; `None` where no version has.
    pub fn since(self) -> Option<PtxVersion> {
        Target::all().find(|&(known, _)| known == self).map(|(_, since)| since)
    }

    /// Returns every target from `sm_20` on that NVIDIA's assembler knows, each with the first PTX version that has it.
    pub fn all() -> impl Iterator<Item = (Target, PtxVersion)> {
        TARGETS.iter().flat_map(|(version, names)| {
            let version = version.parse().expect("the table's versions are such");
            names.split(' ').map(move |name| (Target::read(name).expect("a target"), version))
        })
    }
}

impl PtxVersion {
    /// The oldest version in the table: the first that has a target which NVIDIA's assembler still knows.
    pub const OLDEST: PtxVersion = PtxVersion { major: 2, minor: 0 };
}

impl Since {
    /// Whether the form may be older than the row says, since the table does not look further back.
    pub fn is_floor(&self) -> bool {
        self.ptx == PtxVersion::OLDEST
    }

    /// Whether a module for `target` in PTX version `ptx` may use the form; `None` stands for any.
    pub fn covers(&self, target: Option<Target>, ptx: Option<PtxVersion>) -> bool {
        target.is_none_or(|target| self.targets.iter().any(|&first| target.offers(first)))
            && ptx.is_none_or(|ptx| ptx >= self.ptx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_targets_are_ordered_families_share_and_architectures_stand_alone() {
        let offers =
            |target: &str, first: &str| target.parse::<Target>().unwrap().offers(first.parse().unwrap());
        for (target, first, expected) in [
            ("sm_90a", "sm_90", true),
            ("sm_89", "sm_90", false),
            ("sm_103f", "sm_100f", true),
            ("sm_107a", "sm_100f", true),
            ("sm_103", "sm_100f", false),
            ("sm_120f", "sm_100f", false),
            ("sm_101a", "sm_110f", true),
            ("sm_101a", "sm_110a", true),
            ("sm_101a", "sm_101a", true),
            ("sm_103a", "sm_100a", false),
        ] {
            assert_eq!(offers(target, first), expected, "{target} {first}");
        }
        assert_eq!(Target::all().count(), 42);
        assert_eq!(Target::all().map(|(_, since)| since).min(), Some(PtxVersion::OLDEST));
    }

    #[test]
    fn targets_read_back_as_they_print() {
        for text in ["sm_53", "sm_90", "sm_90a", "sm_100f", "sm_121a"] {
            assert_eq!(text.parse::<Target>().unwrap().to_string(), text);
        }
        for text in ["sm90", "sm_", "sm_9", "sm_+90", "sm_90x", "compute_90", ""] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
        for (text, nearest) in [
            ("sm_55", "`sm_53`, `sm_60`"),
            ("sm_90f", "`sm_90`, `sm_90a`"),
            ("sm_13", "`sm_20`"),
            ("sm_999", "`sm_121`, `sm_121f`, `sm_121a`"),
        ] {
            let error = text.parse::<Target>().unwrap_err().to_string();
            assert_eq!(error, format!("there is no target `{text}`; the nearest: {nearest}"));
        }
        assert_eq!("8.10".parse::<PtxVersion>().unwrap(), PtxVersion { major: 8, minor: 10 });
        assert!("8".parse::<PtxVersion>().is_err());
        assert!("8.6".parse::<Since>().is_err() && "8.6 sm_x".parse::<Since>().is_err());
    }
}
