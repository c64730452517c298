/* Fused multiply-add of arrays, for torch_stand_in.py: what MMA-Sim calls for f32 and f64. */

#include <math.h>

void fma_f32(const float *a, const float *b, const float *c, float *d, int count)
{
    for (int at = 0; at < count; at++)
        d[at] = fmaf(a[at], b[at], c[at]);
}

void fma_f64(const double *a, const double *b, const double *c, double *d, int count)
{
    for (int at = 0; at < count; at++)
        d[at] = fma(a[at], b[at], c[at]);
}
