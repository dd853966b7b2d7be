/* Count, mean and sum of squared deviations of a set; docs/numerics.md derives the bounds. */
#ifndef AN_MOMENTS_H
#define AN_MOMENTS_H

#include "set.h"

typedef struct {
    double n, mean, m2;
} an_moments;

/* Corrected two-pass moments of a set, chunk by chunk so that x is read from memory once. */
an_moments an_set_moments(const float *x, const an_set *set);

/* The same of one run. */
an_moments an_run_moments(const float *x, size_t len);

/* Sum of squares of a run, for RMSNorm. */
double an_run_sum_sq(const float *x, size_t len);

/* The mean of x - mean: what the float32 mean lacks. */
double an_set_rest(const float *x, const an_set *set, float mean);

/* Moments of the union of two sets [Chan, Golub & LeVeque 1979]. */
static inline an_moments an_merge(an_moments a, an_moments b) {
    const double n = a.n + b.n, delta = b.mean - a.mean, share = b.n / n;
    return (an_moments){n, a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.n * share};
}

static inline an_summary an_summary_of_moments(an_moments m, float eps) {
    return an_summary_of(m.mean, m.m2 * (1 / m.n), eps);
}

#endif
