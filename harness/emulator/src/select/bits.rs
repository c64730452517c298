//! Instructions that round nothing: signs, kinds, comparisons and selections.

use vectors::isa::{Modifier, Operation};
use vectors::{Format, Variant, lanes::Element};

use super::{alone, is_wide};
use crate::elements::{Columns, Elements};
use crate::instruction::{Compare, Copysign, Extreme, Kind, Relation, Select, Sign, Test, Truth};
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
    // The selector of `slct` comes last, and is what it looks at.
    let inputs = variant.inputs();
    let of = if variant.operation() == Operation::Slct { inputs.len() - 1 } else { 0 };
    let encoding = inputs[of].format;
    let (format, flush) = (Layout::new(encoding), variant.has(Modifier::Ftz));
    alone::<E>(match variant.operation() {
        Operation::Abs | Operation::Neg => {
            program::<U, _, _, _>(machine, sign(variant, encoding, format, flush))
        }
        Operation::Copysign => program::<U, _, _, _>(machine, Copysign(format)),
        Operation::Testp => program::<U, _, _, _>(machine, Test { format, kind: kind(variant) }),
        Operation::Slct => program::<U, _, _, _>(machine, Select { selector: format, flush }),
        Operation::Min | Operation::Max => {
            let extreme = extreme(variant, encoding, format, flush);
            match inputs.len() {
                2 => program::<U, _, _, 2>(machine, extreme),
                _ => program::<U, _, _, 3>(machine, extreme),
            }
        }
        _ => return compare::<U, E>(variant, format, flush, machine),
    })
}

fn sign(variant: &Variant, encoding: &Format, format: Layout, flush: bool) -> Sign {
    // f64 keeps its NaNs, payload and all.
    let nan = encoding.nan().filter(|_| encoding.width() < 64);
    Sign { format, flush, negate: variant.operation() == Operation::Neg, nan }
}

fn kind(variant: &Variant) -> Kind {
    let any = |kinds: &[Modifier]| kinds.iter().any(|&kind| variant.has(kind));
    use Modifier::*;
    Kind {
        normal: any(&[Finite, Number, Normal]),
        subnormal: any(&[Finite, Number, Subnormal]),
        infinite: any(&[Number, Infinite]),
        nan: any(&[Notanumber]),
    }
}

fn extreme(variant: &Variant, encoding: &Format, format: Layout, flush: bool) -> Extreme {
    Extreme {
        format,
        flush,
        max: variant.operation() == Operation::Max,
        propagate: variant.has(Modifier::Nan),
        xorsign: variant.has(Modifier::XorsignAbs),
        magnitudes: variant.has(Modifier::Abs),
        nan: encoding.canonical_nan(),
    }
}

/// `set` and `setp`, whose second predicate is of the opposite comparison.
fn compare<U: Unsigned, E: Element>(
    variant: &Variant,
    format: Layout,
    flush: bool,
    machine: Machine,
) -> Option<Box<dyn Columns>> {
    let result = variant.outputs()[0].format;
    let relation = variant.modifiers().iter().find_map(|&modifier| relation(modifier))?;
    let truth = match () {
        () if variant.has(Modifier::Or) => Truth::Or,
        () if variant.has(Modifier::Xor) => Truth::Xor,
        () => Truth::And,
    };
    let yes = if result.is_fixed() { result.mask() } else { result.one() };
    let relations = [relation, relation.complement()].into_iter().take(variant.outputs().len());
    let programs = relations.map(|relation| {
        let compare = Compare { format, flush, relation, truth, yes };
        match variant.inputs().len() {
            2 => program::<U, _, _, 2>(machine, compare),
            _ => program::<U, _, _, 3>(machine, compare),
        }
    });
    Some(Box::new(Elements::<E> { programs: programs.collect::<Option<_>>()?, last: None }))
}

/// When a comparison holds.
fn relation(modifier: Modifier) -> Option<Relation> {
    use Modifier::*;
    let [less, equal, greater, unordered] = match modifier {
        Eq => [false, true, false, false],
        Ne => [true, false, true, false],
        Lt => [true, false, false, false],
        Le => [true, true, false, false],
        Gt => [false, false, true, false],
        Ge => [false, true, true, false],
        Equ => [false, true, false, true],
        Neu => [true, false, true, true],
        Ltu => [true, false, false, true],
        Leu => [true, true, false, true],
        Gtu => [false, false, true, true],
        Geu => [false, true, true, true],
        Num => [true, true, true, false],
        IsNan => [false, false, false, true],
        _ => return None,
    };
    Some(Relation { less, equal, greater, unordered })
}
