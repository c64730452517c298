//! Finds out what each parameter of a kernel is for, by executing the kernel: which pointers it reads, which it writes,
//! and how many bytes of each.

use std::fmt;

use anyhow::{Result, bail};
use formats::Column;
use machines::functions::{Nearest, Passed, RunnableFunction, Touched};
use ptx::syntax::{Parameter, Scalar};

use super::launch::{LaunchText, LaunchWord, OPERANDS};

/// The numbers of elements that a kernel is told of, tried one after the other until it writes something: kernels of
/// vectors do nothing for fewer elements than a vector has.
const COUNTS: [u64; 8] = [1, 2, 4, 8, 16, 32, 128, 1024];
/// The most steps that a thread may take while roles are looked for.
const STEPS: u64 = 1 << 16;
/// The numbers that all operands have while roles are looked for, one after the other: what a kernel reads and writes may
/// depend on them.
const VALUES: [f32; 4] = [1.0, -2.5, f32::NAN, 0.0];
/// The bytes behind each pointer while roles are looked for.
const PROBE_BYTES: usize = 4096;
/// The bytes of a pointer.
const POINTER: usize = 8;

/// The purpose of a parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A pointer to elements of an operand.
    Read {
        /// The number of the operand.
        operand: usize,
        /// The bytes that a thread reads.
        bytes: usize,
    },
    /// A pointer to elements of a result.
    Written {
        /// The number of the result.
        result: usize,
        /// The bytes that a thread writes.
        bytes: usize,
    },
    /// A pointer to elements of an operand, which are overwritten with those of a result.
    InPlace {
        /// The number of the operand.
        operand: usize,
        /// The number of the result.
        result: usize,
        /// The bytes that a thread reads and writes.
        bytes: usize,
    },
    /// An operand itself.
    Value {
        /// The number of the operand.
        operand: usize,
        /// The bytes of the parameter.
        bytes: usize,
    },
    /// The number of elements that there are.
    Rows(u64),
    /// A number.
    Constant(u64),
    /// A pointer to memory that is neither operand nor result.
    Unused,
}

/// The roles of a kernel's parameters.
#[derive(Clone, Debug)]
pub struct KernelRoles {
    /// The role of each parameter, in order.
    pub roles: Vec<Role>,
    /// The bytes of each parameter, in order.
    pub sizes: Vec<usize>,
}

/// The kind of value that a parameter is given while roles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    Pointer,
    Rows,
    Number(u64),
    /// A floating-point number, which is an operand.
    Value,
}

impl KernelRoles {
    /// Finds the roles of a kernel's parameters, as far as `launch` does not say them.
    ///
    /// # Errors
    /// If the launch has not a word for each parameter, if a parameter is a structure, or if the kernel writes nothing
    /// or fails whatever it is given.
    pub fn find(
        function: &RunnableFunction,
        parameters: &[Parameter],
        launch: Option<&LaunchText>,
    ) -> Result<KernelRoles> {
        let words: Vec<Option<&LaunchWord>> = match launch {
            None => vec![None; parameters.len()],
            Some(LaunchText(words)) if words.len() == parameters.len() => {
                words.iter().map(Some).collect()
            }
            Some(LaunchText(words)) => bail!(
                "--launch has {} words, but the kernel has {} parameters: {}",
                words.len(),
                parameters.len(),
                parameters.iter().map(|one| &*one.name).collect::<Vec<_>>().join(", ")
            ),
        };
        let sizes: Vec<usize> = parameters.iter().map(Parameter::bytes).collect();
        if let Some(one) = parameters.iter().find(|one| !matches!(one.bytes(), 1 | 2 | 4 | 8)) {
            bail!(
                "the kernel's parameter `{}` has {} bytes: kernels that take structures cannot be launched here",
                one.name,
                one.bytes()
            );
        }
        let mut last = String::from("it wrote nothing");
        for count in COUNTS {
            let (guesses, touched, outcome) = settle(function, parameters, &words, count);
            match outcome {
                Err(why) => last = format!("with {count} elements: {why}"),
                Ok(()) if touched.iter().any(|touched| !touched.written.is_empty()) => {
                    let roles = roles(&guesses, &touched, &words, &sizes, count)?;
                    return Ok(KernelRoles { roles, sizes });
                }
                Ok(()) => {}
            }
        }
        bail!(
            "how the kernel is launched could not be found out by executing its first thread: {last}; say it with \
             --launch, such as --launch 'a, &d, n=rows'"
        )
    }

    /// Returns the bytes that a thread reads of each operand, and writes of each result.
    pub fn shape(&self) -> [Vec<usize>; 2] {
        let operands = self.roles.iter().filter_map(|role| match *role {
            Role::Read { operand, bytes }
            | Role::InPlace { operand, bytes, .. }
            | Role::Value { operand, bytes } => Some((operand, bytes)),
            _ => None,
        });
        let results = self.roles.iter().filter_map(|role| match *role {
            Role::Written { result, bytes } | Role::InPlace { result, bytes, .. } => {
                Some((result, bytes))
            }
            _ => None,
        });
        [operands.collect(), results.collect()].map(|mut each: Vec<(usize, usize)>| {
            each.sort_unstable();
            each.into_iter().map(|(_, bytes)| bytes).collect()
        })
    }

    /// Returns how many vectors a thread computes, if operands and results of one vector have these bytes; `None` if
    /// they do not fit.
    pub fn vectors(&self, wanted: &[Vec<usize>; 2]) -> Option<usize> {
        let shape = self.shape();
        let has_values = self.roles.iter().any(|role| matches!(role, Role::Value { .. }));
        let pairs = shape.iter().zip(wanted);
        if !pairs.clone().all(|(own, wanted)| own.len() == wanted.len()) {
            return None;
        }
        let mut counts = pairs
            .flat_map(|(own, wanted)| own.iter().zip(wanted))
            .map(|(own, wanted)| own.is_multiple_of(*wanted).then_some(own / wanted));
        let first = counts.next()??;
        let same = counts.all(|count| count == Some(first));
        (same && first > 0 && (first == 1 || !has_values)).then_some(first)
    }
}

/// Executes a kernel with guesses of what its parameters are. A parameter that could be a pointer, and through which
/// nothing was read or written, is a number, so the kernel is executed again.
fn settle(
    function: &RunnableFunction,
    parameters: &[Parameter],
    words: &[Option<&LaunchWord>],
    count: u64,
) -> (Vec<Guess>, Vec<Touched>, Result<(), String>) {
    let first = parameters.iter().zip(words).map(|(parameter, word)| match word {
        Some(LaunchWord::Rows) => Guess::Rows,
        Some(LaunchWord::Constant(number)) => Guess::Number(*number),
        _ if matches!(parameter.ty, Scalar::Float(..)) => Guess::Value,
        Some(LaunchWord::Operand(_)) if parameter.bytes() != POINTER => Guess::Value,
        _ if parameter.bytes() == POINTER => Guess::Pointer,
        _ => Guess::Rows,
    });
    let mut guesses: Vec<Guess> = first.collect();
    loop {
        let (touched, outcome) = probe_all(function, parameters, &guesses, count);
        let mut changed = false;
        for ((guess, touched), word) in guesses.iter_mut().zip(&touched).zip(words) {
            let is_idle = touched.read.is_empty() && touched.written.is_empty();
            let number = match word {
                None => Guess::Rows,
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

/// Executes the first thread of a kernel on all [`VALUES`], and returns what was touched in any of these runs.
fn probe_all(
    function: &RunnableFunction,
    parameters: &[Parameter],
    guesses: &[Guess],
    count: u64,
) -> (Vec<Touched>, Result<(), String>) {
    let mut all = vec![Touched::default(); parameters.len()];
    let mut first = Ok(());
    for (number, value) in VALUES.into_iter().enumerate() {
        let (touched, outcome) = probe(function, parameters, guesses, (count, value));
        all.iter_mut().zip(touched).for_each(|(all, touched)| all.add(touched));
        if number == 0 {
            first = outcome;
        }
    }
    (all, first)
}

/// Executes the first thread of a kernel on one row, whose parameters are given what the guesses say.
fn probe(
    function: &RunnableFunction,
    parameters: &[Parameter],
    guesses: &[Guess],
    (count, value): (u64, f32),
) -> (Vec<Touched>, Result<(), String>) {
    let column = |(parameter, guess): (&Parameter, &Guess)| {
        let mut column = match guess {
            Guess::Pointer => Column::new(PROBE_BYTES, 1),
            _ => Column::new(parameter.bytes(), 1),
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
    let mut columns: Vec<Column> = parameters.iter().zip(guesses).map(column).collect();
    let passed = columns.iter_mut().zip(guesses).map(|(column, guess)| match guess {
        Guess::Pointer => Passed::Behind(column),
        _ => Passed::Value(column),
    });
    let mut passed: Vec<Passed> = passed.collect();
    let (touched, outcome) = function.probe(|_| 0, &mut Nearest::default(), &mut passed, &mut [], STEPS);
    (touched, outcome.map_err(|error| error.to_string()))
}

/// Returns the role of each parameter.
fn roles(
    guesses: &[Guess],
    touched: &[Touched],
    words: &[Option<&LaunchWord>],
    sizes: &[usize],
    count: u64,
) -> Result<Vec<Role>> {
    let (mut operands, mut results) = (0..3, 0..);
    let mut roles = Vec::new();
    for (((guess, touched), word), &size) in guesses.iter().zip(touched).zip(words).zip(sizes) {
        let [reads, writes] = [&touched.read, &touched.written].map(|range| !range.is_empty());
        let mut operand = || match word {
            Some(LaunchWord::Operand(number) | LaunchWord::InPlace(number)) => Some(*number),
            _ => operands.next(),
        };
        let role = match (guess, word) {
            (_, Some(LaunchWord::Unused)) => Some(Role::Unused),
            (Guess::Rows, _) => Some(Role::Rows(count)),
            (Guess::Number(number), _) => Some(Role::Constant(*number)),
            (Guess::Value, _) => operand().map(|operand| Role::Value { operand, bytes: size }),
            (Guess::Pointer, Some(LaunchWord::Result(_))) if !writes => {
                bail!("--launch has `&` where the kernel writes nothing")
            }
            (Guess::Pointer, Some(LaunchWord::Operand(_))) if writes => {
                bail!("--launch names an operand that the kernel overwrites: write `&` before it")
            }
            // What was read where it was not written first is an operand only if the user says so, or nothing else is
            // known.
            (Guess::Pointer, Some(LaunchWord::Result(_))) => {
                results.next().map(|result| Role::Written { result, bytes: touched.written.end })
            }
            (Guess::Pointer, _) if writes && reads => {
                operand().zip(results.next()).map(|(operand, result)| Role::InPlace {
                    operand,
                    result,
                    bytes: touched.written.end.max(touched.read.end),
                })
            }
            (Guess::Pointer, _) if writes => {
                results.next().map(|result| Role::Written { result, bytes: touched.written.end })
            }
            (Guess::Pointer, _) => {
                operand().map(|operand| Role::Read { operand, bytes: touched.read.end })
            }
        };
        let Some(role) = role else { bail!("the kernel reads more than three operands") };
        roles.push(role);
    }
    check_operands(&roles)?;
    Ok(roles)
}

/// Checks that each operand is given to one parameter, and none is left out.
fn check_operands(roles: &[Role]) -> Result<()> {
    let mut given: Vec<usize> = roles
        .iter()
        .filter_map(|role| match *role {
            Role::Read { operand, .. } | Role::InPlace { operand, .. } | Role::Value { operand, .. } => {
                Some(operand)
            }
            _ => None,
        })
        .collect();
    given.sort_unstable();
    for (due, operand) in given.into_iter().enumerate() {
        let name = |number: usize| OPERANDS.get(number).copied().unwrap_or_default();
        if operand > due {
            bail!("--launch does not say where the operand `{}` goes", name(due));
        }
        if operand < due {
            bail!("--launch gives the operand `{}` twice", name(operand));
        }
    }
    Ok(())
}

impl fmt::Display for KernelRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RESULTS: [&str; 4] = ["d", "e", "f", "g"];
        let word = |role: &Role| match *role {
            Role::Read { operand, .. } | Role::Value { operand, .. } => LaunchWord::Operand(operand),
            Role::InPlace { operand, .. } => LaunchWord::InPlace(operand),
            Role::Written { result, .. } => {
                LaunchWord::Result(RESULTS.get(result).copied().unwrap_or("d").to_owned())
            }
            Role::Rows(_) => LaunchWord::Rows,
            Role::Constant(number) => LaunchWord::Constant(number),
            Role::Unused => LaunchWord::Unused,
        };
        LaunchText(self.roles.iter().map(word).collect()).fmt(f)
    }
}
