/* A client of the suite: put your own arithmetic into FUNCTIONS, and run
 *
 *     cc -O2 -o client client.c -lm
 *     cargo xtask conformance --impl 'exec:./client'
 *
 * It speaks both dialects of README.md: frames of bytes without an argument, lines with one. C99, on a
 * little-endian machine. */

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 8 };

/* neg.f16: the sign changes, and a NaN becomes the canonical one. */
static uint64_t neg_f16(const uint64_t *a) { return (a[0] & 0x7fff) > 0x7c00 ? 0x7fff : a[0] ^ 0x8000; }

/* fma.rn.f32: the C library's; every NaN is the canonical one. */
static uint64_t fma_f32(const uint64_t *operands) {
    float x[3];
    uint32_t bits;
    for (int at = 0; at < 3; at++) memcpy(&x[at], &operands[at], sizeof x[at]);
    float result = fmaf(x[0], x[1], x[2]);
    memcpy(&bits, &result, sizeof bits);
    return isnan(result) ? 0x7fffffff : bits;
}

static const struct function {
    const char *variant;
    int operands;
    int digits; /* hexadecimal digits of the result */
    uint64_t (*compute)(const uint64_t *operands);
} FUNCTIONS[] = {
    {"neg.f16", 1, 4, neg_f16},
    {"fma.rn.f32", 3, 8, fma_f32},
};

static const size_t COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS;

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static const struct function *find(const char *variant) {
    for (size_t at = 0; at < COUNT; at++)
        if (strcmp(FUNCTIONS[at].variant, variant) == 0) return &FUNCTIONS[at];
    return NULL;
}

/* Reads and answers one batch; `widths` are those of the operands, such as "4,4,4". */
static void run(const char *variant, size_t rows, const char *widths, size_t result) {
    const struct function *function = find(variant);
    size_t width[COLUMNS];
    unsigned char *column[COLUMNS];
    if (!function) fail("only supported variants are run");
    for (int at = 0; at < function->operands; at++) {
        width[at] = strtoul(widths, (char **)&widths, 10);
        widths += *widths == ',';
        column[at] = malloc(rows * width[at]);
        if (!column[at]) fail("no memory");
        if (fread(column[at], width[at], rows, stdin) != rows) fail("the suite stopped in a message");
    }
    unsigned char *results = malloc(rows * result);
    if (!results) fail("no memory");
    for (size_t row = 0; row < rows; row++) {
        uint64_t operands[COLUMNS] = {0};
        for (int at = 0; at < function->operands; at++)
            memcpy(&operands[at], column[at] + row * width[at], width[at]);
        uint64_t bits = function->compute(operands);
        memcpy(results + row * result, &bits, result);
    }
    puts("results");
    fwrite(results, result, rows, stdout);
    for (int at = 0; at < function->operands; at++) free(column[at]);
    free(results);
}

static void frames(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        char variant[256], operands[64];
        size_t rows, result;
        if (strcmp(line, "ptx-conformance 1\n") == 0)
            puts("ptx-conformance 1 c-client 1");
        else if (sscanf(line, "supports %255s", variant) == 1)
            puts(find(variant) ? "yes" : "no it is not among this client's functions");
        else if (sscanf(line, "run %255s %zu %63s %zu", variant, &rows, operands, &result) == 4)
            run(variant, rows, operands, result);
        else
            fail("this message is not of version 1 of the protocol");
        fflush(stdout);
    }
}

static void lines(const struct function *function) {
    char line[512];
    if (!function) fail("only listed variants are run");
    while (fgets(line, sizeof line, stdin)) {
        uint64_t operands[COLUMNS] = {0};
        char *rest = line;
        for (int at = 0; at < function->operands; at++) operands[at] = strtoull(rest, &rest, 16);
        printf("%0*" PRIx64 "\n", function->digits, function->compute(operands));
    }
}

int main(int argc, char **argv) {
    if (argc < 2)
        frames();
    else if (strcmp(argv[1], "variants") == 0)
        for (size_t at = 0; at < COUNT; at++) puts(FUNCTIONS[at].variant);
    else
        lines(find(argv[1]));
    return 0;
}
