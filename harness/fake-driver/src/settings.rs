//! The settings of the driver, as the environment has them: `FAKE_DRIVER='devices=2;ptx=8.4;flickers'`.

use std::str::FromStr;

use isa::PtxVersion;

/// The properties of a driver and of its devices, and what is wrong with them.
#[derive(Clone, Debug)]
pub struct DriverSettings {
    /// The number of devices, all alike.
    pub devices: i32,
    /// The compute capability of all devices, times ten.
    pub capability: u16,
    /// The newest version of PTX that is read.
    pub ptx: PtxVersion,
    /// Whether devices cannot be opened.
    pub closed: bool,
    /// A text: modules that contain it are refused.
    pub refuses: Option<String>,
    /// Whether a refusal of a module says no more than that the error is unknown.
    pub silent: bool,
    /// A text: modules that contain it end the process.
    pub dies: Option<String>,
    /// The name of an instruction: kernels that have it are not started, and all others are.
    pub fails: Option<String>,
    /// The name of an instruction: kernels that have it end the process when they are run.
    pub dies_at_launch: Option<String>,
    /// The name of an instruction: kernels that have it do nothing.
    pub leaves: Option<String>,
    /// The number of a call to load a module, which finds the device lost; it stays lost.
    pub lost_at_load: Option<usize>,
    /// The number of a kernel that was called, which finds the device lost; it stays lost.
    pub lost_at_launch: Option<usize>,
    /// The number of a kernel that never ends.
    pub hangs_at_launch: Option<usize>,
    /// Whether thread 3 of each warp has another result in every second kernel.
    pub flickers: bool,
    /// The name of an instruction that gives a wrong result where the last five bits of the sources add up to 21. An
    /// instruction of matrices gives it in row 1 and column 2, counted from 0.
    pub wrong: Option<String>,
    /// Whether the last thread of each kernel's first block does not run.
    pub skips: bool,
}

impl DriverSettings {
    /// Reads the settings of this process from the environment.
    ///
    /// # Panics
    /// If there is a word that means nothing.
    pub fn of_environment() -> DriverSettings {
        DriverSettings::read(&std::env::var("FAKE_DRIVER").unwrap_or_default())
    }

    /// Reads settings from a text such as `devices=2;flickers`.
    fn read(text: &str) -> DriverSettings {
        let mut settings = DriverSettings {
            devices: 1,
            capability: 90,
            ptx: value("9.0"),
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
        };
        for word in text.split(';').filter(|word| !word.is_empty()) {
            match word.split_once('=').unwrap_or((word, "")) {
                ("devices", text) => settings.devices = value(text),
                ("capability", text) => settings.capability = value(text),
                ("ptx", text) => settings.ptx = value(text),
                ("closed", "") => settings.closed = true,
                ("refuses", text) => settings.refuses = Some(text.to_owned()),
                ("silent", "") => settings.silent = true,
                ("dies", text) => settings.dies = Some(text.to_owned()),
                ("fails", text) => settings.fails = Some(text.to_owned()),
                ("dies-at-launch", text) => settings.dies_at_launch = Some(text.to_owned()),
                ("leaves", text) => settings.leaves = Some(text.to_owned()),
                ("lost-at-load", text) => settings.lost_at_load = Some(value(text)),
                ("lost-at-launch", text) => settings.lost_at_launch = Some(value(text)),
                ("hangs-at-launch", text) => settings.hangs_at_launch = Some(value(text)),
                ("flickers", "") => settings.flickers = true,
                ("wrong", text) => settings.wrong = Some(text.to_owned()),
                ("skips", "") => settings.skips = true,
                _ => panic!("the fake driver does not know the setting `{word}`"),
            }
        }
        settings
    }
}

/// Reads the value of a setting.
fn value<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("the fake driver does not know the setting `{text}`"))
}
