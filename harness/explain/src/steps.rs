//! Explains every instruction of an expression, for a text that is read without the suite.

use std::fmt::Write;

use compilers::rows::Expression;
use formats::{Column, RowBits};
use isa::{Type, Variant};
use model::{ExactValue, Model};

use super::Page;
use super::exact::{product, quotient};

/// Returns the steps of each instruction of an expression like `add.rn.f32(mul.rn.f32(a, b), c)`, the innermost
/// instruction first: its operands, the exact result, how that is rounded, and the result. The operands are the bits of
/// the parameters in hexadecimal. Returns `None` if the text is no expression, or an operand cannot be read.
pub fn steps(expression: &str, operands: &[String]) -> Option<Vec<String>> {
    let expression = Expression::read(expression).ok()?;
    let columns = parameters(&expression, operands)?;
    let mut steps = Vec::new();
    let mut unit = |variant: &'static Variant, columns: &[Column]| {
        let page = Page::of_columns(variant, columns.to_vec());
        steps.push(page.step());
        page.truth.results
    };
    expression.evaluate(&mut unit, &columns);
    steps.into_iter().collect()
}

/// Returns the parameters of an expression as columns of one row.
fn parameters(expression: &Expression, operands: &[String]) -> Option<Vec<Column>> {
    let used = expression.parameters();
    let count = used.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    // An expression of constants has no parameter, and one column says that it has one row.
    let mut columns: Vec<Column> = (0..count.max(1)).map(|_| Column::new(1, 1)).collect();
    for (at, ty) in used {
        let bytes = Type::named(&ty)?.row_bytes();
        let bits = RowBits::from_hex(operands.get(at)?.strip_prefix("0x")?, bytes).ok()?;
        let column = columns.get_mut(at)?;
        *column = Column::new(bytes, 1);
        column.set_row_bits(0, &bits);
    }
    Some(columns)
}

impl Page<'_> {
    /// Returns the steps of this page's instruction under its name and its operands; `None` if they cannot be told.
    fn step(&self) -> Option<String> {
        let registers = self.variant.operands().iter().zip(&self.operands);
        let operands: Vec<String> = registers.map(|(of, column)| of.ty.hex(column.get(0))).collect();
        let mut text = format!("{}({})\n", self.variant, operands.join(", "));
        match Model::covers(self.variant) {
            true => {
                let mut stages = String::new();
                self.stages(&mut stages).ok()?;
                let mut products = self.products().into_iter();
                for line in stages.lines() {
                    writeln!(text, "{line}").ok()?;
                    // Every lane with an exact result has such a line.
                    if line.starts_with("  exact  ")
                        && let Some(product) = products.next().flatten()
                    {
                        writeln!(text, "  exactly   {product}").ok()?;
                    }
                }
            }
            false => {
                self.bounds(&mut text).ok()?;
                super::registers(&mut text, self.variant.results(), &self.truth.results).ok()?;
            }
        }
        self.accepted(&mut text).ok()?;
        Some(text)
    }

    /// Returns the exact result of each lane that has one, as an integer times a power of two or as a quotient of two
    /// integers; `None` for a lane whose exact result is neither.
    fn products(&self) -> Vec<Option<String>> {
        if self.variant.is_of_two_threads() {
            return Vec::new();
        }
        let product = |(lane, inputs): (usize, &Vec<u64>)| {
            let explained = Model::new(self.variant, None).explain(lane, inputs);
            let exact = explained.exact?;
            Some(match exact {
                ExactValue::Finite { .. } if explained.is_whole => product(exact),
                ExactValue::Finite { .. } if !explained.flushed.contains(&true) => {
                    quotient(self.variant, inputs)
                }
                _ => None,
            })
        };
        self.lanes().iter().enumerate().filter_map(product).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(expression: &str, operands: &[&str]) -> Option<String> {
        let operands: Vec<String> = operands.iter().map(|&bits| bits.to_owned()).collect();
        steps(expression, &operands).map(|steps| steps.concat())
    }

    #[test]
    fn each_instruction_of_an_expression_has_its_steps() {
        let sum = "add.rn.f32(mul.rn.f32(a, b), 0x3f800000)";
        let text = all(sum, &["0x40000000", "0x3f800001"]).expect("steps");
        assert!(text.starts_with("mul.rn.f32(0x40000000, 0x3f800001)\n"), "{text}");
        assert!(text.contains("\nadd.rn.f32(0x40000001, 0x3f800000)\n"), "{text}");
        assert!(text.contains("  exactly   8388609 · 2^-22\n"), "{text}");
        assert!(text.contains("  result    0x40400001"), "{text}");
    }

    #[test]
    fn a_quotient_is_one_of_integers() {
        let text = all("div.rn.f32", &["0x41200000", "0x40400000"]).expect("steps");
        assert!(text.contains("  exactly   10 / 3\n"), "{text}");
        let text = all("div.rn.f32", &["0x3f800000", "0x44400000"]).expect("steps");
        assert!(text.contains("  exactly   (1 / 3) · 2^-8\n"), "{text}");
        let text = all("sqrt.rn.f32", &["0x40000000"]).expect("steps");
        assert!(!text.contains("exactly"), "{text}");
    }

    #[test]
    fn what_cannot_be_read_has_no_steps() {
        for (expression, operands) in [
            ("no.such", &["0x00"][..]),
            ("mul.rn.f32", &["0x40000000"]),
            ("mul.rn.f32", &["0x40000000", "7"]),
            ("mul.rn.f32", &["0x40000000", "0x123456789"]),
            ("", &[]),
        ] {
            assert_eq!(all(expression, operands), None, "{expression}");
        }
    }
}
