/* The functions of functions.ptx: integers, memory and f32. */

#include "rows.h"

/* Bits of the square root, and of what is left of it. */
static uint32_t root_of(uint32_t a, uint32_t b) {
    uint32_t rest = a, result = 0, bit = 1u << 30;
    while (bit > rest) bit >>= 2;
    while (bit) {
        if (rest >= result + bit) {
            rest -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
        bit >>= 2;
    }
    return result ^ (rest << (b & 15));
}

/* Divisions with and without sign, by what is never 0. */
static uint32_t quotients_of(uint32_t a, uint32_t b) {
    int32_t by = (int32_t)b >> 20 | 1;
    if (by == -1) by = -3;
    int32_t one = (int32_t)a / by, other = (int32_t)a % by;
    uint32_t wide = a / (b | 1), rest = a % (b | 1);
    return (uint32_t)one * 31u + (uint32_t)other * 17u + wide * 7u + rest;
}

/* A checksum with a table that is made on the stack. */
static uint32_t checksum_of(uint32_t a, uint32_t b) {
    uint32_t table[16];
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t word = i;
        for (int k = 0; k < 4; k++) word = word & 1 ? word >> 1 ^ 0xedb88320u : word >> 1;
        table[i] = word;
    }
    uint32_t sum = ~0u;
    uint64_t words = (uint64_t)b << 32 | a;
    for (int i = 0; i < 16; i++) {
        sum = table[(sum ^ words) & 15] ^ sum >> 4;
        words >>= 4;
    }
    return ~sum;
}

/* Arithmetic of f32, rounded to nearest each time; NaN has one form. */
static uint32_t arithmetic_of(uint32_t a, uint32_t b) {
    float x = number32(a), y = number32(b);
    float sum = x + y, difference = x - y, product = sum * difference;
    float quotient = product / (y + 1.0f);
    float result = fmaf(quotient, x, sum);
    if (result < difference) result = result * 0.5f - y;
    if (isnan(result)) return 0x7fffffff;
    return (uint32_t)bits32(result);
}

#define OF_TWO(name) \
    static void name(const uint64_t *a, uint64_t *d) { *d = name##_of((uint32_t)a[0], (uint32_t)a[1]); }
OF_TWO(root)
OF_TWO(quotients)
OF_TWO(checksum)
OF_TWO(arithmetic)

/* The bytes of a word in order, and how often one was moved. */
static void sorted(const uint64_t *a, uint64_t *d) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(a[0] >> (8 * i));
    uint64_t moved = 0, word = 0;
    for (int i = 1; i < 8; i++) {
        uint8_t one = bytes[i];
        int to = i;
        for (; to > 0 && bytes[to - 1] > one; to--, moved++) bytes[to] = bytes[to - 1];
        bytes[to] = one;
    }
    for (int i = 0; i < 8; i++) word |= (uint64_t)bytes[i] << (8 * i);
    d[0] = word;
    d[1] = moved;
}

PROGRAM(FUNCTION(root, 2, 1), FUNCTION(quotients, 2, 1), FUNCTION(checksum, 2, 1),
        FUNCTION(arithmetic, 2, 1), FUNCTION(sorted, 1, 2))
