/* The functions of control.ptx: lanes go apart, at data of their own. */

#include "rows.h"

/* A root by Newton's method, from above, until it grows again. */
static void newton(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), root = x;
    uint64_t steps = 0;
    if (x > 0.0 && x < INFINITY) {
        root = x > 1.0 ? x : 1.0;
        double next = 0.5 * (root + x / root);
        while (next < root) {
            root = next;
            next = 0.5 * (root + x / root);
            steps++;
        }
    }
    d[0] = bits64(root);
    d[1] = steps;
}

/* Between the two neighbours in a table, which are searched. */
static void looked_up(const uint64_t *a, uint64_t *d) {
    static const float places[9] = {-1000.0f, -10.0f, -1.0f, -0.125f, 0.0f, 0.25f, 1.0f, 64.0f, 4096.0f};
    static const float slopes[9] = {0.1f, 0.3f, 0.7f, -1.3f, 2.7f, -0.01f, 1e-20f, 3e10f, 1.0f};
    float x = number32(a[0]), found = slopes[0];
    uint32_t low = 0, high = 8;
    if (x >= places[0]) {
        while (high - low > 1) {
            uint32_t middle = (low + high) / 2;
            if (x < places[middle]) high = middle;
            else low = middle;
        }
        found = (x - places[low]) * slopes[low] + slopes[low + 1];
    }
    d[0] = bits32(found);
    d[1] = low;
}

static void chosen(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), y = number64(a[1]), result = -x;
    switch (a[2] & 7) {
    case 0: result = x + y; break;
    case 1: result = x - y; break;
    case 5: x = y + 1.0; /* fall through */
    case 2: result = x * y; break;
    case 3: result = x / y; break;
    case 4: result = sqrt(fabs(x)); break;
    case 6: result = (double)(float)x * y; break;
    }
    d[0] = bits64(result);
}

static double term(double sum, double x, uint32_t number) {
    double one = 1.0 / (double)number;
    return number & 1 ? fma(sum, x, one) : sum * x - one;
}

static void polynomial(const uint64_t *a, uint64_t *d) {
    double x = number64(a[0]), sum = 0.0;
    uint32_t terms = (uint32_t)a[1] % 23;
    for (uint32_t number = 1; number <= terms; number++) {
        sum = term(sum, x, number);
        if (sum > 1e100) break;
    }
    d[0] = bits64(sum);
}

static double powered(double x, uint32_t n) {
    if (n == 0) return 1.0;
    double half = powered(x * x, n >> 1);
    return n & 1 ? half * x : half;
}

static void power(const uint64_t *a, uint64_t *d) {
    d[0] = bits64(powered(number64(a[0]), (uint32_t)a[1] & 1023));
}

PROGRAM(FUNCTION(newton, 1, 2), FUNCTION(looked_up, 1, 2), FUNCTION(chosen, 3, 1),
        FUNCTION(polynomial, 2, 1), FUNCTION(power, 2, 1))
