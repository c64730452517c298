//! Finds out what each parameter of a kernel or a function is for, by executing it: which pointers it reads, which it
//! writes, and how many bytes of each.

mod probe;
mod threads;

use std::fmt;

use anyhow::{Result, bail};
use machines::functions::Touched;
use ptx::syntax::Parameter;

use super::launch::{Element, ElementValue, Field, LaunchShape, LaunchText, LaunchWord, OPERANDS};
use super::slots::{Slot, Slots};
use probe::{Guess, POINTER, settle};

pub use probe::Probed;
pub use threads::{FOURTH, of_fourth, touched};

/// The numbers of elements that a kernel is told of, tried one after the other until it writes something: kernels of
/// vectors do nothing for fewer elements than a vector has. A function is told of one.
const COUNTS: [u64; 8] = [1, 2, 4, 8, 16, 32, 128, 1024];

/// The names of results, in order.
const RESULTS: [&str; 4] = ["d", "e", "f", "g"];

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

impl ParameterRoles {
    /// Finds the roles of all parameters, as far as `launch` does not say them.
    ///
    /// # Errors
    /// If the launch has not a word for each parameter, if it is not known what is read of a structure, or if a kernel
    /// writes nothing or fails whatever it is given.
    pub fn find(probed: Probed, launch: Option<&LaunchText>) -> Result<ParameterRoles> {
        let Probed { program, parameters, is_kernel, threads } = probed;
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
        let slots = Slots::of(program, parameters, what)?;
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
                Err(why) if is_kernel => last = format!("with {count} elements: {why}"),
                Err(why) => last = why,
                Ok(()) if gives => {
                    let roles = roles(&guesses, &touched, &words, &sizes, (count, returned.len()))?;
                    return Ok(ParameterRoles { roles, sizes, slots, returned });
                }
                Ok(()) => {}
            }
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
            Role::Written { result, .. } => {
                LaunchWord::Result(RESULTS.get(*result).copied().unwrap_or("d").to_owned())
            }
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

/// Returns a word for each slot, as far as the words of parameters say them.
///
/// # Errors
/// If a word in braces is not that of a structure, or names a field that is not read.
fn words_of_slots<'a>(
    slots: &Slots,
    parameters: &[Parameter],
    words: &[Option<&'a LaunchWord>],
) -> Result<Vec<Option<&'a LaunchWord>>> {
    let mut all: Vec<Option<&LaunchWord>> = vec![None; slots.all.len()];
    for (number, (parameter, word)) in parameters.iter().zip(words).enumerate() {
        let Some(word) = *word else { continue };
        let name = &parameter.name;
        let own: Vec<(usize, &Slot)> = slots.of_parameter(number).collect();
        let is_structure = !matches!(parameter.bytes(), 1 | 2 | 4 | 8);
        let fields = match word {
            LaunchWord::Structure(fields) if is_structure => fields,
            LaunchWord::Structure(_) => {
                bail!("--launch has `{word}` for `{name}`, which is no structure")
            }
            _ if is_structure => bail!(
                "--launch has `{word}` for `{name}`, which is a structure of {} bytes: write its fields in braces, such \
                 as {{{}}}",
                parameter.bytes(),
                own.iter()
                    .map(|(_, slot)| format!("{}:a", slot.offset.unwrap_or(0)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            word => {
                for (slot, _) in own {
                    if let Some(into) = all.get_mut(slot) {
                        *into = Some(word);
                    }
                }
                continue;
            }
        };
        let mut next = 0;
        for field in fields {
            // A field without its place is the one behind the last.
            let place = match field.offset {
                Some(offset) => own.iter().position(|(_, slot)| slot.offset == Some(offset)),
                None => Some(next),
            };
            let Some((slot, _)) = place.and_then(|place| own.get(place)) else {
                bail!(
                    "--launch has `{field}` for `{name}`, of which nothing is read there: it reads {}",
                    places_in_words(&own)
                );
            };
            next = place.map_or(next, |place| place + 1);
            if let Some(into) = all.get_mut(*slot) {
                *into = Some(&field.of);
            }
        }
    }
    Ok(all)
}

/// Returns the places that are read of a structure, in words.
fn places_in_words(slots: &[(usize, &Slot)]) -> String {
    let of_one = |(_, slot): &(usize, &Slot)| {
        let offset = slot.offset.unwrap_or(0);
        format!("bytes {offset} to {}", offset + slot.bytes.saturating_sub(1))
    };
    match slots {
        [] => "nothing".to_owned(),
        _ => slots.iter().map(of_one).collect::<Vec<_>>().join(", "),
    }
}

/// Says what the fields of structures were taken for; nothing if there are none.
fn fields_in_words(slots: &Slots, guesses: &[Guess]) -> String {
    let of_one = |(slot, guess): (&Slot, &Guess)| {
        let offset = slot.offset?;
        let name = slot.name.split('+').next().unwrap_or_default();
        let taken = match guess {
            Guess::Pointer => "a pointer",
            Guess::Rows => "the number of elements",
            Guess::Number(_) => "a number",
            Guess::Value => "an operand",
        };
        Some(format!("{offset} to {} of `{name}` as {taken}", offset + slot.bytes.saturating_sub(1)))
    };
    let each: Vec<String> = slots.all.iter().zip(guesses).filter_map(of_one).collect();
    match each.as_slice() {
        [] => String::new(),
        each => format!(
            "; it reads the bytes {}, which --launch says in braces, such as {{0:a, 8:&d, 16:rows}}",
            each.join(", ")
        ),
    }
}

/// Returns the role of each parameter. `returned` is the number of results that are returned.
fn roles(
    guesses: &[Guess],
    touched: &[Touched],
    words: &[Option<&LaunchWord>],
    sizes: &[usize],
    (count, returned): (u64, usize),
) -> Result<Vec<Role>> {
    let (mut operands, mut results) = (0..3, returned..);
    let mut roles = Vec::new();
    for (((guess, touched), word), &size) in guesses.iter().zip(touched).zip(words).zip(sizes) {
        let [reads, writes] = [&touched.read, &touched.written].map(|range| !range.is_empty());
        let mut operand = || match word {
            Some(LaunchWord::Operand(number) | LaunchWord::InPlace(number)) => Some(*number),
            _ => operands.next(),
        };
        let role = match (guess, word) {
            (_, Some(LaunchWord::Unused)) => Some(Role::Unused),
            (Guess::Pointer, Some(LaunchWord::Elements(_))) if writes => {
                bail!("--launch has elements in brackets that are overwritten")
            }
            (Guess::Pointer, Some(LaunchWord::Elements(of))) => {
                Some(Role::Elements { of: of.clone(), bytes: touched.read.end })
            }
            (Guess::Rows, _) => Some(Role::Rows(count)),
            (Guess::Number(number), _) => Some(Role::Constant(*number)),
            (Guess::Value, _) => operand().map(|operand| Role::Value { operand, bytes: size }),
            (Guess::Pointer, Some(LaunchWord::Result(_) | LaunchWord::InPlace(_))) if !writes => {
                bail!("--launch has `&` where nothing is written")
            }
            (Guess::Pointer, Some(LaunchWord::Operand(_))) if writes => {
                bail!("--launch names an operand that is overwritten: write `&` before it")
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
            (Guess::Pointer, _) if !reads => bail!("--launch has an operand where nothing is read"),
            (Guess::Pointer, _) => {
                operand().map(|operand| Role::Read { operand, bytes: touched.read.end })
            }
        };
        let Some(role) = role else { bail!("the code reads more than three operands") };
        roles.push(role);
    }
    check_operands(&roles)?;
    Ok(roles)
}

/// Checks that each operand is given to one parameter, and none is left out.
fn check_operands(roles: &[Role]) -> Result<()> {
    let mut given: Vec<usize> = roles
        .iter()
        .flat_map(|role| match role {
            Role::Read { operand, .. } | Role::InPlace { operand, .. } | Role::Value { operand, .. } => {
                vec![*operand]
            }
            Role::Elements { of, .. } => {
                let each = of.iter().filter_map(|element| match element.of {
                    ElementValue::Operand(number) => Some(number),
                    ElementValue::Bits(_) => None,
                });
                let mut each: Vec<usize> = each.collect();
                each.sort_unstable();
                each.dedup();
                each
            }
            _ => Vec::new(),
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

impl fmt::Display for ParameterRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.words_of_parameters(&self.words());
        LaunchText { words, shape: LaunchShape::default() }.fmt(f)
    }
}
