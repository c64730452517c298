//! Computes the weights of [`formats::digests::triples`] with PTX instructions.

use formats::digests::COLUMN;

use crate::builder::Body;
use crate::syntax::{B32, B64, U32, U64, hex};

/// Sets `%weight` to the weight of the pair whose number is in `%low`: the XXH3-64 of four bytes.
pub fn pair(body: &mut Body) {
    /// The constant that XXH3-64 makes of the secret's bytes 8 to 23.
    const FLIP: u64 = 0xc73a_b174_c5ec_d5a2;
    /// The multiplier of XXH3-64 for inputs of four to eight bytes.
    const MULTIPLIER: u64 = 0x9fb2_1c65_1e98_df25;
    // The number has the first factor in its high half; the hashed bytes have it in their low one.
    body.shr(U32, "%high", "%low", 16);
    body.shl(B32, "%low", "%low", 16);
    body.or(B32, "%low", "%low", "%high");
    // Four bytes are the first and the last word of the input at once.
    body.mov(B64, "%weight", ["%low", "%low"]);
    body.xor(B64, "%weight", "%weight", hex(FLIP));
    // The rotations and shifts here are those of XXH3-64 for inputs of four to eight bytes.
    rotated(body, "%x", 49);
    rotated(body, "%y", 24);
    body.xor(B64, "%weight", "%weight", "%x");
    body.xor(B64, "%weight", "%weight", "%y");
    body.mul_lo(U64, "%weight", "%weight", hex(MULTIPLIER));
    body.shr(U64, "%x", "%weight", 35);
    // XXH3-64 adds the length in bytes.
    body.add(U64, "%x", "%x", 4);
    body.xor(B64, "%weight", "%weight", "%x");
    body.mul_lo(U64, "%weight", "%weight", hex(MULTIPLIER));
    folded(body, 28);
    // Weights are odd, so that one wrong result always shows in the digest.
    body.or(B64, "%weight", "%weight", 1);
}

/// Sets `%weight` to the weight of the addend in `%c`: the XXH3-64 of two bytes, with a seed.
pub fn addend(body: &mut Body) {
    /// The constant that XXH3-64 makes of the secret's bytes 0 to 7, plus the seed.
    const FLIP: u64 = 0x8727_5a9b + COLUMN;
    /// The multipliers of XXH64's last steps, with which XXH3-64 ends for up to three bytes.
    const MULTIPLIERS: [u64; 2] = [0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
    // The last byte is there twice, at both ends; the first byte and the length are between.
    body.shl(B32, "%low", "%c", 16);
    body.shr(U32, "%high", "%c", 8);
    body.or(B32, "%low", "%low", "%high");
    body.or(B32, "%low", "%low", hex(2 << 8));
    body.cvt(U64, U32, "%weight", "%low");
    body.xor(B64, "%weight", "%weight", hex(FLIP));
    folded(body, 33);
    body.mul_lo(U64, "%weight", "%weight", hex(MULTIPLIERS[0]));
    folded(body, 29);
    body.mul_lo(U64, "%weight", "%weight", hex(MULTIPLIERS[1]));
    folded(body, 32);
    body.or(B64, "%weight", "%weight", 1);
}

/// Rotates `%weight` by `left` bits to the left, into another register.
fn rotated(body: &mut Body, into: &str, left: u64) {
    body.shl(B64, into, "%weight", left);
    body.shr(U64, "%at", "%weight", 64 - left);
    body.or(B64, into, into, "%at");
}

/// Mixes the upper bits of `%weight` into the lower ones: XORs it with itself, shifted right by `right` bits.
fn folded(body: &mut Body, right: u64) {
    body.shr(U64, "%x", "%weight", right);
    body.xor(B64, "%weight", "%weight", "%x");
}
