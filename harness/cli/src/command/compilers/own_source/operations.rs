//! Reads a source line in LLVM IR: instructions of `%a`, `%b` and `%c`, with `; ` between them, of which the last gives
//! the result.

use anyhow::{Context, Result, bail, ensure};
use compilers::rows::NAMES;

use super::used::Used;

/// The beginnings of the names of types that are words; `<` begins those of several numbers.
const TYPES: [&str; 6] = ["half", "bfloat", "float", "double", "fp128", "ptr"];

/// Returns the names of all values in a text, without the `%` before each.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().filter_map(|token| token.strip_prefix('%'))
}

/// Reads instructions. Returns them without a name for the last result, as the rows have them, and the operands that
/// they use with their types.
///
/// # Errors
/// If there is no instruction, or one uses a value that is no operand and no earlier result.
pub fn read(text: &str) -> Result<(String, Used)> {
    let text = text.trim_end_matches([';', ' ']);
    let (before, last) = match text.rsplit_once("; ") {
        Some((before, last)) => (before.split("; ").collect(), last),
        None => (Vec::new(), text),
    };
    let mut used = Used::default();
    let mut defined: Vec<&str> = Vec::new();
    for operation in &before {
        let (name, operation) = definition(operation);
        let name = name.with_context(|| {
            format!("--source: `{operation}` gives its result no name, as `%m = fmul float %a, %b` does")
        })?;
        used.add(operation, &defined)?;
        ensure!(
            !NAMES.contains(&name) && !defined.contains(&name),
            "--source gives the name %{name} twice: operands are %a, %b and %c, so use other names for results"
        );
        defined.push(name);
    }
    let (_, last) = definition(last);
    ensure!(
        last.starts_with(|first: char| first.is_ascii_lowercase()),
        "--source: `{last}` is no instruction of LLVM IR, such as `fdiv float %a, %b`"
    );
    ensure!(
        !last.starts_with("ret "),
        "--source: the last instruction is the result, so leave `ret` out"
    );
    used.add(last, &defined)?;
    used.result = result(last).unwrap_or_default().to_owned();
    let all: Vec<&str> = before.into_iter().map(str::trim).chain([last]).collect();
    Ok((all.join("; "), used))
}

/// Splits an instruction into the name that it gives its result, and the rest.
fn definition(operation: &str) -> (Option<&str>, &str) {
    let split = operation
        .split_once('=')
        .and_then(|(name, rest)| Some((name.trim().strip_prefix('%')?, rest.trim())));
    split.map_or((None, operation.trim()), |(name, rest)| (Some(name), rest))
}

impl Used {
    /// Adds the operands of an instruction. The type of each is the last that is named before it.
    fn add(&mut self, operation: &str, defined: &[&str]) -> Result<()> {
        let mut ty = "";
        for token in tokens(operation) {
            if is_type(token) {
                ty = token;
            }
            let Some(name) = token.strip_prefix('%') else { continue };
            let Some(at) = NAMES.iter().position(|own| *own == name) else {
                ensure!(
                    defined.contains(&name),
                    "--source uses %{name}, which is no operand and no earlier result: operands are %a, %b and %c"
                );
                continue;
            };
            let Some(place) = self.operands.get_mut(at) else { continue };
            let known = place.get_or_insert_with(|| ty.to_owned());
            if known != ty {
                bail!("--source takes %{name} as {known} in one place, and as {ty} in another");
            }
        }
        Ok(())
    }
}

/// Returns the type that an instruction gives, if it names one.
fn result(operation: &str) -> Option<&str> {
    let tokens = tokens(operation);
    let types = || tokens.iter().copied().filter(|token| is_type(token));
    match *tokens.first()? {
        "fcmp" | "icmp" => Some("i1"),
        "select" => types().next_back(),
        _ if tokens.contains(&"to") => types().next_back(),
        _ => types().next(),
    }
}

/// Whether a token is the name of a type.
fn is_type(token: &str) -> bool {
    let is_integer = token
        .strip_prefix('i')
        .is_some_and(|bits| !bits.is_empty() && bits.chars().all(|digit| digit.is_ascii_digit()));
    TYPES.contains(&token) || token.starts_with('<') || is_integer
}

/// Splits a text into words and types of several numbers, such as `<2 x half>`; quoted text is left out.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for (part, unquoted) in text.split('"').enumerate() {
        if part % 2 == 1 {
            continue;
        }
        let mut rest = unquoted;
        while let Some(start) = rest.find(|char: char| is_word(char) || char == '<') {
            rest = rest.get(start..).unwrap_or_default();
            let end = match rest.starts_with('<') {
                true => rest.find('>').map_or(rest.len(), |end| end + 1),
                false => rest.find(|char: char| !is_word(char)).unwrap_or(rest.len()),
            };
            let (token, behind) = rest.split_at(end);
            all.push(token);
            rest = behind;
        }
    }
    all
}

/// Whether a character may stand in a word of LLVM IR, such as `%a`, `@llvm.fma.f32` or `float`.
fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || "%@._-$".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the types of the operands that are used, and that of the result.
    fn types(text: &str) -> String {
        let (_, used) = read(text).unwrap();
        let operands: Vec<String> = used.operands.into_iter().flatten().collect();
        format!("{} -> {}", operands.join(", "), used.result)
    }

    #[test]
    fn types_are_those_of_the_text() {
        for (text, due) in [
            ("fdiv fast float %a, %b", "float, float -> float"),
            ("%d = fdiv float %a, %b", "float, float -> float"),
            ("fptrunc double %a to half", "double -> half"),
            (
                "call afn float @llvm.fma.f32(float %a, float %b, float %c)",
                "float, float, float -> float",
            ),
            ("fadd <2 x half> %a, %b", "<2 x half>, <2 x half> -> <2 x half>"),
            ("%k = fcmp olt float %a, %b; sext i1 %k to i32", "float, float -> i32"),
            ("%m = fmul float %a, %b; fadd float %m, %c", "float, float, float -> float"),
            ("call float asm \"ex2.approx.f32 $0, $1;\", \"=f,f\"(float %a)", "float -> float"),
            ("%k = fcmp ord float %a, %a; select i1 %k, float %a, float 0.0", "float -> float"),
            ("fcmp olt float %a, %b", "float, float -> i1"),
        ] {
            assert_eq!(types(text), due, "{text}");
        }
    }

    #[test]
    fn values_that_nobody_gives_are_refused() {
        for (text, said) in [
            ("fdiv float %x, %b", "uses %x"),
            ("%m = fmul float %n, %a; fadd float %m, %c", "uses %n"),
            ("fmul float %a, %b; fadd float %a, %c", "gives its result no name"),
            ("%a = fmul float %a, %b; fadd float %a, %c", "gives the name %a twice"),
            ("%m = fptrunc double %a to float; fadd float %m, %a", "%a as double in one place"),
            ("ret float %a", "leave `ret` out"),
            ("%a / %b", "is no instruction"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
