//! Executes a kernel or a function once, to see which pointers it reads and writes.

use formats::Column;
use machines::functions::{Error, RunnableFunction, Touched};
use machines::interpreter::Problem;
use ptx::syntax::{Parameter, Statement};

use crate::slots::{STEPS, Slot, Slots};
use crate::text::LaunchWord;

/// The numbers that all operands have while roles are looked for, one after the other: what a kernel reads and writes may
/// depend on them.
const VALUES: [f32; 4] = [1.0, -2.5, f32::NAN, 0.0];
/// The bytes behind each pointer while roles are looked for.
const PROBE_BYTES: usize = 4096;
/// The bytes of a pointer.
pub const POINTER: usize = 8;

/// A kernel or a function whose roles are looked for.
#[derive(Clone, Copy)]
pub struct Probed<'a> {
    /// The program of it.
    pub program: &'a RunnableFunction,
    /// The parameters in its text.
    pub parameters: &'a [Parameter],
    /// The statements in its text.
    pub body: &'a [Statement],
    /// Whether it is a kernel. A parameter of a function that is no pointer is an operand; one of a kernel may be the
    /// number of elements.
    pub is_kernel: bool,
    /// The number of threads that are executed, if these are all of a block; else the first is.
    pub threads: Option<u64>,
}

/// The kind of value that a parameter is given while roles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    Pointer,
    Rows,
    Number(u64),
    /// A floating-point number, which is an operand.
    Value,
}

/// Executes a program with guesses of what its parameters are. A parameter that could be a pointer, and through which
/// nothing was read or written, is a number, so the program is executed again.
pub fn settle(
    (probed, slots): (Probed, &Slots),
    words: &[Option<&LaunchWord>],
    count: u64,
) -> (Vec<Guess>, Vec<Touched>, Result<(), Box<Error>>) {
    let number = if probed.is_kernel { Guess::Rows } else { Guess::Value };
    let first = slots.all.iter().zip(words).map(|(slot, word)| match word {
        Some(LaunchWord::Rows) => Guess::Rows,
        Some(LaunchWord::Constant(number)) => Guess::Number(*number),
        _ if slot.is_float => Guess::Value,
        Some(LaunchWord::Operand(_)) if slot.bytes != POINTER => Guess::Value,
        _ if slot.bytes == POINTER => Guess::Pointer,
        _ => number,
    });
    let mut guesses: Vec<Guess> = first.collect();
    loop {
        let (touched, outcome) = probe_all((probed, slots), &guesses, count);
        let mut changed = false;
        for ((guess, touched), word) in guesses.iter_mut().zip(&touched).zip(words) {
            let is_idle = touched.read.is_empty() && touched.written.is_empty();
            let number = match word {
                None => number,
                Some(LaunchWord::Operand(_)) => Guess::Value,
                Some(_) => continue,
            };
            if *guess == Guess::Pointer && is_idle {
                (*guess, changed) = (number, true);
            }
        }
        if !changed {
            return (guesses, touched, outcome);
        }
    }
}

/// Executes a program on all [`VALUES`], and returns what was touched in any of these runs.
fn probe_all(
    (probed, slots): (Probed, &Slots),
    guesses: &[Guess],
    count: u64,
) -> (Vec<Touched>, Result<(), Box<Error>>) {
    let mut all = vec![Touched::default(); slots.all.len()];
    let mut first = Ok(());
    for (number, value) in VALUES.into_iter().enumerate() {
        let (touched, outcome) = probe((probed, slots), guesses, (count, value));
        all.iter_mut().zip(touched).for_each(|(all, touched)| all.add(touched));
        if number == 0 {
            first = outcome;
        }
    }
    (all, first)
}

/// Returns the number of bytes that each pointer leads to, where so many threads of a block are executed. Each has 64 of
/// them at least.
pub fn bytes_behind(threads: Option<u64>) -> usize {
    PROBE_BYTES.max(threads.unwrap_or(1) as usize * 64)
}

/// Returns an error of a run in words, with whether the code is to blame for it: code that takes more steps than are tried
/// need not be wrong.
pub fn error_in_words(error: &Error) -> (String, bool) {
    // There is one row.
    let words = Error { lane: None, ..error.clone() }.to_string();
    match error.problem {
        Problem::Steps => (format!("{words} within {STEPS} steps"), false),
        _ => (words, true),
    }
}

/// Executes a program on one row, whose slots are given what the guesses say.
fn probe(
    (Probed { program, threads, .. }, slots): (Probed, &Slots),
    guesses: &[Guess],
    (count, value): (u64, f32),
) -> (Vec<Touched>, Result<(), Box<Error>>) {
    let behind = bytes_behind(threads);
    let column = |(slot, guess): (&Slot, &Guess)| {
        let mut column = match guess {
            Guess::Pointer => Column::new(behind, 1),
            _ => Column::new(slot.bytes, 1),
        };
        match guess {
            Guess::Pointer | Guess::Value => {
                let one = value.to_le_bytes();
                column.bytes_mut().iter_mut().zip(one.iter().cycle()).for_each(|(to, from)| *to = *from);
            }
            Guess::Rows => column.set(0, count),
            Guess::Number(number) => column.set(0, *number),
        }
        column
    };
    let mut columns: Vec<Column> = slots.all.iter().zip(guesses).map(column).collect();
    let is_pointer: Vec<bool> = guesses.iter().map(|guess| *guess == Guess::Pointer).collect();
    slots.probe(program, &mut columns, &is_pointer)
}
