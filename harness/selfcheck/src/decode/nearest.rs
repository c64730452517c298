//! Tests of casts to the nearest number against the tables of other libraries: the nearest of a table's numbers is
//! looked for, by comparisons of f64 alone, which are exact.

use formats::{Column, FormatId, column};
use isa::{Operation, Rounding, Variant, columns_for};
use judge::Truth;
use oracle::Oracle;

use super::*;

/// Number of random operands of each variant.
const OPERANDS: usize = 4096;

/// The numbers of a format by another library, and what stands for all else.
struct Table {
    /// The numbers without a minus sign with their encodings, in ascending order.
    numbers: Vec<(f64, u64)>,
    values: Vec<DecodedValue>,
}

/// The result of a cast, as far as the table says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Bits(u64),
    AnyNan,
}

impl Table {
    fn new(values: Vec<DecodedValue>) -> Table {
        let number = |(bits, value): (u64, &DecodedValue)| match *value {
            DecodedValue::Zero { negative: false } => Some((0.0, bits)),
            DecodedValue::Number { negative: false, odd, exponent } => {
                Some((odd as f64 * 2f64.powi(exponent), bits))
            }
            _ => None,
        };
        let mut numbers: Vec<(f64, u64)> = (0..).zip(&values).filter_map(number).collect();
        numbers.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        Table { numbers, values }
    }

    /// Whether the numbers are powers of two alone: of two neighbours none is even, and the larger one is taken.
    fn is_of_powers(&self) -> bool {
        self.numbers[0].0 > 0.0
    }

    /// Returns the number above the largest one, if there were one.
    fn behind(&self) -> f64 {
        let [.., (before, _), (last, _)] = self.numbers[..] else { unreachable!("several numbers") };
        if self.is_of_powers() { 2.0 * last } else { last + (last - before) }
    }

    /// Returns the magnitude's nearest number, or `None` beyond the largest.
    fn nearest(&self, magnitude: f64) -> Option<u64> {
        let above = self.numbers.partition_point(|(number, _)| *number <= magnitude);
        let Some(low) = above.checked_sub(1) else { return Some(self.numbers[0].1) };
        let (number, bits) = self.numbers[low];
        let (next, upper) = match self.numbers.get(above) {
            Some(&(next, upper)) => (next, Some(upper)),
            None => (self.behind(), None),
        };
        let middle = number + (next - number) / 2.0;
        // Of two neighbours the encodings are neighbours, so that one of them is even.
        let ties_down = bits % 2 == 0 && !self.is_of_powers();
        match magnitude < middle || magnitude == middle && ties_down {
            true => Some(bits),
            false => upper,
        }
    }

    /// Returns the result of a cast of a number that is not NaN.
    fn cast(&self, number: f64, saturates: bool) -> Expected {
        let is_negative = number.is_sign_negative();
        let largest = self.numbers[self.numbers.len() - 1].1;
        let found = self.nearest(number.abs()).or(saturates.then_some(largest));
        let place = |wanted: DecodedValue| self.values.iter().position(|value| *value == wanted);
        let Some(bits) = found else {
            let infinity = place(DecodedValue::Infinity { negative: is_negative });
            return infinity.map_or(Expected::AnyNan, |bits| Expected::Bits(bits as u64));
        };
        let negated = match self.values[bits as usize] {
            DecodedValue::Zero { .. } => DecodedValue::Zero { negative: true },
            DecodedValue::Number { odd, exponent, .. } => {
                DecodedValue::Number { negative: true, odd, exponent }
            }
            other => unreachable!("{other:?} is no number"),
        };
        // A format without −0, or without a sign, has the number without a sign.
        let negated = place(negated).filter(|_| is_negative);
        Expected::Bits(negated.map_or(bits, |bits| bits as u64))
    }
}

/// A generator of random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number at or beside a table's number or the middle of two, or anywhere near the table's range.
    fn number(&mut self, table: &Table) -> f64 {
        let at = self.next() as usize % table.numbers.len();
        let (number, _) = table.numbers[at];
        let next = table.numbers.get(at + 1).map_or(table.behind(), |(next, _)| *next);
        let sign = if self.next().is_multiple_of(2) { 1.0 } else { -1.0 };
        let near = match self.next() % 3 {
            0 => number + (next - number) / 2.0,
            1 => number,
            _ => return sign * (number + (next - number) * (self.next() >> 11) as f64 * 2f64.powi(-53)),
        };
        // Neighbours in f64, and in f32, of which the low 29 bits are zeros.
        let step = [0, 1, u64::MAX, 1 << 29, (1u64 << 29).wrapping_neg()][self.next() as usize % 5];
        let beside = f64::from_bits(near.to_bits().wrapping_add(step)).abs();
        // Below zero in this order there are NaNs.
        if beside.is_finite() { sign * beside } else { sign * 0.0 }
    }
}

/// Returns a register of a format with a number at or near `number`, and the number that it holds; `None` for formats that
/// this test does not have.
fn operand(id: FormatId, number: f64) -> Option<(u64, f64)> {
    let whole = number.clamp(-9e15, 9e15) as i64;
    let integer = |bytes: u32, lowest: i64, largest: i64| {
        let held = whole.clamp(lowest, largest);
        (held as u64 & u64::MAX >> (64 - 8 * bytes), held as f64)
    };
    let single = |kept: u32| {
        // All 32 bits are kept of f32, and the upper half of bf16.
        let cut = (number as f32).to_bits() >> (32 - kept) << (32 - kept);
        (cut, f64::from(f32::from_bits(cut)))
    };
    Some(match id {
        FormatId::F64 => (number.to_bits(), number),
        FormatId::F32 => (single(32).0.into(), single(32).1),
        FormatId::Bf16 => ((single(16).0 >> 16).into(), single(16).1),
        FormatId::U8 => integer(1, 0, 255),
        FormatId::S8 => integer(1, -128, 127),
        FormatId::S32 => integer(4, i32::MIN.into(), i32::MAX.into()),
        FormatId::S64 => integer(8, i64::MIN, i64::MAX),
        _ => return None,
    })
}

#[test]
fn casts_give_the_nearest_number_of_another_librarys_table() {
    let tables: Vec<(&Format, Table)> =
        tables().unwrap().into_iter().map(|(format, values)| (format, Table::new(values))).collect();
    let casts = Variant::all().iter().filter(|variant| {
        variant.operation() == Operation::Cast && variant.meaning().rounding == Rounding::NearestEven
    });
    let (mut random, mut seen) = (Random(1), Vec::new());
    for variant in casts {
        let (source, result) = (variant.inputs()[0].format, variant.outputs()[0].format);
        let Some((_, table)) = tables.iter().find(|(format, _)| *format == result) else { continue };
        if operand(source.id, 0.0).is_none() {
            continue;
        }
        let mut operands: Vec<Column> = columns_for(variant, OPERANDS);
        let mut numbers = Vec::new();
        for row in 0..OPERANDS {
            let wanted = if row == 0 { 0.0 } else { random.number(table) };
            let (bits, number) = operand(source.id, wanted).expect("a known source");
            column::set_row(&mut operands, row, &[bits]);
            numbers.push(number);
        }
        let mut truth = Truth::new(variant);
        Oracle::new(variant).expect(&operands, &mut truth);
        for (row, number) in numbers.into_iter().enumerate() {
            let bits = truth.results[0].get(row);
            let is_nan = table.values[bits as usize] == DecodedValue::Nan;
            let is = if is_nan { Expected::AnyNan } else { Expected::Bits(bits) };
            let due = match table.cast(number, variant.meaning().satfinite) {
                Expected::Bits(bits) if table.values[bits as usize] == DecodedValue::Nan => {
                    Expected::AnyNan
                }
                due => due,
            };
            assert_eq!(is, due, "{variant} of {number:e}");
        }
        seen.push(variant.text());
    }
    // Every format of the tables but s2f6, to which no cast goes, and every source but f16.
    for name in ["e4m3ieee.f64", "e3m4.u8", "e4m3b11fnuz.s64", "e2m1.f32", "ue8m0.bf16", "e5m2.s32"] {
        assert!(seen.iter().any(|text| text.ends_with(name)), "{name}: {seen:?}");
    }
}
