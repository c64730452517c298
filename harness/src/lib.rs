//! Who is right: the implementations under test, what is made of the opinions about them, and the
//! runner. The opinions are crates of their own: `oracle`, `emulator`, `model`; and so is the `judge`.

pub mod detection;
pub mod diagnosis;
pub mod implementation;
pub mod injection;
pub mod legality;
pub mod probe;
pub mod ptx;
pub mod run;
pub mod selfcheck;
pub mod waivers;
