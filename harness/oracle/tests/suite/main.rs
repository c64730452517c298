//! The tests of the oracle, in one program: what one leaves of the processors, another uses.

mod alternatives;
mod contracts;
mod emulator_reference;
mod measured_errors;
mod runs;
mod truths;
