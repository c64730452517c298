//! Operands that are written as numbers: `=1.5`, `=2^-24`, `=nan`, and `=1,2` for a register of two lanes.

use anyhow::{Result, anyhow, ensure};
use isa::{Register, Type, Variant};
use oracle::datum_of_text;
use reports::{counted, excerpt};

/// Returns the operands of a variant with each that is written as a number replaced by its bits in hexadecimal, and
/// notes on what a reader could have meant otherwise: numbers that were rounded, and digits that are read as bits.
///
/// # Errors
/// If a number cannot be read, a format does not have it, there are more or fewer numbers than lanes, a register that
/// is written as numbers has more than 128 bits, or a text without `=` is a number and not hexadecimal.
pub fn as_bits(variant: &Variant, texts: &[String]) -> Result<(Vec<String>, Vec<String>)> {
    let mut notes = Vec::new();
    // More or fewer operands than registers are refused by whoever reads the bits.
    let mut read = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let register = variant.operands().get(at);
        read.push(match (register, text.strip_prefix('=')) {
            (Some(register), Some(numbers)) => bits_of(register, numbers, &mut notes)?,
            (Some(register), None) => {
                let is_hexadecimal = text.strip_prefix("0x").unwrap_or(text).bytes().all(|byte| byte.is_ascii_hexdigit());
                ensure!(
                    is_hexadecimal || datum_of_text(register.ty.format, text).is_err(),
                    "`{0}` is not hexadecimal: write ={0} for the number, or the bits of {1}, like 0x3c00",
                    excerpt(text),
                    register.name
                );
                notes.extend(read_as_bits(register, text));
                text.clone()
            }
            (None, _) => text.clone(),
        });
    }
    Ok((read, notes))
}

/// Returns the bits of a register whose lanes are written as numbers, the lowest lane first.
fn bits_of(register: &Register, numbers: &str, notes: &mut Vec<String>) -> Result<String> {
    let Type { format, lanes, stride, offset, .. } = register.ty;
    let name = register.name;
    let lane_texts: Vec<&str> = numbers.split(',').collect();
    ensure!(
        lane_texts.len() == lanes,
        "{name} ({}) has {}, and `={}` has {}: write one number for each lane, the lowest first, with commas \
         between them",
        register.ty,
        counted(lanes as u64, "lane"),
        excerpt(numbers),
        counted(lane_texts.len() as u64, "number")
    );
    ensure!(
        lanes as u32 * stride <= u128::BITS,
        "{name} has more than 128 bits: write its bits in hexadecimal"
    );
    let mut bits = 0u128;
    for (lane, text) in lane_texts.into_iter().enumerate() {
        let datum = datum_of_text(format, text)
            .map_err(|error| anyhow!("operand {name}: {}", excerpt(&error)))?;
        if !datum.exact {
            let taken = format.show(datum.bits);
            notes.push(format!(
                "operand {name}: {} is not a number of {}; the nearest is taken, {} = {}",
                excerpt(text),
                format.name,
                taken.hex(),
                taken.decimal()
            ));
        }
        bits |= u128::from(datum.bits) << (lane as u32 * stride + offset);
    }
    Ok(format!("0x{bits:x}"))
}

/// Returns a note on an operand that looks like a number, such as `1` or `1e5`, and is read as bits: hexadecimal digits
/// without `0x`, fewer than the register has.
fn read_as_bits(register: &Register, text: &str) -> Option<String> {
    let digits = 2 * register.ty.row_bytes();
    let is_short = !text.is_empty() && text.len() < digits;
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Decimal digits look like a number even if the format does not have it.
    let is_number = is_decimal || (is_hexadecimal && datum_of_text(register.ty.format, text).is_ok());
    (is_short && is_number).then(|| {
        format!(
            "operand {}: {text} is read as the bits 0x{text:0>digits$}; write ={text} for the number",
            register.name
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variant: &str, texts: &[&str]) -> Result<(Vec<String>, Vec<String>)> {
        let variant: Variant = variant.parse().expect("a variant");
        as_bits(&variant, &texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_become_bits_and_bits_stay() {
        let (bits, notes) = read("fma.rn.f16", &["=1.5", "=-2^-24", "0x3c00"]).expect("numbers");
        assert_eq!((bits, notes), (vec!["0x3e00".into(), "0x8001".into(), "0x3c00".into()], vec![]));
        let (bits, _) = read("add.f16x2", &["=1,nan", "3c003c00"]).expect("numbers");
        assert_eq!(bits, ["0x7fff3c00", "3c003c00"]);
        let (bits, _) = read("cvt.rn.f32.s32", &["=-1"]).expect("an integer");
        assert_eq!(bits, ["0xffffffff"]);
    }

    #[test]
    fn what_could_be_meant_otherwise_is_noted() {
        let (_, notes) = read("add.f32", &["1", "=0.1"]).expect("operands");
        let [bits, rounded] = &notes[..] else { panic!("{notes:?}") };
        assert!(bits.contains("bits 0x00000001") && bits.contains("write =1 "), "{bits}");
        assert!(
            rounded.contains("0.1 is not a number of f32") && rounded.contains("0x3dcccccd"),
            "{rounded}"
        );
        assert!(read("add.f32", &["3f800000", "0x1"]).expect("operands").1.is_empty());
        // Digits with an exponent are hexadecimal digits, too.
        let (bits, notes) = read("add.f32", &["1e5", "2e3"]).expect("operands");
        assert_eq!(bits, ["1e5", "2e3"]);
        let [first, second] = &notes[..] else { panic!("{notes:?}") };
        assert!(first.contains("bits 0x000001e5") && first.contains("write =1e5 "), "{first}");
        assert!(second.contains("bits 0x000002e3") && second.contains("write =2e3 "), "{second}");
        assert!(read("add.f32", &["1c5", "0x1e5"]).expect("operands").1.is_empty());
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (texts, words) in [
            (["=1,2", "=1"], "has 1 lane, and `=1,2` has 2 numbers: write one number"),
            (["=x", "=1"], "operand a: `x` is not a number"),
            (["=1", "=1e39"], "operand b: 1e39 is too large for f32"),
        ] {
            let error = read("add.f32", &texts).expect_err(texts[0]).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
