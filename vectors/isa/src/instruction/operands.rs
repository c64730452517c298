//! The operand lists of the manual's syntax lines: which registers there are, of which types, and
//! which of them belong together.

use std::fmt;

use super::modifier::Modifier;
use super::signature::{LaneData, LaneSignature, LaneSlot, Register};
use super::site::Site;
use super::types::Type;

/// An operand list: results, then operands. Their types may be those of the mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperandList(Vec<OperandGroup>);

/// Registers of an operand list that have one type.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OperandGroup {
    names: Vec<&'static str>,
    /// The number of consecutive registers that hold one word, the lower bits first.
    parts: usize,
    joined: Joined,
    ty: Option<&'static str>,
}

/// The way in which registers that are written together belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    /// A single register.
    Alone,
    /// `p|q`: one lane in each register, the lowest lane first.
    Bar,
    /// `p|!q`: no lanes, but a result and the result of the complement.
    Complement,
    /// `a/b`: one lane in each register, the highest lane first.
    Halves,
    /// `{a, b, e, f}`: one lane in each register, the highest lane first; PTX prints the braces.
    Braces,
    /// `<a, b, c>`: the values that one source register holds in several threads of a warp.
    Threads,
    /// `(a, b)`: the words that one address stands for in the memory of several devices.
    Copies,
    /// `[a, b]`: the values that one address stands for in columns of tensor memory.
    Columns,
    /// `[m]`: a word in memory.
    Memory,
    /// `[m]|d`: a word in memory as it is afterwards, and a register that has the word as it was.
    MemoryAndOriginal,
}

impl OperandList {
    /// Reads the manual's operand list: results, a comma, operands. A register's type is written behind
    /// it; `dtype`, `atype`, `btype` and `ctype` are the printed types in order. Without one it is the
    /// last printed type. Registers that belong together have one type:
    ///
    /// | | |
    /// | --- | --- |
    /// | `d:dtype, a, b, c:pred` | a result and three operands |
    /// | `p\|q:pred, …` | a lane of the result in each, the lowest first |
    /// | `p\|!q:pred, …` | two results, of which the second is that of the complement |
    /// | `…, a/b:atype, …` | a lane of an operand in each, the highest first |
    /// | `…, {a, b, e, f}:atype, …` | the same, and PTX prints the braces |
    /// | `d, <a, b, c>` | what one source register holds in the threads of a warp |
    /// | `d, (a, b)` | what one address stands for in the memory of two devices, or of three |
    /// | `d, [a, b]` | what one address stands for in columns of tensor memory |
    /// | `[m], [a], b` | no results but the word in memory afterwards, from the word before and an operand |
    /// | `[m]\|d, [a], b` | the same, and a result with the word before |
    /// | `[m], [a], <b, c>` | the word after two threads have changed it, one after the other |
    /// | `…, [b]` | an operand that is a word of shared memory |
    /// | `…, b0+b1:f32x2` | a word of which two registers have a half each, the lower first |
    ///
    /// # Panics
    /// On an open brace or bracket.
    pub fn read(text: &'static str) -> OperandList {
        let mut groups = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let inner = rest.strip_prefix('{').map(|inner| {
                inner.split_once('}').unwrap_or_else(|| panic!("an open brace in `{text}`"))
            });
            let threads = rest.strip_prefix('<').map(|inner| {
                inner.split_once('>').unwrap_or_else(|| panic!("an open bracket in `{text}`"))
            });
            let copies = rest.strip_prefix('(').map(|inner| {
                inner.split_once(')').unwrap_or_else(|| panic!("an open bracket in `{text}`"))
            });
            let columns = rest.strip_prefix('[').and_then(|inner| inner.split_once(']'));
            // A single name in brackets is a word in memory.
            let columns = columns.filter(|(names, _)| names.contains(','));
            let (braced, behind) = inner.or(threads).or(copies).or(columns).unwrap_or(("", rest));
            let (one, after) = behind.split_once(',').unwrap_or((behind, ""));
            let (names, ty) = match one.split_once(':') {
                Some((names, ty)) => (names, Some(ty)),
                None => (one, None),
            };
            let (names, joined, separator) = match names {
                _ if inner.is_some() => (braced, Joined::Braces, ","),
                _ if threads.is_some() => (braced, Joined::Threads, ","),
                _ if copies.is_some() => (braced, Joined::Copies, ","),
                _ if columns.is_some() => (braced, Joined::Columns, ","),
                names if names.starts_with('[') && names.contains('|') => {
                    (names, Joined::MemoryAndOriginal, "|")
                }
                names if names.starts_with('[') => (names, Joined::Memory, ","),
                // Before the bar alone, which it contains.
                names if names.contains("|!") => (names, Joined::Complement, "|!"),
                names if names.contains('|') => (names, Joined::Bar, "|"),
                names if names.contains('/') => (names, Joined::Halves, "/"),
                names => (names, Joined::Alone, ","),
            };
            let words: Vec<&str> =
                names.split(separator).map(|name| name.trim().trim_matches(['[', ']'])).collect();
            let names: Vec<&str> = words.iter().flat_map(|word| word.split('+')).collect();
            // All words of a group have as many registers.
            let parts = names.len() / words.len();
            groups.push(OperandGroup { names, parts, joined, ty });
            rest = after.trim_start();
        }
        OperandList(groups)
    }

    /// Returns the list without the operands that modifiers bring with them ([`Modifier::operand`]).
    pub(crate) fn without_modifiers(&self) -> OperandList {
        let brought: Vec<OperandGroup> =
            Modifier::ALL.iter().filter_map(|&modifier| brought(modifier)).collect();
        OperandList(self.0.iter().filter(|group| !brought.contains(group)).cloned().collect())
    }

    /// Returns the list with the operands that these modifiers bring with them, each once.
    pub fn with_modifiers(&self, modifiers: &[Modifier]) -> OperandList {
        let mut groups = self.0.clone();
        for group in modifiers.iter().filter_map(|&modifier| brought(modifier)) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        OperandList(groups)
    }

    /// Returns the list's registers with the given printed types, and how lanes lie in them.
    ///
    /// # Panics
    /// On a type that does not exist.
    pub fn signature(&self, printed: &[Type]) -> LaneSignature {
        let last = || *printed.last().expect("a mnemonic ends with a type, or registers have theirs");
        let ty = |name: &str| match name {
            "dtype" => printed[0],
            "atype" => printed[1],
            "btype" => printed[2],
            "ctype" => printed[3],
            name => Type::named(name).unwrap_or_else(|| panic!("`{name}` in `{self}`")),
        };
        let read = |group: &OperandGroup| {
            let ty = group.ty.map_or_else(last, ty);
            group.names.iter().map(move |&name| Register { name, ty }).collect::<Vec<_>>()
        };
        let (result, operands) = self.0.split_first().expect("results, then operands");
        let lanes = |group: &OperandGroup| (read(group)[0].ty.lanes * group.parts).max(group.lanes());
        let widest = operands.iter().map(lanes).max();
        let results = read(result);
        // The widest group tells how many lanes there are; data that are fewer are shared by all lanes.
        let lanes = lanes(result).max(widest.expect("operands"));
        let mut signature = LaneSignature {
            printed: printed.to_vec(),
            outputs: result.data(&results, 0, lanes),
            results,
            operands: Vec::new(),
            inputs: Vec::new(),
            braces: 0..0,
            site: site(result, operands),
            parts: result.parts,
        };
        for group in operands {
            let (first, registers) = (signature.operands.len(), read(group));
            signature.inputs.extend(group.data(&registers, first, lanes));
            signature.operands.extend(registers);
            if group.joined == Joined::Braces {
                signature.braces = first..signature.operands.len();
            }
        }
        signature
    }
}

/// Returns where an instruction with these registers has its data.
fn site(result: &OperandGroup, operands: &[OperandGroup]) -> Site {
    let has = |joined| operands.iter().any(|group| group.joined == joined);
    let copies = operands.iter().find(|group| group.joined == Joined::Copies);
    match result.joined {
        Joined::Memory | Joined::MemoryAndOriginal => match operands {
            [_, operand] if operand.joined == Joined::Threads => Site::Turns,
            [_, operand] if operand.joined == Joined::Memory => Site::Bulk,
            _ => Site::Word,
        },
        _ if has(Joined::Threads) => Site::Warp,
        _ if has(Joined::Columns) => Site::TensorMemory,
        _ => copies
            .map_or(Site::Registers, |group| Site::Copies { devices: group.names.len() / group.parts }),
    }
}

/// Returns the operand that a modifier brings with it, or `None` where it brings none.
fn brought(modifier: Modifier) -> Option<OperandGroup> {
    OperandList::read(modifier.operand()?).0.pop()
}

impl OperandGroup {
    /// Returns how many lanes the group's registers make together; one where they make none.
    fn lanes(&self) -> usize {
        match self.joined {
            Joined::Alone
            | Joined::Complement
            | Joined::Threads
            | Joined::Copies
            | Joined::Columns
            | Joined::Memory
            | Joined::MemoryAndOriginal => 1,
            Joined::Bar | Joined::Halves | Joined::Braces => self.names.len(),
        }
    }

    /// Returns where the group's lanes lie, if its first register is the one numbered `first`.
    fn data(&self, registers: &[Register], first: usize, lanes: usize) -> Vec<LaneData> {
        let format = registers[0].ty.format;
        let each = |register| LaneSlot::of(register, &registers[0].ty, 0);
        let slots: Vec<LaneSlot> = match self.joined {
            Joined::Alone
            | Joined::Complement
            | Joined::Threads
            | Joined::Copies
            | Joined::Columns
            | Joined::Memory
            | Joined::MemoryAndOriginal => {
                let one = |(number, parts): (usize, &[Register])| {
                    let ty = &parts[0].ty;
                    let slot = |lane| match ty.lanes * parts.len() {
                        // A single datum is that of every lane.
                        1 => LaneSlot::of(first + number, ty, 0),
                        _ => {
                            let part = number * parts.len() + lane / ty.lanes;
                            LaneSlot::of(first + part, ty, lane % ty.lanes)
                        }
                    };
                    LaneData { format, slots: (0..lanes).map(slot).collect() }
                };
                return registers.chunks(self.parts).enumerate().map(one).collect();
            }
            Joined::Bar => (first..first + registers.len()).map(each).collect(),
            Joined::Halves | Joined::Braces => {
                // The list has the highest lane first, and slots begin with lane 0.
                (first..first + registers.len()).rev().map(each).collect()
            }
        };
        vec![LaneData { format, slots }]
    }
}

impl fmt::Display for OperandList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for OperandGroup { names, parts, joined, ty } in &self.0 {
            f.write_str(separator)?;
            let names: Vec<String> = names.chunks(*parts).map(|parts| parts.join("+")).collect();
            match joined {
                Joined::Alone => f.write_str(&names[0])?,
                Joined::Bar => f.write_str(&names.join("|"))?,
                Joined::Complement => f.write_str(&names.join("|!"))?,
                Joined::Halves => f.write_str(&names.join("/"))?,
                Joined::Braces => write!(f, "{{{}}}", names.join(", "))?,
                Joined::Threads => write!(f, "<{}>", names.join(", "))?,
                Joined::Copies => write!(f, "({})", names.join(", "))?,
                Joined::Columns => write!(f, "[{}]", names.join(", "))?,
                Joined::Memory => write!(f, "[{}]", names[0])?,
                Joined::MemoryAndOriginal => write!(f, "[{}]|{}", names[0], names[1])?,
            }
            if let Some(ty) = ty {
                write!(f, ":{ty}")?;
            }
            separator = ", ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn lists_print_as_they_are_read() {
        for text in [
            "d:dtype, a, b, c:pred",
            "p|q:pred, a, b",
            "p|!q:pred, a, b, c:pred",
            "d:dtype, a/b:atype, rbits:b32",
            "d:dtype, {a, b, e, f}:atype, rbits:b32",
            "[m]|d:f16x4, [a]:f16x4, b:f16x4",
            "[m], [a], b",
            "[m], [a], <b, c>",
            "[m0+m1]|d0+d1:f32x2, [a0+a1]:f32x2, b0+b1:f32x2",
            "[m0+m1], [a0+a1], [b0+b1]",
            "d, <a, b, c>",
            "d0+d1:f32x2, (a0+a1, b0+b1):f32x2",
            "d, [a, b]",
            "d:f32, [a, b]:f32",
        ] {
            assert_eq!(OperandList::read(text).to_string(), text);
        }
    }

    #[test]
    fn modifiers_bring_operands_and_take_them_away() {
        let without = |text| OperandList::read(text).without_modifiers().to_string();
        assert_eq!(without("d:dtype, {a, b, e, f}:atype, rbits:b32"), "d:dtype, {a, b, e, f}:atype");
        assert_eq!(without("p|q:pred, a, b, c:pred"), "p|q:pred, a, b");
        assert_eq!(without("d:dtype, a:dtype, b:dtype, c:atype"), "d:dtype, a:dtype, b:dtype, c:atype");
        let both =
            OperandList::read("d, a").with_modifiers(&[Modifier::And, Modifier::Or, Modifier::Rs]);
        assert_eq!(both.to_string(), "d, a, c:pred, rbits:b32");
        for variant in Variant::all() {
            let form = variant.form();
            assert_eq!(
                form.plain_operands.with_modifiers(variant.modifiers()),
                form.operands,
                "{variant}"
            );
        }
    }
}
