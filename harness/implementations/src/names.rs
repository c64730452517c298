//! Names that `--impl` takes: a table with a row for each kind of implementation.

use anyhow::{Result, anyhow};

use crate::process::Process;
use crate::{Canary, Host, Implementation, PtxEmulator, bundled, cuda, emulator, library};

/// A kind of implementation that `--impl` takes, as a row of [`KINDS`].
struct ImplementationKind {
    /// Word that a name of this kind begins with.
    name: &'static str,
    /// Whether something stands behind the word in a name, after a colon or a comma.
    rest: Rest,
    /// Whether this kind is in this binary, so that no program is started and no code is loaded for it.
    is_built_in: bool,
    /// Spelling of the kind's names that people are shown.
    written: &'static str,
    /// Function that makes the implementation of a whole name.
    connect: fn(&str) -> Result<Box<dyn Implementation>>,
}

/// Whether a name has more in it than the word of its kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    Never,
    Maybe,
    Always,
}

#[rustfmt::skip] // a table
const KINDS: &[ImplementationKind] = &[
    // The suite's own, in SIMD lanes where the processor has them, or one lane at a time; with matrix instructions as a
    // target computes them, the newest if none is named.
    ImplementationKind { name: "emulator", rest: Rest::Maybe,  is_built_in: true,  written: "emulator, emulator:scalar, emulator:TARGET", connect: emulator::named },
    // A program that speaks harness/protocol/README.md: in frames of bytes, or in a line for each vector.
    ImplementationKind { name: "exec",     rest: Rest::Always, is_built_in: false, written: "exec:COMMAND", connect: |name| Ok(Box::new(Process::named(name)?)) },
    ImplementationKind { name: "text",     rest: Rest::Always, is_built_in: false, written: "text:COMMAND", connect: |name| Ok(Box::new(Process::named(name)?)) },
    // An emulator that takes the text of kernels, as harness/protocol/emulators.md has it: a program, or a shared library
    // that exports what harness/protocol/ptx_emulator.h declares.
    ImplementationKind { name: "ptx",      rest: Rest::Always, is_built_in: false, written: "ptx:COMMAND, ptx:LIBRARY.so", connect: |name| Ok(Box::new(PtxEmulator::named(name)?)) },
    // A function or a kernel in a file of PTX, executed without a GPU, or by one; with the launch of a kernel in parentheses.
    ImplementationKind { name: "code",     rest: Rest::Always, is_built_in: false, written: "code:FILE.ptx[#FUNCTION][@cuda:N]", connect: cuda::own_code::named },
    // A shared library that exports what harness/protocol/ptx_conformance.h declares.
    ImplementationKind { name: "lib",      rest: Rest::Always, is_built_in: false, written: "lib:PATH", connect: |name| Ok(Box::new(library::named(name)?)) },
    // A GPU through its driver; with `opt`, compiled at that level; with `constants`, operands in the text of the kernels,
    // where the compiler may fold them; `isolated`, the driver in a process of its own, which may end.
    ImplementationKind { name: "cuda",     rest: Rest::Maybe,  is_built_in: false, written: "cuda[:N][,opt=0..4][,constants][,isolated]", connect: cuda::named },
    // This machine's own processor, one real instruction for each variant that it has.
    ImplementationKind { name: "host",     rest: Rest::Never,  is_built_in: true,  written: "host", connect: |_| Ok(Box::new(Host::new()?)) },
    // The emulator with known faults planted in some variants: a run must find each.
    ImplementationKind { name: "canary",   rest: Rest::Never,  is_built_in: true,  written: "canary", connect: |_| Ok(Box::new(Canary)) },
];

/// Returns the kind that a name is of.
fn kind(name: &str) -> Option<&'static ImplementationKind> {
    let start = name.split([':', ',']).next().unwrap_or(name);
    KINDS.iter().find(|kind| {
        let may_stand = match kind.rest {
            Rest::Never => name == start,
            Rest::Maybe => true,
            Rest::Always => name != start,
        };
        kind.name == start && may_stand
    })
}

/// Whether a name stands for what is in this binary, so that it is used without a program being started
/// or code being loaded. Only such a name may be taken from a file: a report comes from anywhere.
pub fn is_built_in(name: &str) -> bool {
    kind(name).is_some_and(|kind| kind.is_built_in)
}

/// Returns the implementation that a name stands for.
pub fn named(name: &str) -> Result<Box<dyn Implementation>> {
    match (kind(name), bundled::find(name)) {
        (Some(kind), _) => (kind.connect)(name),
        (None, Some(bundled)) => bundled.connect(name),
        (None, None) => Err(unknown(name)),
    }
}

/// Checks that [`named`] knows what a name stands for, though the implementation may not be here.
///
/// # Errors
/// If [`named`] does not know the name.
pub fn check(name: &str) -> Result<()> {
    let is_known = kind(name).is_some() || bundled::find(name).is_some();
    if is_known { Ok(()) } else { Err(unknown(name)) }
}

/// Returns the error for a name that means nothing, with the names that there are.
fn unknown(name: &str) -> anyhow::Error {
    let bundled = bundled::BUNDLED.iter().map(|bundled| bundled.name);
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.written).chain(bundled).collect();
    anyhow!("unknown implementation `{name}`; --impl takes {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_takes_more_behind_its_name_or_does_not() {
        for name in
            ["emulator", "emulator:sm_90", "cuda", "cuda:1,isolated", "host", "exec:true", "lib:x.so"]
        {
            assert!(check(name).is_ok(), "{name}");
        }
        for name in ["host:1", "canary,x", "exec", "text", "lib", "ptx", "Emulator", ""] {
            let error = check(name).expect_err(name).to_string();
            assert!(error.contains(&format!("unknown implementation `{name}`")), "{error}");
            assert_eq!(named(name).err().map(|error| error.to_string()), Some(error));
        }
    }

    #[test]
    fn what_is_built_in_starts_no_program_and_loads_no_code() {
        let built_in: Vec<&str> =
            KINDS.iter().filter(|kind| kind.is_built_in).map(|kind| kind.name).collect();
        assert_eq!(built_in, ["emulator", "host", "canary"]);
        assert!(
            is_built_in("emulator:scalar") && !is_built_in("exec:emulator") && !is_built_in("host:1")
        );
    }
}
