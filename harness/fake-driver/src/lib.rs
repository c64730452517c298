#![doc = include_str!("../README.md")]
//!
//! ## How it is made
//!
//! A CUDA driver without a device. A process that finds this library as `libcuda.so.1` has devices whose
//! kernels are interpreted: the text of PTX that it loads is read again, instructions of integers are
//! carried out one by one, and the instruction under test by the suite's emulator.
//!
//! The fake driver is stricter than a real one, so that tests show what a device would hide. An operation that is put
//! on a stream is done when the stream is waited for and not before; addresses of the device mean nothing to the
//! host; new memory holds a pattern; copies go from and to memory that was allocated for that; and a
//! context that is given back must be empty. A call that no caller may make ends the process with a line that says so.
//!
//! `FAKE_DRIVER` says what the devices are like and what is wrong with them, see [`settings`].

pub mod settings;

mod api;
mod calls;
mod context;
mod grid;
mod kernel;
mod memory;
mod misuse;
mod module;
mod stream;
