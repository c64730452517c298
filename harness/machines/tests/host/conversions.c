/* The functions of conversions.ptx. C defines a conversion to an integer where there is one; everything else is 0. */

#include "rows.h"

static void widened(const uint64_t *a, uint64_t *d) {
    float x = number32(a[0]);
    double wide = x;
    d[0] = bits64(wide * 1.1);
    d[1] = bits32((float)(wide * wide));
    d[2] = bits32(rintf(x));
    d[3] = bits32(floorf(x));
    d[4] = bits32(ceilf(x));
    d[5] = bits32(truncf(x));
}

static void narrowed(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]);
    d[0] = bits64((double)(float)x);
    d[1] = bits64(rint(x));
    d[2] = bits64(floor(x));
    d[3] = bits64(ceil(x));
    d[4] = bits64(trunc(x));
    d[5] = bits32((float)x);
}

/* Whether a number is above one and below another: between them are all that are cut off to an integer of a type. */
#define BETWEEN(low, x, high) ((x) > (low) && (x) < (high))

static void integers_narrow(const uint64_t *a, uint64_t *d) {
    float x = number32(a[0]);
    d[0] = x >= -0x1p63f && x < 0x1p63f ? (uint64_t)(int64_t)x : 0;
    d[1] = BETWEEN(-1.0f, x, 0x1p64f) ? (uint64_t)x : 0;
    d[2] = x >= -0x1p62f && x < 0x1p62f ? (uint64_t)llrintf(x) : 0;
    d[3] = x >= -0x1p31f && x < 0x1p31f ? (uint32_t)(int32_t)x : 0;
    d[4] = BETWEEN(-1.0f, x, 0x1p32f) ? (uint32_t)x : 0;
    d[5] = BETWEEN(-32769.0f, x, 32768.0f) ? (uint16_t)(int16_t)x : 0;
}

static void integers_wide(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]);
    d[0] = x >= -0x1p63 && x < 0x1p63 ? (uint64_t)(int64_t)x : 0;
    d[1] = BETWEEN(-1.0, x, 0x1p64) ? (uint64_t)x : 0;
    d[2] = x >= -0x1p62 && x < 0x1p62 ? (uint64_t)llrint(x) : 0;
    d[3] = BETWEEN(-2147483649.0, x, 0x1p31) ? (uint32_t)(int32_t)x : 0;
    d[4] = BETWEEN(-1.0, x, 0x1p32) ? (uint32_t)x : 0;
    d[5] = BETWEEN(-129.0, x, 128.0) ? (uint16_t)(int8_t)x : 0;
}

static void numbers(const uint64_t *a, uint64_t *d) {
    uint64_t word = a[0];
    d[0] = bits64((double)(int64_t)word);
    d[1] = bits64((double)word);
    d[2] = bits64((double)(int32_t)word);
    d[3] = bits64((double)(uint32_t)word);
    d[4] = bits64((double)(int8_t)word);
    d[5] = bits32((float)(int64_t)word);
    d[6] = bits32((float)word);
    d[7] = bits32((float)(int32_t)word);
    d[8] = bits32((float)(uint32_t)word);
    d[9] = bits32((float)(int16_t)word);
}

PROGRAM(FUNCTION(widened, 1, 6), FUNCTION(narrowed, 1, 6), FUNCTION(integers_narrow, 1, 6),
        FUNCTION(integers_wide, 1, 6), FUNCTION(numbers, 1, 10))
