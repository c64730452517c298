//! Finds contractions: sums of products that an assembler may fuse, because neither the sum nor the product has a
//! rounding modifier.

use std::collections::HashMap;

use crate::syntax::{
    Declaration, Declared, Function, Instruction, Module, Opcode, Operand, Scalar, Statement,
};

/// The most statements of all modules of [`contractions`] together: each module is as long as its function.
const MOST_STATEMENTS: usize = 1 << 20;

/// Returns all modules that an assembler may make of this one by contraction in the named function, each with one sum
/// of a product fused. There are none where the compiler gave every product or sum a rounding modifier.
///
/// # Errors
/// If there are so many of them, and the function is so long, that they could not all be executed; the error is what
/// people are told.
pub fn contractions(module: &Module, name: &str) -> Result<Vec<Module>, String> {
    // A declaration of the function may stand before its body.
    let has_body = |of: &Function| of.name == name && of.body.is_some();
    let Some(place) = module.functions.iter().position(has_body) else { return Ok(Vec::new()) };
    let body = module.functions[place].body.as_deref().unwrap_or_default();
    let widths = Widths::of(body);
    // The last instruction that sets each register, so that a long function is gone through once.
    let mut setters: HashMap<&str, &Instruction> = HashMap::new();
    let mut fused = Vec::new();
    for (at, statement) in body.iter().enumerate() {
        let Statement::Instruction(instruction) = statement else { continue };
        let new = contracted(instruction, |name| setters.get(name).copied(), &widths);
        fused.extend(new.filter(|(_, free)| *free).map(|(new, _)| (at, new)));
        if let Some(Operand::Register(set)) = instruction.operands.first() {
            setters.insert(set, instruction);
        }
    }
    if fused.len().saturating_mul(body.len()) > MOST_STATEMENTS {
        return Err(format!(
            "{} sums that an assembler may fuse, in {} statements",
            fused.len(),
            body.len()
        ));
    }
    let modules = fused.into_iter().filter_map(|(at, new)| {
        let mut module = module.clone();
        let body = module.functions[place].body.as_mut()?;
        body[at] = new;
        Some(module)
    });
    Ok(modules.collect())
}

/// Returns the last of these statements that sets a register, if it is an instruction.
pub fn setter<'a>(before: &'a [Statement], name: &str) -> Option<&'a Instruction> {
    before.iter().rev().find_map(|statement| match statement {
        Statement::Instruction(new) => match new.operands.first() {
            Some(Operand::Register(set)) if set == name => Some(new),
            _ => None,
        },
        _ => None,
    })
}

/// Fuses a sum or difference of which one term is a product, where `setter` returns the last instruction before it that
/// sets a register; `None` where there is no such product. The flag says whether an assembler may fuse them: "an add
/// instruction with no rounding modifier … may be contracted" (PTX ISA, `add`, `sub`, `mul`), with a product that has no
/// rounding modifier either.
pub fn contracted<'a>(
    sum: &Instruction,
    setter: impl Fn(&str) -> Option<&'a Instruction>,
    widths: &Widths,
) -> Option<(Statement, bool)> {
    let (name, spelling) =
        ["add", "sub"].into_iter().find_map(|name| Some((name, named(sum, name)?)))?;
    let [into @ Operand::Register(result), one, other] = &sum.operands[..] else { return None };
    let product = |term: &Operand| {
        let Operand::Register(term) = term else { return None };
        // With a guard the instruction may not have been executed.
        let found = setter(term)?;
        let spelling = named(found, "mul").filter(|_| found.guard.is_none())?;
        let [_, a, b] = &found.operands[..] else { return None };
        Some(([a.clone(), b.clone()], spelling))
    };
    let (([a, b], factors), first) =
        product(one).map(|of| (of, true)).or_else(|| Some((product(other)?, false)))?;
    let is_rounded = |spelling: &str| {
        spelling.split('.').nth(1).is_some_and(|word| matches!(word, "rn" | "rz" | "rm" | "rp"))
    };
    // Nothing is fused that flushes in one half and not in the other, or clamps before the sum.
    let alike = factors.replacen("mul", name, 1) == spelling.replace(".sat", "");
    let is_free = !is_rounded(spelling) && !is_rounded(factors) && alike;
    // An `fma` has a rounding modifier always, and a sum without one rounds to nearest even (PTX ISA, `add` and `fma`).
    let rounding = if is_rounded(spelling) { "fma" } else { "fma.rn" };
    let fused = |operands: Vec<Operand>| {
        let opcode = Opcode::read(&spelling.replacen(name, rounding, 1));
        let (guard, line) = (sum.guard.clone(), sum.line);
        in_table(Instruction { guard, opcode, operands, line }).map(Statement::Instruction)
    };
    if name == "add" {
        let addend = if first { other } else { one };
        return Some((fused(vec![into.clone(), a, b, addend.clone()])?, is_free));
    }
    // PTX has no `fma` that negates: a·b − c is fma(a, b, −c), and c − a·b is fma(−a, b, c).
    let negated: Operand = "%negated".into();
    let (of, operands) = match first {
        true => (other.clone(), vec![into.clone(), a, b, negated.clone()]),
        false => (a, vec![into.clone(), negated.clone(), b, one.clone()]),
    };
    let ty = spelling.rsplit('.').next()?;
    let sign = Instruction {
        guard: sum.guard.clone(),
        opcode: Opcode::read(&format!("neg.{ty}")),
        operands: vec![negated, of],
        line: sum.line,
    };
    let names = vec![Declared { name: "%negated".into(), count: None }];
    let block = Statement::Block(vec![
        Statement::Declaration(Declaration { ty: widths.get(result)?, names }),
        Statement::Instruction(in_table(sign)?),
        fused(operands)?,
    ]);
    Some((block, is_free))
}

/// The types of a function's registers, as they are declared: by name, or as a range, `%f<4294967295>`, which is
/// kept as such because it may be long.
pub struct Widths {
    names: HashMap<String, Scalar>,
    numbered: Vec<(String, usize, Scalar)>,
}

impl Widths {
    /// Collects the registers that a body and the blocks in it declare.
    pub fn of(body: &[Statement]) -> Widths {
        let mut all = Widths { names: HashMap::new(), numbered: Vec::new() };
        for statement in body {
            match statement {
                Statement::Declaration(declaration) => {
                    for Declared { name, count } in &declaration.names {
                        match count {
                            Some(count) => {
                                all.numbered.push((name.clone(), *count as usize, declaration.ty));
                            }
                            None => {
                                all.names.insert(name.clone(), declaration.ty);
                            }
                        }
                    }
                }
                Statement::Block(inner) => {
                    let inner = Widths::of(inner);
                    all.names.extend(inner.names);
                    all.numbered.extend(inner.numbered);
                }
                _ => {}
            }
        }
        all
    }

    /// Returns the type of a register; `None` if no declaration has it.
    pub fn get(&self, name: &str) -> Option<Scalar> {
        let numbered = |(before, count, ty): &(String, usize, Scalar)| {
            let number = name.strip_prefix(before.as_str())?;
            let is = number.parse::<usize>().is_ok_and(|own| own < *count && own.to_string() == number);
            is.then_some(*ty)
        };
        self.names.get(name).copied().or_else(|| self.numbered.iter().rev().find_map(numbered))
    }
}

/// Returns the spelling of an instruction that the table has, if its name is this one, such as `add`.
pub fn named<'a>(instruction: &'a Instruction, name: &str) -> Option<&'a str> {
    instruction.variant()?;
    let Opcode::Tested(spelling) = &instruction.opcode else { return None };
    spelling.strip_prefix(name)?.starts_with('.').then_some(&**spelling)
}

/// Returns an instruction if the table has it.
pub fn in_table(instruction: Instruction) -> Option<Instruction> {
    instruction.variant().is_some().then_some(instruction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_assembler_may_contract_is_what_nobody_rounds() {
        let fused = |instructions: &str| {
            let module: Module = format!(
                ".version 8.0\n.target sm_90\n.address_size 64\n\
                 .visible .func (.param .b32 func_retval0) f(.param .b32 f_param_0)\n{{\n.reg .b32 %f<5>;\n\
                 ld.param.b32 %f1, [f_param_0];\n{instructions}\nst.param.b32 [func_retval0], %f3;\nret;\n}}\n"
            )
            .parse()
            .expect("a module");
            let all = contractions(&module, "f").expect("few sums");
            all.iter().map(|module| module.to_string().matches("fma.rn").count()).sum::<usize>()
        };
        assert_eq!(fused("mul.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f2, %f1;"), 1);
        assert_eq!(fused("mul.f32 %f2, %f1, %f1;\nsub.f32 %f3, %f1, %f2;"), 1);
        assert_eq!(fused("mul.f32 %f2, %f1, %f1;\nadd.sat.f32 %f3, %f2, %f1;"), 1);
        for apart in [
            "mul.rn.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f2, %f1;",
            "mul.f32 %f2, %f1, %f1;\nadd.rn.f32 %f3, %f2, %f1;",
            "mul.ftz.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f2, %f1;",
            "mul.sat.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f2, %f1;",
        ] {
            assert_eq!(fused(apart), 0, "{apart}");
        }
    }
    /// Returns a function of `sums` products and sums, each sum of the product before it.
    fn long(sums: usize) -> Module {
        let pair = "mul.f32 %f2, %f1, %f1;\nadd.f32 %f1, %f2, %f1;\n".repeat(sums);
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n\
             .visible .func (.param .b32 func_retval0) f(.param .b32 f_param_0)\n{{\n.reg .b32 %f<5>;\n\
             ld.param.b32 %f1, [f_param_0];\n{pair}st.param.b32 [func_retval0], %f1;\nret;\n}}\n"
        );
        text.parse().expect("a module")
    }

    #[test]
    fn more_contractions_than_can_be_executed_are_told() {
        assert_eq!(contractions(&long(10), "f").map(|all| all.len()), Ok(10));
        let told = contractions(&long(2_000), "f").expect_err("8,000,000 statements");
        assert_eq!(told, "2000 sums that an assembler may fuse, in 4004 statements");
    }

    #[test]
    fn the_last_instruction_that_sets_a_register_counts() {
        let module = long(2);
        let body = module.functions[0].body.as_deref().expect("a body");
        for at in 0..body.len() {
            let found = setter(&body[..at], "%f1");
            let due = body[..at].iter().rev().find(|of| {
                let text = of.to_string();
                text.starts_with("add.f32 %f1") || text.starts_with("ld.param.b32 %f1")
            });
            let text = |text: String| text.trim_end().to_owned();
            let [found, due] =
                [found.map(ToString::to_string), due.map(ToString::to_string)].map(|of| of.map(text));
            assert_eq!(found, due, "{at}");
        }
    }
}
