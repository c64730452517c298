//! Sums of three numbers, one after the other: what two threads add to a word, and what three devices have. The first
//! sum is rounded, and which two numbers it is of is open.

use std::array;

use formats::Format;
use isa::limits::OUTPUTS_MAX;
use isa::{Conversion, Op, Relaxation, Variant};
use judge::{Accepted, Alternative, Interpretation, OpenPoints};

use super::algorithm::operate;
use super::engine::{Elements, alternatives};
use super::finish::{Finish, OutOfBounds};
use super::operand::{Operand, flush};
use super::rounded::{Rounded, Rounder};

/// The orders of adding: for each interpretation, the two numbers of the first sum, and the last number.
const ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// Sums of one variant that adds twice: everything that computing its results takes, made once.
pub struct InTurn {
    /// The relaxation that leaves the order open: that of threads or that of devices.
    order: Relaxation,
    format: &'static Format,
    /// Whether inputs are flushed.
    flushes: bool,
    rounder: Rounder,
    finish: Finish,
    /// The format of intermediate sums and its rounder, where that is not the result's format.
    accumulator: Option<(&'static Format, Rounder)>,
    operands: [Operand; 3],
    declared: OpenPoints,
    /// The open points that are tried for every element; other points are opened by what the sums are.
    always: OpenPoints,
    /// The results of one element under all interpretations.
    found: Vec<(Interpretation, u64)>,
}

impl InTurn {
    /// Makes the sums of a variant that adds twice.
    ///
    /// # Panics
    /// If the variant does anything else.
    pub fn new(variant: &Variant) -> InTurn {
        let (meaning, format) = (variant.meaning(), variant.outputs()[0].format);
        assert_eq!(meaning.op, Op::Add, "{variant} adds");
        let declared = OpenPoints::declared(variant);
        let mut always = OpenPoints::default();
        let order =
            if variant.is_of_two_threads() { Relaxation::ThreadOrder } else { Relaxation::DeviceOrder };
        use Relaxation::{AccumulatorRounding, IntermediateFlush, VectorFlush};
        [order, VectorFlush, IntermediateFlush, AccumulatorRounding]
            .into_iter()
            .for_each(|point| always.insert(point));
        let rounder =
            |format: &'static Format| Rounder::new(format, meaning.rounding, format.canonical_nan());
        let widest = meaning.accumulator.map_or(0, Format::precision).max(format.precision());
        InTurn {
            order,
            format,
            flushes: meaning.flush.inputs[0],
            rounder: rounder(format),
            finish: Finish::of(variant),
            accumulator: meaning.accumulator.map(|format| (format, rounder(format))),
            operands: array::from_fn(|_| Operand::new(widest)),
            declared,
            always: always.and(declared),
            found: Vec::new(),
        }
    }

    /// Computes the result under one interpretation, and the points that it shows to be open.
    fn result(&mut self, inputs: [u64; 3], interpretation: Interpretation) -> (u64, OpenPoints) {
        let read = |point: Relaxation| interpretation[point as usize];
        let InTurn { order, format, flushes, rounder, finish, accumulator, operands, .. } = self;
        let flushes = *flushes && read(Relaxation::VectorFlush) == 0;
        let [a, b, c] = ORDERS[usize::from(read(*order))]
            .map(|of| if flushes { flush(format, inputs[of]) } else { inputs[of] });
        let none = OutOfBounds::default();
        let (open, last) = match accumulator {
            None => {
                let first = sum(rounder, operands, [(format, a), (format, b)]);
                let mut on_the_way = interpretation;
                on_the_way[Relaxation::VectorFlush as usize] |= read(Relaxation::IntermediateFlush);
                let bits = finish.finish(first, none, on_the_way);
                (finish.open(first, none), sum(rounder, operands, [(format, bits), (format, c)]))
            }
            Some((wide, wider)) => {
                let first = sum(wider, operands, [(format, a), (format, b)]).bits;
                let terms = [(*wide, first), (*format, c)];
                let last = match read(Relaxation::AccumulatorRounding) {
                    0 => {
                        let sum = sum(wider, operands, terms);
                        operands[0].set(wide, sum.bits);
                        let narrow = Op::Convert(Conversion::Rounded);
                        rounder.round(|result, round| operate(narrow, result, operands, round))
                    }
                    _ => sum(rounder, operands, terms),
                };
                (OpenPoints::default(), last)
            }
        };
        (finish.finish(last, none, interpretation), open.union(finish.open(last, none)))
    }

    /// Fills `found` with the results under all interpretations of what is open, and returns the open points.
    fn find(&mut self, inputs: [u64; 3]) -> OpenPoints {
        let mut open = self.always;
        loop {
            let mut more = open;
            self.found.clear();
            for interpretation in open.interpretations() {
                let (bits, opened) = self.result(inputs, interpretation);
                more = more.union(opened.and(self.declared));
                self.found.push((interpretation, bits));
            }
            if more == open {
                return open;
            }
            open = more;
        }
    }

    /// Whether another interpretation of a point changes any of the results in `found`.
    fn matters(&self, point: Relaxation) -> bool {
        let first = |mut interpretation: Interpretation| {
            interpretation[point as usize] = 0;
            self.found.iter().find(|(other, _)| *other == interpretation).map(|(_, bits)| *bits)
        };
        self.found.iter().any(|&(interpretation, bits)| first(interpretation) != Some(bits))
    }
}

/// Computes the exact sum of two data, rounded once.
fn sum(rounder: &mut Rounder, operands: &mut [Operand; 3], terms: [(&Format, u64); 2]) -> Rounded {
    operands.iter_mut().zip(terms).for_each(|(operand, (format, bits))| operand.set(format, bits));
    rounder.round(|result, round| operate(Op::Add, result, operands, round))
}

impl Elements for InTurn {
    fn expect(
        &mut self,
        inputs: [&[u64]; 3],
        [output, _]: [&mut [u64]; OUTPUTS_MAX],
        first: usize,
        accepted: &mut Accepted,
    ) {
        let alternatives = alternatives(accepted);
        for (at, output) in output.iter_mut().enumerate() {
            let open = self.find(inputs.map(|input| input[at]));
            *output = self.found[0].1;
            if self.found.iter().all(|(_, bits)| bits == output) {
                continue;
            }
            let mut mattering = OpenPoints::default();
            open.relaxations()
                .filter(|&point| self.matters(point))
                .for_each(|point| mattering.insert(point));
            for &(interpretation, bits) in &self.found {
                let other = |point| !mattering.contains(point) && interpretation[point as usize] != 0;
                if !open.relaxations().any(other) {
                    let element = first + at;
                    alternatives.push(Alternative { element, bits, interpretation, open: mattering });
                }
            }
        }
    }
}
