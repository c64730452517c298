//! Turns errors of the driver into text for people.

use std::ffi::CStr;

use anyhow::{Error, Result, anyhow};
use cudarc::driver::result::DriverError;

/// Returns an error of one line, which names the call that failed and says what the driver says of it.
pub fn failed(call: &str, error: DriverError) -> Error {
    let text = |text: Result<&CStr, DriverError>| {
        text.map_or_else(|_| format!("error {}", error.0 as u32), |text| text.to_string_lossy().into())
    };
    let (name, meaning): (String, String) = (text(error.error_name()), text(error.error_string()));
    anyhow!("{call} gave {name} ({meaning})")
}

/// Adds the name of a call to the driver's error that it gave.
pub trait NameCall<T> {
    /// Names the driver's function in the error.
    fn of(self, call: &str) -> Result<T>;
}

impl<T> NameCall<T> for Result<T, DriverError> {
    fn of(self, call: &str) -> Result<T> {
        self.map_err(|error| failed(call, error))
    }
}
