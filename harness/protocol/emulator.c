/* An emulator of PTX as a shared library: the smallest that shows how one is handed over. It takes kernels
 * of `add.f32` and `mul.f64` alone, which it finds by their text, and computes with the host's own
 * arithmetic; put your parser and your interpreter in its place.
 *
 *     cc -std=c99 -O2 -shared -fPIC -ffp-contract=off -o libmine.so harness/protocol/emulator.c
 *     cargo xtask conformance --impl ptx:./libmine.so */
#include <stddef.h>
#include <string.h>

#include "ptx_emulator.h"

/* What is called for each row, with the addresses of its results and operands. */
typedef void instruction(void *const *row);

static void add_f32(void *const *row)
{
    float a, b;
    memcpy(&a, row[1], sizeof a);
    memcpy(&b, row[2], sizeof b);
    a += b;
    /* PTX has one NaN of f32. */
    if (a != a)
        memcpy(row[0], "\xff\xff\xff\x7f", sizeof a);
    else
        memcpy(row[0], &a, sizeof a);
}

static void mul_f64(void *const *row)
{
    double a, b;
    memcpy(&a, row[1], sizeof a);
    memcpy(&b, row[2], sizeof b);
    a *= b;
    memcpy(row[0], &a, sizeof a);
}

static const struct kernel {
    const char *line;
    instruction *execute;
} kernels[] = {
    {"\nadd.f32 ", add_f32},
    {"\nmul.f64 ", mul_f64},
};

static const char *error;

const char *ptx_emulator_name(void)
{
    return "example.c 1";
}

const char *ptx_emulator_error(void)
{
    return error;
}

void *ptx_emulator_load(const char *ptx, const char *entry)
{
    error = NULL;
    if (strstr(ptx, entry))
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
            if (strstr(ptx, kernels[i].line))
                return (void *)&kernels[i];
    error = "neither add.f32 nor mul.f64";
    return NULL;
}

int ptx_emulator_run(void *kernel, size_t rows, size_t columns, void *const *column, const size_t *width)
{
    void *row[8];
    if (columns > sizeof row / sizeof *row)
        return 1;
    for (size_t i = 0; i < rows; i++) {
        for (size_t c = 0; c < columns; c++)
            row[c] = (char *)column[c] + i * width[c];
        ((const struct kernel *)kernel)->execute(row);
    }
    return 0;
}
