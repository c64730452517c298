//! The fuzz targets.

pub mod differential;
#[cfg(feature = "schema")]
pub mod files;
pub mod oracles;
pub mod protocol;
pub mod spelling;

use crate::Target;

/// Nothing.
fn nothing() -> anyhow::Result<()> {
    Ok(())
}

/// All of them; tests have the feature of each.
pub const ALL: &[&Target] = &[
    &differential::TARGET,
    #[cfg(feature = "schema")]
    &files::TARGET,
    &oracles::TARGET,
    &protocol::TARGET,
    &spelling::TARGET,
];
