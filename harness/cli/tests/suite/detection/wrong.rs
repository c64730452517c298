//! Tests of the explanations for implementations that are wrong in ways of their own.

use formats::{Column, F64};
use implementations::{Description, Implementation, Support, Worker};
use isa::Variant;
use model::{Fault, Faults, Model};

use super::quick;

/// An implementation whose results are wrong in a way of its own.
#[derive(Clone, Copy)]
struct WrongImplementation {
    compute: fn(&Variant, &[Column], &mut [Column]),
    /// The distance between rows without a result: one row in so many has none, if this is set.
    silent: Option<usize>,
    /// The number of rows of the last batch.
    rows: usize,
}

impl WrongImplementation {
    fn new(compute: fn(&Variant, &[Column], &mut [Column])) -> WrongImplementation {
        WrongImplementation { compute, silent: None, rows: 0 }
    }
}

impl Implementation for WrongImplementation {
    fn describe(&self) -> Description {
        Description { name: "wrong".into(), ..Description::default() }
    }

    fn support(&self, _variant: &Variant) -> Support {
        Support::Yes
    }

    fn worker(&self) -> anyhow::Result<Box<dyn Worker>> {
        Ok(Box::new(*self))
    }
}

impl Worker for WrongImplementation {
    fn run(
        &mut self,
        variant: &Variant,
        operands: &[Column],
        results: &mut [Column],
    ) -> anyhow::Result<()> {
        (self.compute)(variant, operands, results);
        self.rows = operands[0].rows();
        for row in self.unanswered() {
            results.iter_mut().for_each(|column| column.set(row, 0x55));
        }
        Ok(())
    }

    fn unanswered(&mut self) -> Vec<usize> {
        self.silent.map_or(Vec::new(), |every| (0..self.rows).step_by(every).collect())
    }
}

/// Values that stand in rows without a result are no evidence for or against a fault.
#[test]
fn rows_without_a_result_do_not_hide_a_fault() {
    let wrong = WrongImplementation::new(|variant, operands, results| {
        Model::new(variant, Fault::TiesAway).run(operands, results);
    });
    let report = quick(&WrongImplementation { silent: Some(3), ..wrong }, vec!["mul.f16".into()]);
    let variant = &report.variants[0];
    assert!(variant.unanswered > 1000 && !variant.classes.is_empty(), "{variant:?}");
    for class in &variant.classes {
        let explanation = class.explanation.as_ref().unwrap();
        assert_eq!(explanation.flaws, ["ties-away"], "{}", class.id);
    }
}

/// Two faults in one operation are told apart or named together: results of both of them need both to be explained.
#[test]
fn two_faults_are_told_apart_or_named_together() {
    let wrong = WrongImplementation::new(|variant, operands, results| {
        let both = Faults::from(Fault::TiesAway).and(Fault::Through(&F64).into());
        Model::new(variant, both).run(operands, results);
    });
    let report = quick(&wrong, vec!["fma.rn.f32".into()]);
    let classes = &report.variants[0].classes;
    let above = classes.iter().find(|class| class.id.ends_with("/ulp-above")).unwrap();
    let explanation = above.explanation.as_ref().unwrap();
    assert_eq!(explanation.flaws, ["ties-away", "through-f64"]);
    assert!(explanation.mismatches > 10 && explanation.agreeing > 1000, "{explanation:?}");
    // The vectors are 1 + 2^-24 and its like: the simplest has few bits, and lies near 1.
    let simplest = above.simplest.as_ref().unwrap();
    let bits = |name: &str| simplest.operands.iter().find(|operand| operand.name == name).unwrap();
    let value = |name| bits(name).lanes[0].value.clone();
    assert!(
        ["0", "1"].iter().any(|one| ["a", "b", "c"].map(value).contains(&(*one).to_owned())),
        "{simplest:?}"
    );
}

/// A mismatch that no model makes is said to be unexplained, and still has a simplest vector.
#[test]
fn what_nothing_explains_is_not_explained() {
    let wrong = WrongImplementation::new(|variant, operands, results| {
        Model::new(variant, None).run(operands, results);
        for row in 0..results[0].rows() {
            let [a, b] = [0, 1].map(|operand| operands[operand].get(row));
            if (a.wrapping_mul(0x9e37) ^ b) & 0x3ff == 0x155 || a & 0x7ff == 0x2a5 {
                results[0].set(row, results[0].get(row) ^ 2);
            }
        }
    });
    let report = quick(&wrong, vec!["mul.f16".into()]);
    let classes = &report.variants[0].classes;
    assert!(!classes.is_empty());
    for class in classes {
        assert_eq!(class.explanation, None, "{}", class.id);
        assert!(class.simplest.is_some(), "{}", class.id);
    }
}
