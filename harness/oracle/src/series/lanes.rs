//! The loops of [`RunElements`], compiled for the best instructions that this CPU has. Products and sums are
//! never contracted, so all compute the same bits.

use super::decide::{DecisionRule, RunElements};
use super::taylor::Polynomial;

/// Encloses values by a polynomial, and decides them.
pub fn enclose(elements: &mut RunElements, rule: DecisionRule, polynomial: &Polynomial) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        // SAFETY: the CPU was just found to have them.
        return unsafe { enclose_avx512(elements, rule, polynomial) };
    } else if is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        return unsafe { enclose_avx2(elements, rule, polynomial) };
    }
    enclose_any(elements, rule, polynomial);
}

/// Decides values that are at most `largest` and within `error` of the exact ones.
pub fn decide(elements: &mut RunElements, rule: DecisionRule, error: f64, largest: f64) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU was just found to have them.
        return unsafe { decide_avx2(elements, rule, error, largest) };
    }
    elements.decide(rule, error, largest);
}

#[inline(always)]
fn enclose_any(elements: &mut RunElements, rule: DecisionRule, polynomial: &Polynomial) {
    let error = elements.evaluate(polynomial);
    elements.decide(rule, error, polynomial.largest);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn enclose_avx512(elements: &mut RunElements, rule: DecisionRule, polynomial: &Polynomial) {
    enclose_any(elements, rule, polynomial);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn enclose_avx2(elements: &mut RunElements, rule: DecisionRule, polynomial: &Polynomial) {
    enclose_any(elements, rule, polynomial);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn decide_avx2(elements: &mut RunElements, rule: DecisionRule, error: f64, largest: f64) {
    elements.decide(rule, error, largest);
}
