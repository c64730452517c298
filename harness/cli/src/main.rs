//! The program `conformance`, which `cargo xtask` builds and hands its command line to.

use std::process::ExitCode;

use cli::memory::SpokenAllocator;

#[global_allocator]
static MEMORY: SpokenAllocator = SpokenAllocator;

fn main() -> ExitCode {
    cli::run(std::env::args_os().skip(1).collect())
}
