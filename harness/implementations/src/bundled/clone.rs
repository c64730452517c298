//! MMA-Sim: which of its architectures is asked for, and where the user's copy of it is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// Environment variable with the folder of the copy of MMA-Sim. It is no option of `--impl`, because reports
/// quote those, and a folder of one machine is nothing to others.
pub const VARIABLE: &str = "MMA_SIM";

/// Architectures of NVIDIA's that MMA-Sim has, as options have them; the first is asked for unless another is.
const ARCHITECTURES: [&str; 7] =
    ["hopper", "volta", "turing", "ampere", "ada", "blackwell", "rtx_blackwell"];

/// Files of MMA-Sim, one of version 2 and one of version 1, seen from the folder that contains the package.
const FILES: [&str; 2] = ["mmasim/nv_ptx/sim.py", "mmasim/simulator/nv_ptx.py"];
/// Places of the package in a copy: in one that `pip` installs, and in one of the repository.
const PLACES: [&str; 3] = ["", "src/mmasim", "src"];

/// Returns the architecture that a list of options like `arch=ada,vectors=100` names, and the rest of the list.
///
/// # Errors
/// If the list names an architecture that there is not.
pub fn architecture(options: &str) -> Result<(&'static str, String)> {
    let mut chosen = ARCHITECTURES[0];
    let mut rest = Vec::new();
    for option in options.split(',') {
        match option.strip_prefix("arch=") {
            None => rest.push(option),
            Some(name) => match ARCHITECTURES.iter().find(|known| **known == name) {
                Some(known) => chosen = known,
                None => bail!(
                    "`{option}` is not an architecture of MMA-Sim: write one of {}",
                    ARCHITECTURES.join(", ")
                ),
            },
        }
    }
    Ok((chosen, rest.join(",")))
}

/// Returns the folder that contains MMA-Sim's package, found from what the environment variable is set to.
///
/// # Errors
/// If the variable is not set, or set to something that is no copy of MMA-Sim. The error says what to do.
pub fn found(set: Option<&OsStr>) -> Result<PathBuf> {
    let Some(folder) = set.filter(|folder| !folder.is_empty()).map(Path::new) else {
        bail!(
            "mma_sim needs a copy of MMA-Sim, which does not come with the suite: set {VARIABLE} to the \
             folder of one, a clone of its repository or an unpacked package"
        );
    };
    let has = |place: &&&str| FILES.iter().any(|file| folder.join(place).join(file).is_file());
    if let Some(place) = PLACES.iter().find(has) {
        // Python is to find it wherever it is started.
        return Ok(std::path::absolute(folder.join(place))?);
    }
    bail!(
        "{VARIABLE} is set to {}, which is not a copy of MMA-Sim: neither it nor its src has {}",
        folder.display(),
        FILES[0]
    );
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
        for (place, file) in PLACES.iter().flat_map(|place| FILES.map(|file| (place, file))) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(place).join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            assert!(found(Some(folder.path().as_os_str())).is_err(), "{place}");
            std::fs::write(path, "").unwrap();
            let found = found(Some(folder.path().as_os_str())).unwrap();
            assert!(found.join(file).is_file() && found.is_absolute(), "{place}: {}", found.display());
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
        refused(Some(folder.path().as_os_str()), ["not a copy of MMA-Sim", FILES[0]]);
    }
}
