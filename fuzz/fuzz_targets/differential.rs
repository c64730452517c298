//! An implementation against MPFR.

#![no_main]

fuzz::fuzz!(fuzz::targets::differential::TARGET);
