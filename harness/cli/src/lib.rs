//! The parts of the command line that are not commands: waivers, and attacks on the built binary.

pub mod defences;
pub mod waivers;
