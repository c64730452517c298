//! The judging of instructions that the assembler refuses in phases.

use std::path::Path;

use anyhow::{Result, bail};
use ptx::Header;

use super::super::message::Message;
use super::{Assembler, Verdicts, head};

impl Assembler {
    /// Judges like [`Assembler::judge`] instructions that the assembler refuses in phases.
    ///
    /// An error of an earlier phase, anywhere in the module, hides those of a later one, and where the assembler
    /// cannot go on it stops reading. So the instructions that it does not complain of are asked about again by
    /// themselves, until a module of them is accepted as a whole, which takes no guard. `declarations` are their
    /// registers.
    ///
    /// # Errors
    /// The same errors as those of [`Assembler::judge`], or if the assembler refuses a module without naming an
    /// instruction.
    pub(crate) fn judge_in_phases(
        &self,
        file: &Path,
        header: Header,
        declarations: &str,
        instructions: &[&str],
    ) -> Result<Verdicts> {
        let head = head(header.target, header.ptx, declarations);
        let first = head.lines().count() + 1;
        let mut refusals: Vec<Option<String>> = vec![None; instructions.len()];
        loop {
            let rest: Vec<usize> =
                (0..refusals.len()).filter(|&number| refusals[number].is_none()).collect();
            let mut module = head.clone();
            for &number in &rest {
                module = module + instructions[number] + "\n";
            }
            module += "ret;\n}\n";
            let (status, text) = self.run_on(file, &module, &["-arch", &self.reader(header.target)])?;
            if status.success() {
                return Ok(Verdicts::Each(refusals));
            }
            // A round that refuses nothing would be followed by the same one, without end.
            let mut refused = false;
            for line in text.lines() {
                let message = Message::read(line).ok_or_else(|| self.unknown(line))?;
                let (Message::At { line, text } | Message::StoppedAt { line, text }) = message else {
                    continue;
                };
                match line.checked_sub(first).map(|at| rest.get(at)) {
                    None => return Ok(Verdicts::NoSuchModule(text.to_owned())),
                    Some(Some(&number)) => {
                        refusals[number].get_or_insert_with(|| text.to_owned());
                        refused = true;
                    }
                    // Such a message is about the end of the module.
                    Some(None) => {}
                }
            }
            if !refused {
                bail!(
                    "{} refuses a module for {} and names no instruction of it: {}",
                    self.program.display(),
                    header.target,
                    text.lines().next().unwrap_or("it says nothing")
                );
            }
        }
    }
}
