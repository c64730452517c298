//! What the driver is like, as the environment has it: `FAKE_DRIVER='devices=2;ptx=8.4;flickers'`.

use std::str::FromStr;

use isa::PtxVersion;

/// A driver, its devices, and what is wrong with them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many devices there are, all alike.
    pub devices: i32,
    /// Their compute capability, times ten.
    pub capability: u16,
    /// The newest version of PTX that is read.
    pub ptx: PtxVersion,
    /// Whether devices cannot be opened.
    pub closed: bool,
    /// Modules with this in their text are refused.
    pub refuses: Option<String>,
    /// Of what it refuses it says no more than that it does not know.
    pub silent: bool,
    /// Modules with this in their text end the process.
    pub dies: Option<String>,
    /// Kernels with an instruction of this name are not started, and all others are.
    pub fails: Option<String>,
    /// Kernels with an instruction of this name end the process when they are run.
    pub dies_at_launch: Option<String>,
    /// Kernels with an instruction of this name do nothing.
    pub leaves: Option<String>,
    /// The call of this number to load a module finds the device lost, and it stays lost.
    pub lost_at_load: Option<usize>,
    /// So does the kernel of this number.
    pub lost_at_launch: Option<usize>,
    /// The kernel of this number never ends.
    pub hangs_at_launch: Option<usize>,
    /// Of every second kernel, thread 3 of each warp has another result.
    pub flickers: bool,
    /// Instructions of this name give a wrong result where the last five bits of the sources add up to 21;
    /// those of matrices in row 1 and column 2, counted from 0.
    pub wrong: Option<String>,
    /// The last thread of each kernel's first block does not run.
    pub skips: bool,
}

impl Settings {
    /// Those of this process.
    ///
    /// # Panics
    /// If there is a word that means nothing.
    pub fn of_environment() -> Settings {
        Settings::read(&std::env::var("FAKE_DRIVER").unwrap_or_default())
    }

    fn read(text: &str) -> Settings {
        let mut settings = Settings {
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
                _ => panic!("`{word}` means nothing to the fake driver"),
            }
        }
        settings
    }
}

fn value<T: FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("`{text}` means nothing to the fake driver"))
}
