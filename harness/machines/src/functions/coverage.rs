//! Which instructions of a function some row has executed, and which ways of its choices some row has taken.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use ptx::syntax::Integer;

use crate::lowering::{Action, Source, Step};

/// What rows have done at one step: gone the way of a true predicate, and that of a false one. A step that chooses
/// nothing has the first way alone.
#[derive(Debug, Default)]
pub struct StepCoverage {
    holds: AtomicBool,
    fails: AtomicBool,
}

impl StepCoverage {
    /// Notes that some row has gone one way, or the other.
    pub fn note(&self, holds: bool) {
        let way = self.way(holds);
        // A store would take the line from other threads each time.
        if !way.load(Ordering::Relaxed) {
            way.store(true, Ordering::Relaxed);
        }
    }

    /// Whether both ways are known to be taken, so that nothing has to be looked at any more.
    pub fn is_complete(&self) -> bool {
        self.has(true) && self.has(false)
    }

    fn has(&self, holds: bool) -> bool {
        self.way(holds).load(Ordering::Relaxed)
    }

    fn way(&self, holds: bool) -> &AtomicBool {
        if holds { &self.holds } else { &self.fails }
    }
}

/// The predicate that a step chooses by, if it is a selection: the value that it has where the first of two sources is
/// chosen is 1.
pub fn chooses_by(step: &Step) -> Option<Source> {
    match (&step.action, step.from.as_slice()) {
        (Action::Compute(Integer::Select(_)), [_, _, predicate]) => Some(*predicate),
        _ => None,
    }
}

/// A part of a function that no row has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The name of the function.
    pub function: String,
    /// The number of the instruction, counted from 1.
    pub instruction: usize,
    /// The text of the instruction.
    pub text: String,
    /// What no row has done there.
    pub way: UnreachedWay,
}

/// What no row has done at an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreachedWay {
    /// No row has executed the instruction.
    Whole,
    /// The predicate held in no row.
    Holds,
    /// The predicate held in all rows.
    HoldsNot,
}

impl Unreached {
    /// Returns what no row has done at a step of an instruction, if there is anything.
    pub fn of(step: &Step, seen: &StepCoverage) -> Option<UnreachedWay> {
        let chooses = step.guard.is_some() || chooses_by(step).is_some();
        match (seen.has(true), seen.has(false)) {
            (false, false) => Some(UnreachedWay::Whole),
            (false, true) if chooses => Some(UnreachedWay::Holds),
            (true, false) if chooses => Some(UnreachedWay::HoldsNot),
            _ => None,
        }
    }
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreached { function, instruction, text, way } = self;
        let way = match way {
            UnreachedWay::Whole => "no vector executes it",
            UnreachedWay::Holds => "its predicate holds for no vector",
            UnreachedWay::HoldsNot => "its predicate holds for every vector",
        };
        write!(f, "`{function}`, instruction {instruction}, `{text}`: {way}")
    }
}
