//! Tests with texts that no compiler writes: whatever becomes of them, nothing panics and everything ends.

use formats::Column;
use ptx::syntax::Module;

use super::texts::{BITS, CALLS, DIVERGENCE, MEMORY, TOGETHER};
use crate::functions::{Grid, Nearest, Passed, RunnableFunction};

const STEPS: u64 = 300;
const ROWS: usize = 3;
/// A block of a warp and of one thread of another.
const BLOCK: u32 = 33;

/// Reads a text and runs all that is in it. Returns how far that went: 0 if it is no module, 1 if no function was
/// loaded, 2 if none ran to its end, 3 if one did.
fn attempt(text: &str, unit: &mut Nearest) -> usize {
    let Ok(module) = text.parse::<Module>() else { return 0 };
    assert_eq!(module.to_string().parse().as_ref(), Ok(&module), "{text}");
    let mut furthest = 1;
    for function in &module.functions {
        let Ok(function) = RunnableFunction::of(&module, &function.name) else { continue };
        let columns = |bytes: Vec<usize>| -> Vec<Column> {
            // A changed text may declare parameters of any size.
            bytes.into_iter().map(|bytes| Column::new(bytes.clamp(1, 1 << 20), ROWS)).collect()
        };
        let mut results = columns(function.results().map(|(_, bytes)| bytes).collect());
        let mut inputs = columns(function.parameters().map(|(_, bytes)| bytes).collect());
        for (number, byte) in inputs.iter_mut().flat_map(|column| column.bytes_mut()).enumerate() {
            *byte = (number * 37) as u8;
        }
        let mut passed: Vec<Passed> = inputs.iter().map(Passed::Value).collect();
        let ran = function.run(unit, &mut passed, &mut results, STEPS);
        furthest = furthest.max(2 + usize::from(ran.is_ok()));
    }
    for entry in &module.entries {
        let Ok(kernel) = RunnableFunction::of_grid(&module, &entry.name, Grid::block(BLOCK)) else {
            continue;
        };
        let mut columns: Vec<Column> = kernel.parameters().map(|_| Column::new(256, ROWS)).collect();
        let mut passed: Vec<Passed> = columns.iter_mut().map(Passed::Behind).collect();
        // Nothing that is open or never set may be read, and then everything may.
        let strict = kernel.run(unit, &mut passed, &mut [], STEPS);
        let filled = kernel.run_filled(|number| number as u64, unit, &mut passed, &mut [], STEPS);
        furthest = furthest.max(2 + usize::from(strict.is_ok() || filled.is_ok()));
    }
    furthest
}

/// The bytes that take the place of others: some that PTX is made of, and some that it is not.
const BYTES: &[u8] = b"0 9xaZ%._$@!,;:|+-=()[]{}<>/*\n\"\0";

#[test]
fn texts_with_a_byte_changed_or_cut_off_anywhere_are_harmless() {
    let (mut unit, mut outcomes) = (Nearest::default(), [0; 4]);
    for text in [DIVERGENCE, CALLS, MEMORY, BITS, TOGETHER] {
        assert_eq!(attempt(text, &mut unit), 3);
        for end in 0..text.len() {
            outcomes[attempt(&text[..end], &mut unit)] += 1;
        }
        for place in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[place] = BYTES[(7 * place + place / 31) % BYTES.len()];
            outcomes[attempt(std::str::from_utf8(&bytes).unwrap(), &mut unit)] += 1;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (number, _) in lines.iter().enumerate() {
            // A line is lost, and another comes twice.
            let mut others = lines.clone();
            others.remove(number);
            others.insert(number * 7 % lines.len(), lines[number * 13 % lines.len()]);
            outcomes[attempt(&others.join("\n"), &mut unit)] += 1;
        }
    }
    assert!(outcomes.iter().all(|&count| count > 50), "{outcomes:?}");
}

#[test]
fn what_asks_for_too_much_is_refused() {
    let head = ".version 8.0\n.target sm_80\n.address_size 64\n";
    let mut unit = Nearest::default();
    let run = |body: &str, unit: &mut Nearest| {
        let module: Module = format!("{head}.func f()\n{{\n{body}\n}}\n").parse().unwrap();
        let function = RunnableFunction::of(&module, "f").map_err(|errors| errors[0].to_string())?;
        let ran = function.run(unit, &mut [], &mut [], STEPS);
        ran.map_err(|error| error.to_string())
    };
    // Registers that nobody uses take no room.
    assert_eq!(run(".reg .b32 %r<4294967295>;\nret;", &mut unit), Ok(()));
    let deep = format!("{}{}", "{".repeat(100), "}".repeat(100));
    let text = format!("{head}.func f()\n{{\n{deep}\n}}\n");
    let error = text.parse::<Module>().unwrap_err().to_string();
    assert!(error.contains("fewer braces"), "{error}");
    let large = format!("{head}.local .b8 a[16777217];");
    let error = large.parse::<Module>().unwrap_err().to_string();
    assert!(error.contains("expected a number of elements"), "{error}");
    let many: String = (0..100).map(|number| format!(".local .b64 a{number}[16777216];\n")).collect();
    let module: Module = format!("{head}.func f(.param .b8 p)\n{{\n{many}ret;\n}}\n").parse().unwrap();
    let function = RunnableFunction::of(&module, "f").unwrap();
    let one = Column::new(1, 1);
    let ran = function.run(&mut unit, &mut [Passed::Value(&one)], &mut [], STEPS);
    let error = ran.unwrap_err().to_string();
    assert!(error.contains("too much memory"), "{error}");
}
