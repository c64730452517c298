//! Selects the kernels of instructions that round nothing: signs, classes, comparisons and selections.

use formats::Element;
use isa::{Comparison, NanRule, Op, Relation, Variant};

use super::kernel::{is_wide, single_kernel};
use crate::backend::{Backend, lane_kernel};
use crate::elements::{ColumnKernel, Elements};
use crate::fields::FloatFields;
use crate::instruction::{Compare, Copysign, Extreme, Integers, Keys, Numbers, Select, Sign, Test};
use crate::words::Unsigned;

/// Returns the kernels of a variant that rounds nothing.
pub fn select(variant: &Variant, backend: Backend) -> Option<Box<dyn ColumnKernel>> {
    if is_wide(variant) {
        of_width::<u64, u64>(variant, backend)
    } else {
        of_width::<u32, u32>(variant, backend)
    }
}

/// Returns the kernels of a variant that rounds nothing, with elements of the type `E` in words of `U`.
fn of_width<U: Unsigned, E: Element>(
    variant: &Variant,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    let (inputs, meaning) = (variant.inputs(), variant.meaning());
    // `slct` looks at its selector alone, which comes last.
    let of = if meaning.op == Op::Select { inputs.len() - 1 } else { 0 };
    let encoding = inputs[of].format;
    if let (Op::Compare(comparison), true) = (meaning.op, encoding.is_integer()) {
        return compare::<U, E>(variant, comparison, Integers { sign: encoding.sign_mask() }, backend);
    }
    let (format, flush) = (FloatFields::new(encoding), meaning.flush.inputs[of]);
    let unchanged = meaning.nan == NanRule::Unchanged;
    let nan = match meaning.nan {
        NanRule::Canonical => encoding.nan(),
        NanRule::Bits(bits) => Some(bits),
        NanRule::Operand | NanRule::Unchanged => None,
        NanRule::Canonical64(_) => return None,
    };
    single_kernel::<E>(match meaning.op {
        Op::Abs => {
            lane_kernel::<U, _, _, _>(backend, Sign { format, flush, negate: false, nan, unchanged })
        }
        Op::Neg => {
            lane_kernel::<U, _, _, _>(backend, Sign { format, flush, negate: true, nan, unchanged })
        }
        Op::Copysign => lane_kernel::<U, _, _, _>(backend, Copysign(format)),
        Op::Test(classes) => lane_kernel::<U, _, _, _>(backend, Test { format, classes }),
        Op::Select => lane_kernel::<U, _, _, _>(backend, Select { selector: format, flush }),
        Op::Extremum(extremum) => {
            let extreme = Extreme::new(format, flush, extremum, nan?);
            match inputs.len() {
                2 => lane_kernel::<U, _, _, 2>(backend, extreme),
                _ => lane_kernel::<U, _, _, 3>(backend, extreme),
            }
        }
        Op::Compare(comparison) => {
            return compare::<U, E>(variant, comparison, Numbers { format, flush }, backend);
        }
        _ => None,
    })
}

/// Returns the kernels of a `set` or `setp`, whose second predicate is of the opposite comparison.
fn compare<U: Unsigned, E: Element>(
    variant: &Variant,
    comparison: Comparison,
    keys: impl Keys,
    backend: Backend,
) -> Option<Box<dyn ColumnKernel>> {
    let result = variant.outputs()[0].format;
    let yes = if result.is_fixed() { result.mask() } else { result.one() };
    let opposite = Comparison { relation: complement(comparison.relation), ..comparison };
    let comparisons = [comparison, opposite].into_iter().take(variant.outputs().len());
    let kernels = comparisons.map(|comparison| {
        let compare = Compare { keys, comparison, yes };
        match variant.inputs().len() {
            2 => lane_kernel::<U, _, _, 2>(backend, compare),
            _ => lane_kernel::<U, _, _, 3>(backend, compare),
        }
    });
    Some(Box::new(Elements::<E> { kernels: kernels.collect::<Option<_>>()?, last: None }))
}

/// Returns the relation that holds where the given one does not.
fn complement(relation: Relation) -> Relation {
    Relation {
        less: !relation.less,
        equal: !relation.equal,
        greater: !relation.greater,
        unordered: !relation.unordered,
    }
}
