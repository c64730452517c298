//! Tests that hold functions in the manner of compilers against the same functions in Rust.

use emulator::{Backend, Kernel};
use formats::Column;
use isa::Variant;

use super::{column, function, results};
use crate::functions::{ExecutionUnit, Nearest, Passed};

pub const DIVERGENCE: &str = include_str!("texts/divergence.ptx");
pub const CALLS: &str = include_str!("texts/calls.ptx");
pub const MEMORY: &str = include_str!("texts/memory.ptx");
pub const BITS: &str = include_str!("texts/bits.ptx");
pub const TOGETHER: &str = include_str!("texts/together.ptx");

/// Returns words that look drawn, some of them small.
fn words(count: usize, bits: u32) -> Vec<u64> {
    let mut word = 0x0123_4567_89ab_cdef_u64;
    let mut next = || {
        // The constants of Knuth's generator for MMIX.
        word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (word ^ word >> 29) & u64::MAX >> (64 - bits)
    };
    (0..count).map(|number| if number % 3 == 0 { next() % 100 } else { next() }).collect()
}

/// Checks that a function of 32-bit words gives what another one gives, lane by lane.
fn same<const N: usize>(text: &str, name: &str, rows: [Vec<u64>; N], other: impl Fn([u32; N]) -> u32) {
    let inputs = rows.each_ref().map(|rows| column(4, rows));
    let given = results(&function(text, name), &inputs, 4).unwrap_or_else(|error| panic!("{error}"));
    for row in 0..given.rows() {
        let words = inputs.each_ref().map(|input| input.get(row) as u32);
        assert_eq!(given.get(row) as u32, other(words), "{name} {words:x?}");
    }
}

#[test]
fn lanes_part_and_meet_again() {
    let starts = words(300, 12);
    same(DIVERGENCE, "collatz", [starts], |[start]| {
        let (mut value, mut steps) = (start, 0);
        while value > 1 {
            value = if value % 2 == 1 { 3 * value + 1 } else { value / 2 };
            steps += 1;
        }
        steps
    });
    same(DIVERGENCE, "early", [words(100, 32)], |[word]| match word as i32 {
        negative @ ..0 => negative.unsigned_abs() + 1000,
        _ => word,
    });
    same(DIVERGENCE, "chosen", [words(100, 32)], |[word]| match word & 7 {
        0 | 4 => word.wrapping_mul(5),
        1 => word.wrapping_add(32),
        3 => word.wrapping_add(word.count_zeros()),
        _ => u32::MAX,
    });
}

/// The batches have more rows than are run together.
#[test]
fn rows_of_large_batches_keep_their_places() {
    same(DIVERGENCE, "early", [words(10_000, 32)], |[word]| match word as i32 {
        negative @ ..0 => negative.unsigned_abs() + 1000,
        _ => word,
    });
    let mut rows = vec![0; 9000];
    rows[8765] = 4;
    let error = results(&function(MEMORY, "sorted"), &[column(4, &rows), column(4, &rows)], 4);
    assert_eq!(error.unwrap_err().lane, Some(8765));
    let bits = |number: usize| (number as f32).to_bits().into();
    let mut source = column(8, &(0..9000).map(bits).collect::<Vec<u64>>());
    let mut into = Column::new(16, 9000);
    let mut passed = [Passed::Behind(&mut into), Passed::Behind(&mut source)];
    let behind = function(MEMORY, "behind");
    behind.run(&mut Nearest::default(), &mut passed, &mut [], 100).unwrap();
    for row in 0..9000 {
        let difference = u32::from_le_bytes(into.row_bytes_of(row)[4..8].try_into().unwrap());
        assert_eq!(f32::from_bits(difference), row as f32);
    }
}

/// Instructions behind a branch are executed once for all lanes.
#[test]
fn lanes_that_meet_are_executed_together() {
    /// A unit that remembers how many rows each instruction had.
    struct Counted(Nearest, Vec<(String, usize)>);
    impl ExecutionUnit for Counted {
        fn execute(
            &mut self,
            variant: &'static Variant,
            operands: &[Column],
            results: &mut [Column],
        ) -> Result<(), String> {
            self.1.push((variant.to_string(), operands[0].rows()));
            self.0.execute(variant, operands, results)
        }
    }
    let forked = function(DIVERGENCE, "forked");
    let inputs = column(4, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut unit = Counted(Nearest::default(), Vec::new());
    let mut results = [Column::new(4, 8)];
    forked.run(&mut unit, &mut [Passed::Value(&inputs)], &mut results, 100).unwrap();
    let counted: Vec<(&str, usize)> = unit.1.iter().map(|(text, rows)| (text.as_str(), *rows)).collect();
    let one = ("cvt.rn.f32.u32", 8);
    assert_eq!(counted, [one, ("mul.rn.f32", 3), ("add.rn.f32", 5), ("sub.rn.f32", 8)]);
    for (row, number) in (0u8..8).map(f32::from).enumerate() {
        let due = if number < 3.0 { number * 0.5 } else { number + 0.5 } - number;
        assert_eq!(results[0].get(row) as u32, due.to_bits());
    }
}

#[test]
fn functions_call_each_other_and_themselves() {
    let (longs, pairs) = (words(200, 64), words(200, 63));
    let inputs = [column(8, &longs), column(8, &pairs)];
    let given = results(&function(CALLS, "mixed"), &inputs, 8).unwrap();
    for (row, (&long, &pair)) in longs.iter().zip(&pairs).enumerate() {
        let (one, other) = (pair & 0xffff_ffff, pair >> 32);
        let last = (other as i16 as i64 as u64).wrapping_sub(long & 0xffff_ffff);
        let due = ((one * other) ^ long).wrapping_add(last);
        assert_eq!(given.get(row), due, "{long:x} {pair:x}");
    }
    let gcd = |[mut a, mut b]: [u32; 2]| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let others = words(250, 32).split_off(50);
    same(CALLS, "gcd", [words(200, 32), others], gcd);
    // A loop that lanes leave one after the other, and what is called stores in the caller's array.
    same(CALLS, "digits", [words(200, 32)], |[word]| {
        word.to_string().bytes().map(|digit| u32::from(digit - b'0')).sum()
    });
}

#[test]
fn tables_and_local_arrays_are_memory() {
    same(MEMORY, "lookup", [words(40, 32)], |[word]| {
        let (powers, letters) = ([1, 3, 9, 27, 81, 243, 729, 0], [112, 116, 120, 32, -1, 0, 0, -128]);
        let place = word as usize & 7;
        let sum: i32 = powers[place] + letters[place];
        (sum * 4) as u32 + (word & 7)
    });
    let places = (0..100).map(|place| place % 4).collect();
    same(MEMORY, "sorted", [words(100, 32), places], |[word, place]| {
        let mut bytes = word.to_le_bytes();
        bytes.sort_unstable();
        bytes[place as usize].into()
    });
}

#[test]
fn addresses_are_of_columns() {
    let rows = [[1.5f32, 0.1], [-8.0, 3.0], [1e-40, 0.0]];
    let bits = |[a, b]: [f32; 2]| u64::from(b.to_bits()) << 32 | u64::from(a.to_bits());
    let mut source = column(8, &rows.map(bits));
    let mut into = Column::new(16, rows.len());
    let mut passed = [Passed::Behind(&mut into), Passed::Behind(&mut source)];
    let behind = function(MEMORY, "behind");
    behind.run(&mut Nearest::default(), &mut passed, &mut [], 100).unwrap();
    for (row, [a, b]) in rows.into_iter().enumerate() {
        let [low, high] = [bits([a.mul_add(0.25, b), a - b]), bits([0.25, 0.0])];
        let expected = u128::from(high) << 64 | u128::from(low);
        assert_eq!(into.row_bytes_of(row), expected.to_le_bytes());
    }
}

#[test]
fn words_are_carried_split_and_packed() {
    let (ones, others) = (words(200, 64), words(230, 64).split_off(30));
    let inputs = [column(8, &ones), column(8, &others)];
    let given = results(&function(BITS, "product"), &inputs, 16).unwrap();
    for (row, (&one, &other)) in ones.iter().zip(&others).enumerate() {
        let product = u128::from(one) * u128::from(other);
        assert_eq!(given.row_bytes_of(row), product.to_le_bytes(), "{one:x} {other:x}");
    }
    let small = |seed: usize| words(300 + seed, 2).split_off(seed);
    same(BITS, "between", [small(0), small(7), small(20)], |[a, b, c]| {
        let [a, b, c] = [a, b, c].map(|word| word as i32);
        let (within, above, turned) = (b >= a && b <= c, b >= a && b > c, a == c || b < a);
        let differ = within != turned;
        let last = above && differ;
        let bits = [within, above, differ, last].map(u32::from);
        (0..).zip(bits).map(|(place, bit)| bit << place).sum()
    });
    same(BITS, "narrow", [words(200, 32), words(260, 32).split_off(60)], |[a, b]| {
        let product = (a as i8 as i16).wrapping_mul((b >> 8 & 0xff) as i16) >> 3;
        let halves = |low: i16, high: i16| u32::from(high as u16) << 16 | u32::from(low as u16);
        let narrow = product as i8 as i16;
        let (first, second) = (halves(narrow, product), halves(product, narrow.wrapping_add(product)));
        let third = first << 8 | second >> 24;
        let [_, a, _, b] = third.to_le_bytes();
        let [_, c, _, d] = first.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    });
}

#[test]
fn operands_may_be_packed_where_they_stand() {
    let variant: Variant = "fma.rn.f16x2".parse().unwrap();
    let kernel = Kernel::of(&variant, Backend::Scalar).unwrap();
    let rows = words(50, 32);
    let halves = [column(2, &rows), column(2, &words(60, 16)[10..]), column(4, &rows)];
    let given = results(&function(BITS, "packed"), &halves, 4).unwrap();
    for row in 0..rows.len() {
        let both = halves[1].get(row) << 16 | halves[0].get(row);
        let word = halves[2].get(row);
        assert_eq!(vec![given.get(row)], kernel.run_one(&[both, word, word]));
    }
}

#[test]
fn what_the_manual_lacks_gives_one_as_its_like_do() {
    let numbers = column(2, &[0x3f80, 0x7fc0, 0xff81, 0x7f80, 0]);
    let given = results(&function(BITS, "isnan"), &[numbers], 4).unwrap();
    assert_eq!((0..5).map(|row| given.get(row)).collect::<Vec<_>>(), [0, 0x3f80, 0x3f80, 0, 0]);
}
