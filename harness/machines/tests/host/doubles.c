/* The functions of doubles.ptx: f64, and comparisons of f64 and f32. */

#include "rows.h"

static void arithmetic(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), y = number64(a[1]);
    d[0] = bits64(x + y);
    d[1] = bits64(x - y);
    d[2] = bits64(x * y);
    d[3] = bits64(x / y);
    d[4] = bits64(sqrt(x) * sqrt(fabs(y)));
    d[5] = bits64(copysign(x, y) - x);
    d[6] = bits64((x + y) * (x - y) / (y + 1.0) - 0.3);
}

static void fused(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), y = number64(a[1]), z = number64(a[2]);
    double product = x * y;
    d[0] = bits64(fma(x, y, z));
    d[1] = bits64(product + z);
    d[2] = bits64(fma(-x, y, z));
    d[3] = bits64(product - z);
    d[4] = bits64(fma(x, y, -product));
}

/* Each comparison as a bit, of which those with a negation hold where one is NaN. */
#define COMPARED(x, y)                                                                            \
    ((uint64_t)(x < y) | (x <= y) << 1 | (x == y) << 2 | (x < y || x > y) << 3 | (x >= y) << 4 |  \
     (x > y) << 5 | !(x >= y) << 6 | !(x > y) << 7 | !(x < y || x > y) << 8 | (x != y) << 9 |     \
     !(x < y) << 10 | !(x <= y) << 11 | !isunordered(x, y) << 12 | !!isunordered(x, y) << 13 |  \
     !(x <= y) << 14)

static void compared(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), y = number64(a[1]);
    d[0] = x < y || x != x ? a[0] : a[1];
    d[1] = x >= y && y != 0.0 ? bits64(x / y) : 7;
    d[2] = COMPARED(x, y);
}

static void compared_narrow(const uint64_t *a, uint64_t *d) {
    float x = number32(a[0]), y = number32(a[1]);
    d[0] = x < y || x != x ? a[0] : a[1];
    d[1] = x >= y && y != 0.0f ? bits32(x / y) : 7;
    d[2] = COMPARED(x, y);
}

PROGRAM(FUNCTION(arithmetic, 2, 7), FUNCTION(fused, 3, 5), FUNCTION(compared, 2, 3),
        FUNCTION(compared_narrow, 2, 3))
