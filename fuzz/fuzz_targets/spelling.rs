//! The fuzz target that reads spellings, patterns and targets as a person may mistype them.

#![no_main]

fuzz::fuzz!(fuzz::targets::spelling::TARGET);
