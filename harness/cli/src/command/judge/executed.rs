//! Code that is judged, with what executes it: the suite's interpreter, or a GPU.

use anyhow::{Result, bail};
use implementations::Implementation;
use implementations::code::{Code, LaunchText, MakeUnit, Unreached};
use implementations::cuda::own_code::{DeviceCode, NOT_KNOWN};
use isa::Variant;

use super::answer::{approximate_instructions, coverage};
use super::standard::Standard;

/// Code with what executes it.
pub enum Executed {
    /// The suite's interpreter executes the code.
    Interpreted(Box<Code>),
    /// A GPU executes the code.
    OnDevice(Box<DeviceCode>),
}

impl Executed {
    /// Has a GPU of this name execute code, or the interpreter if no GPU is named.
    ///
    /// # Errors
    /// As [`DeviceCode::new`].
    pub fn new(code: Code, gpu: Option<&str>) -> Result<Executed> {
        Ok(match gpu {
            None => Executed::Interpreted(Box::new(code)),
            Some(gpu) => Executed::OnDevice(Box::new(DeviceCode::new(code, gpu)?)),
        })
    }

    /// Returns the code.
    pub fn code(&self) -> &Code {
        match self {
            Executed::Interpreted(code) => code,
            Executed::OnDevice(device) => device.code(),
        }
    }

    /// Returns the code, and forgets what executes it.
    pub fn into_code(self) -> Code {
        match self {
            Executed::Interpreted(code) => *code,
            Executed::OnDevice(device) => device.into_code(),
        }
    }

    /// Returns what is under test.
    pub fn implementation(&self) -> &dyn Implementation {
        match self {
            Executed::Interpreted(code) => &**code,
            Executed::OnDevice(device) => &**device,
        }
    }

    /// Returns the same, whose floating-point instructions other units execute where the interpreter does.
    #[must_use]
    pub fn with_unit(self, unit: MakeUnit) -> Executed {
        match self {
            Executed::Interpreted(code) => Executed::Interpreted(Box::new(code.with_unit(unit))),
            Executed::OnDevice(device) => {
                Executed::OnDevice(Box::new(device.with_code(|code| code.with_unit(unit))))
            }
        }
    }

    /// Whether a GPU executes the code.
    pub fn is_on_device(&self) -> bool {
        matches!(self, Executed::OnDevice(_))
    }

    /// Returns the approximate instructions that the interpreter executes, which gives any result within their bounds. A
    /// GPU has results of its own.
    pub fn approximate(&self) -> Vec<&'static str> {
        match self {
            Executed::Interpreted(code) => approximate_instructions(code),
            Executed::OnDevice(_) => Vec::new(),
        }
    }

    /// Returns the other launches of a kernel that its threads are tried in. On a GPU all threads are in each launch.
    pub fn other_launches(&self, shape: &Variant) -> Vec<LaunchText> {
        match self {
            Executed::Interpreted(code) => code.other_launches(shape),
            Executed::OnDevice(_) => Vec::new(),
        }
    }

    /// Returns the code in another launch.
    ///
    /// # Errors
    /// As [`Code::relaunched`], and if a GPU executes the code.
    pub fn relaunched(&self, launch: &LaunchText) -> Result<Executed> {
        match self {
            Executed::Interpreted(code) => Ok(Executed::Interpreted(Box::new(code.relaunched(launch)?))),
            Executed::OnDevice(_) => bail!("a GPU is given one launch of all threads"),
        }
    }

    /// Returns the number of threads that the interpreter executes for one vector.
    pub fn threads_of_row(&self) -> usize {
        match self {
            Executed::Interpreted(code) => code.threads_of_row(),
            Executed::OnDevice(_) => 1,
        }
    }

    /// Whether each vector takes so long that not all operands are tried without being asked for.
    pub fn is_slow(&self) -> bool {
        match self {
            Executed::Interpreted(_) => self.threads_of_row() > 1,
            Executed::OnDevice(device) => device.launches_each(),
        }
    }

    /// Returns the words that say how the code is launched, if anything is to be said.
    pub fn launch_in_words(&self) -> Vec<String> {
        let code = self.code();
        let fourth = || code.fourth_thread().map(|words| format!(" {words}")).unwrap_or_default();
        let launch = code.launch().map(|launch| match (code.is_kernel(), code.threads()) {
            (true, Some(threads)) => format!(
                "The kernel is launched with --launch '{launch}'. Each row is a launch of its own, of {threads}, in which \
                 the vector is one element."
            ),
            (true, None) if self.is_on_device() => {
                format!("The kernel is launched with --launch '{launch}'.{}", fourth())
            }
            (true, None) => format!(
                "The kernel is launched with --launch '{launch}'. Each row is the first thread of a launch of its \
                 own.{}",
                fourth()
            ),
            (false, _) => format!("The function is called with --launch '{launch}'."),
        });
        let device = match self {
            Executed::Interpreted(_) => None,
            Executed::OnDevice(device) => Some(device.in_words()),
        };
        launch.into_iter().chain(device).collect()
    }

    /// Returns the words that say which other launches of a kernel are tried, or that there are none.
    pub fn other_launches_in_words(&self, launches: &[LaunchText], shape: &Variant) -> Option<String> {
        let Executed::Interpreted(code) = self else { return None };
        if !code.is_kernel() {
            return None;
        }
        if let Some(places) = code.places_in_words(shape) {
            return Some(places);
        }
        let Some((first, others)) = launches.split_first() else {
            let alone =
                "Results of other threads are not judged: say with --threads how many a block has.";
            return code.threads().is_none().then(|| alone.into());
        };
        let alike = others.chunk_by(|one, other| {
            (one.shape.threads, one.shape.blocks) == (other.shape.threads, other.shape.blocks)
        });
        let of_one_size = |launches: &[LaunchText]| {
            let (first, others) = launches.split_first()?;
            let rows = others.iter().filter_map(|launch| launch.shape.rows);
            let rows: Vec<String> = rows.map(|rows| rows.to_string()).collect();
            let or = if rows.is_empty() { String::new() } else { format!(" (or {})", rows.join(", ")) };
            Some(format!("`{}`{or}", first.shape))
        };
        let others: Vec<String> = alike.filter_map(of_one_size).collect();
        let behind = match others.as_slice() {
            [] => String::new(),
            each => format!(", and with these behind the `;`: {}", each.join("; ")),
        };
        Some(format!(
            "If no result is wrong, a part of the vectors is tried with --launch '{first}'{behind}. Each vector is one \
             element of such a launch."
        ))
    }

    /// Returns what no vector of the last trials has reached; nothing is known of a GPU.
    pub fn unreached(&self) -> Vec<Unreached> {
        match self {
            Executed::Interpreted(code) => code.unreached(),
            Executed::OnDevice(_) => Vec::new(),
        }
    }

    /// Returns what no vector reached, in words.
    pub fn coverage(&self, unreached: &[Unreached]) -> String {
        match self {
            Executed::Interpreted(code) => coverage(code, unreached),
            Executed::OnDevice(_) => format!("Instructions that no vector reaches are {NOT_KNOWN}.\n"),
        }
    }

    /// Checks that the results of a GPU can be held to a standard.
    ///
    /// # Errors
    /// If the standard is another function, and one of the two has approximate instructions: PTX does not fix their bits.
    pub fn check(&self, standard: &Standard) -> Result<()> {
        let (Executed::OnDevice(device), Standard::Function(against)) = (self, standard) else {
            return Ok(());
        };
        let of_both = [device.code(), against.other()].map(approximate_instructions).concat();
        if let Some(first) = of_both.first() {
            bail!(
                "--against compares bits, and a GPU may give other bits than the suite's interpreter for {first}: \
                 give --as in its place, or leave out --impl"
            );
        }
        Ok(())
    }
}
