//! Tests of definitions, from whoever writes them.

use super::*;
use crate::Scale;

fn read(text: &str) -> Result<Definition, String> {
    text.parse().map_err(|error: DefinitionError| error.to_string())
}

/// A definition that is written back and read again is the same one, so that a report can carry it.
#[test]
fn definitions_are_read_and_written() {
    for (text, whole) in [
        ("mine=e5m10", "mine=e5m10,bias=15,nan=ieee"),
        ("e5m10", "e5m10=e5m10,bias=15,nan=ieee"),
        (" mine = e4m3 , bias = 8 , nan = negative-zero ", "mine=e4m3,bias=8,nan=negative-zero"),
        ("e4m3,bias=8,nan=negative-zero", "e4m3b8fnuz=e4m3,bias=8,nan=negative-zero"),
        ("e3m2,nan=all-ones", "e3m2fn=e3m2,bias=3,nan=all-ones"),
        ("e3m2,nan=none", "e3m2finite=e3m2,bias=3,nan=none"),
        ("x=e4m3,infinity", "x=e4m3,bias=7,nan=ieee"),
        ("x=e4m3,infinity=no,negative-zero=no", "x=e4m3,bias=7,nan=negative-zero"),
        ("x=e4m3,nan=all-ones,infinity=no,negative-zero=yes", "x=e4m3,bias=7,nan=all-ones"),
        ("x=ue8m0,nan=all-ones", "x=ue8m0,bias=127,nan=all-ones"),
        ("x=ue5m3,nan=none", "x=ue5m3,bias=15,nan=none"),
    ] {
        let definition = read(text).unwrap();
        assert_eq!(definition.to_string(), whole, "{text}");
        assert_eq!(read(whole), Ok(definition));
    }
}

/// Whatever is written, an error says what is wrong and what to write instead.
#[test]
fn what_is_no_format_is_refused_with_a_sentence() {
    let long = "e4m3,".to_owned() + &"bias=7,".repeat(100);
    for (text, words) in [
        ("", "says no exponent and significand bits"),
        ("mine", "says no exponent"),
        ("=e4m3", "a name has at most 24"),
        ("Mine=e4m3", "a name has at most 24"),
        ("a.b=e4m3", "a name has at most 24"),
        ("m\u{1b}=e4m3", "a name has at most 24"),
        ("x=e4m3=e4m3", "says no exponent"),
        ("x=e-4m3", "says no exponent"),
        ("x=e999999999999m3", "says no exponent"),
        ("x=e4m3,bias=-1", "`bias=-1` is none of its words"),
        ("x=e4m3,bias=99999999999", "is none of its words"),
        ("x=e4m3,bias=7,bias=7", "stands there twice"),
        ("x=e4m3,nan=quiet", "`nan=quiet` is none of its words"),
        ("x=e4m3,", "`` is none of its words"),
        ("x=e4m3,infinity=no", "write which NaN it has"),
        ("x=e4m3,nan=ieee,infinity=no", "no rule has these together"),
        ("x=e4m3,nan=negative-zero,negative-zero=yes", "no rule has these together"),
        ("x=e9m9", "has 19 bits, and 16 are the most"),
        ("x=e99m99", "has 199 bits"),
        ("x=e1m3", "write at least e2m1"),
        ("x=e0m0", "write at least e2m1"),
        ("x=e5m0,nan=none", "write at least e2m1"),
        ("x=ue8m0", "without significand bits there is room for one NaN"),
        ("x=ue4m3,nan=negative-zero", "without a sign there is no -0"),
        ("x=e4m3,bias=0", "write a bias from 1 to 14"),
        ("x=e4m3,bias=15", "write a bias from 1 to 14"),
        ("x=e12m3", "none of f64"),
        (&long, "more than 200 bytes"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
        assert!(error.len() < 800, "{error}");
    }
}

#[test]
fn a_definition_makes_its_format() {
    let format = read("mine=e5m10,bias=20,nan=all-ones").unwrap().format(FormatId::Own(3));
    assert_eq!((format.id, format.name, format.width()), (FormatId::Own(3), "mine", 16));
    assert_eq!((format.exponent_min(), format.exponent_max(), format.bias), (-19, 11, 20));
    assert_eq!((format.max_finite(), format.nan(), format.infinity()), (0x7ffe, Some(0x7fff), None));
    let powers = read("mine=ue3m0,nan=none").unwrap().format(FormatId::Own(0));
    assert_eq!((powers.scale, powers.width(), powers.max_finite()), (Scale::Power, 3, 7));
    assert_eq!(powers.decode(0), Some((1, -3)));
}

/// Names are refused before anything is defined, so that this process can go on without any.
#[test]
fn names_that_are_taken_are_refused() {
    let all = |texts: &[&str]| texts.iter().map(|text| read(text).unwrap()).collect::<Vec<_>>();
    let refused = |texts: &[&str]| define(&all(texts)).unwrap_err().to_string();
    assert!(refused(&["e4m3"]).contains("`e4m3` is that of a format of the suite: write another one"));
    assert!(refused(&["x=e4m3", "x=e3m4"]).contains("`x` is that of another definition"));
    let many: Vec<String> = (0..17).map(|number| format!("x{number}=e4m3")).collect();
    assert!(refused(&many.iter().map(String::as_str).collect::<Vec<_>>()).contains("16 are the most"));
    assert!(own().is_empty());
    assert!(refused(&["x=e4m3"]).contains("other formats are defined already"));
    assert_eq!(define(&[]), Ok(()));
}
