//! A library to be tested.

use crate::Compute;

/// A library to be tested: another's crate, and which of its functions compute what.
pub struct Library {
    /// The crate's name.
    pub package: &'static str,
    /// The text of the lock file of the wrapper, which pins it.
    pub lock: &'static str,
    /// How it computes a variant, if it does.
    pub find: fn(&str) -> Option<Compute>,
}

impl Library {
    /// What the report is to call it: the crate, and the version in the lock file.
    ///
    /// # Panics
    /// If the lock file has no such crate.
    pub fn name(&self) -> String {
        let version = version(self.lock, self.package);
        format!("{} {}", self.package, version.expect("the lock file has the crate that is wrapped"))
    }

    /// How it computes a variant, or why it does not.
    ///
    /// # Errors
    /// If it has no function for it.
    pub fn compute(&self, variant: &str) -> Result<Compute, String> {
        (self.find)(variant).ok_or_else(|| format!("{} has no function for it", self.package))
    }
}

/// The version of a package in a lock file: the line behind its name.
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
