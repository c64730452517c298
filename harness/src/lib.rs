//! Who is right: the oracle, the contracts, the implementations under test, and the runner.

pub mod detection;
pub mod diagnosis;
pub mod implementation;
pub mod injection;
pub mod judge;
pub mod legality;
pub mod oracle;
pub mod probe;
pub mod run;
pub mod selfcheck;
pub mod waivers;
