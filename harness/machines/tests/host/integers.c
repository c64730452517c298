/* The functions of integers.ptx. */

#include "rows.h"

typedef unsigned __int128 wide;
typedef __int128 signed_wide;

static void widths(const uint64_t *a, uint64_t *d) {
    d[0] = (uint64_t)(int64_t)(int32_t)a[0];
    d[1] = (uint64_t)(int64_t)(int16_t)a[0];
    d[2] = (uint64_t)(int64_t)(int8_t)(a[0] >> 8);
    d[3] = (uint32_t)a[0] + (uint64_t)(uint16_t)a[0] + (uint8_t)a[0];
    d[4] = (uint64_t)((int64_t)(int32_t)a[0] + (int64_t)(int16_t)a[1]);
    d[5] = (uint32_t)(int32_t)(int16_t)(a[1] >> 16);
    d[6] = (uint32_t)(int32_t)(int8_t)a[1];
    int64_t whole = (int64_t)a[1];
    d[7] = (uint32_t)(int32_t)(whole < INT32_MIN ? INT32_MIN : whole > INT32_MAX ? INT32_MAX : whole);
    d[8] = (uint16_t)(int16_t)(int8_t)a[0];
    int32_t word = (int32_t)a[0];
    d[9] = word < 0 ? 0 : word > 255 ? 255 : (uint64_t)word;
}

static void products(const uint64_t *a, uint64_t *d) {
    uint64_t x = a[0], y = a[1];
    d[0] = x * y;
    d[1] = (uint64_t)((wide)x * y >> 64);
    d[2] = (uint64_t)((signed_wide)(int64_t)x * (int64_t)y >> 64);
    d[3] = (uint64_t)((int64_t)(int32_t)x * (int32_t)y);
    d[4] = (uint64_t)(uint32_t)x * (uint32_t)y + x;
    d[5] = (uint64_t)((int64_t)(int32_t)x * (int32_t)y) + y;
    d[6] = x * y + (x ^ y);
    d[7] = (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32);
    d[8] = (uint32_t)((int32_t)(int16_t)x * (int16_t)y);
}

/* Counts beyond the width leave nothing but the sign. */
static void shifts(const uint64_t *a, uint64_t *d) {
    uint64_t x = a[0];
    uint32_t low = (uint32_t)x, count = (uint32_t)a[1] & 127;
    d[0] = count < 64 ? x << count : 0;
    d[1] = count < 64 ? x >> count : 0;
    d[2] = (uint64_t)((int64_t)x >> (count < 64 ? count : 63));
    d[3] = count < 32 ? low << count : 0;
    d[4] = (uint32_t)((int32_t)low >> (count < 32 ? count : 31));
    d[5] = low << (count & 31) | low >> (-count & 31);
    d[6] = (uint32_t)(x >> (count < 32 ? count : 32));
    d[7] = (uint16_t)(count < 16 ? (uint16_t)x << count : 0);
    d[8] = (uint16_t)((int16_t)x >> (count < 16 ? count : 15));
}

/* By 0 nothing is divided, and by -1 one number has no quotient. */
static void wide_quotients(const uint64_t *a, uint64_t *d) {
    int64_t x = (int64_t)a[0], y = (int64_t)a[1];
    d[0] = d[1] = a[0];
    d[2] = d[3] = ~a[0];
    if (a[1] + 1 > 1) {
        d[0] = (uint64_t)(x / y);
        d[1] = (uint64_t)(x % y);
    }
    if (a[1]) {
        d[2] = a[0] / a[1];
        d[3] = a[0] % a[1];
    }
}

static void bits(const uint64_t *a, uint64_t *d) {
    uint64_t x = a[0], turned = 0;
    uint32_t low = (uint32_t)x, y = (uint32_t)a[1], packed = 0;
    for (int i = 0; i < 64; i++) turned = turned << 1 | (x >> i & 1);
    d[0] = turned;
    int64_t smaller = (int64_t)x < (int32_t)y ? (int64_t)x : (int32_t)y;
    d[1] = (uint64_t)(smaller < 0 ? -(uint64_t)smaller : (uint64_t)smaller);
    d[2] = (uint32_t)__builtin_popcountll(x);
    d[3] = (uint32_t)(low ? __builtin_clz(low) : 32);
    for (int i = 0; i < 4; i++) {
        uint32_t from = y >> (4 * i) & 7;
        packed |= (uint32_t)(x >> (8 * from) & 255) << (8 * i);
    }
    d[4] = packed;
    uint32_t at = y & 15, length = (y >> 4 & 15) + 1;
    int32_t field = (int32_t)(low << (32 - at - length)) >> (32 - length);
    d[5] = (uint32_t)field;
    uint32_t mask = ((1u << length) - 1) << at;
    d[6] = (y & ~mask) | (low << at & mask);
    uint32_t high = (uint32_t)(x >> 32);
    d[7] = ((low & high) | (~low & y)) + (low > high ? low - high : high - low);
}

static void carries(const uint64_t *a, uint64_t *d) {
    wide x = (wide)a[1] << 64 | a[0], y = (wide)a[0] << 64 | (a[1] ^ a[0] << 7);
    wide each[] = {x + y, x - y, (wide)a[0] * a[1] + y};
    for (int i = 0; i < 3; i++) {
        d[2 * i] = (uint64_t)each[i];
        d[2 * i + 1] = (uint64_t)(each[i] >> 64);
    }
}

PROGRAM(FUNCTION(widths, 2, 10), FUNCTION(products, 2, 9), FUNCTION(shifts, 2, 9),
        FUNCTION(wide_quotients, 2, 4), FUNCTION(bits, 2, 8), FUNCTION(carries, 2, 6))
