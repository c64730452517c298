//! An architecture that the suite has no instructions of.

use isa::Variant;

use super::chain::Chain;
use super::table::Row;

/// Its name.
pub const NAME: &str = std::env::consts::ARCH;

/// Of instructions that there are none of.
#[derive(Clone, Copy, Debug)]
pub enum Feature {}

impl Feature {
    /// Every one.
    pub const ALL: &[Feature] = &[];

    /// None has a name.
    pub fn name(self) -> &'static str {
        match self {}
    }

    /// None is here.
    pub fn is_here(self) -> bool {
        match self {}
    }
}

/// No rows.
pub fn rows() -> Vec<Row> {
    Vec::new()
}

/// No chains.
pub fn chains() -> Vec<Chain> {
    Vec::new()
}

/// The processor's name is not asked for.
pub fn processor() -> Option<String> {
    None
}

/// No control register.
pub fn control(_: &Variant) -> u64 {
    0
}
