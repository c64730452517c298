/* What the programs have in common. The one argument is the name of a function; the words of its operands are read,
   a row at a time, and those of its results are written, each with zeros above. */

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void computed(const uint64_t *a, uint64_t *d);

struct function {
    const char *name;
    computed *compute;
    size_t operands, results;
};

#define FUNCTION(name, operands, results) {#name, name, operands, results}

static inline float number32(uint64_t word) {
    uint32_t bits = (uint32_t)word;
    float number;
    memcpy(&number, &bits, 4);
    return number;
}

static inline uint64_t bits32(float number) {
    uint32_t bits;
    memcpy(&bits, &number, 4);
    return bits;
}

static inline double number64(uint64_t word) {
    double number;
    memcpy(&number, &word, 8);
    return number;
}

static inline uint64_t bits64(double number) {
    uint64_t bits;
    memcpy(&bits, &number, 8);
    return bits;
}

static int run(const struct function *all, size_t count, int words, char **word) {
    for (; words == 2 && count > 0; all++, count--) {
        uint64_t a[8], d[16];
        if (strcmp(word[1], all->name) != 0) continue;
        while (fread(a, 8, all->operands, stdin) == all->operands) {
            all->compute(a, d);
            fwrite(d, 8, all->results, stdout);
        }
        return 0;
    }
    return 1;
}

#define PROGRAM(...)                                                        \
    static const struct function functions[] = {__VA_ARGS__};               \
    int main(int words, char **word) {                                      \
        return run(functions, sizeof functions / sizeof *functions, words, word); \
    }
