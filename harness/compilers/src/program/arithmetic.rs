//! Single operations on rows of values, computed as IEEE 754 has them.

use std::collections::HashMap;

use emulator::{Backend, Kernel};
use formats::column;
use isa::{Variant, columns_for, results_for};

use super::{ProgramOperation, Relation, Type};

/// An evaluator of operations, which keeps kernels of the emulator by the names of their instructions.
#[derive(Default)]
pub struct OperationEvaluator {
    kernels: HashMap<String, (&'static Variant, Kernel)>,
}

/// Returns the suffix that a type has in the names of instructions.
const fn suffix(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "f16",
        Type::Bf16 => "bf16",
        Type::F32 => "f32",
        Type::F64 => "f64",
    }
}

/// Returns the number of single precision with these bits.
fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

impl OperationEvaluator {
    /// Runs an instruction of this name on rows of operands, and returns a result for each row; a comparison gives 1
    /// or 0.
    fn run(&mut self, name: &str, rows: &[Vec<u64>]) -> Vec<u64> {
        let (variant, kernel) = self.kernels.entry(name.to_owned()).or_insert_with(|| {
            let variant = Variant::named(name).expect("a variant of the table");
            (variant, Kernel::of(variant, Backend::Lanes).expect("every variant has one"))
        });
        if rows.is_empty() {
            return Vec::new();
        }
        let mut operands = columns_for(variant, rows.len());
        let mut results = results_for(variant, rows.len());
        for (row, values) in rows.iter().enumerate() {
            column::set_row(&mut operands, row, values);
        }
        kernel.run(&operands, &mut results);
        (0..rows.len()).map(|row| results[0].get(row)).collect()
    }

    /// Computes an operation from a type to a type, and returns a result for each row of operands. Of a selection the
    /// result is 1 where the first of its values is taken and 0 where the second is.
    pub fn apply(
        &mut self,
        operation: ProgramOperation,
        [from, to]: [Type; 2],
        rows: &[Vec<u64>],
    ) -> Vec<u64> {
        let format = to.format();
        let each = |of: &dyn Fn(&[u64]) -> u64| rows.iter().map(|row| of(row)).collect();
        let named = |name: &str| format!("{name}.{}", suffix(to));
        match operation {
            ProgramOperation::Neg => each(&|row| row[0] ^ format.sign_mask()),
            ProgramOperation::Abs => each(&|row| row[0] & format.magnitude_mask()),
            ProgramOperation::CopySign => {
                each(&|row| row[0] & format.magnitude_mask() | row[1] & format.sign_mask())
            }
            // Remainders and roundings to an integer are exact, whatever computes them.
            ProgramOperation::Rem => each(&|row| match to {
                Type::F64 => (f64::from_bits(row[0]) % f64::from_bits(row[1])).to_bits(),
                _ => (single(row[0]) % single(row[1])).to_bits().into(),
            }),
            ProgramOperation::Round => each(&|row| match to {
                Type::F64 => f64::from_bits(row[0]).round().to_bits(),
                _ => single(row[0]).round().to_bits().into(),
            }),
            ProgramOperation::Add => self.run(&named("add.rn"), rows),
            ProgramOperation::Sub => self.run(&named("sub.rn"), rows),
            ProgramOperation::Mul => self.run(&named("mul.rn"), rows),
            ProgramOperation::Fma => self.run(&named("fma.rn"), rows),
            ProgramOperation::Min => self.run(&named("min"), rows),
            ProgramOperation::Max => self.run(&named("max"), rows),
            // Single precision has so many more bits that rounding its result once more is rounding once.
            ProgramOperation::Div | ProgramOperation::Sqrt if to.is_half() => {
                let wide = self.widened(to, rows);
                let result = self.apply(operation, [Type::F32; 2], &wide);
                self.cast(Type::F32, to, &result)
            }
            ProgramOperation::Div => self.run(&named("div.rn"), rows),
            ProgramOperation::Sqrt => self.run(&named("sqrt.rn"), rows),
            ProgramOperation::Cast => {
                let values: Vec<u64> = rows.iter().map(|row| row[0]).collect();
                self.cast(from, to, &values)
            }
            // Where there is no such integer, the result is not looked at.
            ProgramOperation::Integer(of) => {
                let back = rows.iter().map(|row| of.there_and_back(self, to, row[0], false));
                back.map(|bits| bits.unwrap_or_default()).collect()
            }
            ProgramOperation::Select(relation) => {
                let pairs: Vec<Vec<u64>> = rows.iter().map(|row| row[..2].to_vec()).collect();
                let name = match relation {
                    Relation::Less => "lt",
                    Relation::LessOrEqual => "le",
                    Relation::Greater => "gt",
                    Relation::GreaterOrEqual => "ge",
                    Relation::Equal => "eq",
                    Relation::NotEqual => "neu",
                };
                self.run(&format!("setp.{name}.{}", suffix(from)), &pairs)
            }
        }
    }

    /// Converts values from one type to another, rounded to nearest even.
    pub fn cast(&mut self, from: Type, to: Type, values: &[u64]) -> Vec<u64> {
        let rows: Vec<Vec<u64>> = values.iter().map(|&value| vec![value]).collect();
        let name = |rounding| format!("cvt{rounding}.{}.{}", suffix(to), suffix(from));
        match (from, to) {
            (Type::F16, Type::Bf16) | (Type::Bf16, Type::F16) => {
                // The way by single precision rounds once, since widening is exact.
                let wide = self.cast(from, Type::F32, values);
                self.cast(Type::F32, to, &wide)
            }
            _ if from.format().width() < to.format().width() => self.run(&name(""), &rows),
            _ => self.run(&name(".rn"), &rows),
        }
    }

    /// Converts rows of operands of a type to single precision.
    pub fn widened(&mut self, from: Type, rows: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let flat: Vec<u64> = rows.concat();
        let each = rows.first().map_or(1, Vec::len);
        let wide = self.cast(from, Type::F32, &flat);
        wide.chunks(each).map(<[u64]>::to_vec).collect()
    }
}
