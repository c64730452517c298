//! The tests of the harness and of the built binary, in one program, so that some use the processors while others
//! wait.

mod cases;
mod citations;
mod command_line;
mod common;
mod deadlines;
mod defences;
mod detection;
mod dots;
mod emulators;
mod explanations;
mod faults;
mod files;
mod findings;
mod gpu;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod host;
mod judge;
mod legality;
mod opinions;
mod own_formats;
mod pages;
mod processes;
mod reported;
#[cfg(unix)]
mod scripts;
mod selfcheck;
mod sums;
mod terminals;
mod upstream;
mod vectors;
mod walls;
