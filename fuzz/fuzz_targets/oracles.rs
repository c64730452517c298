//! The fuzz target that compares MPFR, the emulator and the staged model with each other.

#![no_main]

fuzz::fuzz!(fuzz::targets::oracles::TARGET);
