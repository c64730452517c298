//! Assigns a role to each parameter, by what a run has touched and what `--launch` says.

use anyhow::{Result, bail};
use machines::functions::Touched;

use super::Role;
use super::probe::Guess;
use crate::text::{ElementValue, LaunchWord, OPERANDS};

/// Returns the role of each parameter. `returned` is the number of results that are returned.
pub fn roles(
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
        if touched.has_gaps && *guess == Guess::Pointer {
            bail!(
                "the elements that a thread of the code stores are not adjacent, and those between them belong to other \
                 threads: such code cannot be judged"
            )
        }
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
