//! Metadata and scales of matrix instructions: which threads hold them, by the selectors in the text. Data that are
//! not selected are the opposite of those that are, so that an implementation that looks there is found out (PTX ISA
//! 9.7.16.3 and 9.7.16.6).

use isa::matrix::{DotOperand, Role};

use super::fragment::Fragment;
use super::writer::{FactorSide, Writer};
use crate::syntax::{B32, Operand, Relation, U32, Unary, hex};

/// An operand behind the four matrices from which selectors choose.
#[derive(Clone, Copy, Debug)]
pub enum Selected {
    /// `metadata, selector`, by the bits of a row.
    Metadata(u32),
    /// `scale-a-data, {byte-id, thread-id}`, by the bytes of a row.
    Scales(FactorSide, u32),
}

/// Returns the selected operands that an instruction has behind its matrices, in order of the syntax.
pub fn of(operands: &[DotOperand]) -> Vec<(Selected, DotOperand)> {
    let selected = |operand: &DotOperand| {
        Some(match operand.role {
            Role::Metadata => (Selected::Metadata(8 * operand.row_bytes() as u32), *operand),
            Role::ScalesA => (Selected::Scales(FactorSide::A, operand.row_bytes() as u32), *operand),
            Role::ScalesB => (Selected::Scales(FactorSide::B, operand.row_bytes() as u32), *operand),
            _ => return None,
        })
    };
    let mut all: Vec<_> = operands.iter().filter_map(selected).collect();
    // The syntax has metadata first.
    all.sort_by_key(|(selected, _)| matches!(selected, Selected::Scales(..)));
    all
}

/// Returns the fragment of metadata or scales: a thread holds the data of `rows` as elements of `stride` bits each.
/// The two lowest bits of the lane add the places in `lanes`; the warps of a group have rows of their own.
fn layout(lanes: [[u32; 2]; 2], rows: &[u32], stride: u32, threads: u32) -> Fragment {
    let quads = [[1, 0], [2, 0], [4, 0], [16, 0], [32, 0]];
    let lanes = lanes.into_iter().chain(quads).take(threads.ilog2() as usize).collect();
    let elements: Vec<[u32; 2]> = rows.iter().map(|&row| [row, 0]).collect();
    Fragment { lanes, packed: elements.len() as u32, elements, stride }
}

impl Selected {
    /// Returns the prefix of the register with a thread's own data, whether they are selected or not.
    fn name(self) -> &'static str {
        match self {
            Selected::Metadata(_) => "%meta",
            Selected::Scales(FactorSide::A, _) => "%scales_a",
            Selected::Scales(FactorSide::B, _) => "%scales_b",
        }
    }

    /// Loads the data that each thread would hold if it were selected. The manual shows these layouts in figures; as
    /// text they are in CUTLASS: `host_reorder.h` for elements of 16 and 32 bits, and the traits for sm_120 for
    /// narrower ones.
    pub fn load(self, writer: &mut Writer, operand: &DotOperand) {
        let layout = |lanes, rows, stride| layout(lanes, rows, stride, writer.threads);
        let (fragment, side, unit) = match self {
            // Row r of the quad in the lower half, r + 8 in the upper one: all of K.
            Selected::Metadata(16) => (layout([[0, 0]; 2], &[0, 8][..], 16), FactorSide::A, 0),
            // The same two rows, but half of K, by the thread of the pair.
            Selected::Metadata(32) => (layout([[0, 1], [0, 0]], &[0, 8][..], 16), FactorSide::A, 16),
            // A row and a half of K for each thread of the quad.
            Selected::Metadata(_) => (layout([[8, 0], [0, 1]], &[0][..], 32), FactorSide::A, 32),
            Selected::Scales(FactorSide::A, bytes) => {
                (layout([[8, 0], [0, 0]], &[0][..], 8 * bytes), FactorSide::A, 0)
            }
            Selected::Scales(FactorSide::B, bytes) => {
                (layout([[0, 0]; 2], &[0][..], 8 * bytes), FactorSide::B, 0)
            }
        };
        writer.load(self.name(), operand, &fragment, side, unit);
        if let Selected::Scales(_, bytes) = self {
            // The scales stand in every byte that may be selected.
            let everywhere = [0x0101_0101, 0x0001_0001, 0, 1][bytes as usize - 1];
            let register = format!("{}0", self.name());
            writer.body.mul_lo(U32, &register, register.as_str(), hex(everywhere));
        }
    }

    /// Returns the operands for the way number `arm`: registers made for them, and selectors.
    pub fn operands(self, writer: &mut Writer, arm: u64) -> Vec<Operand> {
        match self {
            Selected::Metadata(bits) => {
                // Each of four threads can hold rows of 16 bits, each of two pairs rows of 32; larger rows take the
                // whole quad.
                let number = match bits {
                    16 => arm % 4,
                    32 => arm % 2,
                    _ => 0,
                };
                let into = writer.register(B32, "meta");
                let from = format!("{}0", self.name());
                match bits {
                    16 => self.by_thread(writer, &into, &from, 0, 3, number),
                    32 => self.by_thread(writer, &into, &from, 1, 1, number),
                    _ => writer.body.mov(B32, into.as_str(), from.as_str()),
                }
                vec![into.as_str().into(), number.into()]
            }
            Selected::Scales(side, bytes) => {
                let b = u64::from(side == FactorSide::B);
                // A and B select different bytes wherever there is a choice.
                let byte = match bytes {
                    1 => (arm + b) % 4,
                    2 => 2 * ((arm + b) % 2),
                    _ => 0,
                };
                let into = writer.register(B32, if b == 0 { "scale_a" } else { "scale_b" });
                let from = format!("{}0", self.name());
                let mask = (u64::MAX >> (64 - 8 * bytes)) << (8 * byte);
                // All bytes become the opposite, but for those of the mask.
                writer.body.xor(B32, &into, from.as_str(), hex(mask ^ u64::from(u32::MAX)));
                let thread = match side {
                    FactorSide::A => arm / 2 % 2,
                    FactorSide::B => (arm + 2 + arm / 4) % 4,
                };
                // A selector of A names a pair of the quad's threads, one of B a single thread.
                let (shift, ones) = if side == FactorSide::A { (1, 1) } else { (0, 3) };
                self.by_thread(writer, &into.clone(), &into, shift, ones, thread);
                let selectors = Operand::Vector(vec![byte.into(), thread.into()]);
                vec![into.as_str().into(), selectors]
            }
        }
    }

    /// Sets `into` to `from` in the threads with this number in the quad, and to the opposite of their data
    /// elsewhere.
    fn by_thread(self, writer: &mut Writer, into: &str, from: &str, shift: u64, ones: u64, number: u64) {
        let opposite = writer.register(B32, "%opposite");
        let body = &mut writer.body;
        body.unary(Unary::Not, B32, &opposite, &format!("{}0", self.name()));
        body.shr(U32, "%t", "%lane", shift);
        body.and(B32, "%t", "%t", ones);
        body.setp(Relation::Equal, U32, "%p", "%t", number);
        body.selp(B32, into, from, opposite.as_str(), "%p");
    }
}
