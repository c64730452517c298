//! Describes what a function does, apart from its name.

use std::collections::BTreeSet;

use ptx::syntax::{Function, Instruction, Module, Opcode, Operand, each_instruction};

/// The body of a function, with the module that it needs.
#[derive(Clone, Debug)]
pub struct Body {
    text: String,
    /// The names of the body's instructions in order, without those that move values.
    pub opcodes: Vec<String>,
    /// Whether the body has an instruction for which PTX states only a bound, or may call a function that has one.
    pub approximates: bool,
    /// The name of the function in `module`.
    pub name: String,
    /// A module of the function and what it takes: all functions that it reaches by calls, and the module's tables.
    pub module: Module,
}

impl Body {
    /// Returns the body of the function of this name in a module; `None` if the module has no such body.
    pub fn of(module: &Module, name: &str) -> Option<Body> {
        let named = |function: &&Function| function.name == name && function.body.is_some();
        let function = module.functions.iter().find(named)?;
        let body = function.body.as_ref()?;
        let (mut opcodes, mut approximates) = (Vec::new(), false);
        each_instruction(body, &mut |instruction| {
            opcodes.extend(opcode(instruction));
            approximates |= instruction.variant().is_some_and(|variant| !variant.is_exact());
        });
        let own = format!("{:?} {:?} {body:?}", widths(function), function.results.len());
        // Compilers name parameters after the function, `f0_param_0`, which would tell equal bodies apart.
        let mut text = own.replace(&format!("{name}_"), "_");
        // The functions that it calls and the tables that it reads stand in the module, not in its body.
        let calls = opcodes.iter().any(|opcode| opcode.starts_with("call"));
        let functions = reached(module, name);
        if calls || !module.variables.is_empty() {
            let called: Vec<&&Function> = functions.iter().filter(|one| one.name != name).collect();
            text += &format!("{called:?} {:?}", module.variables);
        }
        let functions = functions.into_iter().cloned().collect();
        let module = Module {
            header: module.header,
            variables: module.variables.clone(),
            functions,
            entries: Vec::new(),
        };
        Some(Body { text, opcodes, approximates: approximates || calls, name: name.to_owned(), module })
    }

    /// Returns a text that two functions have in common if they do the same in the same way.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the function of a name, those that it calls, and those that these call: declarations as well, in the
/// module's order.
fn reached<'a>(module: &'a Module, name: &'a str) -> Vec<&'a Function> {
    let mut names = BTreeSet::new();
    let mut next = vec![name];
    while let Some(name) = next.pop() {
        // Functions may call each other in circles.
        if !names.insert(name) {
            continue;
        }
        for function in module.functions.iter().filter(|function| function.name == name) {
            each_instruction(function.body.as_deref().unwrap_or_default(), &mut |instruction| {
                if matches!(instruction.opcode, Opcode::Call | Opcode::CallUniform) {
                    next.extend(instruction.operands.iter().filter_map(|operand| match operand {
                        Operand::Label(name) => Some(name.as_str()),
                        _ => None,
                    }));
                }
            });
        }
    }
    module.functions.iter().filter(|function| names.contains(&*function.name)).collect()
}

/// Returns the types of a function's parameters.
fn widths(function: &Function) -> Vec<String> {
    function
        .parameters
        .iter()
        .map(|parameter| format!("{} {:?}", parameter.ty, parameter.length))
        .collect()
}

/// Returns the name of an instruction, unless it moves a value.
fn opcode(instruction: &Instruction) -> Option<String> {
    let moves = matches!(
        instruction.opcode,
        Opcode::Load(..) | Opcode::Store(..) | Opcode::Access(_) | Opcode::Return
    );
    let name = instruction.opcode.to_string();
    (!moves && !name.starts_with("mov.")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_alike_whatever_their_names() {
        let function = |name: &str, opcode: &str| {
            format!(
                ".visible .func (.param .b32 func_retval0) {name}(.param .b32 {name}_param_0)\n{{\n\
                 .reg .b32 %r<4>;\nld.param.b32 %r1, [{name}_param_0];\n{opcode} %r2, %r1, 0f3F800000;\n\
                 mov.b32 %r3, %r2;\nst.param.b32 [func_retval0], %r3;\nret;\n}}\n"
            )
        };
        let module = format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n{}{}{}",
            function("f0", "add.rn.f32"),
            function("f1", "add.rn.f32"),
            function("f2", "mul.rn.f32")
        );
        let sized = ".address_size 64\n";
        let table = format!("{sized}.const .align 4 .b8 table[4] = {{1, 2, 3, 4}};\n");
        for text in [module.clone(), module.replace(sized, &table)] {
            let module: Module = text.parse().expect("a module");
            let [f0, f1, f2] = ["f0", "f1", "f2"].map(|name| Body::of(&module, name).expect("a body"));
            assert_eq!(f0.opcodes, ["add.rn.f32"]);
            assert_eq!(f0.text(), f1.text());
            assert_ne!(f0.text(), f2.text());
            assert!(Body::of(&module, "f3").is_none());
        }
    }

    #[test]
    fn a_body_has_what_it_calls_and_nothing_else() {
        let function = |name: &str, called: &str| {
            let call = match called {
                "" => String::new(),
                _ => {
                    format!("{{ .param .b32 r; call.uni (r), {called}, (); ld.param.b32 %r1, [r]; }}\n")
                }
            };
            format!(
                ".func (.param .b32 func_retval0) {name}()\n{{\n.reg .b32 %r<4>;\n{call}\
                 st.param.b32 [func_retval0], %r1;\nret;\n}}\n"
            )
        };
        let declared = ".func (.param .b32 func_retval0) last();\n";
        let [last, other, through, first] =
            [("last", ""), ("other", ""), ("through", "last"), ("first", "through")]
                .map(|(f, g)| function(f, g));
        let module = format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n{declared}{other}{through}{first}{last}"
        );
        let module: Module = module.parse().expect("a module");
        let body = Body::of(&module, "first").expect("a body");
        let names: Vec<&str> = body.module.functions.iter().map(|function| &function.name[..]).collect();
        assert_eq!(names, ["last", "through", "first", "last"]);
        assert!(body.module.functions[3].body.is_some());
        assert_eq!(body.opcodes, ["call.uni"]);
    }
}
