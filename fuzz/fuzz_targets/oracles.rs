//! MPFR, the emulator and the staged model against each other.

#![no_main]

fuzz::fuzz!(fuzz::targets::oracles::TARGET);
