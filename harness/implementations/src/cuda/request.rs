//! Reads names of GPUs such as `cuda:1,opt=0`, and says what each asks for.

use std::time::Duration;

use anyhow::{Result, anyhow};

/// Time that a device has for a batch, unless told otherwise: thousands of times what it takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// Request that a name makes: `cuda:1,opt=0,constants,deadline=600` is device 1, its kernels compiled at level 0,
/// the operands in their text, and ten minutes for each batch.
#[derive(Debug, PartialEq, Eq)]
pub struct DeviceRequest {
    /// Number of the device.
    pub number: usize,
    /// Level of optimisation; the driver's own if there is none.
    pub level: Option<u8>,
    /// Whether operands stand in the text of the kernels.
    pub constants: bool,
    /// Whether the driver is loaded in a process of its own.
    pub isolated: bool,
    /// Time that the device has for a batch.
    pub deadline: Duration,
}

impl DeviceRequest {
    /// Reads the request that a name makes.
    ///
    /// # Errors
    /// If the name is no name of a GPU.
    pub fn read(name: &str) -> Result<DeviceRequest> {
        let wrong = || {
            anyhow!(
                "`{name}` does not name a GPU: write cuda:0 for the first one; cuda:0,opt=2 compiles \
                 kernels at level 2 of 0 to 4, cuda:0,constants writes the operands into the kernels, \
                 cuda:0,isolated runs the driver in another process (not with constants), and \
                 cuda:0,deadline=600 allows 600 seconds for a batch"
            )
        };
        // `parse` alone would take `+1` for a number.
        let digits = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<usize>().map_err(|_| wrong()),
            false => Err(wrong()),
        };
        let mut parts = name.strip_prefix("cuda").ok_or_else(wrong)?.split(',');
        let number = match parts.next().unwrap_or_default() {
            "" => 0,
            number => digits(number.strip_prefix(':').ok_or_else(wrong)?)?,
        };
        let (level, deadline) = (None, DEADLINE);
        let mut request = DeviceRequest { number, level, constants: false, isolated: false, deadline };
        let mut told = false;
        for part in parts {
            match part.split_once('=') {
                None if part == "constants" && !request.constants => request.constants = true,
                None if part == "isolated" && !request.isolated => request.isolated = true,
                Some(("opt", level @ ("0" | "1" | "2" | "3" | "4"))) if request.level.is_none() => {
                    request.level = Some(digits(level)? as u8);
                }
                Some(("deadline", seconds)) if !told && digits(seconds)? > 0 => {
                    request.deadline = Duration::from_secs(digits(seconds)? as u64);
                    told = true;
                }
                _ => return Err(wrong()),
            }
        }
        // Kernels of constants are made from batch to batch, on this side.
        if request.isolated && request.constants {
            return Err(wrong());
        }
        Ok(request)
    }

    /// Returns the name that makes this request. The time that a batch may take is no part of it.
    pub fn name(&self) -> String {
        let level = self.level.map_or(String::new(), |level| format!(",opt={level}"));
        let constants = if self.constants { ",constants" } else { "" };
        let isolated = if self.isolated { ",isolated" } else { "" };
        format!("cuda:{}{level}{constants}{isolated}", self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_or_refused_with_an_example() {
        let read = |name: &str| {
            let request = DeviceRequest::read(name).unwrap();
            (request.number, request.level, request.constants, request.name())
        };
        assert_eq!(read("cuda"), (0, None, false, "cuda:0".into()));
        assert_eq!(read("cuda:3"), (3, None, false, "cuda:3".into()));
        assert_eq!(read("cuda:1,opt=0"), (1, Some(0), false, "cuda:1,opt=0".into()));
        assert_eq!(read("cuda,constants,opt=4"), (0, Some(4), true, "cuda:0,opt=4,constants".into()));
        assert_eq!(read("cuda,isolated,opt=0"), (0, Some(0), false, "cuda:0,opt=0,isolated".into()));
        assert_eq!(read("cuda:0,deadline=600"), (0, None, false, "cuda:0".into()));
        assert_eq!(DeviceRequest::read("cuda:0,deadline=600").unwrap().deadline.as_secs(), 600);
        for name in [
            "cuda:",
            "cuda:x",
            "cuda:-1",
            "cuda:+1",
            "cuda:0,opt=5",
            "cuda:0,opt",
            "cuda:0,",
            "cuda0",
            "cuda:0,opt=01",
            "cuda:0,opt=1,opt=1",
            "cuda:0,const",
            "cuda:0,isolated,isolated",
            "cuda:0,constants,isolated",
            "cuda:0,deadline=0",
            "cuda:0,deadline=1,deadline=2",
        ] {
            let text = DeviceRequest::read(name).map(drop).unwrap_err().to_string();
            assert!(text.contains(name) && text.contains("cuda:0,opt=2"), "{text}");
        }
    }
}
