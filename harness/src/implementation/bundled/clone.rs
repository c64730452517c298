//! MMA-Sim: which of its architectures is asked for, and where the copy of it is that its user has.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// The environment variable with the folder of the copy. It is no option of `--impl`, because reports quote
/// those, and a folder of one machine is nothing to others.
pub const VARIABLE: &str = "MMA_SIM";

/// The architectures of NVIDIA's that it has, as options have them; the first is asked for unless another is.
const ARCHITECTURES: [&str; 7] =
    ["hopper", "volta", "turing", "ampere", "ada", "blackwell", "rtx_blackwell"];

/// A file of version 2, seen from the folder that contains the package.
const FILE: &str = "mmasim/nv_ptx/sim.py";
/// One of version 1, which is written otherwise.
const OLD_FILE: &str = "mmasim/simulator/nv_ptx.py";
/// Where the package is in a copy: of what `pip` installs, and of the repository.
const PLACES: [&str; 3] = ["", "src/mmasim", "src"];

/// The architecture that a list of options like `arch=ada,vectors=100` names, and the rest of the list.
///
/// # Errors
/// If it names one that there is not.
pub fn architecture(options: &str) -> Result<(&'static str, String)> {
    let mut chosen = ARCHITECTURES[0];
    let mut rest = Vec::new();
    for option in options.split(',') {
        match option.strip_prefix("arch=") {
            None => rest.push(option),
            Some(name) => match ARCHITECTURES.iter().find(|known| **known == name) {
                Some(known) => chosen = known,
                None => bail!("`{option}` names no architecture: {}", ARCHITECTURES.join(", ")),
            },
        }
    }
    Ok((chosen, rest.join(",")))
}

/// The folder that contains its package, found from what the environment variable is set to.
///
/// # Errors
/// If it is not set, or to something that is no copy of version 2. The error says what to do.
pub fn found(set: Option<&OsStr>) -> Result<PathBuf> {
    let Some(folder) = set.filter(|folder| !folder.is_empty()).map(Path::new) else {
        bail!(
            "mma_sim needs a copy of MMA-Sim, which does not come with the suite: set {VARIABLE} to the \
             folder of one (of version 2, a clone of its repository or an unpacked package)"
        );
    };
    let has = |place: &str, file: &str| folder.join(place).join(file).is_file();
    if let Some(place) = PLACES.iter().find(|place| has(place, FILE)) {
        // Python is to find it wherever it is started.
        return Ok(std::path::absolute(folder.join(place))?);
    }
    let set = format!("{VARIABLE} is set to {}", folder.display());
    if PLACES.iter().any(|place| has(place, OLD_FILE)) {
        bail!("{set}, which is MMA-Sim's version 1: version 2 is needed");
    }
    bail!("{set}, which is no copy of MMA-Sim: there is no {FILE} in it, nor below its src")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_an_architecture_among_others() {
        assert_eq!(architecture("").unwrap(), ("hopper", String::new()));
        assert_eq!(architecture("vectors=5,arch=ada").unwrap(), ("ada", "vectors=5".into()));
        let error = architecture("arch=pascal").unwrap_err().to_string();
        assert!(error.contains("`arch=pascal`") && error.contains("rtx_blackwell"), "{error}");
    }

    #[test]
    fn a_copy_is_found_wherever_its_package_is() {
        for place in PLACES {
            let folder = tempfile::tempdir().unwrap();
            let package = folder.path().join(place);
            let file = package.join(FILE);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            assert!(found(Some(folder.path().as_os_str())).is_err(), "{place}");
            std::fs::write(file, "").unwrap();
            let path = found(Some(folder.path().as_os_str())).unwrap();
            assert!(path.join(FILE).is_file() && path.is_absolute(), "{place}: {}", path.display());
        }
    }

    #[test]
    fn what_is_no_copy_is_refused_with_the_remedy() {
        let refused = |set: Option<&OsStr>, words: [&str; 2]| {
            let error = found(set).unwrap_err().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        };
        refused(None, ["set MMA_SIM to the", "clone of its repository"]);
        refused(Some(OsStr::new("")), ["set MMA_SIM to the", "clone of its repository"]);
        let folder = tempfile::tempdir().unwrap();
        let set = Some(folder.path().as_os_str());
        refused(set, ["no copy of MMA-Sim", FILE]);
        let old = folder.path().join(OLD_FILE);
        std::fs::create_dir_all(old.parent().unwrap()).unwrap();
        std::fs::write(old, "").unwrap();
        refused(set, ["version 1", "version 2 is needed"]);
    }
}
