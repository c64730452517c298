//! h

pub mod emulator;
