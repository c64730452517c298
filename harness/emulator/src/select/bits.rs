//! Instructions that round nothing: signs, classes, comparisons and selections.

use vectors::isa::{Comparison, NanRule, Op, Relation};
use vectors::{Variant, lanes::Element};

use super::{alone, is_wide};
use crate::elements::{Columns, Elements};
use crate::instruction::{Compare, Copysign, Extreme, Select, Sign, Test};
use crate::layout::Layout;
use crate::machine::{Machine, program};
use crate::unsigned::Unsigned;

/// The programs of a variant.
pub fn select(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    if is_wide(variant) {
        of_width::<u64, u64>(variant, machine)
    } else {
        of_width::<u32, u32>(variant, machine)
    }
}

fn of_width<U: Unsigned, E: Element>(variant: &Variant, machine: Machine) -> Option<Box<dyn Columns>> {
    let (inputs, meaning) = (variant.inputs(), variant.meaning());
    // The selector of `slct` comes last, and is what it looks at.
    let of = if meaning.op == Op::Select { inputs.len() - 1 } else { 0 };
    let encoding = inputs[of].format;
    let (format, flush) = (Layout::new(encoding), meaning.flush.inputs[of]);
    let nan = match meaning.nan {
        NanRule::Canonical => encoding.nan(),
        NanRule::Bits(bits) => Some(bits),
        NanRule::Operand => None,
    };
    alone::<E>(match meaning.op {
        Op::Abs => program::<U, _, _, _>(machine, Sign { format, flush, negate: false, nan }),
        Op::Neg => program::<U, _, _, _>(machine, Sign { format, flush, negate: true, nan }),
        Op::Copysign => program::<U, _, _, _>(machine, Copysign(format)),
        Op::Test(classes) => program::<U, _, _, _>(machine, Test { format, classes }),
        Op::Select => program::<U, _, _, _>(machine, Select { selector: format, flush }),
        Op::Extremum(extremum) => {
            let extreme = Extreme { format, flush, extremum, nan: nan? };
            match inputs.len() {
                2 => program::<U, _, _, 2>(machine, extreme),
                _ => program::<U, _, _, 3>(machine, extreme),
            }
        }
        Op::Compare(comparison) => {
            return compare::<U, E>(variant, comparison, format, flush, machine);
        }
        _ => None,
    })
}

/// `set` and `setp`, whose second predicate is of the opposite comparison.
fn compare<U: Unsigned, E: Element>(
    variant: &Variant,
    comparison: Comparison,
    format: Layout,
    flush: bool,
    machine: Machine,
) -> Option<Box<dyn Columns>> {
    let result = variant.outputs()[0].format;
    let yes = if result.is_fixed() { result.mask() } else { result.one() };
    let opposite = Comparison { relation: complement(comparison.relation), ..comparison };
    let comparisons = [comparison, opposite].into_iter().take(variant.outputs().len());
    let programs = comparisons.map(|comparison| {
        let compare = Compare { format, flush, comparison, yes };
        match variant.inputs().len() {
            2 => program::<U, _, _, 2>(machine, compare),
            _ => program::<U, _, _, 3>(machine, compare),
        }
    });
    Some(Box::new(Elements::<E> { programs: programs.collect::<Option<_>>()?, last: None }))
}

/// What holds where a relation does not.
fn complement(relation: Relation) -> Relation {
    Relation {
        less: !relation.less,
        equal: !relation.equal,
        greater: !relation.greater,
        unordered: !relation.unordered,
    }
}
