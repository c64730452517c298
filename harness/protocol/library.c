/* A library that the suite can test: put your own arithmetic in the place of this one's, and run
 *
 *     cc -O2 -shared -fPIC -o libmine.so library.c
 *     cargo xtask conformance --impl lib:./libmine.so */

#include "ptx_conformance.h"

#include <string.h>

uint32_t ptx_conformance_version(void) { return PTX_CONFORMANCE_VERSION; }

const char *ptx_conformance_name(void) { return "example 1.0"; }

const char *ptx_conformance_supports(const char *variant) {
    return strcmp(variant, "max.NaN.f16x2") == 0 ? NULL : "this example has max.NaN.f16x2 alone";
}

/* An f16 as an integer that has its order; -0 comes before +0. */
static int order(uint16_t bits) { return bits & 0x8000 ? 0x7fff - bits : bits; }

static int is_nan(uint16_t bits) { return (bits & 0x7fff) > 0x7c00; }

static uint16_t max(uint16_t a, uint16_t b) {
    if (is_nan(a) || is_nan(b)) return 0x7fff;
    return order(a) < order(b) ? b : a;
}

const char *ptx_conformance_run(const char *variant, size_t rows, const void *const *operands,
                                void *const *results) {
    const uint32_t *a = operands[0], *b = operands[1];
    uint32_t *d = results[0];
    (void)variant; /* there is but one */
    for (size_t row = 0; row < rows; row++) {
        uint32_t low = max((uint16_t)a[row], (uint16_t)b[row]);
        uint32_t high = max((uint16_t)(a[row] >> 16), (uint16_t)(b[row] >> 16));
        d[row] = high << 16 | low;
    }
    return NULL;
}
