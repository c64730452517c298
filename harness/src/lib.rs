//! Who is right: the oracle, the contracts, the implementations under test, and the runner.

pub mod budget;
pub mod bug;
pub mod detection;
pub mod diagnosis;
pub mod implementation;
pub mod injection;
pub mod legality;
pub mod probe;
pub mod ptx;
pub mod report;
pub mod run;
pub mod select;
pub mod selfcheck;
pub mod waivers;
