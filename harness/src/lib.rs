//! Who is right: the implementations under test, the runner that has them judged, and what is made of
//! the verdicts. The opinions are crates of their own, `oracle`, `emulator` and `model`; and so are the
//! `judge` and `ptx`.

pub mod budget;
pub mod bug;
pub mod campaign;
pub mod compilers;
pub mod defences;
pub mod detection;
pub mod diagnosis;
pub mod identify;
pub mod implementation;
pub mod injection;
pub mod interrupt;
pub mod legality;
mod locks;
pub mod merge;
pub mod probe;
pub mod progress;
pub mod proof;
pub mod report;
pub mod run;
mod sealed;
pub mod select;
pub mod selfcheck;
pub mod subject;
pub mod terminal;
mod tied;
pub mod waivers;
