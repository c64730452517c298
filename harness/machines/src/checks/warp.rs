//! A warp that executes one matrix instruction in a kernel written by hand, and the numbers for it.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use formats::{Format, FormatId};
use ptx::syntax::Entry;

use super::ALONE;
use crate::interpreter::{
    Emulated, EntryProgram, Memory, STEPS, Surroundings, Tested, Values, WarpPlace,
};

/// Numbers that all formats of elements have.
const NUMBERS: [f64; 10] = [0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -4.0];

/// A kernel whose threads load all sources of an instruction, 8 bytes apart, execute it and store the results.
pub(super) struct Warp {
    program: EntryProgram,
    emulated: Emulated,
    results: usize,
    /// The number of threads.
    pub(super) threads: u64,
}

impl Warp {
    /// Returns a warp for an instruction of this spelling. `held` has the number of registers, and their bits, of each
    /// of D, A, B and C; `behind` has the operands behind them, registers where a `?` stands.
    pub(super) fn new(spelling: &str, held: [(usize, u32); 4], behind: &str) -> Warp {
        let entry: Entry = text(spelling, held, behind).parse().unwrap();
        assert_eq!(entry.to_string().parse().as_ref(), Ok(&entry));
        let program = EntryProgram::of(&entry).unwrap_or_else(|error| panic!("{entry}{error}"));
        Warp { program, emulated: Emulated::default(), results: held[0].0, threads: ALONE.threads }
    }

    /// Executes the instruction and returns the registers of D.
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
            place: WarpPlace { threads: self.threads, ..ALONE },
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

/// Returns the text of a kernel whose threads load all sources of an instruction, execute it and store its results.
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

/// Returns a number as the bits of a format that has it.
pub(super) fn bits_of(format: &Format, number: f64) -> u64 {
    match format.id {
        FormatId::F64 => number.to_bits(),
        FormatId::F32 => (number as f32).to_bits().into(),
        // A number of tf32 is one of f32 without the last 13 bits.
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

/// Returns the number that some bits of a format are.
pub(super) fn number_of(format: &Format, bits: u64) -> f64 {
    let Some((significand, exponent)) = format.decode(bits) else { return f64::NAN };
    let sign = if format.is_negative(bits) { -1.0 } else { 1.0 };
    sign * significand as f64 * 2f64.powi(exponent)
}

/// A source of numbers that look drawn.
pub(super) struct Draws(pub u64);

impl Draws {
    /// Draws an integer below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        // The constants are those of Knuth's generator for MMIX, whose low bits have short periods.
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound
    }

    /// Draws one of [`NUMBERS`].
    pub(super) fn number(&mut self) -> f64 {
        NUMBERS[self.below(NUMBERS.len())]
    }
}
