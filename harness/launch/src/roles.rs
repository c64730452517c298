//! Finds out what each parameter of a kernel or a function is for, by executing it: which pointers it reads, which it
//! writes, and how many bytes of each.

mod assign;
mod fields;
mod probe;
mod threads;

use std::fmt;

use anyhow::{Result, bail};

use crate::slots::{Slot, Slots};
use crate::text::{Element, ElementValue, Field, LaunchShape, LaunchText, LaunchWord};
use assign::roles;
use fields::{fields_in_words, words_of_slots};
use probe::{POINTER, bytes_behind, error_in_words, settle};

pub use probe::Probed;
pub use threads::{FOURTH, FourthThread, of_fourth, touched, touched_so_far};

/// The numbers of elements that a kernel is told of, tried one after the other until it writes something: kernels of
/// vectors do nothing for fewer elements than a vector has. A function is told of one.
const COUNTS: [u64; 8] = [1, 2, 4, 8, 16, 32, 128, 1024];

/// The names of results, in order.
const RESULTS: [&str; 4] = ["d", "e", "f", "g"];

/// Returns the name of the result of a number.
pub fn result_name(result: usize) -> String {
    RESULTS.get(result).copied().unwrap_or("d").to_owned()
}

/// The way in which operands reach the code, and results leave it.
pub enum CallShape {
    /// Operands are parameters, in order, and results are results.
    Function,
    /// Operands and results lie behind pointers, or are parameters, as their roles say.
    Roles(ParameterRoles),
}

/// The purpose of a parameter.
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
    /// A pointer to elements that the launch says.
    Elements {
        /// The elements.
        of: Vec<Element>,
        /// The bytes that a block reads.
        bytes: usize,
    },
}

/// The roles of the parameters of a kernel or a function.
#[derive(Clone, Debug)]
pub struct ParameterRoles {
    /// The role of each parameter, in order.
    pub roles: Vec<Role>,
    /// The bytes of each parameter, in order.
    pub sizes: Vec<usize>,
    /// The parameters, and the fields of those that are structures: each has a role.
    pub slots: Slots,
    /// The bytes of each value that a function returns. These are results before those behind pointers.
    pub returned: Vec<usize>,
}

impl Role {
    /// Whether the parameter points to memory.
    pub fn is_pointer(&self) -> bool {
        !matches!(self, Role::Value { .. } | Role::Rows(_) | Role::Constant(_))
    }
}

impl ParameterRoles {
    /// Finds the roles of all parameters, as far as `launch` does not say them.
    ///
    /// # Errors
    /// If the launch has not a word for each parameter, if it is not known what is read of a structure, or if a kernel
    /// writes nothing or fails whatever it is given.
    pub fn find(probed: Probed, launch: Option<&LaunchText>) -> Result<ParameterRoles> {
        let Probed { program, parameters, body, is_kernel, threads } = probed;
        let what = if is_kernel { "kernel" } else { "function" };
        let launch = launch.map(|launch| &launch.words).filter(|words| !words.is_empty());
        let words: Vec<Option<&LaunchWord>> = match launch {
            None => vec![None; parameters.len()],
            Some(words) if words.len() == parameters.len() => words.iter().map(Some).collect(),
            Some(words) => {
                let names = parameters.iter().map(|one| &*one.name).collect::<Vec<_>>().join(", ");
                let guess =
                    ParameterRoles::find(probed, None).map(|roles| format!("; as a guess, '{roles}'"));
                bail!(
                    "--launch has {} words, but the {what} has {} parameters: {names}; write a word for each{}",
                    words.len(),
                    parameters.len(),
                    guess.unwrap_or_default()
                )
            }
        };
        let slots = Slots::of(program, (parameters, body), what)?;
        let words = words_of_slots(&slots, parameters, &words)?;
        let sizes: Vec<usize> = slots.all.iter().map(|slot| slot.bytes).collect();
        let no_pointer = slots.all.iter().zip(&words).find(|(slot, word)| {
            let points = matches!(
                word,
                Some(
                    LaunchWord::Result(_)
                        | LaunchWord::InPlace(_)
                        | LaunchWord::Unused
                        | LaunchWord::Elements(_)
                )
            );
            points && (slot.bytes != POINTER || slot.is_float)
        });
        if let Some((slot, Some(word))) = no_pointer {
            bail!("--launch has `{word}` for `{}`, which is no pointer", slot.name);
        }
        let returned: Vec<usize> = program.results().map(|(_, bytes)| bytes).collect();
        let (mut last, mut fields) = (String::from("it wrote nothing"), String::new());
        // The first of them is that of the fewest elements.
        let mut fault: Option<String> = None;
        let counts = match threads {
            // A block mostly has a thread for each element.
            Some(threads) => [1, 2, 4, 8].map(|times| times * threads).into_iter().chain([1]).collect(),
            None if is_kernel => COUNTS.to_vec(),
            None => vec![1],
        };
        for count in counts {
            let (guesses, touched, outcome) = settle((probed, &slots), &words, count);
            fields = fields_in_words(&slots, &guesses);
            let gives =
                !returned.is_empty() || touched.iter().any(|touched| !touched.written.is_empty());
            match outcome {
                Err(error) => {
                    let (why, is_fault) = error_in_words(&error);
                    last = match is_kernel {
                        true => {
                            format!("with {count} element{}: {why}", if count == 1 { "" } else { "s" })
                        }
                        false => why,
                    };
                    if is_fault {
                        fault.get_or_insert(last.clone());
                    }
                }
                Ok(()) if gives => {
                    let roles = roles(&guesses, &touched, &words, &sizes, (count, returned.len()))?;
                    return Ok(ParameterRoles { roles, sizes, slots, returned });
                }
                Ok(()) => {}
            }
        }
        // Where nothing was guessed, no guess is to blame.
        if let Some(fault) = fault.filter(|_| !words.is_empty() && words.iter().all(Option::is_some)) {
            bail!(
                "with the parameters that --launch says, the {what} itself fails, so there are no results to judge: \
                 {fault}; each pointer led to {} bytes",
                bytes_behind(threads)
            );
        }
        match (is_kernel, threads) {
            (true, Some(threads)) => bail!(
                "how the kernel is launched could not be found out by executing a block of {threads} threads: {last}{fields}; \
                 say it with --launch, such as --launch 'a, &d, n=rows', and the threads of a block with --threads"
            ),
            (true, None) => bail!(
                "how the kernel is launched could not be found out by executing its first thread: {last}{fields}; say it with \
                 --launch, such as --launch 'a, &d, n=rows'"
            ),
            (false, _) => bail!(
                "what the function's parameters are for could not be found out by executing it: {last}{fields}; say it with \
                 --launch, such as --launch 'a, &d'"
            ),
        }
    }

    /// Returns the words of `--launch` for all parameters, from a word for each slot.
    pub fn words_of_parameters(&self, words: &[LaunchWord]) -> Vec<LaunchWord> {
        let word = |number: usize| words.get(number).cloned().unwrap_or(LaunchWord::Constant(0));
        let of_one = |(parameter, _): (usize, &usize)| {
            let mut slots = self.slots.of_parameter(parameter);
            match slots.next() {
                Some((number, Slot { offset: None, .. })) => word(number),
                first => {
                    let all = first.into_iter().chain(slots);
                    let fields =
                        all.map(|(number, slot)| Field { offset: slot.offset, of: word(number) });
                    LaunchWord::Structure(fields.collect())
                }
            }
        };
        self.slots.parameters.iter().enumerate().map(of_one).collect()
    }

    /// Returns the word of `--launch` for each slot.
    pub fn words(&self) -> Vec<LaunchWord> {
        let word = |role: &Role| match role {
            Role::Read { operand, .. } | Role::Value { operand, .. } => LaunchWord::Operand(*operand),
            Role::InPlace { operand, .. } => LaunchWord::InPlace(*operand),
            Role::Written { result, .. } => LaunchWord::Result(result_name(*result)),
            Role::Rows(_) => LaunchWord::Rows,
            Role::Constant(number) => LaunchWord::Constant(*number),
            Role::Unused => LaunchWord::Unused,
            Role::Elements { of, .. } => LaunchWord::Elements(of.clone()),
        };
        self.roles.iter().map(word).collect()
    }

    /// Whether a parameter points to memory, or is given the same number for every vector.
    pub fn has_more_than_operands(&self) -> bool {
        self.roles.iter().any(|role| !matches!(role, Role::Value { .. }))
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
        let results = self.returned.iter().copied().enumerate().chain(results);
        [operands.collect(), results.collect()].map(|mut each: Vec<(usize, usize)>| {
            each.sort_unstable();
            each.into_iter().map(|(_, bytes)| bytes).collect()
        })
    }

    /// Returns the number of elements that parameters are told of, if any is.
    pub fn rows(&self) -> Option<u64> {
        self.roles.iter().find_map(|role| match role {
            Role::Rows(value) => Some(*value),
            _ => None,
        })
    }

    /// Returns how many vectors one of several threads or blocks computes, if operands and results of one vector have
    /// these bytes; `None` if they do not fit. An operand that is a value is the same for all of them.
    pub fn elements(&self, wanted: &[Vec<usize>; 2]) -> Option<usize> {
        let [operands, results] = wanted;
        let (mut count, mut given, mut has_array) = (None, vec![false; operands.len()], false);
        let mut result_count = 0;
        let mut note = |own: usize, wanted: usize| {
            let times = own.is_multiple_of(wanted.max(1)).then(|| own / wanted.max(1))?;
            (times > 0 && *count.get_or_insert(times) == times).then_some(())
        };
        for role in &self.roles {
            match role {
                Role::Read { operand, bytes } | Role::InPlace { operand, bytes, .. } => {
                    note(*bytes, *operands.get(*operand)?)?;
                    *given.get_mut(*operand)? = true;
                }
                Role::Value { operand, bytes } => {
                    let wanted = *operands.get(*operand)?;
                    *given.get_mut(*operand)? = *bytes == wanted || *bytes == 4 && wanted < 4;
                }
                Role::Elements { of, bytes } => {
                    has_array = true;
                    for element in of {
                        if let ElementValue::Operand(number) = element.of {
                            *given.get_mut(number)? = true;
                            bytes.is_multiple_of(*operands.get(number)?).then_some(())?;
                        }
                    }
                }
                Role::Written { .. } | Role::Rows(_) | Role::Constant(_) | Role::Unused => {}
            }
            if let Role::Written { result, bytes } | Role::InPlace { result, bytes, .. } = role {
                note(*bytes, *results.get(*result)?)?;
                result_count += 1;
            }
        }
        let has_all = given.iter().all(|is| *is) && result_count == results.len();
        count.filter(|count| has_all && (!has_array || *count == 1))
    }

    /// Returns how many vectors a thread computes, if operands and results of one vector have these bytes; `None` if
    /// they do not fit.
    pub fn vectors(&self, wanted: &[Vec<usize>; 2]) -> Option<usize> {
        let shape = self.shape();
        // Compilers pass and return what is narrower than 32 bits in 32.
        let fits = |own: &usize, wanted: &usize| own == wanted || *own == 4 && *wanted < 4;
        let has_no_elements = self.roles.iter().all(|role| {
            !matches!(role, Role::Read { .. } | Role::Written { .. } | Role::InPlace { .. })
        });
        let all_fit = |(own, wanted): (&Vec<usize>, &Vec<usize>)| {
            own.len() == wanted.len() && own.iter().zip(wanted).all(|(own, wanted)| fits(own, wanted))
        };
        if has_no_elements && shape.iter().zip(wanted).all(all_fit) {
            return Some(1);
        }
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

impl fmt::Display for ParameterRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.words_of_parameters(&self.words());
        LaunchText { words, shape: LaunchShape::default() }.fmt(f)
    }
}
