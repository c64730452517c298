//! Tries the promises of rows: what each row is compiled to, and whether that computes what is promised.
//!
//! A compiled function is an implementation of the instruction that it should compute. So the sweeps, the judge and the
//! diagnosis are those of any implementation. Functions with one body are tried once.

mod as_implementation;
mod body;
mod causes;
mod cells;
mod compare_functions;
mod expected;
mod function_executor;
mod instead;
mod must_not_matter;
mod mutation_score;
mod own_meaning;
mod replay_vector;
mod simplest;
mod standard;
mod trial;
mod try_function;
mod ulp_bound;

pub use body::Body;
pub use cells::{
    Compilation, PromiseCell, PromiseSelection, compile, compile_rows, is_asked, language,
    selected_rows, targets,
};
pub use must_not_matter::{FunctionDifference, differences};
pub use mutation_score::{Fate, REASONS, Reason, Score, Survivor, prove};
pub use own_meaning::OwnMeaning;
pub use replay_vector::{ReplayedVector, replay_vector};
pub use standard::kind_of;
pub use trial::{Computed, Trial, compute};
pub use ulp_bound::{UlpBound, error_in_ulp};
