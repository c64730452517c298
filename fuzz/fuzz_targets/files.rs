//! The fuzz target that reads reports and states of runs that anyone may have written.

#![no_main]

fuzz::fuzz!(fuzz::targets::files::TARGET);
