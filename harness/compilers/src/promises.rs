//! The rows' promises on trial: what each is compiled to, and whether that computes what is promised.
//!
//! A function that was compiled is an implementation of the instruction that it should compute. So the sweeps, the
//! judge and the diagnosis are those of any implementation; functions with one body are tried once.

mod again;
mod bed;
mod beside;
mod body;
mod cells;
mod expected;
mod indifferent;
mod mutation;
mod proving;
mod standard;
mod trial;

pub use again::{Again, again};
pub use body::Body;
pub use cells::{Cell, Compilation, Options, compile, is_asked, language, targets};
pub use indifferent::{Difference, differences};
pub use mutation::{Edit, Mutant, mutants};
pub use proving::{Fate, REASONS, Reason, Score, Survivor, prove};
pub use trial::{Computed, Trial, compute};
