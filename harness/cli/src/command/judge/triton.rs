//! Kernels of Triton: what the client of its compiler is told beside the text of the file.

use anyhow::{Result, bail};
use implementations::code::{Code, LaunchText, LaunchWord};
use isa::Register;
use ptx::syntax::Module;

use super::source::python;
use super::standard::Standard;
use super::{Arguments, source};

/// The beginning of the line in which Triton's client says how far apart the elements of a thread are.
const APART: &str = "// elements of a thread are apart: ";
/// The most pointers to memory for its own use that Triton passes to a kernel, behind the kernel's own parameters.
const SCRATCH_MAX: usize = 2;

impl Arguments {
    /// Checks that what only kernels of Triton have is not said of another file.
    ///
    /// # Errors
    /// If it is said.
    pub(super) fn check_triton(&self, kind: Option<source::SourceKind>) -> Result<()> {
        let is_said = self.signature.is_some() || !self.constants.is_empty();
        if is_said && kind != Some(source::SourceKind::Triton) {
            bail!(
                "--signature and --constant are for kernels of Triton, in a file whose name ends with .py"
            );
        }
        Ok(())
    }

    /// Returns the options of Triton's client for a file: which kernel, and what is known of its parameters.
    ///
    /// # Errors
    /// If two kernels are named, a word of `--option` is none of Triton's, or the meaning cannot be read.
    pub(super) fn triton_options(&self, file: &str, function: Option<&str>) -> Result<Vec<String>> {
        let (path, named) = python(file).unwrap_or((file, None));
        let mut options = vec![format!("--file={path}")];
        match (named, function) {
            (Some(named), Some(function)) if named != function => {
                bail!("{file} names `{named}`, and --function `{function}`: leave one of them out")
            }
            (named, function) => {
                options.extend(named.or(function).map(|kernel| format!("--kernel={kernel}")));
            }
        }
        options.extend(self.signature.as_ref().map(|types| format!("--signature={types}")));
        options.extend(self.constants.iter().map(|constant| format!("--constant={constant}")));
        if let Some(meaning) = &self.meaning {
            let standard = Standard::read(meaning)?;
            let formats = |registers: &[Register]| {
                registers.iter().map(|one| one.ty.format.name).collect::<Vec<_>>().join(",")
            };
            options.push(format!("--operands={}", formats(standard.shape().operands())));
            options.push(format!("--results={}", formats(standard.shape().results())));
        }
        for word in &self.options {
            options.push(match (word.as_str(), word.split_once('=')) {
                ("fma", _) => "enable_fp_fusion=True".to_owned(),
                ("!fma", _) => "enable_fp_fusion=False".to_owned(),
                (_, Some((name, _))) if !name.starts_with('-') => word.clone(),
                _ => bail!(
                    "--option `{word}` is no option of Triton: write NAME=VALUE, such as num_warps=1, or `!fma`"
                ),
            });
        }
        Ok(options)
    }
}

/// Returns the name of the only kernel of a module of PTX, and a launch with a word for each of its parameters, as Triton
/// adds some that a user does not know of.
pub fn launch_of(text: &str, launch: Option<&LaunchText>) -> (Option<String>, Option<LaunchText>) {
    let launch = launch.cloned();
    // What cannot be read as PTX is refused where it is judged.
    let Ok(module) = text.parse::<Module>() else { return (None, launch) };
    let [entry] = module.entries.as_slice() else { return (None, launch) };
    let all = entry.parameters.len();
    let launch = launch.map(|LaunchText { mut words, shape }| {
        // Without any word the parameters are found out.
        if !words.is_empty() && all.saturating_sub(words.len()) <= SCRATCH_MAX {
            words.resize(all.max(words.len()), LaunchWord::Unused);
        }
        LaunchText { words, shape }
    });
    (Some(entry.name.to_string()), launch)
}

/// Checks that all elements that a thread of a kernel reads and writes lie beside each other. Others cannot be told from
/// those between them, which belong to other threads.
///
/// # Errors
/// If they do not.
pub fn check_elements(ptx: &str, code: &Code) -> Result<()> {
    let said = ptx.lines().nth(1).and_then(|line| line.strip_prefix(APART));
    let Some(apart) = said.and_then(|number| number.parse::<usize>().ok()) else { return Ok(()) };
    // An element has at least one byte.
    if code.shape().iter().flatten().any(|bytes| *bytes >= apart) {
        bail!(
            "a thread of the kernel has elements that are {apart} apart, and those between them belong to other threads: \
             choose a block of {apart} elements with --constant, or launch with fewer elements"
        );
    }
    Ok(())
}

/// Returns how a kernel was compiled, in the words of Triton's client, which are a comment in the first line.
pub fn words(ptx: &str) -> &str {
    ptx.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "// k(x: *fp32:16) with num_warps=1\n.version 8.0\n.target sm_90\n.address_size 64\n\
                       .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\nret;\n}\n";

    #[test]
    fn a_launch_gets_words_for_what_triton_adds() {
        let launch = |text: &str| {
            let text: LaunchText = text.parse().unwrap();
            launch_of(PTX, Some(&text)).1.unwrap().to_string()
        };
        assert_eq!(launch("a"), "a, _, _");
        assert_eq!(launch("a, &d"), "a, &d, _");
        assert_eq!(launch("a, &d, rows"), "a, &d, rows");
        assert_eq!(launch("a, &d, rows, 1"), "a, &d, rows, 1");
        assert_eq!(launch_of(PTX, None), (Some("k".into()), None));
        assert_eq!(launch_of("no PTX", None), (None, None));
    }

    #[test]
    fn elements_that_are_apart_are_refused() {
        let kernel = |second: &str| {
            format!(
                "// k\n{second}.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param \
                 .u64 b)\n{{\n.reg .b64 %rd<3>; .reg .b32 %r<2>;\nld.param.b64 %rd1, [a];\nld.param.b64 %rd2, \
                 [b];\nld.global.b32 %r1, [%rd1+512];\nst.global.b32 [%rd2], %r1;\nret;\n}}\n"
            )
        };
        let check = |second: &str| {
            let text = kernel(second);
            check_elements(&text, &Code::of_text("k", &text, None, None).unwrap())
        };
        assert!(check("").is_ok());
        assert!(check("// elements of a thread are apart: 1024\n").is_ok());
        let refused = check("// elements of a thread are apart: 128\n").unwrap_err().to_string();
        assert!(refused.contains("elements that are 128 apart"), "{refused}");
    }

    #[test]
    fn how_a_kernel_was_compiled_is_in_its_first_line() {
        assert_eq!(words(PTX), "k(x: *fp32:16) with num_warps=1");
        assert_eq!(words(".version 8.0\n// no"), "");
        assert_eq!(words(""), "");
    }
}
