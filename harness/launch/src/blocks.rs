//! Finds out, by executing other threads than the first, which elements they have: how far elements lie from each other,
//! and how many a thread and a block have.

use machines::functions::{Launch, RunnableFunction, Touched};

use crate::file::CodeFile;
use crate::roles::{ParameterRoles, Role, touched, touched_so_far};

/// The most bytes behind a pointer while elements of other threads are looked for.
const PROBE_BYTES_MAX: u64 = 1 << 23;
/// The most elements of one block that are looked for.
const BLOCK_ELEMENTS_MAX: u64 = 1 << 13;
/// The stride that tells a number of bytes from one of elements.
const STRIDE: u64 = 16;

/// The most elements of a thread that are looked for by the number of elements that the next thread needs.
const THREAD_ELEMENTS_MAX: u64 = 64;

/// Finds the numbers of elements that are larger for a thread than the smallest one for which it does its work: a thread
/// that takes a vector where its first element is there does so for one element, too.
pub fn find_counts(file: &CodeFile, name: &str, roles: &mut ParameterRoles) {
    let next = Launch { threads: 2, block: 0, thread: 1 };
    let programs = [Launch::default(), next].map(|launch| file.runnable_thread(name, launch));
    let [Ok(first), Ok(next)] = programs else { return };
    let written = |program: &RunnableFunction, roles: &ParameterRoles, number: usize, rows: u64| {
        let (touched, _) = touched_so_far(program, roles, (2, 0), Some((number, rows)))?;
        Some(touched.into_iter().map(|one| one.written).collect::<Vec<_>>())
    };
    for number in 0..roles.roles.len() {
        if roles.roles.get(number) != Some(&Role::Rows(1)) {
            continue;
        }
        let writes = |rows: &u64| {
            let all = written(&next, &*roles, number, *rows);
            all.is_some_and(|all| all.iter().any(|range| !range.is_empty()))
        };
        let Some(rows) = (1..=THREAD_ELEMENTS_MAX + 1).find(writes).filter(|rows| *rows > 2) else {
            continue;
        };
        // Where more elements are more work, the thread takes them one after the other.
        let [one, all] = [1, rows - 1].map(|rows| written(&first, &*roles, number, rows));
        if let (true, Some(role)) = (one == all, roles.roles.get_mut(number)) {
            *role = Role::Rows(rows - 1);
        }
    }
}

/// Finds the numbers that another thread multiplies its index by, to find its elements: how far elements lie from each
/// other, in bytes or in elements.
pub fn find_strides(file: &CodeFile, name: &str, roles: &mut ParameterRoles) {
    let third = Launch { threads: 2, block: 1, thread: 0 };
    // No more elements than the thread needs, so that one which takes several takes no further ones, and room for all
    // places that a stride leads to.
    let there = (third.index() + 1, (third.index() + 1) * STRIDE);
    let Ok(program) = file.runnable_thread(name, third) else { return };
    let begins = |roles: &ParameterRoles, number: usize, stride: u64| -> Vec<Option<usize>> {
        let touched = touched_so_far(&program, roles, there, Some((number, stride)));
        let (touched, _) = touched.unwrap_or_default();
        let begin = |one: &Touched| {
            let first = [&one.read, &one.written].into_iter().filter(|range| !range.is_empty());
            first.map(|range| range.start).min()
        };
        touched.iter().map(begin).collect()
    };
    // As long as one stride is not known, a thread may fail before it comes to another pointer.
    for number in (0..roles.roles.len()).chain(0..roles.roles.len()) {
        if !matches!(roles.roles.get(number), Some(Role::Rows(_))) {
            continue;
        }
        let (none, some) = (begins(&*roles, number, 0), begins(&*roles, number, STRIDE));
        let moved = none.iter().zip(&some).zip(&roles.roles).find_map(|((none, some), role)| {
            let bytes = match role {
                Role::Read { bytes, .. } | Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
                    *bytes
                }
                _ => return None,
            };
            let by = some.as_ref()?.checked_sub(*none.as_ref()?)?;
            let all = STRIDE as usize * third.index() as usize;
            match by {
                by if by == all => Some(bytes),
                by if by == all * bytes => Some(1),
                _ => None,
            }
        });
        if let (Some(stride), Some(role)) = (moved, roles.roles.get_mut(number)) {
            *role = Role::Constant(stride as u64);
        }
    }
}

/// Returns how many times the work of the first thread a block does, by where the first thread of the second block begins
/// to write.
pub fn elements_of_block(file: &CodeFile, name: &str, roles: &ParameterRoles, threads: [u32; 3]) -> u64 {
    let all = threads.iter().map(|one| u64::from(*one)).product();
    let [x, 1, 1] = threads else { return all };
    let second = Launch { threads: x, block: 1, thread: 0 };
    // Threads that all have one element have a wrong index, unless the text says that a block has so many threads: then
    // several may do the same.
    let least = if file.block(name).is_some() { 1 } else { all };
    begins_at(file, name, roles, second)
        .filter(|begins| (least..=BLOCK_ELEMENTS_MAX).contains(begins))
        .unwrap_or(all)
}

/// Returns the number of the element at which a thread begins to write, in elements of a thread.
pub fn begins_at(file: &CodeFile, name: &str, roles: &ParameterRoles, launch: Launch) -> Option<u64> {
    let program = file.runnable_thread(name, launch).ok()?;
    let most = roles.roles.iter().map(|role| match role {
        Role::Read { bytes, .. } | Role::Written { bytes, .. } | Role::InPlace { bytes, .. } => {
            *bytes as u64
        }
        _ => 1,
    });
    let fits = PROBE_BYTES_MAX / most.max().unwrap_or(1).max(1);
    let touched = touched(&program, roles, (fits.clamp(1, 4 * BLOCK_ELEMENTS_MAX), 0), None)?;
    roles.roles.iter().zip(&touched).find_map(|(role, touched)| match role {
        Role::Written { bytes, .. } | Role::InPlace { bytes, .. } if !touched.written.is_empty() => {
            let (start, bytes) = (touched.written.start, (*bytes).max(1));
            start.is_multiple_of(bytes).then_some((start / bytes) as u64)
        }
        _ => None,
    })
}
