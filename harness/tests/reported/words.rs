//! Words in memory that are wrong as a whole, of two registers each: of operands `a0 a1 b0 b1` and right results
//! `m0 m1 d0 d1`, the wrong ones.

/// What is wrong with a row.
pub type Row = fn(operands: &[u64], results: &mut [u64]);

/// What is done wrong, the name of it, and whether `red` shows it too, which gives no word back.
#[rustfmt::skip] // a table
pub const WRONG: &[(&str, bool, Row)] = &[
    ("word-halves-exchanged",     true,  |_, of| of.swap(0, 1)),
    ("word-kept",                 true,  |operands, of| of[..2].copy_from_slice(&operands[..2])),
    ("word-is-operand",           true,  |operands, of| of[..2].copy_from_slice(&operands[2..])),
    ("word-lower-half-kept",      true,  |operands, of| of[0] = operands[0]),
    ("word-first-kept",           true,  |operands, of| of[0] = of[0] >> 16 << 16 | operands[0] & 0xffff),
    ("word-upper-half-kept",      true,  |operands, of| of[1] = operands[1]),
    ("word-upper-half-zero",      true,  |_, of| of[1] = 0),
    ("word-upper-half-copied",    true,  |_, of| of[1] = of[0]),
    ("word-last-kept",            true,  |operands, of| of[1] = last_of(operands[1], of[1])),
    ("word-reversed",             false, |_, of| reverse(&mut of[..2])),
    ("lanes-swapped",             true,  |_, of| of.chunks_mut(2).for_each(reverse)),
    ("original-halves-exchanged", false, |_, of| of.swap(2, 3)),
    ("original-upper-half-zero",  false, |_, of| of[3] = 0),
    ("original-reversed",         false, |_, of| reverse(&mut of[2..])),
    ("original-flushed",          false, |_, of| of[2..].iter_mut().for_each(flush)),
];

/// The uppermost 16 bits of one, the others of the other.
fn last_of(upper: u64, others: u64) -> u64 {
    upper >> 48 << 48 | others << 16 >> 16
}

/// Eight elements of 16 bits, the last one first.
fn reverse(word: &mut [u64]) {
    let elements = |bits: u64| (0..4).rev().map(move |place| bits >> (16 * place) & 0xffff);
    let reversed = |bits: u64| elements(bits).rev().fold(0, |all, element| all << 16 | element);
    let [lower, upper] = [word[0], word[1]].map(reversed);
    (word[0], word[1]) = (upper, lower);
}

/// Subnormal elements of f16 become zeros of their sign.
fn flush(register: &mut u64) {
    for place in [0, 16, 32, 48] {
        if *register >> place & 0x7c00 == 0 {
            *register &= !(0x3ff << place);
        }
    }
}
