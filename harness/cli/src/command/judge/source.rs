//! Kinds of sources that a compiler makes PTX of, and how each is sent to its compiler.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use compilers::language::Language;

/// The most bytes of a source.
const SOURCE_MAX: u64 = 1 << 26;
/// The first bytes of bitcode, and of bitcode in a wrapper.
const BITCODE: [[u8; 4]; 2] = [*b"BC\xc0\xde", [0xde, 0xc0, 0x17, 0x0b]];

/// A kind of source that a compiler makes PTX of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// Text in a language that the suite knows.
    Text(Language),
    /// Bitcode of such a language.
    Bitcode(Language),
    /// A kernel of Triton in a file of Python.
    Triton,
}

impl SourceKind {
    /// Returns the kind of a file by its name, and by the name of the compiler if one is named; `None` for PTX.
    pub fn of(file: &str, compiler: Option<&str>) -> Option<SourceKind> {
        if python(file).is_some() {
            return Some(SourceKind::Triton);
        }
        let ir = match compiler.is_some_and(|name| name.starts_with("nvvm")) {
            true => Language::Nvvm,
            false => Language::Llvm,
        };
        match Path::new(file).extension().and_then(|extension| extension.to_str()) {
            Some("cu") => Some(SourceKind::Text(Language::Cuda)),
            Some("ll") => Some(SourceKind::Text(ir)),
            Some("bc") => Some(SourceKind::Bitcode(ir)),
            _ => None,
        }
    }

    /// Returns the name of the language in the protocol of compilers.
    pub fn language(self) -> &'static str {
        match self {
            SourceKind::Text(language) => language.name(),
            SourceKind::Bitcode(Language::Nvvm) => "nvvm-bitcode",
            SourceKind::Bitcode(_) => "llvm-bitcode",
            SourceKind::Triton => "triton",
        }
    }

    /// Returns the name of the compiler that is taken if none is named.
    pub fn usual_compiler(self) -> &'static str {
        match self {
            SourceKind::Text(Language::Cuda) => "nvrtc",
            SourceKind::Text(_) | SourceKind::Bitcode(_) => "llvm",
            SourceKind::Triton => "triton",
        }
    }

    /// Reads a file of this kind, as a request to a compiler has it: bitcode in Base64.
    ///
    /// # Errors
    /// If the file cannot be read, is too long, or is not what its name says.
    pub fn read(self, file: &str) -> Result<String> {
        let path = python(file).map_or(file, |(path, _)| path);
        let opened = File::open(path).with_context(|| format!("{path} cannot be opened"))?;
        if !matches!(self, SourceKind::Bitcode(_)) {
            return text(opened, path);
        }
        let mut bytes = Vec::new();
        let read = opened.take(SOURCE_MAX + 1).read_to_end(&mut bytes);
        read.with_context(|| format!("{path} cannot be read"))?;
        if bytes.len() as u64 > SOURCE_MAX {
            bail!("{path} has more than {SOURCE_MAX} bytes: cut the function out of it");
        }
        if !BITCODE.iter().any(|start| bytes.starts_with(start)) {
            bail!("{path} is not LLVM bitcode: it does not begin as bitcode does");
        }
        Ok(STANDARD.encode(bytes))
    }
}

/// Splits a name like `kernel.py:NAME` into the path of a file of Python and the name of a kernel in it, if one is named;
/// `None` for other files.
pub fn python(file: &str) -> Option<(&str, Option<&str>)> {
    if file.ends_with(".py") {
        return Some((file, None));
    }
    let (path, name) = file.rsplit_once(':')?;
    path.ends_with(".py").then_some((path, Some(name)))
}

/// Reads a text that is not too long.
///
/// # Errors
/// If it cannot be read, is too long, or is not text.
pub fn text(from: impl Read, name: &str) -> Result<String> {
    let mut text = String::new();
    let read = from.take(SOURCE_MAX + 1).read_to_string(&mut text);
    read.with_context(|| format!("{name} cannot be read as text"))?;
    if text.len() as u64 > SOURCE_MAX {
        bail!("{name} has more than {SOURCE_MAX} bytes: cut the function out of it");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_say_what_they_are() {
        let of = |file: &str, compiler| SourceKind::of(file, compiler);
        assert_eq!(of("a.cu", None), Some(SourceKind::Text(Language::Cuda)));
        assert_eq!(of("a.ll", None), Some(SourceKind::Text(Language::Llvm)));
        assert_eq!(of("a.ll", Some("nvvm@12.9.86")), Some(SourceKind::Text(Language::Nvvm)));
        assert_eq!(of("a.bc", Some("nvvm")), Some(SourceKind::Bitcode(Language::Nvvm)));
        assert_eq!(of("a.bc", Some("llvm")), Some(SourceKind::Bitcode(Language::Llvm)));
        assert_eq!(of("a.py", None), Some(SourceKind::Triton));
        assert_eq!(of("a.py:k", None), Some(SourceKind::Triton));
        for ptx in ["a.ptx", "-", "a.pyc", "a.ptx:k", "py:k", "a"] {
            assert_eq!(of(ptx, None), None, "{ptx}");
        }
    }

    #[test]
    fn a_kernel_is_named_behind_the_last_colon() {
        assert_eq!(python("a.py"), Some(("a.py", None)));
        assert_eq!(python("c:/a.py:k"), Some(("c:/a.py", Some("k"))));
        assert_eq!(python("a:b.py"), Some(("a:b.py", None)));
        assert_eq!(python("a.py:b:c"), None);
    }
}
