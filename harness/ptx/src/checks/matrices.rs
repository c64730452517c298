//! Matrix instructions in kernels written by hand: every element of A and of B alone, so that whatever is
//! taken from a wrong place, or put there, shows.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use vectors::Format;
use vectors::format::FormatId;
use vectors::matrix::{MatrixVariant, Sparsity};

use super::ALONE;
use super::fragments::{Shape, of_a, of_b, of_c, of_quarters, of_sparse, sides};
use crate::interpreter::{Emulated, Memory, Program, STEPS, Surroundings, Tested, Values, WARP};
use crate::syntax::Entry;

/// What the threads that no selector means have: read as metadata or scales, it is an error or a NaN.
const UNSELECTED: u64 = 0xffff_ffff;
/// Numbers that all formats of elements have.
const NUMBERS: [f64; 10] = [0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -4.0];

/// A kernel whose threads load all sources of an instruction, 8 bytes apart, execute it and store the results.
pub(super) struct Warp {
    program: Program,
    emulated: Emulated,
    results: usize,
}

impl Warp {
    /// Of a spelling, with as many registers of so many bits in each of D, A, B and C, and what is behind
    /// them: registers where a `?` stands.
    pub(super) fn new(spelling: &str, held: [(usize, u32); 4], behind: &str) -> Warp {
        let entry: Entry = text(spelling, held, behind).parse().unwrap();
        assert_eq!(entry.to_string().parse().as_ref(), Ok(&entry));
        let program = Program::of(&entry).unwrap_or_else(|error| panic!("{entry}{error}"));
        Warp { program, emulated: Emulated::default(), results: held[0].0 }
    }

    /// The registers of D.
    pub(super) fn execute(&mut self, sources: &[Values]) -> Result<Vec<Values>, String> {
        let (input, output) = (1 << 32, 2 << 32);
        let mut memory = BTreeMap::new();
        for (register, values) in sources.iter().enumerate() {
            for (lane, &word) in values.iter().enumerate() {
                memory.store(input + lane as u64 * 512 + register as u64 * 8, 8, word).unwrap();
            }
        }
        let parameters = HashMap::from([("in".to_owned(), input), ("out".to_owned(), output)]);
        let emulated = &mut self.emulated;
        let ran = self.program.run(&mut Surroundings {
            parameters: &parameters,
            place: ALONE,
            memory: &mut memory,
            execute: &mut |tested: &Tested, sources: &[Values]| emulated.execute(tested, sources),
            steps: STEPS,
        });
        ran.map_err(|error| error.to_string())?;
        let mut word = |lane: usize, register: usize| {
            memory.load(output + lane as u64 * 512 + register as u64 * 8, 8).unwrap()
        };
        let register = |register| std::array::from_fn(|lane| word(lane, register));
        Ok((0..self.results).map(register).collect())
    }
}

/// The text of such a kernel.
pub(super) fn text(spelling: &str, held: [(usize, u32); 4], behind: &str) -> String {
    let (mut loads, mut stores, mut sources, mut operands) =
        (String::new(), String::new(), 0, Vec::new());
    let mut load = |bits: u32| {
        let name = format!("{}{sources}", if bits == 64 { "%q" } else { "%r" });
        loads += &format!("ld.global.b{} {name}, [%in+{}];\n", bits.max(32), 8 * sources);
        sources += 1;
        name
    };
    let [(results, bits), rest @ ..] = held;
    let names: Vec<String> = (0..results).map(|number| format!("%d{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        let from = if bits == 64 { name } else { "%wide" };
        let widen = if bits == 64 { String::new() } else { format!("cvt.u64.u32 %wide, {name};\n") };
        stores += &format!("{widen}st.global.b64 [%out+{}], {from};\n", 8 * number);
    }
    operands.push(format!("{{{}}}", names.join(", ")));
    for (count, bits) in rest {
        let names: Vec<String> = (0..count).map(|_| load(bits)).collect();
        operands.push(format!("{{{}}}", names.join(", ")));
    }
    operands.extend(behind.split_terminator("; ").map(|one| match one {
        "?" => load(32),
        one => one.to_owned(),
    }));
    let d = if bits == 64 { 64 } else { 32 };
    format!(
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{{\n.reg .b64 %in, %out, %wide, %q<16>;\n\
         .reg .b32 %lane, %r<32>;\n.reg .b{d} %d<8>;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n\
         mov.u32 %lane, %tid.x;\nmad.wide.u32 %in, %lane, 512, %in;\nmad.wide.u32 %out, %lane, 512, %out;\n\
         {loads}{spelling} {};\n{stores}ret;\n}}\n",
        operands.join(", ")
    )
}

thread_local! {
    /// The bits of numbers, once they were looked for among all of a format.
    static FOUND: RefCell<HashMap<(FormatId, u64), Option<u64>>> = RefCell::default();
}

/// A number as the bits of a format that has it.
pub(super) fn bits_of(format: &Format, number: f64) -> u64 {
    match format.id {
        FormatId::F64 => number.to_bits(),
        FormatId::F32 => (number as f32).to_bits().into(),
        FormatId::Tf32 => u64::from((number as f32).to_bits()) >> 13,
        _ => {
            let is = |&bits: &u64| number_of(format, bits) == number;
            let find = || (0..1 << format.width()).find(is);
            let found = FOUND
                .with_borrow_mut(|all| *all.entry((format.id, number.to_bits())).or_insert_with(find));
            found.unwrap_or_else(|| panic!("{number} in {}", format.name))
        }
    }
}

/// The number of some bits.
pub(super) fn number_of(format: &Format, bits: u64) -> f64 {
    let Some((significand, exponent)) = format.decode(bits) else { return f64::NAN };
    let sign = if format.is_negative(bits) { -1.0 } else { 1.0 };
    sign * significand as f64 * 2f64.powi(exponent)
}

/// Numbers that look drawn.
pub(super) struct Draws(pub u64);

impl Draws {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }

    pub(super) fn number(&mut self) -> f64 {
        NUMBERS[self.below(NUMBERS.len())]
    }
}

/// Puts elements into registers: `place` says of a thread's element what its bits are.
fn registers(count: usize, bits: u32, element: impl Fn(usize, usize) -> u64) -> Vec<Values> {
    let each = (32 / bits).max(1) as usize;
    let word = |lane: usize, register: usize| {
        (0..each).map(|at| element(lane, register * each + at) << (at as u32 * bits % 64)).sum()
    };
    (0..count).map(|register| std::array::from_fn(|lane| word(lane, register))).collect()
}

/// The matrices of one instruction, and the words that say what of A is stored and scaled.
struct Matrices {
    /// Products, each with M × stored, K × N, M × N elements.
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    /// Four bits of each row and chunk.
    metadata: Vec<u64>,
    /// Of each row and block, and of each column and block: powers of two.
    scales: [Vec<i32>; 2],
}

/// An instruction with the selectors that it is executed with.
struct Case {
    variant: MatrixVariant,
    /// M, N, K and the elements of a row of A that are stored.
    sides: [usize; 4],
    products: usize,
    /// Of the metadata, and of bytes and threads of the scales of A and B.
    selector: usize,
    scaled: [[usize; 2]; 2],
    warp: Warp,
}

impl Case {
    fn new(text: &str, selector: usize, scaled: [[usize; 2]; 2]) -> Case {
        let variant: MatrixVariant = text.parse().unwrap();
        let ([m, n, k], dot) = (sides(&variant), *variant.dot());
        let products = if text.contains("m8n8k4") && dot.a.id == FormatId::F16 { 4 } else { 1 };
        let stored = dot.stored() as usize;
        let held = |elements: usize, bits: u32| {
            (elements * products / WARP * bits as usize).div_ceil(bits.max(32) as usize)
        };
        let stride = |operand: usize| variant.operands()[operand].stride;
        let [a, b, c, d] = [stride(0), stride(1), stride(2), variant.result().stride];
        let mut behind = String::new();
        if dot.sparsity.is_some() {
            behind += &format!("?; {selector}; ");
        }
        if dot.scales.is_some() {
            scaled.iter().for_each(|[byte, thread]| behind += &format!("?; {{{byte}, {thread}}}; "));
        }
        let sizes =
            [(held(m * n, d), d), (held(m * stored, a), a), (held(k * n, b), b), (held(m * n, c), c)];
        let warp = Warp::new(variant.spelling(), sizes, &behind);
        Case { variant, sides: [m, n, k, stored], products, selector, scaled, warp }
    }

    /// Drawn matrices, whose elements of C are all different.
    fn draw(&self, draws: &mut Draws) -> Matrices {
        let [m, n, k, stored] = self.sides;
        let dot = self.variant.dot();
        let mut drawn = |count: usize| (0..self.products * count).map(|_| draws.number()).collect();
        let [a, b] = [m * stored, k * n].map(&mut drawn);
        let c = (0..self.products * m * n).map(|at| at as f64).collect();
        let chunks = dot.sparsity.map_or(0, |sparsity| k / sparsity.chunk() as usize);
        let legal: &[u64] = match dot.sparsity {
            Some(Sparsity::OneOfTwo) => &[0b0100, 0b1110],
            _ => &[0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110],
        };
        let metadata = (0..m * chunks).map(|_| legal[draws.below(legal.len())]).collect();
        let blocks = dot.scales.map_or(0, |scales| scales.count as usize);
        let scales =
            [m, n].map(|lines| (0..lines * blocks).map(|_| draws.below(4) as i32 - 1).collect());
        Matrices { a, b, c, metadata, scales }
    }

    /// The rows of B that the stored elements of a row of A are multiplied by.
    fn places(&self, of: &Matrices, row: usize) -> Vec<usize> {
        let [_, _, k, _] = self.sides;
        let Some(sparsity) = self.variant.dot().sparsity else { return (0..k).collect() };
        let chunk = sparsity.chunk() as usize;
        let in_chunk = |at: usize| {
            let bits = of.metadata[row * (k / chunk) + at];
            let (low, high) = (bits as usize & 3, bits as usize >> 2);
            let within = match sparsity {
                Sparsity::OneOfTwo => vec![low / 2],
                Sparsity::TwoOfFour => vec![low, high],
                Sparsity::PairsOfEight => vec![2 * low, 2 * low + 1, 2 * high, 2 * high + 1],
            };
            within.into_iter().map(move |place| at * chunk + place)
        };
        (0..k / chunk).flat_map(in_chunk).collect()
    }

    /// D, as numbers.
    fn expected(&self, of: &Matrices) -> Vec<f64> {
        let [m, n, k, stored] = self.sides;
        let blocks = self.variant.dot().scales.map_or(1, |scales| scales.count as usize);
        let mut d = of.c.clone();
        for product in 0..self.products {
            for i in 0..m {
                let places = self.places(of, i);
                for j in 0..n {
                    for (at, &place) in places.iter().enumerate() {
                        let [x, y] = [0, 1].map(|side| {
                            let line = [i, j][side] * blocks + at * blocks / stored;
                            of.scales[side].get(line).map_or(1.0, |&power| 2f64.powi(power))
                        });
                        let a = of.a[(product * m + i) * stored + at];
                        d[(product * m + i) * n + j] += x * y * a * of.b[(product * k + place) * n + j];
                    }
                }
            }
        }
        d
    }

    /// What the kernel makes of them.
    fn found(&mut self, of: &Matrices) -> Result<Vec<f64>, String> {
        let [m, n, k, stored] = self.sides;
        let (dot, operands) = (*self.variant.dot(), self.variant.operands().to_vec());
        let quarters = self.products == 4;
        let words = self.variant.words();
        let by_rows = [5, 4].map(|place| words.iter().rev().nth(place) == Some(&"row"));
        let shape = |operand: usize| Shape { sides: [m, n, k], bits: operands[operand].stride };
        let element = |operand: usize, format, all: &[f64], at: usize| {
            let below = operands[operand].below;
            bits_of(format, all[at]) << below
        };
        let sparse = dot.sparsity.is_some();
        let mut sources = Vec::new();
        let held = |elements: usize, bits: u32| {
            (elements * self.products / WARP * bits as usize).div_ceil(bits.max(32) as usize)
        };
        sources.extend(registers(held(m * stored, shape(0).bits), shape(0).bits, |lane, i| {
            let (product, row, column) = if quarters {
                let cell = of_quarters('a', by_rows[0], 16, lane, i);
                (cell.product, cell.row, cell.column)
            } else if sparse {
                // Those of a thread and a range of columns follow each other.
                let (row, [first, _]) = of_sparse(shape(0), lane, i);
                let before = (0..i).filter(|&other| {
                    of_sparse(shape(0), lane, other) == (row, [first, first + width(shape(0), lane, i)])
                });
                (0, row, first / 2 + before.count())
            } else {
                let (row, column) = of_a(shape(0), lane, i);
                (0, row, column)
            };
            element(0, dot.a, &of.a, (product * m + row) * stored + column)
        }));
        sources.extend(registers(held(k * n, shape(1).bits), shape(1).bits, |lane, i| {
            let (product, (row, column)) = if quarters {
                let cell = of_quarters('b', by_rows[1], 16, lane, i);
                (cell.product, (cell.row, cell.column))
            } else {
                (0, of_b(shape(1), lane, i))
            };
            element(1, dot.b, &of.b, (product * k + row) * n + column)
        }));
        let sums = |bits: u32, lane: usize, i: usize| {
            let (product, (row, column)) = if quarters {
                let cell = of_quarters('c', true, bits, lane, i);
                (cell.product, (cell.row, cell.column))
            } else {
                (0, of_c(lane, i))
            };
            (product * m + row) * n + column
        };
        let bits = shape(2).bits;
        sources.extend(registers(held(m * n, bits), bits, |lane, i| {
            element(2, dot.c, &of.c, sums(bits, lane, i))
        }));
        if sparse {
            sources.push(metadata(of, m, self.selector));
        }
        if let Some(scales) = dot.scales {
            let count = scales.count as usize;
            for side in [0, 1] {
                let byte_of = |power: i32| bits_of_scale(scales.format, power);
                sources.push(scale_words(
                    &of.scales[side],
                    count,
                    self.scaled[side],
                    side == 0,
                    &byte_of,
                ));
            }
        }
        let d = self.warp.execute(&sources)?;
        let bits = self.variant.result().stride;
        let each = (32 / bits).max(1) as usize;
        let mut found = vec![f64::NAN; self.products * m * n];
        for (register, values) in d.iter().enumerate() {
            for (lane, &word) in values.iter().enumerate() {
                for at in 0..each {
                    let number = number_of(dot.d, word >> (at as u32 * bits) & u64::MAX >> (64 - bits));
                    found[sums(bits, lane, register * each + at)] = number;
                }
            }
        }
        Ok(found)
    }
}

/// How far the columns of a sparse A's element reach.
fn width(shape: Shape, lane: usize, i: usize) -> usize {
    let (_, [first, last]) = of_sparse(shape, lane, i);
    last - first
}

fn bits_of_scale(format: &Format, power: i32) -> u64 {
    bits_of(format, 2f64.powi(power))
}

/// The register with metadata, of rows of so many chunks each: the lowest bits are of the first columns.
fn metadata(of: &Matrices, rows: usize, selector: usize) -> Values {
    let chunks = of.metadata.len() / rows;
    let bits = |row: usize, chunk: usize, count: usize| -> u64 {
        (0..count).map(|at| of.metadata[row * chunks + chunk + at] << (4 * at)).sum()
    };
    std::array::from_fn(|lane| {
        let (group, thread) = (lane / 4, lane % 4);
        match chunks {
            4 if thread == selector => bits(group, 0, 4) | bits(group + 8, 0, 4) << 16,
            8 if thread / 2 == selector => {
                let half = 4 * (thread % 2);
                bits(group, half, 4) | bits(group + 8, half, 4) << 16
            }
            16 => bits(group + 8 * (thread % 2), 8 * (thread / 2), 8),
            _ => UNSELECTED,
        }
    })
}

/// The register with scales, all bytes that no selector means set.
fn scale_words(
    powers: &[i32],
    count: usize,
    [byte, thread]: [usize; 2],
    of_a: bool,
    byte_of: &dyn Fn(i32) -> u64,
) -> Values {
    std::array::from_fn(|lane| {
        let (group, of_group) = (lane / 4, lane % 4);
        let line = match of_a {
            true if of_group / 2 == thread => group + 8 * (of_group % 2),
            false if of_group == thread => group,
            _ => return UNSELECTED,
        };
        let mut bytes = (UNSELECTED as u32).to_le_bytes();
        for at in 0..count {
            bytes[byte + at] = byte_of(powers[line * count + at]) as u8;
        }
        u32::from_le_bytes(bytes).into()
    })
}

const NONE: [[usize; 2]; 2] = [[0, 0]; 2];

/// Instructions, with the selector of metadata and those of scales.
const CASES: &[(&str, usize, [[usize; 2]; 2])] = &[
    ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16", 0, NONE),
    ("mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32", 0, NONE),
    ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 0, NONE),
    ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k16.row.col.f16.e5m2.e4m3.f16", 0, NONE),
    ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", 0, NONE),
    ("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", 0, NONE),
    (
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e2m3.f32.ue8m0",
        0,
        [[2, 1], [3, 2]],
    ),
    (
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
        0,
        [[2, 1], [2, 3]],
    ),
    (
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
        0,
        [[0, 1], [0, 1]],
    ),
    ("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 3, NONE),
    ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16", 1, NONE),
    ("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 2, NONE),
    ("mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 1, NONE),
    ("mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e5m2.f32", 0, NONE),
    (
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0",
        0,
        [[0, 1], [0, 2]],
    ),
];

/// Of each instruction a product of full matrices, and some in which one element of A, or of B, is left: by
/// and by all of them.
#[test]
fn every_element_is_taken_from_its_place_and_put_there() {
    for &(text, selector, scaled) in CASES {
        let mut case = Case::new(text, selector, scaled);
        let mut draws = Draws(7);
        let full = case.draw(&mut draws);
        assert_eq!(case.found(&full), Ok(case.expected(&full)), "{text}");
        for is_a in [true, false] {
            let elements = if is_a { full.a.len() } else { full.b.len() };
            // A step that is prime to how many there are: rows and columns change.
            for element in (0..elements).step_by(7) {
                let mut one = case.draw(&mut draws);
                let only = |all: &mut Vec<f64>| {
                    all.iter_mut().enumerate().for_each(|(at, number)| {
                        *number = if at == element { 2.0 } else { 0.0 };
                    });
                };
                only(if is_a { &mut one.a } else { &mut one.b });
                assert_eq!(case.found(&one), Ok(case.expected(&one)), "{text} {is_a} {element}");
            }
        }
    }
}
