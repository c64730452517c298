//! Generators of vectors: the suite's sweeps, and the methods that they are compared with.

use formats::{Column, Format};
use isa::{LaneData, Variant};
use selection::budget::{Tier, budget};
use sweeps::{CounterRng, Sweep, stream_key};

/// A way to make vectors of any variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// The suite's sweeps, each with as many vectors as a tier has, or with at most so many.
    Sweeps(Tier, Option<u64>),
    /// So many vectors of uniformly random bits.
    Uniform(u64),
    /// So many vectors by the method of Berkeley TestFloat, level 1.
    TestFloat(u64),
}

/// Consecutive vectors of one origin.
#[derive(Clone, Copy)]
pub struct GeneratorPart {
    /// The name of the sweep, or of the generator.
    pub name: &'static str,
    /// The number of vectors.
    pub vectors: u64,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Origin {
    Sweep(&'static Sweep),
    TestFloat,
}

impl Generator {
    /// Returns the parts of the vectors that the generator has for a variant, in order.
    pub fn parts(self, variant: &Variant) -> Vec<GeneratorPart> {
        let of_sweep = |sweep: &'static Sweep, vectors| GeneratorPart {
            name: sweep.name,
            vectors,
            origin: Origin::Sweep(sweep),
        };
        match self {
            Generator::Sweeps(tier, most) => {
                let part = |sweep| of_sweep(sweep, budget(tier, variant, sweep, most));
                Sweep::all().iter().map(part).filter(|part| part.vectors > 0).collect()
            }
            Generator::Uniform(vectors) => {
                vec![of_sweep(Sweep::named("uniform").expect("a sweep of the table"), vectors)]
            }
            Generator::TestFloat(vectors) => {
                vec![GeneratorPart { name: "testfloat", vectors, origin: Origin::TestFloat }]
            }
        }
    }
}

impl GeneratorPart {
    /// Writes vectors `first..` into the operand columns.
    pub fn fill(&self, variant: &Variant, seed: u64, first: u64, columns: &mut [Column]) {
        match self.origin {
            Origin::Sweep(sweep) => sweep.fill(variant, seed, first, columns),
            Origin::TestFloat => test_float(variant, seed, first, columns),
        }
    }
}

/// Makes vectors as Berkeley TestFloat does (Release 3e, `genCases_*.c`, level 1). Operands come from a product of
/// interesting exponents and simple significands, some or all of them replaced by random numbers of four kinds in
/// turn. TestFloat goes through the product in order, of which a beginning is no sample; here members of the product
/// are drawn at random. Operands that are no floats are uniformly random.
fn test_float(variant: &Variant, seed: u64, first: u64, columns: &mut [Column]) {
    let (rows, lanes, inputs) = (columns[0].rows(), variant.lanes(), variant.inputs());
    let mut elements = vec![vec![0u64; rows * lanes]; inputs.len()];
    let tables: Vec<Tables> = inputs.iter().map(|input| Tables::of(input.format)).collect();
    for lane in 0..lanes {
        let key = stream_key(seed, "testfloat", lane);
        for row in 0..rows {
            let number = first + row as u64;
            let mut draws = CounterRng::new(key, number);
            // Of one operand every third vector is in the product, of two every sixth in both places.
            let place = number % [3, 6, 9][inputs.len() - 1];
            for (input, table) in tables.iter().enumerate() {
                let in_product = match (inputs.len(), place) {
                    (1, place) => place == 2,
                    (2, place) => {
                        [1, 5].contains(&place) && input == 0 || [3, 5].contains(&place) && input == 1
                    }
                    (_, place) => match place {
                        1 => input < 2,
                        3 => input != 1,
                        5 => input > 0,
                        7 => input == 2,
                        8 => true,
                        _ => false,
                    },
                };
                elements[input][row * lanes + lane] = match in_product {
                    true => table.product(&mut draws),
                    false => table.random(&mut draws),
                };
            }
        }
    }
    // Bits that hold no lane are zero.
    columns.iter_mut().for_each(|column| column.bytes_mut().fill(0));
    let scatter = |data: &LaneData, elements: &[u64], columns: &mut [Column]| {
        data.scatter(variant.operands(), elements, 0..rows, columns);
    };
    for (data, elements) in inputs.iter().zip(&elements) {
        scatter(data, elements, columns);
    }
}

/// TestFloat's tables for a format.
struct Tables {
    format: &'static Format,
    /// Exponent fields, in place: `few` for the product, and `many` for random numbers.
    few: Vec<u64>,
    many: Vec<u64>,
    /// Trailing significands: a bit, its complement, ones at either end.
    patterns: Vec<u64>,
}

impl Tables {
    /// Makes the tables of a format.
    fn of(format: &'static Format) -> Tables {
        if format.is_fixed() {
            // An integer is any bits.
            return Tables { format, few: Vec::new(), many: Vec::new(), patterns: Vec::new() };
        }
        let (bias, trailing) = (i64::from(format.bias), format.trailing_bits);
        let top = (format.exponent_mask() >> trailing) as i64;
        let fields = |exponents: &[i64]| {
            let mut fields = vec![0, 1, top - 1, top];
            fields.extend(exponents.iter().map(|exponent| exponent + bias));
            fields.retain(|field| (0..=top).contains(field));
            fields.sort_unstable();
            fields.dedup();
            fields.into_iter().map(|field| (field as u64) << trailing).collect()
        };
        let precision = i64::from(trailing) + 1;
        let few = fields(&[-precision, -2, -1, 0, 1, 2, precision]);
        let mut more = vec![2 - bias, top - 2 - bias];
        more.extend([-precision, precision, 29, 30, 31, 32, 61, 62, 63, 64]);
        more.extend(-4..=4);
        let mask = format.trailing_mask();
        let bits = (0..trailing).map(|bit| 1 << bit);
        let ones = (0..trailing).map(|bit| (1u64 << bit) - 1);
        let mut patterns: Vec<u64> = bits.chain(ones).flat_map(|bits| [bits, bits ^ mask]).collect();
        patterns.push(0);
        patterns.sort_unstable();
        patterns.dedup();
        Tables { format, few, many: fields(&more), patterns }
    }

    /// Draws a member of the product of few exponents and the simplest significands.
    fn product(&self, draws: &mut CounterRng) -> u64 {
        if self.format.is_fixed() {
            return draws.next() & self.format.mask();
        }
        let mask = self.format.trailing_mask();
        let significand = [0, 1 & mask, mask, mask ^ (1 & mask)][draws.below(4) as usize];
        draws.next() & self.format.sign_mask() | pick(&self.few, draws) | significand
    }

    /// Draws a random number. Its exponent is interesting or near the middle. Its significand is two patterns added,
    /// three times out of four, or any bits.
    fn random(&self, draws: &mut CounterRng) -> u64 {
        let format = self.format;
        if format.is_fixed() {
            return draws.next() & format.mask();
        }
        let kind = draws.below(8);
        let exponent = if kind < 4 { pick(&self.many, draws) } else { self.near_the_middle(draws) };
        let significand = match kind % 4 {
            3 => draws.next(),
            _ => pick(&self.patterns, draws) + pick(&self.patterns, draws),
        };
        draws.next() & format.sign_mask() | exponent | significand & format.trailing_mask()
    }

    /// Draws an exponent field with ever more of its highest bits such that it lies near the middle.
    fn near_the_middle(&self, draws: &mut CounterRng) -> u64 {
        let format = self.format;
        let bits = format.exponent_bits;
        // Two of seven times it is any exponent.
        let narrowed = (draws.below(7) - 1).clamp(0, bits as i32 - 2) as u32;
        let width = bits - narrowed;
        let field = draws.next() & ((1 << width) - 1);
        let middle = (1u64 << (bits - 1)) - (1 << (width - 1));
        let field = if narrowed == 0 { field } else { field + middle };
        field << format.trailing_bits & format.exponent_mask()
    }
}

/// Draws an entry of a table.
fn pick(table: &[u64], draws: &mut CounterRng) -> u64 {
    table[draws.below(table.len() as i32) as usize]
}
