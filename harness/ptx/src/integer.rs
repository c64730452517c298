//! The instructions of integers.

/// Of the width, and of three sources of which as many count as it has.
pub type Integer = fn(u32, [u64; 3]) -> u64;

fn bits(width: u32, value: u64) -> u64 {
    value & u64::MAX >> (64 - width)
}

fn signed(width: u32, value: u64) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

fn wide(width: u32, value: u64) -> u128 {
    u128::from(bits(width, value))
}

/// What an instruction of integers does, and its width; `None` if it is none.
pub fn integer(mnemonic: &str) -> Option<(Integer, u32)> {
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
