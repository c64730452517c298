//! The fuzz target that judges an implementation against MPFR.

#![no_main]

fuzz::fuzz!(fuzz::targets::differential::TARGET);
