/* A client that has abs.f16 and neg.f16 and fails on neg.f16, in the way that its first argument says:
 * in most ways where the operand is 0x1234, in some always, in some on both. Its second argument, if any,
 * is a file that is there once it has failed; where it has neg.f16 alone, one that is there once it is to
 * die of being asked for abs.f16. In the ways that begin with `lacks` it has no result of neg.f16 where the
 * operand is a multiple of 8, or of any. In the ways that begin with `arrays` its results of neg.f16 depend on
 * the length of the array, and on the place in it. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode, *mark;

static int is(const char *name) { return strcmp(mode, name) == 0; }

static void reply(const uint16_t *results, size_t rows) {
    puts("results");
    fwrite(results, 2, rows, stdout);
}

/* Says of some rows that there is no result; what stands in their place is wrong. */
static void reply_but(const uint32_t *without, size_t count, uint16_t *results, size_t rows) {
    for (size_t at = 0; at < count; at++) results[without[at]] = 0x5555;
    printf("results but %zu\n", count);
    fwrite(without, 4, count, stdout);
    fwrite(results, 2, rows, stdout);
}

/* Says so in a way that it may not be said; whether there is one for so many rows. */
static int misreply(const uint16_t *results, size_t rows) {
    const uint32_t zeros[2] = {0, 0}, behind = rows;
    if (is("but-none")) {
        puts("results but 0");
    } else if (is("but-all-and-one")) {
        printf("results but %zu\n", rows + 1);
    } else if (is("but-01")) {
        puts("results but 01");
    } else if (is("but-behind")) {
        puts("results but 1");
        fwrite(&behind, 4, 1, stdout);
    } else if (is("but-twice") && rows > 1) {
        puts("results but 2");
        fwrite(zeros, 4, 2, stdout);
    } else {
        return 0;
    }
    fwrite(results, 2, rows, stdout);
    return 1;
}

static void run(int negate, size_t rows) {
    static uint16_t column[1 << 16];
    static uint32_t without[1 << 16];
    size_t count = 0;
    int poisoned = 0, fails = negate || is("ends-early");
    if (fread(column, 2, rows, stdin) != rows) exit(1);
    for (size_t row = 0; row < rows; row++) {
        uint16_t a = column[row];
        poisoned |= a == 0x1234;
        if (a % 8 == 0 || is("lacks-all")) without[count++] = row;
        column[row] = (a & 0x7fff) > 0x7c00 ? 0x7fff : negate ? a ^ 0x8000 : a & 0x7fff;
    }
    if (!fails) {
        reply(column, rows);
    } else if (is("floods-errors")) {
        for (int line = 0; line < 100000; line++) fprintf(stderr, "this is line %d of very many\n", line);
        reply(column, rows);
    } else if (is("ends-early")) {
        reply(column, rows);
        fflush(stdout);
        exit(0);
    } else if ((is("once") || is("lacks-some-later")) && access(mark, F_OK) != 0) {
        fclose(fopen(mark, "w"));
        fputs("a rare thing\n", stderr);
        exit(9);
    } else if (strncmp(mode, "lacks", 5) == 0 && count > 0 && !(poisoned && is("lacks-some-and-crashes"))) {
        reply_but(without, count, column, rows);
    } else if (is("wrong-in-batches") || is("wavers")) {
        static unsigned times;
        for (size_t row = 0; row < rows; row++)
            if (column[row] == 0x9234) column[row] ^= is("wavers") ? times++ % 2 == 0 : rows > 1;
        reply(column, rows);
    } else if (is("arrays-of-8")) {
        /* As by lanes that are only used where eight of them are full. */
        for (size_t row = 0; row < rows / 8 * 8; row++) column[row] ^= column[row] == 0x9234;
        reply(column, rows);
    } else if (is("arrays-tails")) {
        /* As by a loop for the rest of an array behind groups of four. */
        if (rows > 1)
            for (size_t row = rows / 4 * 4; row < rows; row++) column[row] ^= 1;
        reply(column, rows);
    } else if (is("arrays-nan")) {
        for (size_t row = 0; row < rows; row++) column[row] ^= column[row] == 0x7fff && rows > 32768;
        reply(column, rows);
    } else if (is("arrays-crash") && rows == 8 && poisoned) {
        fputs("eight at once\n", stderr);
        abort();
    } else if (is("arrays-lack") && rows == 8 && count > 0) {
        reply_but(without, count, column, rows);
    } else if (!poisoned || strncmp(mode, "arrays", 6) == 0) {
        reply(column, rows);
    } else if (is("crashes") || is("lacks-some-and-crashes")) {
        fputs("starting\n\033[31mno \"0x1234\" here\n", stderr);
        abort();
    } else if (is("hangs")) {
        sleep(1000);
    } else if (is("answers-short")) {
        reply(column, rows - 1);
    } else if (is("answers-long")) {
        reply(column, rows);
        puts("and more");
    } else if (is("answers-garbage")) {
        puts("resluts");
    } else if (is("says-failed")) {
        puts("failed for want of memory");
    } else if (!misreply(column, rows)) {
        reply(column, rows);
    }
}

int main(int argc, char **argv) {
    char line[256], variant[256];
    size_t rows;
    mode = argc > 1 ? argv[1] : "";
    mark = argc > 2 ? argv[2] : "";
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "ptx-conformance 1\n") == 0) {
            if (is("mute")) sleep(1000);
            puts(is("other-version") ? "ptx-conformance 2 faulty 1" : "ptx-conformance 1 faulty 1");
        } else if (sscanf(line, "supports %255s", variant) == 1) {
            int abs = strcmp(variant, "abs.f16") == 0;
            int has = (abs && !is("has-neg")) || strcmp(variant, "neg.f16") == 0;
            if (is("dies-of-questions") || (abs && is("has-neg") && access(mark, F_OK) == 0)) exit(5);
            puts(has && !is("has-nothing") ? "yes" : "no it has never heard of it");
        } else if (sscanf(line, "run %255s %zu", variant, &rows) == 2) {
            run(strcmp(variant, "neg.f16") == 0, rows);
        } else {
            return 1;
        }
        fflush(stdout);
    }
    return 0;
}
