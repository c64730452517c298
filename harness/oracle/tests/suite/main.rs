//! The tests of the oracle, in one program: processors that one test leaves idle, another uses.

mod alternatives;
mod contracts;
mod emulator_reference;
mod measured_errors;
mod runs;
mod truths;
