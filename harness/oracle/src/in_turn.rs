//! What two threads leave in one word, one after the other: each sum is rounded, and which comes first is open.

use judge::{Accepted, Alternative, FIRST, OpenPoints};
use vectors::Variant;
use vectors::isa::Relaxation;
use vectors::limits::OUTPUTS_MAX;

use super::arithmetic::Arithmetic;
use super::engine::{Elements, alternatives};

/// What computing the results of one variant takes, made once.
pub struct InTurn {
    /// What each thread does.
    one: Arithmetic,
}

impl InTurn {
    /// Of the form that each thread executes.
    ///
    /// # Panics
    /// If anything is open there but which NaN a result is.
    pub fn new(one: &Variant) -> InTurn {
        let mut open = one.relaxations();
        assert!(
            open.all(|point| matches!(point, Relaxation::AnyNan | Relaxation::NanPayload)),
            "interpretations of one thread's {one} are not followed through the other's"
        );
        InTurn { one: Arithmetic::new(one) }
    }

    /// The word after an operand and then another.
    fn after(&mut self, word: u64, operands: [u64; 2], element: usize) -> u64 {
        let mut none = Vec::new();
        operands
            .into_iter()
            .fold(word, |word, operand| self.one.element([word, operand, 0], element, &mut none).result)
    }
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
        let mut open = OpenPoints::default();
        open.insert(Relaxation::ThreadOrder);
        for (at, output) in output.iter_mut().enumerate() {
            let [a, b, c] = inputs.map(|input| input[at]);
            let element = first + at;
            let orders = [[b, c], [c, b]].map(|operands| self.after(a, operands, element));
            // NaNs are canonical here, whatever the order.
            if orders[0] != orders[1] {
                for (order, bits) in orders.into_iter().enumerate() {
                    let mut interpretation = FIRST;
                    interpretation[Relaxation::ThreadOrder as usize] = order as u8;
                    alternatives.push(Alternative { element, bits, interpretation, open });
                }
            }
            *output = orders[0];
        }
    }
}
