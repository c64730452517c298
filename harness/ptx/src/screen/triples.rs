//! The kernel that judges all triples of an `fma` in half precision where it runs.
//!
//! There are 2^48 triples, so work is shared: a thread has some pairs of factors, whose products it makes once, and
//! adds up the weights of results by pair. The expected result comes from arithmetic in f32, which is not the
//! instruction under test and needs no more than to be equal to it. It is the product, exact or rounded to odd, plus
//! the addend, rounded to odd, and that rounded once more. A sum that is rounded to odd with two bits to spare has
//! lost nothing that the second rounding asks for. None of this has to be believed: all results together must have
//! the digest that is proven, and MPFR judges what differs.

mod expected;
mod hash;

use formats::Format;
use isa::Variant;

use super::digest::{SUM_NAMES, add_up};
use crate::builder::Body;
use crate::instruction::instruction;
use crate::kernel::name;
use crate::syntax::{
    B16, B32, B64, Binary, Entry, Operand, PRED, Parameter, Relation, Scalar, U16, U32, U64, hex,
};
use crate::warp::WARP;
use expected::Expectation;

/// Pairs of factors that a thread takes, one after the other.
const PAIRS: usize = 8;
/// Addends that a thread gives to each pair; the threads of a warp together have all addends.
const ADDENDS: u32 = (1 << 16) / WARP;
/// Vectors that a warp takes; the number of vectors that is asked for must be a multiple.
pub const TRIPLES_OF_WARP: u64 = (PAIRS as u64) << 16;

/// Returns the kernel that judges all triples of a variant that has them, see [`super::screen`]. Its count of
/// differences is how often any of a thread's rows with one addend differs.
pub fn triples(variant: &Variant) -> Option<Entry> {
    let format = variant.outputs()[0].format;
    if ![&formats::F16, &formats::BF16].contains(&format) {
        return None;
    }
    let kernel = Triples { variant, format, lanes: variant.lanes() };
    Some(Entry {
        comment: Some(format!("all triples of {variant}, judged where it runs")),
        name: format!("screen_{}", name(variant)),
        parameters: ["sums", "first"].map(|name| Parameter::new(U64, name)).into(),
        block: None,
        body: kernel.body().statements(),
    })
}

struct Triples<'a> {
    variant: &'a Variant,
    format: &'static Format,
    lanes: usize,
}

impl Triples<'_> {
    fn body(&self) -> Body {
        let mut body = Body::default();
        self.declare(&mut body);
        let expectation = Expectation::of(self.variant.meaning(), self.format);
        body.mov(U32, "%left", "%ctaid.x");
        body.mov(U32, "%low", "%ntid.x");
        body.mov(U32, "%high", "%tid.x");
        body.mad(Binary::MulLow, U32, "%left", ["%left", "%low"], "%high");
        // All threads of a warp have the same pairs: the warp's number counts.
        body.shr(U32, "%left", "%left", u64::from(WARP.trailing_zeros()));
        body.mul_lo(U32, "%left", "%left", PAIRS as u64);
        body.ld_param(U64, "%x", "first");
        // A vector's number is its pair of factors times 2^16, plus its addend.
        body.shr(U64, "%x", "%x", 16);
        body.cvt(U32, U64, "%first", "%x");
        body.add(U32, "%first", "%first", "%left");
        for pair in 0..self.expected() {
            self.pair(&mut body, &expectation, pair);
        }
        for (row, lane) in (0..PAIRS).flat_map(|row| (0..self.lanes).map(move |lane| (row, lane))) {
            body.mov(U64, &sum(row, lane), 0);
            body.mov(U32, &high(row, lane), 0);
        }
        for sum in SUM_NAMES.into_iter().chain(["%addends"]) {
            body.mov(U64, sum, 0);
        }
        body.mov(U32, "%c", "%laneid");
        body.mul_lo(U32, "%c", "%c", u64::from(ADDENDS));
        body.mov(U32, "%left", u64::from(ADDENDS));
        body.label("NEXT");
        self.addend(&mut body, &expectation);
        (0..self.expected()).for_each(|pair| expectation.result(&mut body, pair));
        (0..PAIRS).for_each(|row| self.row(&mut body, row));
        body.setp(Relation::NotEqual, U32, "%holds", "%differs", 0);
        body.selp(U64, "%x", 1, 0, "%holds");
        body.add(U64, "%differing", "%differing", "%x");
        body.add(U32, "%c", "%c", 1);
        body.sub(U32, "%left", "%left", 1);
        body.setp(Relation::NotEqual, U32, "%holds", "%left", 0);
        body.bra_where("%holds", "NEXT");
        self.weigh(&mut body);
        add_up(&mut body);
        body.ret();
        body
    }

    /// Returns how many pairs have an expected result: the second lane of a row has the pair after the first one's.
    const fn expected(&self) -> usize {
        PAIRS + self.lanes - 1
    }

    /// Returns the rows that have a pair, each with its lane: the pair's own row, and the row before.
    fn places(&self, pair: usize) -> impl Iterator<Item = (usize, usize)> {
        let lanes = (0..self.lanes).rev();
        lanes
            .filter_map(move |lane| Some((pair.checked_sub(lane)?, lane)))
            .filter(|&(row, _)| row < PAIRS)
    }

    fn declare(&self, body: &mut Body) {
        body.declare(B32, ["%left", "%low", "%high", "%first", "%c", "%differs", "%given", "%due"]);
        body.declare(B64, ["%x", "%y", "%at", "%weight", "%addends"]);
        body.declare(B64, SUM_NAMES);
        body.declare(PRED, ["%holds"]);
        body.declare(self.word(), ["%d", "%addend"]);
        body.declare(self.word(), [("%a", PAIRS), ("%b", PAIRS)]);
        for lane in 0..self.lanes {
            body.declare(B64, (0..PAIRS).map(|row| sum(row, lane)));
            body.declare(B32, (0..PAIRS).map(|row| high(row, lane)));
        }
        expected::declare(body, self.expected());
    }

    /// Returns the type of the variant's registers.
    const fn word(&self) -> Scalar {
        if self.lanes == 1 { B16 } else { B32 }
    }

    /// Takes a pair apart, puts its data where rows need them, and computes its product.
    fn pair(&self, body: &mut Body, expectation: &Expectation, pair: usize) {
        body.add(U32, "%low", "%first", pair as u64);
        body.shr(U32, "%high", "%low", 16);
        body.and(B32, "%low", "%low", hex(0xffff));
        for (operand, datum) in [("%a", "%high"), ("%b", "%low")] {
            for (row, lane) in self.places(pair) {
                let register = format!("{operand}{row}");
                match (self.lanes, lane) {
                    (1, _) => body.cvt(U16, U32, &register, datum),
                    (_, 0) => body.mov(U32, register.as_str(), datum),
                    // The lower lane of this row came with the pair before.
                    _ => {
                        body.shl(B32, "%given", datum, 16);
                        body.or(B32, &register, &register, "%given");
                    }
                }
            }
        }
        expectation.product(body, pair);
    }

    /// Computes the addend: in every lane of its register, as a number and as a weight.
    fn addend(&self, body: &mut Body, expectation: &Expectation) {
        body.mov(U32, "%differs", 0);
        match self.lanes {
            1 => body.cvt(U16, U32, "%addend", "%c"),
            _ => {
                body.shl(B32, "%low", "%c", 16);
                body.or(B32, "%addend", "%c", "%low");
            }
        }
        hash::addend(body);
        body.add(U64, "%addends", "%addends", "%weight");
        // `mad.wide` multiplies 32 bits, so results are summed up with each half of the weight.
        body.mov(B64, ["%low", "%high"], "%weight");
        expectation.addend(body);
    }

    /// Executes a row, compares it, and adds its results to the sums of their pair.
    fn row(&self, body: &mut Body, row: usize) {
        let register = |register: &isa::Register| {
            Operand::Register(match register.name {
                "a" => format!("%a{row}"),
                "b" => format!("%b{row}"),
                "c" => "%addend".to_owned(),
                _ => "%d".to_owned(),
            })
        };
        body.push(instruction(self.variant.spelling(), self.variant.lane_signature(), register));
        let due = match self.lanes {
            1 => {
                body.cvt(U32, U16, "%given", "%d");
                expected::result(row)
            }
            _ => {
                body.mov(B32, "%given", "%d");
                body.shl(B32, "%due", &expected::result(row + 1), 16);
                body.or(B32, "%due", "%due", expected::result(row).as_str());
                "%due".to_owned()
            }
        };
        body.xor(B32, "%due", "%given", due.as_str());
        body.or(B32, "%differs", "%differs", "%due");
        for lane in 0..self.lanes {
            let sum = sum(row, lane);
            let result = match (self.lanes, lane) {
                (1, _) => "%given",
                (_, 0) => {
                    body.and(B32, "%due", "%given", hex(0xffff));
                    "%due"
                }
                _ => {
                    body.shr(U32, "%due", "%given", 16);
                    "%due"
                }
            };
            body.mad(Binary::MulWide, U32, &sum, ["%low", result], &sum);
            let high = high(row, lane);
            // This sum counts 2^32 times, so its low 32 bits are enough for a digest modulo 2^64.
            body.mad(Binary::MulLow, U32, &high, ["%high", result], &high);
        }
    }

    /// Multiplies the sums of each pair by its weight, and adds them up.
    fn weigh(&self, body: &mut Body) {
        for pair in 0..self.expected() {
            body.add(U32, "%low", "%first", pair as u64);
            hash::pair(body);
            for (row, lane) in self.places(pair) {
                let sum = sum(row, lane);
                body.cvt(U64, U32, "%x", &high(row, lane));
                body.shl(B64, "%x", "%x", 32);
                body.add(U64, "%x", "%x", &*sum);
                // Lane l counts 2 l + 1 times.
                body.mul_lo(U64, "%y", "%weight", 2 * lane as u64 + 1);
                body.mad(Binary::MulLow, U64, "%results", ["%x", "%y"], "%results");
                body.mad(Binary::MulLow, U64, "%inputs", ["%addends", "%y"], "%inputs");
            }
        }
    }
}

/// Returns the register that sums up a lane's results of a row, times the lower halves of the addends' weights.
fn sum(row: usize, lane: usize) -> String {
    format!("%sum{lane}_{row}")
}

/// Returns the register that sums up a lane's results of a row, times the upper halves of the addends' weights.
fn high(row: usize, lane: usize) -> String {
    format!("%high{lane}_{row}")
}
