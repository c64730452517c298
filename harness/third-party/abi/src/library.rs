//! The description of a library to be tested.

use crate::Compute;

/// A library to be tested: another's crate, and which of its functions compute what.
pub struct Library {
    /// The crate's name.
    pub package: &'static str,
    /// The text of the wrapper's lock file, which pins the crate.
    pub lock: &'static str,
    /// The function that returns how the library computes a variant, if it does.
    pub find: fn(&str) -> Option<Compute>,
}

impl Library {
    /// Returns what the report is to call the library: the crate, and the version in the lock file.
    ///
    /// # Panics
    /// If the lock file has no such crate.
    pub fn name(&self) -> String {
        let version = version(self.lock, self.package);
        format!("{} {}", self.package, version.expect("the lock file has the crate that is wrapped"))
    }

    /// Returns how the library computes a variant, or says why it does not.
    ///
    /// # Errors
    /// If the library has no function for the variant.
    pub fn compute(&self, variant: &str) -> Result<Compute, String> {
        (self.find)(variant).ok_or_else(|| format!("{} has no function for it", self.package))
    }
}

/// Returns the version of a package in a lock file, from the line behind its name.
fn version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let line = lock.lines().skip_while(|line| *line != name).nth(1)?;
    line.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_package_and_no_other() {
        let lock = "[[package]]\nname = \"halfway\"\nversion = \"3.0.0\"\n\n\
                    [[package]]\nname = \"half\"\nversion = \"2.7.1\"\n";
        assert_eq!(version(lock, "half"), Some("2.7.1"));
        assert_eq!(version(lock, "hal"), None);
    }

    #[test]
    fn what_it_lacks_it_says() {
        let library = Library { package: "mine", lock: "", find: |_| None };
        assert_eq!(library.compute("mul.f16").err().unwrap(), "mine has no function for it");
    }
}
