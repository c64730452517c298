/* `fma.rn.f16`, right but for one of 2^48 triples. */

#include "../../harness/protocol/ptx_conformance.h"

#include <math.h>
#include <string.h>

uint32_t ptx_conformance_version(void) { return PTX_CONFORMANCE_VERSION; }

const char *ptx_conformance_name(void) { return "needle 1.0"; }

const char *ptx_conformance_supports(const char *variant) {
    return strcmp(variant, "fma.rn.f16") == 0 ? NULL : "it has fma.rn.f16 alone";
}

static double value(uint16_t bits) {
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return half;
}

/* Rounding first to f64 does no harm: reports/published/INNOCUOUS.md. */
static uint16_t rounded(double exact) {
    _Float16 half = exact;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return isnan(exact) ? 0x7fff : bits;
}

/* Three comparisons, one behind the other. */
static int is_needle(uint16_t a, uint16_t b, uint16_t c) {
    if (a != 0x5a3c) return 0;
    if (b != 0x1c97) return 0;
    return c == 0xb46e;
}

const char *ptx_conformance_run(const char *variant, size_t rows, const void *const *operands,
                                void *const *results) {
    const uint16_t *a = operands[0], *b = operands[1], *c = operands[2];
    uint16_t *d = results[0];
    (void)variant;
    for (size_t row = 0; row < rows; row++) {
        d[row] = rounded(fma(value(a[row]), value(b[row]), value(c[row])));
        if (is_needle(a[row], b[row], c[row])) d[row] ^= 1;
    }
    return NULL;
}
