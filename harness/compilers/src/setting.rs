//! Names the options that decide what a source means, by one name in all compilers.

use std::fmt;

use anyhow::{Result, bail};

use super::language::Language;

/// An option that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Switch {
    /// Subnormal numbers of f32 are flushed to zero.
    Ftz,
    /// Divisions and reciprocals of f32 are rounded as IEEE 754 has it.
    PrecDiv,
    /// Square roots of f32 are rounded as IEEE 754 has it.
    PrecSqrt,
    /// Products and sums are contracted.
    Fma,
    /// All options that make f32 fast, and less exact, are on.
    FastMath,
    /// The optimiser is at work.
    Optimised,
    /// Subnormal results of f32 are flushed to zero, and operands are not; in LLVM's language alone.
    FtzResults,
    /// No operand and no result is NaN. Like [`Switch::Ninf`], [`Switch::Nsz`] and [`Switch::Arcp`], this is a flag of
    /// operations in LLVM's language and in NVIDIA's dialect of it.
    Nnan,
    /// No operand and no result is infinite.
    Ninf,
    /// The sign of a zero is insignificant.
    Nsz,
    /// The reciprocal of a divisor may be used.
    Arcp,
}

impl Switch {
    /// All switches.
    pub const ALL: [Switch; 11] = [
        Switch::Ftz,
        Switch::PrecDiv,
        Switch::PrecSqrt,
        Switch::Fma,
        Switch::FastMath,
        Switch::Optimised,
        Switch::FtzResults,
        Switch::Nnan,
        Switch::Ninf,
        Switch::Nsz,
        Switch::Arcp,
    ];

    /// The switches that are flags of an operation, which stand in the source.
    pub const FLAGS: [Switch; 4] = [Switch::Nnan, Switch::Ninf, Switch::Nsz, Switch::Arcp];

    /// Returns the switch's name in rows, on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Switch::Ftz => "ftz",
            Switch::PrecDiv => "prec-div",
            Switch::PrecSqrt => "prec-sqrt",
            Switch::Fma => "fma",
            Switch::FastMath => "fast-math",
            Switch::Optimised => "optimised",
            Switch::FtzResults => "ftz-results",
            Switch::Nnan => "nnan",
            Switch::Ninf => "ninf",
            Switch::Nsz => "nsz",
            Switch::Arcp => "arcp",
        }
    }

    /// Returns the switch of that name, if there is one.
    pub fn named(name: &str) -> Option<Switch> {
        Switch::ALL.into_iter().find(|switch| switch.name() == name)
    }
}

/// The switches that are on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Setting([bool; Switch::ALL.len()]);

impl Default for Setting {
    /// Returns the setting that compilers have by default: no flushing, and everything as IEEE 754 has it, except that
    /// products and sums are contracted.
    fn default() -> Setting {
        let mut on = [false; Switch::ALL.len()];
        for switch in [Switch::PrecDiv, Switch::PrecSqrt, Switch::Fma, Switch::Optimised] {
            on[switch as usize] = true;
        }
        Setting(on)
    }
}

impl Setting {
    /// Whether a switch is on. Fast mathematics turns other switches: "`--use_fast_math` implies `--ftz=true
    /// --prec-div=false --prec-sqrt=false --fmad=true`" (NVRTC's documentation of options).
    pub const fn has(self, switch: Switch) -> bool {
        let fast = self.0[Switch::FastMath as usize];
        match switch {
            Switch::Ftz | Switch::Fma if fast => true,
            Switch::PrecDiv | Switch::PrecSqrt if fast => false,
            _ => self.0[switch as usize],
        }
    }

    /// Returns the setting with a switch turned on or off.
    pub const fn with_switch(mut self, switch: Switch, on: bool) -> Setting {
        self.0[switch as usize] = on;
        self
    }

    /// Returns all settings that a compiler of a language has: every combination of the four switches that belong
    /// together (flushing, quotients, roots and contraction), and each of the other switches alone.
    pub fn all(language: Language) -> Vec<Setting> {
        let own = [Switch::Ftz, Switch::PrecDiv, Switch::PrecSqrt, Switch::Fma];
        let combined = (0..1 << own.len()).map(|bits: u32| {
            let turned = own.iter().enumerate();
            turned.fold(Setting::default(), |setting, (at, &switch)| {
                // A bit turns a switch away from its default, so the first setting is the default.
                let on = setting.has(switch) != (bits >> at & 1 == 1);
                setting.with_switch(switch, on)
            })
        });
        let other: &[(Switch, bool)] = match language {
            Language::Cuda => &[(Switch::Optimised, false), (Switch::FastMath, true)],
            Language::Nvvm => &[(Switch::Optimised, false)],
            Language::Llvm => &[(Switch::Optimised, false), (Switch::FtzResults, true)],
        };
        combined
            .chain(other.iter().map(|&(switch, on)| Setting::default().with_switch(switch, on)))
            .collect()
    }

    /// Returns those of some settings of which each of these words is true, such as `ftz` or `!prec-div`.
    ///
    /// # Errors
    /// If no setting is left; the message says which settings there are.
    pub fn matching(all: Vec<Setting>, words: &[String]) -> Result<Vec<Setting>> {
        let names: Vec<String> = all.iter().map(|setting| format!("`{setting}`")).collect();
        let has = |setting: &Setting| words.iter().all(|word| setting.is(word));
        let settings: Vec<Setting> = all.into_iter().filter(has).collect();
        if settings.is_empty() {
            bail!("--option selects none of the settings {}", names.join(", "));
        }
        Ok(settings)
    }

    /// Returns the switches that are turned otherwise in another setting.
    pub fn differences(self, other: Setting) -> Vec<Switch> {
        let differs = |switch: &Switch| self.0[*switch as usize] != other.0[*switch as usize];
        Switch::ALL.into_iter().filter(differs).collect()
    }

    /// Whether a word such as `ftz`, `!prec-div` or `default` is true of the setting. A switch that fast mathematics
    /// turns is neither on nor off by its own word.
    fn is(self, word: &str) -> bool {
        let (on, name) = word.strip_prefix('!').map_or((true, word), |name| (false, name));
        let is = |switch: Switch| self.0[switch as usize] == on && self.has(switch) == on;
        match name {
            "default" => (self == Setting::default()) == on,
            _ => Switch::named(name).is_some_and(is),
        }
    }

    /// Returns the setting as options of a compiler of a language. Where LLVM has no option, its sources say it:
    /// flushing, what may be contracted, and other flags of operations.
    pub fn options(self, language: Language) -> Vec<String> {
        let on = |switch| self.has(switch);
        let (yes_no, one_zero) =
            (|on: bool| if on { "true" } else { "false" }, |on: bool| if on { "1" } else { "0" });
        match language {
            Language::Cuda if on(Switch::FastMath) => vec!["--use_fast_math".into()],
            Language::Cuda => {
                let mut options = vec![
                    format!("--ftz={}", yes_no(on(Switch::Ftz))),
                    format!("--prec-div={}", yes_no(on(Switch::PrecDiv))),
                    format!("--prec-sqrt={}", yes_no(on(Switch::PrecSqrt))),
                    format!("--fmad={}", yes_no(on(Switch::Fma))),
                ];
                // "Focus only on the fastest compilation speed" (nvrtc.h); what is usual has no option.
                options.extend((!on(Switch::Optimised)).then(|| "--Ofast-compile=max".to_owned()));
                options
            }
            Language::Nvvm => vec![
                format!("-ftz={}", one_zero(on(Switch::Ftz))),
                format!("-prec-div={}", one_zero(on(Switch::PrecDiv))),
                format!("-prec-sqrt={}", one_zero(on(Switch::PrecSqrt))),
                format!("-fma={}", one_zero(on(Switch::Fma))),
                format!("-opt={}", if on(Switch::Optimised) { "3" } else { "0" }),
            ],
            Language::Llvm => vec![
                // Of the levels that LLVM has for quotients, 2 is `div.rn`, 1 is `div.full` and 0 is `div.approx`.
                format!("-nvptx-prec-divf32={}", if on(Switch::PrecDiv) { "2" } else { "1" }),
                format!("-nvptx-prec-sqrtf32={}", one_zero(on(Switch::PrecSqrt))),
                format!("-O{}", if on(Switch::Optimised) { "3" } else { "0" }),
            ],
        }
    }
}

impl fmt::Display for Setting {
    /// Writes the switches that are not as by default, such as `ftz !prec-div`, or `default` if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Setting::default();
        let turned = Switch::ALL.into_iter().filter(|&s| self.0[s as usize] != usual.0[s as usize]);
        let words: Vec<String> = turned
            .map(|s| format!("{}{}", if self.0[s as usize] { "" } else { "!" }, s.name()))
            .collect();
        f.write_str(if words.is_empty() { "default" } else { "" })?;
        f.write_str(&words.join(" "))
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Setting({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_by_what_is_unusual() {
        let usual = Setting::default();
        assert_eq!(usual.to_string(), "default");
        assert_eq!(
            usual.with_switch(Switch::Ftz, true).with_switch(Switch::PrecDiv, false).to_string(),
            "ftz !prec-div"
        );
        let fast = usual.with_switch(Switch::FastMath, true);
        assert!(fast.has(Switch::Ftz) && !fast.has(Switch::PrecDiv) && fast.to_string() == "fast-math");
        for language in [Language::Cuda, Language::Nvvm, Language::Llvm] {
            let all = Setting::all(language);
            let distinct: std::collections::HashSet<_> =
                all.iter().map(|setting| setting.to_string()).collect();
            let count = if language == Language::Nvvm { 17 } else { 18 };
            assert_eq!((all.len(), distinct.len()), (count, count));
            assert_eq!(all[0], usual);
        }
    }

    #[test]
    fn settings_are_selected_by_what_is_on_and_off() {
        let of = |words: &[&str]| -> Vec<String> {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let settings = Setting::matching(Setting::all(Language::Cuda), &words);
            settings.unwrap().iter().map(Setting::to_string).collect()
        };
        assert_eq!(of(&["default"]), ["default"]);
        assert_eq!(of(&["!ftz", "prec-div", "prec-sqrt"]), ["default", "!fma", "!optimised"]);
        // Fast mathematics flushes, but not by the word `ftz`.
        assert_eq!(of(&["fast-math"]), ["fast-math"]);
        assert_eq!(of(&["ftz"]).len(), 8);
        assert!(Setting::matching(Setting::all(Language::Llvm), &["fast-math".into()]).is_err());
    }
}
