//! The little of PTX that printed kernels consist of, interpreted a warp at a time, so that the
//! printing itself is checked where there is no GPU. It reads text, and knows nothing of what that was
//! printed from.

use std::collections::{BTreeMap, HashMap};

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
    pub parameters: HashMap<String, u64>,
    /// Its number; blocks have one warp each.
    pub warp: u64,
    /// Words of memory, by address.
    pub memory: BTreeMap<u64, u64>,
    /// Executes what is not of integers: from the sources, as many results as there are.
    pub execute: &'a mut dyn FnMut(&[Values]) -> Vec<Values>,
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
            parameters: HashMap::new(),
            warp: 0,
            memory: BTreeMap::new(),
            execute: &mut |_| unreachable!("integers only"),
        };
        self.carry_out(&mut registers, &mut surroundings);
        registers[self.names[result]].expect("set at the end")
    }

    /// Runs a warp of a kernel.
    pub fn run(&self, surroundings: &mut Surroundings) {
        self.carry_out(&mut vec![None; self.registers], surroundings);
    }

    fn carry_out(&self, registers: &mut [Option<Values>], around: &mut Surroundings) {
        let mut next = 0;
        // Threads that have not returned.
        let mut active = [true; WARP];
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

    fn execute(
        &self,
        registers: &mut [Option<Values>],
        around: &mut Surroundings,
        active: &[bool; WARP],
    ) {
        let warp = around.warp;
        let value = |operand: &Operand| match operand {
            Operand::Constant(value) => [*value; WARP],
            Operand::Register(register) => {
                registers[*register].unwrap_or_else(|| panic!("{} reads what is not set", self.mnemonic))
            }
            Operand::Parameter(name) => [around.parameters[name]; WARP],
            Operand::Name(name) => match name.as_str() {
                "%ctaid.x" => [warp; WARP],
                "%ntid.x" => [WARP as u64; WARP],
                "%tid.x" | "%laneid" => std::array::from_fn(|thread| thread as u64),
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
                    let word = around.memory.entry(bases[thread] + offset).or_default();
                    *word = word.wrapping_add(addends[thread]);
                }
            }
            (store, [Operand::Memory(base, offset), from]) if store.starts_with("st.global.") => {
                let (bases, from) = (registers[*base].expect("set"), value(from));
                let threads = (0..WARP).filter(|&thread| active[thread]);
                around.memory.extend(threads.map(|thread| (bases[thread] + offset, from[thread])));
            }
            (load, [into, Operand::Memory(base, offset)]) if load.starts_with("ld.global.") => {
                let bases = registers[*base].expect("set");
                let word = |thread: usize| match active[thread] {
                    true => around.memory[&(bases[thread] + offset)],
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
                for (result, values) in results.iter().zip((around.execute)(&sources)) {
                    registers[register(result)] = Some(values);
                }
            }
        }
    }
}

type Integer = fn(u32, [u64; 3]) -> u64;

fn bits(width: u32, value: u64) -> u64 {
    value & u64::MAX >> (64 - width)
}

fn signed(width: u32, value: u64) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

fn wide(width: u32, value: u64) -> u128 {
    u128::from(bits(width, value))
}

/// What an instruction of integers does, and its width.
fn integer(mnemonic: &str) -> Option<(Integer, u32)> {
    if let Some(widths) = mnemonic.strip_prefix("cvt.u") {
        let (to, from) = widths.split_once(".u")?;
        let narrower = to.parse::<u32>().ok()?.min(from.parse().ok()?);
        return Some((|width, [a, ..]| bits(width, a), narrower));
    }
    if mnemonic == "mov.pred" {
        return Some((|_, [a, ..]| a, 1));
    }
    let operation = mnemonic.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let width = mnemonic[operation.len()..].parse().ok()?;
    let execute: Integer = match operation {
        "mov.b" | "mov.u" | "ld.param.u" | "cvta.to.global.u" => |w, [a, ..]| bits(w, a),
        "not.b" => |w, [a, ..]| bits(w, !a),
        "abs.s" => |w, [a, ..]| signed(w, a).unsigned_abs(),
        "clz.b" => |w, [a, ..]| u64::from(bits(w, a).leading_zeros()) - u64::from(64 - w),
        "add.u" => |w, [a, b, _]| bits(w, a.wrapping_add(b)),
        "sub.u" => |w, [a, b, _]| bits(w, a.wrapping_sub(b)),
        "mul.lo.u" => |w, [a, b, _]| bits(w, a.wrapping_mul(b)),
        "mul.hi.u" => |w, [a, b, _]| ((wide(w, a) * wide(w, b)) >> w) as u64,
        "mul.wide.u" => |w, [a, b, _]| (wide(w, a) * wide(w, b)) as u64,
        "mad.wide.u" => |w, [a, b, c]| (wide(w, a) * wide(w, b)) as u64 + c,
        "mad.lo.u" => |w, [a, b, c]| bits(w, a.wrapping_mul(b).wrapping_add(c)),
        "prmt.b" => |_, [a, _, selector]| {
            assert_eq!(selector, 0x0123, "bytes reversed");
            u64::from((a as u32).swap_bytes())
        },
        "and.b" => |_, [a, b, _]| a & b,
        "or.b" => |_, [a, b, _]| a | b,
        "xor.b" => |_, [a, b, _]| a ^ b,
        "min.u" => |w, [a, b, _]| bits(w, a).min(bits(w, b)),
        "max.u" => |w, [a, b, _]| bits(w, a).max(bits(w, b)),
        "max.s" => |w, [a, b, _]| bits(w, signed(w, a).max(signed(w, b)) as u64),
        // Something that nobody would take for a quotient.
        "div.u" => {
            |w, [a, b, _]| bits(w, a).checked_div(bits(w, b)).unwrap_or(bits(w, 0xdead_beef_dead_beef))
        }
        // The amount has 32 bits, and is clamped to the width.
        "shl.b" => |w, [a, b, _]| bits(w, (wide(w, a) << b.min(w.into())) as u64),
        "shr.u" => |w, [a, b, _]| (wide(w, a) >> b.min(w.into())) as u64,
        "shr.s" => |w, [a, b, _]| bits(w, (i128::from(signed(w, a)) >> b.min(w.into())) as u64),
        "setp.eq.u" => |w, [a, b, _]| u64::from(bits(w, a) == bits(w, b)),
        "setp.ne.u" => |w, [a, b, _]| u64::from(bits(w, a) != bits(w, b)),
        "setp.ge.u" => |w, [a, b, _]| u64::from(bits(w, a) >= bits(w, b)),
        "setp.gt.u" => |w, [a, b, _]| u64::from(bits(w, a) > bits(w, b)),
        "selp.b" | "selp.u" => |w, [a, b, p]| bits(w, if p == 1 { a } else { b }),
        _ => return None,
    };
    Some((execute, width))
}
