//! What the command line has beside its commands: waivers, and attacks on the built binary.

pub mod defences;
pub mod waivers;
