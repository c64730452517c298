//! Says which elements a thread with another index than 0 reads and writes, and whether a thread beyond the last element
//! writes something.

use formats::Column;
use machines::functions::{Launch, RunnableFunction, Touched};

use super::{ParameterRoles, RESULTS, Role};
use crate::text::OPERANDS;

/// The launch of the thread whose elements are looked for: the second thread of the second block.
pub const FOURTH: Launch = Launch { threads: 2, block: 1, thread: 1 };
/// The elements that the fourth thread of a kernel reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FourthThread {
    /// Whether these are the elements of its own index, and no others.
    pub has_its_own: bool,
    /// The elements in a sentence.
    pub words: String,
}

/// The number that all operands have.
const ONE: [u8; 4] = 1.0_f32.to_le_bytes();

/// Returns the elements of the fourth thread of a kernel, whose program for that thread is given. `None` if that thread
/// cannot be executed.
pub fn of_fourth(fourth: &RunnableFunction, roles: &ParameterRoles) -> Option<FourthThread> {
    let index = FOURTH.index();
    let touched = touched(fourth, roles, (index + 1, 0), None)?;
    let has_all = roles.roles.iter().zip(&touched).all(|(role, touched)| is_at(role, touched, index));
    if !has_all {
        let each = roles.roles.iter().zip(&touched).filter_map(|(role, touched)| words(role, touched));
        let each: Vec<String> = each.collect();
        let words = format!(
            "The thread of index {index} {}, and not the elements of index {index} alone.",
            if each.is_empty() { "touches nothing".to_owned() } else { each.join(", ") }
        );
        return Some(FourthThread { has_its_own: false, words });
    }
    let own_words = |words: String| Some(FourthThread { has_its_own: true, words });
    let own = format!("The thread of index {index} reads and writes the elements of index {index}");
    if !roles.roles.iter().any(|role| matches!(role, Role::Rows(_))) {
        return own_words(format!("{own}."));
    }
    let beyond = self::touched(fourth, roles, (index, 0), None)?;
    own_words(match beyond.iter().all(|touched| touched.written.is_empty()) {
        true => format!("{own}, and writes nothing where there are only {index}."),
        false => format!("{own}, also where there are only {index}."),
    })
}

/// Executes a program where there are as many elements as `threads` threads have, and returns what it touches. Pointers
/// lead to memory for `room` threads, or more. The slot of the number `set`, if one is given, is told another number.
pub fn touched(
    program: &RunnableFunction,
    roles: &ParameterRoles,
    (threads, room): (u64, u64),
    set: Option<(usize, u64)>,
) -> Option<Vec<Touched>> {
    touched_so_far(program, roles, (threads, room), set).filter(|(_, ends)| *ends).map(|(all, _)| all)
}

/// Executes a program as [`touched`] does, and returns what it touches before its end, or before it does what it may not,
/// with whether it comes to its end.
pub fn touched_so_far(
    program: &RunnableFunction,
    roles: &ParameterRoles,
    (threads, room): (u64, u64),
    set: Option<(usize, u64)>,
) -> Option<(Vec<Touched>, bool)> {
    let column = |(number, (role, &size)): (usize, (&Role, &usize))| {
        let bytes = match role {
            Role::Read { bytes, .. }
            | Role::Written { bytes, .. }
            | Role::InPlace { bytes, .. }
            | Role::Elements { bytes, .. } => bytes.checked_mul(threads.max(room) as usize + 1)?,
            Role::Value { .. } | Role::Rows(_) | Role::Constant(_) | Role::Unused => size,
        };
        let mut column = Column::new(bytes, 1);
        match role {
            Role::Rows(each) => {
                let other = set.filter(|(of, _)| *of == number).map(|(_, value)| value);
                column.set(0, other.unwrap_or(each.saturating_mul(threads)));
            }
            Role::Constant(each) => {
                let other = set.filter(|(of, _)| *of == number).map(|(_, value)| value);
                column.set(0, other.unwrap_or(*each));
            }
            Role::Unused => {}
            _ => {
                let one = ONE.iter().cycle();
                column.bytes_mut().iter_mut().zip(one).for_each(|(to, from)| *to = *from);
            }
        }
        Some(column)
    };
    let columns = roles.roles.iter().zip(&roles.sizes).enumerate().map(column);
    let mut columns: Vec<Column> = columns.collect::<Option<_>>()?;
    let is_pointer: Vec<bool> = roles.roles.iter().map(Role::is_pointer).collect();
    let (touched, outcome) = roles.slots.probe(program, &mut columns, &is_pointer);
    Some((touched, outcome.is_ok()))
}

/// Whether what a thread touches is what lies behind a pointer for the thread of an index, and no more.
fn is_at(role: &Role, touched: &Touched, index: u64) -> bool {
    let at = |range: &std::ops::Range<usize>, bytes: usize| {
        let start = bytes.saturating_mul(index as usize);
        !range.is_empty() && range.start >= start && range.end == start + bytes
    };
    match *role {
        Role::Read { bytes, .. } => at(&touched.read, bytes) && touched.written.is_empty(),
        Role::Written { bytes, .. } => at(&touched.written, bytes),
        Role::InPlace { bytes, .. } => at(&touched.written, bytes) && at(&touched.read, bytes),
        Role::Elements { .. }
        | Role::Value { .. }
        | Role::Rows(_)
        | Role::Constant(_)
        | Role::Unused => true,
    }
}

/// Says which bytes behind a pointer are touched; `None` for what is no pointer to elements, or is not touched.
fn words(role: &Role, touched: &Touched) -> Option<String> {
    let name = match *role {
        Role::Read { operand, .. } | Role::InPlace { operand, .. } => OPERANDS.get(operand)?,
        Role::Written { result, .. } => RESULTS.get(result)?,
        Role::Elements { .. }
        | Role::Value { .. }
        | Role::Rows(_)
        | Role::Constant(_)
        | Role::Unused => return None,
    };
    let of = |what: &str, range: &std::ops::Range<usize>| {
        let last = range.end.checked_sub(1).filter(|_| !range.is_empty())?;
        Some(format!("{what} bytes {} to {last} of `{name}`", range.start))
    };
    let each = [of("reads", &touched.read), of("writes", &touched.written)];
    let each: Vec<String> = each.into_iter().flatten().collect();
    (!each.is_empty()).then(|| each.join(", "))
}
