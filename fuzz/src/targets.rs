//! The list of all fuzz targets, each of which is a file of its own.

pub mod differential;
#[cfg(feature = "schema")]
pub mod files;
pub mod oracles;
pub mod protocol;
pub mod spelling;

use crate::FuzzTarget;

/// Does nothing: the beginning of a target that needs no preparation.
fn nothing() -> anyhow::Result<()> {
    Ok(())
}

/// All fuzz targets; tests are built with the features of all.
pub const ALL: &[&FuzzTarget] = &[
    &differential::TARGET,
    #[cfg(feature = "schema")]
    &files::TARGET,
    &oracles::TARGET,
    &protocol::TARGET,
    &spelling::TARGET,
];
