//! The little of PTX that printed kernels consist of, interpreted a warp at a time, so that the
//! printing itself is checked where there is no GPU. It reads text, and knows nothing of what that was
//! printed from.

use std::collections::{BTreeMap, HashMap};

use crate::integer::integer;

/// Threads of a warp.
pub const WARP: usize = 32;
/// What a register holds in each thread; a predicate is 0 or 1.
pub type Values = [u64; WARP];

/// Instructions that were read.
pub struct Program {
    lines: Vec<Line>,
    /// The line behind each label.
    labels: HashMap<String, usize>,
    /// The registers declared outside of braces within the body.
    names: HashMap<String, usize>,
    registers: usize,
}

struct Line {
    /// The predicate, and what it must be.
    guard: Option<(usize, u64)>,
    mnemonic: String,
    /// How many of the operands are results.
    results: usize,
    operands: Vec<Operand>,
}

enum Operand {
    Register(usize),
    Constant(u64),
    /// In brackets: a parameter, or a register and what is added to it.
    Parameter(String),
    Memory(usize, u64),
    /// A special register or a label.
    Name(String),
}

/// What a warp finds around it.
pub struct Surroundings<'a> {
    /// Parameters by name.
    pub parameters: &'a HashMap<String, u64>,
    /// Where it stands.
    pub place: Place,
    /// The memory of the device.
    pub memory: &'a mut dyn Memory,
    /// Executes what is not of integers: from its name and the sources, as many results as there are.
    pub execute: &'a mut dyn FnMut(&str, &[Values]) -> Vec<Values>,
}

/// Where a warp stands in its grid.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of its block.
    pub block: u64,
    /// Threads in a block.
    pub threads: u64,
    /// The number of its first thread there.
    pub first: u64,
}

/// Memory of a device: little-endian words of 1 to 8 bytes.
pub trait Memory {
    /// The word at an address.
    fn load(&mut self, address: u64, bytes: usize) -> u64;
    /// Changes the word at an address.
    fn store(&mut self, address: u64, bytes: usize, word: u64);
}

/// Bytes by address.
///
/// # Panics
/// If what is loaded was never stored.
impl Memory for BTreeMap<u64, u8> {
    fn load(&mut self, address: u64, bytes: usize) -> u64 {
        let at = |byte: usize| u64::from(self[&(address + byte as u64)]) << (8 * byte);
        (0..bytes).map(at).sum()
    }

    fn store(&mut self, address: u64, bytes: usize, word: u64) {
        self.extend((address..).zip(word.to_le_bytes()).take(bytes));
    }
}

impl Program {
    /// Reads a kernel, or the lines of one.
    pub fn read(text: &str) -> Program {
        let mut lines = Vec::new();
        let mut labels = HashMap::new();
        let mut registers = 0;
        let mut scopes = vec![HashMap::new()];
        for line in text.lines().filter(|line| !line.starts_with("//") && !line.starts_with(".visible"))
        {
            if let Some(label) = line.strip_suffix(':') {
                labels.insert(label.to_owned(), lines.len());
            } else if line == "{" {
                scopes.push(HashMap::new());
            } else if line == "}" {
                let inner = scopes.pop().expect("more braces are closed than opened");
                if scopes.len() == 1 {
                    scopes[0] = inner;
                }
            } else if let Some(list) = line.strip_prefix(".reg ") {
                let (_, names) = list.split_once(' ').expect("a type and names");
                for name in names.strip_suffix(';').expect("an end").split(", ") {
                    for name in expanded(name) {
                        let old = scopes.last_mut().unwrap().insert(name, registers);
                        assert_eq!(old, None, "declared twice in `{line}`");
                        registers += 1;
                    }
                }
            } else {
                lines.push(Line::read(line, &scopes));
            }
        }
        let names = scopes.swap_remove(0);
        Program { lines, labels, names, registers }
    }

    /// What straight lines make of the values of some registers: those of `result`.
    pub fn compute(&self, inputs: &[(String, Values)], result: &str) -> Values {
        let mut registers = vec![None; self.registers];
        inputs.iter().for_each(|(name, values)| registers[self.names[name]] = Some(*values));
        let mut surroundings = Surroundings {
            parameters: &HashMap::new(),
            place: Place { block: 0, threads: WARP as u64, first: 0 },
            memory: &mut BTreeMap::new(),
            execute: &mut |_, _| unreachable!("integers only"),
        };
        self.carry_out(&mut registers, &mut surroundings);
        registers[self.names[result]].expect("set at the end")
    }

    /// The instructions that are not the interpreter's own, with their numbers of results and of sources.
    pub fn foreign(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        let foreign = self.lines.iter().filter(|line| !line.is_own());
        foreign.map(|line| (&*line.mnemonic, line.results, line.operands.len() - line.results))
    }

    /// Runs a warp of a kernel.
    pub fn run(&self, surroundings: &mut Surroundings) {
        self.carry_out(&mut vec![None; self.registers], surroundings);
    }

    fn carry_out(&self, registers: &mut [Option<Values>], around: &mut Surroundings) {
        let mut next = 0;
        // Threads that there are and that have not returned.
        let Place { threads, first, .. } = around.place;
        let mut active = std::array::from_fn(|thread| first + (thread as u64) < threads);
        while let Some(line) = self.lines.get(next) {
            next += 1;
            let holds = line.guard.map(|(predicate, wanted)| {
                registers[predicate].expect("set before it is read").map(|holds| holds == wanted)
            });
            let does: [bool; WARP] =
                std::array::from_fn(|thread| active[thread] && holds.is_none_or(|holds| holds[thread]));
            match line.mnemonic.as_str() {
                "ret" => {
                    (0..WARP).for_each(|thread| active[thread] &= !does[thread]);
                    if active == [false; WARP] {
                        return;
                    }
                }
                "bra" if does == [false; WARP] => {}
                "bra" => {
                    assert_eq!(does, active, "a warp branches as one");
                    let Operand::Name(label) = &line.operands[0] else { panic!("no label") };
                    next = self.labels[label];
                }
                _ => {
                    assert!(line.guard.is_none(), "only branches and returns are guarded");
                    line.execute(registers, around, &active);
                }
            }
        }
    }
}

/// `%w<3>` declares `%w0` to `%w2`.
fn expanded(name: &str) -> Vec<String> {
    match name.strip_suffix('>').and_then(|name| name.split_once('<')) {
        Some((name, count)) => {
            (0..count.parse().unwrap()).map(|n: usize| format!("{name}{n}")).collect()
        }
        None => vec![name.to_owned()],
    }
}

impl Line {
    fn read(text: &str, scopes: &[HashMap<String, usize>]) -> Line {
        let text = text.strip_suffix(';').unwrap_or_else(|| panic!("no end in `{text}`"));
        let register = |name: &str| scopes.iter().rev().find_map(|scope| scope.get(name)).copied();
        let (guard, text) = match text.strip_prefix('@') {
            None => (None, text),
            Some(text) => {
                let (predicate, text) = text.split_once(' ').expect("a guarded instruction");
                let wanted = u64::from(!predicate.starts_with('!'));
                let name = predicate.trim_start_matches('!');
                (Some((register(name).expect("declared"), wanted)), text)
            }
        };
        let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
        // Which side the pair of 32-bit words is on.
        let mnemonic = match operands.find('{') {
            Some(0) if mnemonic == "mov.b64" => "unpack",
            Some(_) if mnemonic == "mov.b64" => "pack",
            _ => mnemonic,
        };
        let operand = |text: &str| {
            if let Some(inner) = text.strip_prefix('[') {
                let inner = inner.strip_suffix(']').expect("a bracket");
                let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
                return match register(base) {
                    Some(base) => Operand::Memory(base, offset.parse().unwrap()),
                    None => Operand::Parameter(base.to_owned()),
                };
            }
            let text = text.trim_matches(['{', '}']);
            if let Some(register) = register(text) {
                return Operand::Register(register);
            }
            let digits = ["0x", "0f", "0d"].into_iter().find_map(|prefix| text.strip_prefix(prefix));
            let number = match digits {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            };
            number.map_or_else(|| Operand::Name(text.to_owned()), Operand::Constant)
        };
        let (first, _) = operands.split_once(',').unwrap_or((operands, ""));
        let results = 1 + first.matches('|').count();
        let operands = operands.split([',', '|']).map(str::trim).filter(|text| !text.is_empty());
        let (mnemonic, operands) = (mnemonic.to_owned(), operands.map(operand).collect());
        Line { guard, mnemonic, results, operands }
    }

    /// Whether the interpreter knows what it does.
    fn is_own(&self) -> bool {
        const OTHERS: [&str; 5] = ["ret", "bra", "pack", "unpack", "shfl.sync.bfly.b32"];
        const MEMORY: [&str; 3] = ["ld.global.", "st.global.", "red.global."];
        let name = self.mnemonic.as_str();
        let of_memory = MEMORY.iter().any(|start| name.starts_with(start));
        of_memory || OTHERS.contains(&name) || integer(name).is_some()
    }

    fn execute(
        &self,
        registers: &mut [Option<Values>],
        around: &mut Surroundings,
        active: &[bool; WARP],
    ) {
        let Place { block, threads, first } = around.place;
        let value = |operand: &Operand| match operand {
            Operand::Constant(value) => [*value; WARP],
            Operand::Register(register) => {
                registers[*register].unwrap_or_else(|| panic!("{} reads what is not set", self.mnemonic))
            }
            Operand::Parameter(name) => [around.parameters[name]; WARP],
            Operand::Name(name) => match name.as_str() {
                "%ctaid.x" => [block; WARP],
                "%ntid.x" => [threads; WARP],
                "%tid.x" => std::array::from_fn(|thread| first + thread as u64),
                "%laneid" => std::array::from_fn(|thread| thread as u64),
                _ => panic!("{}: `{name}` is not declared", self.mnemonic),
            },
            Operand::Memory(..) => panic!("{} of memory", self.mnemonic),
        };
        let register = |operand: &Operand| match operand {
            Operand::Register(register) => *register,
            _ => panic!("{} has no result", self.mnemonic),
        };
        match (self.mnemonic.as_str(), &self.operands[..]) {
            ("red.global.add.u64", [Operand::Memory(base, offset), addend]) => {
                let (bases, addends) = (registers[*base].expect("set"), value(addend));
                for thread in (0..WARP).filter(|&thread| active[thread]) {
                    let address = bases[thread] + offset;
                    let sum = around.memory.load(address, 8).wrapping_add(addends[thread]);
                    around.memory.store(address, 8, sum);
                }
            }
            (store, [Operand::Memory(base, offset), from]) if store.starts_with("st.global.") => {
                let (bases, from) = (registers[*base].expect("set"), value(from));
                for thread in (0..WARP).filter(|&thread| active[thread]) {
                    around.memory.store(bases[thread] + offset, bytes(store), from[thread]);
                }
            }
            (load, [into, Operand::Memory(base, offset)]) if load.starts_with("ld.global.") => {
                let bases = registers[*base].expect("set");
                let word = |thread: usize| match active[thread] {
                    true => around.memory.load(bases[thread] + offset, bytes(load)),
                    false => 0,
                };
                registers[register(into)] = Some(std::array::from_fn(word));
            }
            ("unpack", [low, high, from]) => {
                let from = value(from);
                let (low, high) = (register(low), register(high));
                registers[low] = Some(from.map(|word| word & u64::from(u32::MAX)));
                registers[high] = Some(from.map(|word| word >> 32));
            }
            ("pack", [into, low, high]) => {
                let (low, high) = (value(low), value(high));
                let word = std::array::from_fn(|thread| high[thread] << 32 | low[thread]);
                registers[register(into)] = Some(word);
            }
            ("shfl.sync.bfly.b32", [into, from, Operand::Constant(distance), ..]) => {
                assert_eq!(*active, [true; WARP], "all threads take part");
                let from = value(from);
                let word = std::array::from_fn(|thread| from[thread ^ *distance as usize]);
                registers[register(into)] = Some(word);
            }
            (mnemonic, [into, sources @ ..]) if integer(mnemonic).is_some() => {
                let (execute, width) = integer(mnemonic).expect("just seen");
                let sources: Vec<Values> = sources.iter().map(value).collect();
                let of = |number: usize, thread: usize| sources.get(number).map_or(0, |all| all[thread]);
                registers[register(into)] = Some(std::array::from_fn(|thread| {
                    execute(width, [of(0, thread), of(1, thread), of(2, thread)])
                }));
            }
            (_, operands) => {
                // The instruction under test.
                let (results, sources) = operands.split_at(self.results);
                let sources: Vec<Values> = sources.iter().map(value).collect();
                for (result, values) in results.iter().zip((around.execute)(&self.mnemonic, &sources)) {
                    registers[register(result)] = Some(values);
                }
            }
        }
    }
}

/// The bytes of a word that is loaded or stored: `st.global.b32` has 4.
fn bytes(mnemonic: &str) -> usize {
    let width = mnemonic.rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    width.parse::<usize>().expect("a width") / 8
}
