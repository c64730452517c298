//! Stand-in for an architecture that the suite has no instructions of.

use isa::Variant;

use super::chain::Chain;
use super::table::HostRow;

/// Name of the architecture.
pub const NAME: &str = std::env::consts::ARCH;

/// Feature of an instruction, of which there are none here.
#[derive(Clone, Copy, Debug)]
pub enum Feature {}

impl Feature {
    /// Empty list of features.
    pub const ALL: &[Feature] = &[];

    /// Returns the feature's name; no feature exists to have one.
    pub fn name(self) -> &'static str {
        match self {}
    }

    /// Whether this processor has the feature; no feature exists to be here.
    pub fn is_here(self) -> bool {
        match self {}
    }
}

/// Returns no rows.
pub fn rows() -> Vec<HostRow> {
    Vec::new()
}

/// Returns no chains.
pub fn chains() -> Vec<Chain> {
    Vec::new()
}

/// Returns no name, since the processor's is not asked for.
pub fn processor() -> Option<String> {
    None
}

/// Returns 0, since no control register is known.
pub fn control(_: &Variant) -> u64 {
    0
}
