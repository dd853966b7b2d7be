#include "moments.h"

#include "run_sums.h"

enum { CHUNK = 4096 /* floats that are read twice while they are in the first-level cache */ };

AN_NOINLINE double sum_run(const float *x, size_t len) { return an_sum_run(VALUE, x, len, 0); }
AN_NOINLINE double sum_run_dev(const float *x, size_t len, float mean) {
    return an_sum_run(DEVIATION, x, len, mean);
}
AN_NOINLINE double sum_run_sq_dev(const float *x, size_t len, float mean) {
    return an_sum_run(SQUARED_DEVIATION, x, len, mean);
}
double an_run_sum_sq(const float *x, size_t len) { return an_sum_run(SQUARE, x, len, 0); }

static double sum_values(const float *x, const an_set *s) {
    double total = 0;
    for (size_t r = 0; r < s->runs; ++r) total += sum_run(x + r * s->stride, s->len);
    return total;
}

/* of x - mean, or of its square */
static double sum_deviations(bool squared, const float *x, const an_set *s, float mean) {
    double total = 0;
    for (size_t r = 0; r < s->runs; ++r, x += s->stride)
        total += squared ? sum_run_sq_dev(x, s->len, mean) : sum_run_dev(x, s->len, mean);
    return total;
}

/* One piece, small enough to stay in the cache while it is read again. */
static an_moments chunk_moments(const float *x, const an_set *s) {
    const double n = (double)(s->runs * s->len);
    const double share = 1 / n;
    double mean = sum_values(x, s) * share;
    float centre = (float)mean;
    double sq = sum_deviations(true, x, s, centre);
    if (!an_mean_is_small(mean, sq * share)) {
        /* the float32 sum may be off by more than the spread: centre once more */
        mean = centre + sum_deviations(false, x, s, centre) * share;
        centre = (float)mean;
        sq = sum_deviations(true, x, s, centre);
    }
    const double rest = mean - centre, m2 = sq - n * rest * rest;
    return (an_moments){n, mean, m2 < 0 ? 0 : m2};
}

an_moments an_set_moments(const float *x, const an_set *set) {
    an_set piece = *set;
    if (set->runs * set->len <= CHUNK) return chunk_moments(x, &piece);
    an_moments all = {0, 0, 0};
    if (set->len >= CHUNK) piece.runs = 1;
    const size_t step = set->len >= CHUNK ? CHUNK : set->len,
                 most = piece.runs == 1 ? 1 : CHUNK / set->len;
    for (size_t r = 0; r < set->runs; r += most)
        for (size_t i = 0; i < set->len; i += step) {
            piece.runs = set->runs - r < most ? set->runs - r : most;
            piece.len = set->len - i < step ? set->len - i : step;
            all = an_merge(all, chunk_moments(x + r * set->stride + i, &piece));
        }
    return all;
}

an_moments an_run_moments(const float *x, size_t len) {
    const an_set run = {1, 0, len, 0, 1};
    return an_set_moments(x, &run);
}

double an_set_rest(const float *x, const an_set *set, float mean) {
    return sum_deviations(false, x, set, mean) / (double)(set->runs * set->len);
}
