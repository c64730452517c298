//! Executes what was compiled of a report's source on a device. The report may be a stranger's, and a device has
//! nothing that guards it: so a function has to be one of registers and parameters alone.

use anyhow::Result;
use implementations::cuda::{Calls, Executor, LoadedFunction};
use ptx::syntax::{Function, Opcode, Operand, Space, Statement, each_instruction};
use reports::Example;

use super::vectors::is_in_memory;
use crate::promises::Body;

/// A function that a device has loaded.
pub struct OnDevice<'a> {
    calls: Calls<'a>,
    loaded: LoadedFunction,
}

impl OnDevice<'_> {
    /// Loads a body onto a device, for these vectors; the inner error says why it is not executed.
    ///
    /// # Errors
    /// If the device is unable to go on.
    pub fn of<'a>(
        device: &'a Executor,
        body: &Body,
        examples: &[&Example],
    ) -> Result<Result<OnDevice<'a>, String>> {
        let mut operands = examples.iter().flat_map(|example| &example.operands);
        if operands.any(is_in_memory) || !body.module.functions.iter().all(keeps_to_itself) {
            return Ok(Err(
                "it accesses memory or ends its thread, which is not possible on a device".into()
            ));
        }
        let calls = device.calls()?;
        Ok(device.load(&body.module, &body.name)?.map(|loaded| OnDevice { calls, loaded }))
    }

    /// Executes the function on these values, each cut to the bits of its mask, and returns its result.
    ///
    /// # Errors
    /// If there are not as many values as the function takes, or the device is unable to go on.
    pub fn result(&mut self, masks: impl Iterator<Item = u64>, values: &[u64]) -> Result<u64> {
        let values: Vec<u64> = values.iter().zip(masks).map(|(value, mask)| value & mask).collect();
        self.calls.run_once(&self.loaded, &values)
    }
}

/// Whether a function touches no memory but parameters, by their names, and returns.
fn keeps_to_itself(function: &Function) -> bool {
    let mut names: Vec<&str> =
        function.parameters.iter().chain(&function.results).map(|one| &*one.name).collect();
    let body = function.body.as_deref().unwrap_or_default();
    declared(body, &mut names);
    let mut keeps = true;
    each_instruction(body, &mut |instruction| {
        let is_named = |operand: &Operand| match operand {
            Operand::Memory { base, .. } => names.contains(&&**base),
            Operand::Place(_) => false,
            _ => true,
        };
        keeps &= match &instruction.opcode {
            Opcode::Load(space, _) | Opcode::Store(space, _) => *space == Space::Param,
            Opcode::Access(access) => access.space == Space::Param,
            Opcode::Exit | Opcode::Trap => false,
            _ => true,
        };
        keeps &= instruction.operands.iter().all(is_named);
    });
    keeps
}

/// Adds the names of the parameters that stand around calls.
fn declared<'a>(body: &'a [Statement], names: &mut Vec<&'a str>) {
    for statement in body {
        match statement {
            Statement::Variable(one) if one.space == Space::Param => names.push(&one.of.name),
            Statement::Block(inner) => declared(inner, names),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use ptx::syntax::Module;

    use super::*;

    #[test]
    fn what_goes_to_memory_or_ends_its_thread_is_seen() {
        let keeps = |body: &str| {
            let text = format!(
                ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func (.param .b64 r) f(.param .b64 \
                 p)\n{{\n.reg .b64 %a;\n.reg .b64 p2;\nld.param.b64 %a, [p];\n{body}\nst.param.b64 [r], %a;\n\
                 ret;\n}}\n"
            );
            text.parse::<Module>().unwrap().functions.iter().all(keeps_to_itself)
        };
        let call = "{\n.param .b64 given;\nst.param.b64 [given], %a;\n}";
        for body in ["add.s64 %a, %a, 1;", call, "neg.f64 %a, %a;"] {
            assert!(keeps(body), "{body}");
        }
        for body in [
            "ld.global.b64 %a, [%a];",
            "st.global.b64 [%a], %a;",
            "ld.b64 %a, [%a];",
            "ld.param.b64 %a, [%a];",
            "st.param.b64 [p2], %a;",
            "ld.local.b64 %a, [%a+8];",
            "exit;",
            "trap;",
            "{\ntrap;\n}",
        ] {
            assert!(!keeps(body), "{body}");
        }
    }
}
