//! The settings of the driver, as the environment variable `FAKE_DRIVER` has them: `devices=2;ptx=8.4;flickers`.
//!
//! A setting is written as its field is named here, with `-` for `_`. A setting of type `bool` is its name alone, and any
//! other is `NAME=VALUE`. Settings are separated by `;`. A setting that is not written has its default.

use std::str::FromStr;

use isa::PtxVersion;

/// The properties of a driver and of its devices, and the faults that it has on purpose; by default it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverSettings {
    /// The number of devices, all alike; 1 by default.
    pub devices: i32,
    /// The compute capability of all devices, times ten; 90 by default.
    pub capability: u16,
    /// The newest version of PTX that is read; 9.0 by default.
    pub ptx: PtxVersion,
    /// Whether devices cannot be opened.
    pub closed: bool,
    /// A text: modules that contain it are refused.
    pub refuses: Option<String>,
    /// Whether a refusal of a module says no more than that the error is unknown.
    pub silent: bool,
    /// A text: the process ends when a module that contains it is loaded.
    pub dies: Option<String>,
    /// The spelling of an instruction, with all modifiers: kernels that have it are not started, and all others are.
    pub fails: Option<String>,
    /// The spelling of an instruction, with all modifiers: the process ends when a kernel that has it runs.
    pub dies_at_launch: Option<String>,
    /// The spelling of an instruction, with all modifiers: kernels that have it do nothing.
    pub leaves: Option<String>,
    /// The number of a call that loads a module, counted from 0 over all devices: this call finds the device lost, and so
    /// do all later ones.
    pub lost_at_load: Option<usize>,
    /// The number of a call that starts a kernel, counted from 0 over all devices: this kernel finds the device lost, and
    /// so do all later ones.
    pub lost_at_launch: Option<usize>,
    /// The number of a call that starts a kernel, counted from 0 over all devices: this kernel never ends.
    pub hangs_at_launch: Option<usize>,
    /// Whether thread 3 of each warp has another result in every second kernel.
    pub flickers: bool,
    /// The spelling of an instruction, with all modifiers. It gives a wrong result where the last five bits of the
    /// sources add up to 21. A matrix instruction gives the wrong result in row 1 and column 2, counted from 0.
    pub wrong: Option<String>,
    /// Whether the last thread of each kernel's first block does not run.
    pub skips: bool,
}

impl Default for DriverSettings {
    fn default() -> DriverSettings {
        DriverSettings {
            devices: 1,
            capability: 90,
            ptx: "9.0".parse().expect("a version"),
            closed: false,
            refuses: None,
            silent: false,
            dies: None,
            fails: None,
            dies_at_launch: None,
            leaves: None,
            lost_at_load: None,
            lost_at_launch: None,
            hangs_at_launch: None,
            flickers: false,
            wrong: None,
            skips: false,
        }
    }
}

impl DriverSettings {
    /// Reads the settings of this process from the environment.
    ///
    /// # Panics
    /// If `FAKE_DRIVER` has a setting that does not exist, or one whose value cannot be read.
    pub fn of_environment() -> DriverSettings {
        let text = std::env::var("FAKE_DRIVER").unwrap_or_default();
        DriverSettings::read(&text).unwrap_or_else(|error| panic!("FAKE_DRIVER: {error}"))
    }

    /// Reads settings from a text such as `devices=2;flickers`.
    ///
    /// # Errors
    /// If there is no setting of a name, or if its value is missing, is too much or cannot be read.
    fn read(text: &str) -> Result<DriverSettings, String> {
        let mut settings = DriverSettings::default();
        for word in text.split(';').filter(|word| !word.is_empty()) {
            let setting = match word.split_once('=') {
                Some((name, value)) => Setting { name, value: Some(value) },
                None => Setting { name: word, value: None },
            };
            match setting.name {
                "devices" => settings.devices = setting.parsed()?,
                "capability" => settings.capability = setting.parsed()?,
                "ptx" => settings.ptx = setting.parsed()?,
                "closed" => settings.closed = setting.is_set()?,
                "refuses" => settings.refuses = Some(setting.parsed()?),
                "silent" => settings.silent = setting.is_set()?,
                "dies" => settings.dies = Some(setting.parsed()?),
                "fails" => settings.fails = Some(setting.parsed()?),
                "dies-at-launch" => settings.dies_at_launch = Some(setting.parsed()?),
                "leaves" => settings.leaves = Some(setting.parsed()?),
                "lost-at-load" => settings.lost_at_load = Some(setting.parsed()?),
                "lost-at-launch" => settings.lost_at_launch = Some(setting.parsed()?),
                "hangs-at-launch" => settings.hangs_at_launch = Some(setting.parsed()?),
                "flickers" => settings.flickers = setting.is_set()?,
                "wrong" => settings.wrong = Some(setting.parsed()?),
                "skips" => settings.skips = setting.is_set()?,
                name => return Err(format!("there is no setting `{name}`")),
            }
        }
        Ok(settings)
    }
}

/// A setting as it is written: `name`, or `name=value`.
struct Setting<'a> {
    name: &'a str,
    value: Option<&'a str>,
}

impl Setting<'_> {
    /// Returns the value, which must be there.
    ///
    /// # Errors
    /// If the value is missing, empty or not of the setting's type.
    fn parsed<T: FromStr>(&self) -> Result<T, String> {
        let Setting { name, value } = self;
        let value = value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| format!("the setting `{name}` needs a value: write `{name}=VALUE`"))?;
        value.parse().map_err(|_| format!("`{value}` is no value of the setting `{name}`"))
    }

    /// Returns that a setting without a value is set.
    ///
    /// # Errors
    /// If the setting has a value.
    fn is_set(&self) -> Result<bool, String> {
        match self.value {
            None => Ok(true),
            Some(_) => Err(format!("the setting `{0}` has no value: write `{0}` alone", self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_sets_what_it_names_and_nothing_else() {
        assert_eq!(DriverSettings::read(""), Ok(DriverSettings::default()));
        let expected = DriverSettings {
            devices: 2,
            ptx: "8.4".parse().unwrap(),
            wrong: Some("add.f32".into()),
            lost_at_load: Some(0),
            flickers: true,
            ..DriverSettings::default()
        };
        let text = "devices=2;ptx=8.4;;wrong=add.f32;lost-at-load=0;flickers";
        assert_eq!(DriverSettings::read(text), Ok(expected));
    }

    #[test]
    fn an_error_says_which_setting_is_wrong_and_how() {
        let cases = [
            ("device=2", "there is no setting `device`"),
            ("refuses", "the setting `refuses` needs a value: write `refuses=VALUE`"),
            ("dies=", "the setting `dies` needs a value: write `dies=VALUE`"),
            ("capability=9.0", "`9.0` is no value of the setting `capability`"),
            ("devices=2;skips=1", "the setting `skips` has no value: write `skips` alone"),
        ];
        for (text, error) in cases {
            assert_eq!(DriverSettings::read(text), Err(error.to_owned()));
        }
    }
}
