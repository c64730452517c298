//! The fuzz target that reads the answers of an untrusted program.

#![no_main]

fuzz::fuzz!(fuzz::targets::protocol::TARGET);
