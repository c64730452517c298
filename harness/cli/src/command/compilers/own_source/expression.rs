//! Reads a source line in CUDA C++: an expression of `a`, `b` and `c`.

use anyhow::{Result, bail, ensure};
use compilers::rows::NAMES;

use super::used::Used;

/// Returns the operands that an expression uses. The language of C++ is left to the compiler: only what would end the
/// expression is refused here.
///
/// # Errors
/// If the text is not one expression.
pub fn read(text: &str) -> Result<Used> {
    ensure!(
        !text.ends_with(';'),
        "--source ends with `;`, but it is an expression, such as `a / b`: leave the `;` out"
    );
    if let Some(comment) = ["//", "/*", "*/", "\\"].into_iter().find(|sign| text.contains(sign)) {
        bail!("--source has `{comment}`, which is part of no expression: leave it out");
    }
    let mut open = 0_usize;
    for char in text.chars() {
        match char {
            '(' => open += 1,
            ')' if open == 0 => bail!("--source has a `)` without a `(`"),
            ')' => open -= 1,
            _ => {}
        }
    }
    ensure!(open == 0, "--source has a `(` without a `)`");
    let mut used = Used::default();
    for word in text.split(|char: char| !char.is_alphanumeric() && char != '_') {
        for (name, operand) in NAMES.iter().zip(&mut used.operands) {
            if *name == word {
                *operand = Some(String::new());
            }
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_words_of_their_own() {
        let names = |text: &str| -> Vec<bool> {
            read(text).unwrap().operands.iter().map(Option::is_some).collect()
        };
        assert_eq!(names("__fdividef(a, b)"), [true, true, false]);
        assert_eq!(names("c*a+0xb"), [true, false, true]);
        assert_eq!(names("abs(1.0f)"), [false; 3]);
    }

    #[test]
    fn what_would_end_the_expression_is_refused() {
        for (text, said) in [
            ("a / b;", "ends with `;`"),
            ("a // b", "has `//`"),
            ("a) + (b", "has a `)` without a `(`"),
            ("(a + b", "has a `(` without a `)`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
