use super::*;
use vectors::isa::Contract;

/// Zeros, infinities, negative numbers and NaNs of a format.
fn special_inputs(format: &Format) -> Vec<u64> {
    let (sign, infinity) = (format.sign_mask(), format.infinity().unwrap());
    let numbers = [format.min_normal(), format.one(), format.max_finite()];
    let nans = [infinity | 1, infinity | format.quiet_bit(), format.magnitude_mask()];
    let both = [0, infinity].into_iter().chain(nans).flat_map(|bits| [bits, sign | bits]);
    both.chain(numbers.map(|bits| sign | bits)).collect()
}

/// The manual's tables, and the functions that they are about, as MPFR has them.
#[test]
fn the_tables_of_special_inputs_say_what_mpfr_says() {
    let mut seen = 0;
    for variant in Variant::all() {
        let Contract::Within(accuracy) = variant.form().contract else { continue };
        let mut approximate = Approximate::new(variant, accuracy);
        assert_eq!(approximate.arity == 2, accuracy.specials.is_empty(), "{variant}");
        if accuracy.specials.is_empty() {
            continue;
        }
        let format = approximate.formats[0];
        for bits in special_inputs(format) {
            let bits = approximate.inputs([bits, 0])[0];
            let (class, negative) = (format.class(bits), format.is_negative(bits));
            let Some(special) = approximate.specials.of(class, negative) else {
                assert_eq!(class, Class::Normal, "{variant} {bits:#x} has no row");
                continue;
            };
            approximate.compute([bits, 0]);
            let by_mpfr = approximate.nearest();
            // MPFR has +∞ for 1/√−0.
            let differs = approximate.op == Op::Rsqrt && (class, negative) == (Class::Zero, true);
            let by_mpfr = if differs { by_mpfr | approximate.result.sign_mask() } else { by_mpfr };
            assert_eq!(special.bits, by_mpfr, "{variant} {bits:#x}");
            assert_eq!(approximate.lane([bits, 0]).0, by_mpfr, "{variant} {bits:#x}");
            seen += 1;
        }
    }
    assert!(seen > 250, "only {seen} special inputs");
}
