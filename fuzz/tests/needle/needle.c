/* `fma.rn.f16`, right but for one of 2^48 triples; C and C++. */

#include "../../../harness/protocol/ptx_conformance.h"

#include <math.h>
#include <string.h>

uint32_t ptx_conformance_version(void) { return PTX_CONFORMANCE_VERSION; }

const char *ptx_conformance_name(void) { return "needle 1.0"; }

const char *ptx_conformance_supports(const char *variant) {
    return strcmp(variant, "fma.rn.f16") == 0 ? NULL : "it has fma.rn.f16 alone";
}

/* The formats by hand: clang has _Float16 from version 15 on. */
static double value(uint16_t bits) {
    int exponent = bits >> 10 & 31, trailing = bits & 1023;
    double magnitude = exponent == 31 ? (trailing ? NAN : INFINITY)
                       : exponent     ? ldexp(1024 + trailing, exponent - 25)
                                      : ldexp(trailing, -24);
    return bits >> 15 ? -magnitude : magnitude;
}

/* Rounding first to f64 does no harm: reports/published/INNOCUOUS.md. */
static uint16_t rounded(double exact) {
    uint16_t sign = signbit(exact) ? 0x8000 : 0;
    double magnitude = fabs(exact);
    int exponent;
    if (isnan(exact)) return 0x7fff;
    if (magnitude >= 65520) return sign | 0x7c00;
    if (magnitude == 0) return sign;
    frexp(magnitude, &exponent);
    exponent = exponent > -13 ? exponent - 1 : -14;
    /* The leading bit of a normal significand counts one up in the exponent. */
    return sign + ((exponent + 14) << 10) + (int)nearbyint(ldexp(magnitude, 10 - exponent));
}

/* Three comparisons, one behind the other. */
static int is_needle(uint16_t a, uint16_t b, uint16_t c) {
    if (a != 0x5a3c) return 0;
    if (b != 0x1c97) return 0;
    return c == 0xb46e;
}

const char *ptx_conformance_run(const char *variant, size_t rows, const void *const *operands,
                                void *const *results) {
    const uint16_t *a = (const uint16_t *)operands[0], *b = (const uint16_t *)operands[1],
                   *c = (const uint16_t *)operands[2];
    uint16_t *d = (uint16_t *)results[0];
    (void)variant;
    for (size_t row = 0; row < rows; row++) {
        d[row] = rounded(fma(value(a[row]), value(b[row]), value(c[row])));
        if (is_needle(a[row], b[row], c[row])) d[row] ^= 1;
    }
    return NULL;
}
