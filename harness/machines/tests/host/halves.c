/* The functions of halves.ptx. Each operation is rounded where its result is assigned. */

#include "half.h"
#include "rows.h"

/* In double precision a product is exact, and of a sum what is left of it is known: with that it is rounded to odd, so
   that a second rounding does not matter. */
static _Float16 fused(_Float16 x, _Float16 y, _Float16 z) {
    double product = (double)x * (double)y, more = z, sum = product + more;
    double added = sum - product;
    double left = (product - (sum - added)) + (more - added);
    uint64_t bits = bits64(sum);
    if (isfinite(sum) && left != 0.0 && !(bits & 1)) bits += (left > 0.0) == (sum > 0.0) ? 1 : -1;
    return (_Float16)number64(bits);
}

static void arithmetic(const uint64_t *a, uint64_t *d) {
    _Float16 x = number16(a[0]), y = number16(a[1]), z = number16(a[2]);
    _Float16 sum = x + y, difference = x - y, product = x * y, then = product + z;
    _Float16 quotient = (_Float16)((float)x / (float)y);
    _Float16 root = (_Float16)sqrtf((float)x);
    d[0] = bits16(sum);
    d[1] = bits16(difference);
    d[2] = bits16(product);
    d[3] = bits16(quotient);
    d[4] = bits16(root);
    d[5] = bits16(fused(x, y, z));
    d[6] = bits16(then);
}

static void compared(const uint64_t *a, uint64_t *d) {
    _Float16 x = number16(a[0]), y = number16(a[1]);
    d[0] = x < y || x != x ? a[0] : a[1];
    d[1] = x >= y && x > 0 ? a[0] ^ a[1] : 0;
    d[2] = (uint64_t)(x < y) | (x <= y) << 1 | (x == y) << 2 | (x != y) << 3 | (x >= y) << 4 |
           (x > y) << 5 | !isunordered((float)x, (float)y) << 6 | !(x < y) << 7;
}

static void from_halves(const uint64_t *a, uint64_t *d) {
    _Float16 x = number16(a[0]);
    float wide = x;
    int finite = isfinite(wide);
    d[0] = bits64((double)x);
    d[1] = finite ? (uint64_t)(int64_t)x : 0;
    d[2] = bits32(wide);
    d[3] = finite ? (uint32_t)(int32_t)x : 0;
    d[4] = finite && wide > -1.0f ? (uint32_t)x : 0;
    d[5] = bits16((_Float16)rintf(wide));
    d[6] = bits16((_Float16)truncf(wide));
}

static void to_halves(const uint64_t *a, uint64_t *d) {
    d[0] = bits16((_Float16)number64(a[0]));
    d[1] = bits16((_Float16)number32(a[1]));
    d[2] = bits16((_Float16)(int64_t)a[0]);
    d[3] = bits16((_Float16)(uint32_t)a[1]);
    d[4] = bits16((_Float16)(int16_t)a[1]);
}

PROGRAM(FUNCTION(arithmetic, 3, 7), FUNCTION(compared, 2, 3), FUNCTION(from_halves, 1, 7),
        FUNCTION(to_halves, 2, 5))
