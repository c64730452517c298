//! Questions about dot products, put together from powers of two in chosen places.

use std::cell::RefCell;
use std::collections::HashMap;

use formats::{Column, Format, FormatId};
use isa::matrix::{Controls, Dot, DotData, MatrixVariant, Role};

/// A dot product to ask for: the elements in the order of terms, the addend, the scales.
#[derive(Clone, Debug)]
pub struct DotQuestion {
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: u64,
    pub scales: [Vec<u64>; 2],
}

/// A number `±(a × b) × 2^exponent`, with odd factors of A and of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScaledProduct {
    pub negative: bool,
    pub factors: [u64; 2],
    pub exponent: i32,
}

impl ScaledProduct {
    /// Makes a power of two.
    pub const fn power(exponent: i32) -> ScaledProduct {
        ScaledProduct { negative: false, factors: [1, 1], exponent }
    }

    /// Makes the number `odd × 2^exponent`.
    pub const fn odd(odd: u64, exponent: i32) -> ScaledProduct {
        ScaledProduct { negative: false, factors: [odd, 1], exponent }
    }

    /// Makes the number negative.
    pub const fn negative(self) -> ScaledProduct {
        ScaledProduct { negative: !self.negative, ..self }
    }
}

/// The parts that a term is made of: its elements, and the scales of its block.
type TermParts = ([u64; 2], [u64; 2]);

/// The places of a variant's sum: its terms, and the addend behind them. Where several blocks are scaled, a
/// place is the first term of a block, whose scales are its own.
pub struct Places {
    dot: Dot,
    /// The number of places without the addend's.
    pub count: usize,
    /// The number of terms from one place to the next.
    pub step: usize,
    made: RefCell<HashMap<ScaledProduct, Option<TermParts>>>,
}

impl Places {
    /// Returns the places of a variant's sum.
    pub fn of(variant: &MatrixVariant) -> Places {
        let dot = *variant.dot();
        let blocks = dot.scales.map_or(1, |scales| scales.count as usize);
        let stored = dot.stored() as usize;
        let (count, step) = if blocks > 1 { (blocks, stored / blocks) } else { (stored, 1) };
        Places { dot, count, step, made: RefCell::default() }
    }

    /// Whether places are blocks with scales of their own.
    pub fn are_blocks(&self) -> bool {
        self.step > 1
    }

    /// Returns the place of the addend.
    pub fn addend(&self) -> usize {
        self.count
    }

    /// Returns the question with zeros everywhere, and scales of 1.
    pub fn zeros(&self) -> DotQuestion {
        let terms = vec![0; self.dot.stored() as usize];
        let one = self.dot.scales.map_or(0, |scales| scales.format.one());
        let scales = vec![one; self.dot.scales.map_or(0, |scales| scales.count as usize)];
        DotQuestion { a: terms.clone(), b: terms, c: 0, scales: [scales.clone(), scales] }
    }

    /// Returns the question with these numbers in these places; `None` where a format has not got one of them.
    pub fn question(&self, numbers: &[(usize, ScaledProduct)]) -> Option<DotQuestion> {
        let mut question = self.zeros();
        for &(place, number) in numbers {
            self.put(&mut question, place, number)?;
        }
        Some(question)
    }

    /// Puts a number into a place; returns `None` where its format has not got the number.
    pub fn put(&self, question: &mut DotQuestion, place: usize, number: ScaledProduct) -> Option<()> {
        if place == self.addend() {
            let odd = number.factors[0] * number.factors[1];
            question.c = encode(self.dot.c, odd, number.exponent)? | sign(self.dot.c, number.negative)?;
            return Some(());
        }
        let ([a, b], scales) = self.parts(number)?;
        question.a[place * self.step] = a;
        question.b[place * self.step] = b;
        if self.are_blocks() {
            for (all, scale) in question.scales.iter_mut().zip(scales) {
                all[place] = scale;
            }
        }
        Some(())
    }

    /// Whether a term can be this number.
    pub fn has(&self, number: ScaledProduct) -> bool {
        self.parts(number).is_some()
    }

    /// Returns the parts of a term that is this number, which are made once; `None` where a format has not got it.
    fn parts(&self, number: ScaledProduct) -> Option<TermParts> {
        *self.made.borrow_mut().entry(number).or_insert_with(|| self.make(number))
    }

    /// Makes the parts of a term that is this number; `None` where a format has not got it.
    fn make(&self, number: ScaledProduct) -> Option<TermParts> {
        let ScaledProduct { negative, factors: [x, y], exponent } = number;
        let elements = |exponent| {
            let ([a, b], _) = product([self.dot.a, self.dot.b], [x, y], exponent)?;
            Some([a | sign(self.dot.a, negative)?, b])
        };
        let Some(scales) = self.dot.scales.filter(|_| self.are_blocks()) else {
            return Some((elements(exponent)?, [0; 2]));
        };
        // Scales are chosen first: a sum is aligned by their exponent.
        [0, 1, 2, 3, 4, -1, -2].into_iter().find_map(|of_elements| {
            let (scales, _) = product([scales.format; 2], [1, 1], exponent - of_elements)?;
            Some((elements(of_elements)?, scales))
        })
    }

    /// Returns the exponents of the powers of two that terms can be: the smallest, the smallest of normal operands,
    /// and the largest.
    pub fn exponents(&self) -> Option<[i32; 3]> {
        const FAR: i32 = 260;
        let normal = |&exponent: &i32| {
            self.are_blocks()
                || product([self.dot.a, self.dot.b], [1, 1], exponent).is_some_and(|(_, all)| all)
        };
        let has = |exponent: &i32| self.has(ScaledProduct::power(*exponent));
        let least = (-FAR..FAR).find(has)?;
        let most = (least..FAR).rev().find(has)?;
        let normal = (least..=most).find(normal).unwrap_or(least);
        Some([least, normal, most])
    }
}

/// Encodes `odd × 2^exponent` in a format; returns `None` where the format has not got the number.
pub fn encode(format: &Format, odd: u64, exponent: i32) -> Option<u64> {
    let leading = exponent + odd.ilog2() as i32;
    let fraction = format.trailing_bits as i32;
    // ue8m0 is an exponent alone; the check at the end refuses odd numbers other than 1.
    let bits = if format.id == FormatId::Ue8m0 {
        u64::try_from(exponent - format.exponent_of_lsb()).ok()?
    } else if leading >= format.exponent_min() {
        let trailing = odd << u32::try_from(fraction - odd.ilog2() as i32).ok()?;
        let field = (leading - format.exponent_min() + 1) as u64;
        (field << fraction) | (trailing & format.trailing_mask())
    } else {
        odd << u32::try_from(exponent - format.exponent_of_lsb()).ok()?
    };
    let (significand, lowest) = format.decode(bits).filter(|_| bits <= format.max_finite())?;
    let zeros = significand.trailing_zeros();
    let same = significand > 0 && (significand >> zeros, lowest + zeros as i32) == (odd, exponent);
    same.then_some(bits)
}

/// Returns the bits of a sign; `None` where a format has none.
fn sign(format: &Format, negative: bool) -> Option<u64> {
    if !negative {
        return Some(0);
    }
    format.signed.then(|| format.sign_mask())
}

/// Returns two numbers with a given product, as near to each other as can be and normal where possible, and whether
/// they are normal.
fn product(formats: [&Format; 2], odd: [u64; 2], exponent: i32) -> Option<([u64; 2], bool)> {
    let [of_a, of_b] = formats.map(|format| format.exponent_of_lsb()..=format.exponent_max());
    let mut fallback = None;
    for distance in 0..=560 {
        // 0, 1, −1, 2, −2, …
        let shift = if distance % 2 == 0 { -distance / 2 } else { distance / 2 + 1 };
        let a = exponent.div_euclid(2) + shift;
        let exponents = [a, exponent - a];
        if !of_a.contains(&exponents[0]) || !of_b.contains(&exponents[1]) {
            continue;
        }
        let parts = [0, 1].map(|side| encode(formats[side], odd[side], exponents[side]));
        if let [Some(a), Some(b)] = parts {
            let tiny = [(formats[0], a), (formats[1], b)]
                .iter()
                .any(|(format, bits)| format.id != FormatId::Ue8m0 && *bits < format.min_normal());
            if !tiny {
                return Some(([a, b], true));
            }
            fallback = fallback.or(Some(([a, b], false)));
        }
    }
    fallback
}

/// Makes the columns of a variant with these dot products. Elements of a sparse A are stored as the first of their
/// chunks.
pub fn columns(variant: &MatrixVariant, questions: &[DotQuestion]) -> Vec<Column> {
    let places = DotData::new(variant.dot()).places;
    let mut columns = isa::matrix::columns_for(variant, questions.len());
    for (row, question) in questions.iter().enumerate() {
        for (operand, column) in variant.operands().iter().zip(&mut columns) {
            let bytes = column.row_bytes_of_mut(row);
            let all = |elements: &[u64], bytes: &mut [u8]| {
                elements.iter().enumerate().for_each(|(at, &bits)| operand.set(bytes, at, bits));
            };
            match operand.role {
                Role::A => all(&question.a, bytes),
                Role::B => {
                    let pairs = places.iter().zip(&question.b);
                    pairs.for_each(|(&place, &bits)| operand.set(bytes, place, bits));
                }
                Role::C | Role::D => operand.set(bytes, 0, question.c),
                Role::ScalesA => all(&question.scales[0], bytes),
                Role::ScalesB => all(&question.scales[1], bytes),
                Role::Metadata => all(&vec![0b0100; operand.elements as usize], bytes),
                Role::Controls => operand.set(bytes, 0, Controls::PLAIN.bits()),
            }
        }
    }
    columns
}
