//! What a driver says that went wrong.

use std::ffi::CStr;

use anyhow::{Error, Result, anyhow};
use cudarc::driver::result::DriverError;

/// An error of the driver, on one line.
pub fn failed(call: &str, error: DriverError) -> Error {
    let text = |text: Result<&CStr, DriverError>| {
        text.map_or_else(|_| format!("error {}", error.0 as u32), |text| text.to_string_lossy().into())
    };
    let (name, meaning): (String, String) = (text(error.error_name()), text(error.error_string()));
    anyhow!("{call} gave {name} ({meaning})")
}

/// Gives the driver's error of a call its name.
pub trait Named<T> {
    /// With the name of the function.
    fn of(self, call: &str) -> Result<T>;
}

impl<T> Named<T> for Result<T, DriverError> {
    fn of(self, call: &str) -> Result<T> {
        self.map_err(|error| failed(call, error))
    }
}
