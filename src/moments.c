#include "moments.h"

#include "simd.h"

enum {
    BLOCK = 512, /* floats that are summed in float32 before they join the float64 sum */
    CHUNK = 4096 /* floats that are read twice while they are in the first-level cache */
};

/* What a sum adds up; a compile-time constant wherever it is used. */
typedef enum { VALUE, SQUARE, DEVIATION, SQUARED_DEVIATION } an_term;

AN_INLINE vf term(an_term kind, vf x, vf mean) {
    const vf d = kind == DEVIATION || kind == SQUARED_DEVIATION ? vf_sub(x, mean) : x;
    return kind == SQUARE || kind == SQUARED_DEVIATION ? vf_mul(d, d) : d;
}

AN_INLINE double run_sum(an_term kind, const float *x, size_t len, float mean) {
    const vf m = vf_set1(mean);
    vd total = vd_zero();
    size_t i = 0;
    while (len - i >= 4 * VF_LANES) {
        const size_t left = (len - i) & ~(size_t)15, stop = i + (left < BLOCK ? left : BLOCK);
        vf a0 = vf_set1(0), a1 = a0, a2 = a0, a3 = a0;
        AN_NO_UNROLL for (; i < stop; i += 4 * VF_LANES) {
            a0 = vf_add(a0, term(kind, vf_load(x + i), m));
            a1 = vf_add(a1, term(kind, vf_load(x + i + 4), m));
            a2 = vf_add(a2, term(kind, vf_load(x + i + 8), m));
            a3 = vf_add(a3, term(kind, vf_load(x + i + 12), m));
        }
        total = vd_add(total, vd_from_vf(vf_add(vf_add(a0, a1), vf_add(a2, a3))));
    }
    if (i == len) return vd_sum(total);
    vf rest = vf_set1(0), ones = rest;
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES) rest =
        vf_add(rest, term(kind, vf_load(x + i), m));
    AN_NO_UNROLL for (; i < len; ++i) ones = vf_add(ones, term(kind, vf_load1(x + i), m));
    return vd_sum(vd_add(total, vd_from_vf(rest))) + vf_first(ones);
}

AN_INLINE double set_sum(an_term kind, const float *x, const an_set *s, float mean) {
    double total = 0;
    for (size_t r = 0; r < s->runs; ++r, x += s->stride) total += run_sum(kind, x, s->len, mean);
    return total;
}

AN_NOINLINE double sum_values(const float *x, const an_set *s) { return set_sum(VALUE, x, s, 0); }
AN_NOINLINE double sum_deviations(const float *x, const an_set *s, float mean) {
    return set_sum(DEVIATION, x, s, mean);
}
AN_NOINLINE double sum_squared_deviations(const float *x, const an_set *s, float mean) {
    return set_sum(SQUARED_DEVIATION, x, s, mean);
}

/* One piece, small enough to stay in the cache while it is read again. */
static an_moments chunk_moments(const float *x, const an_set *s) {
    const double n = (double)(s->runs * s->len);
    double mean = sum_values(x, s) / n;
    float centre = (float)mean;
    double sq = sum_squared_deviations(x, s, centre);
    if (!an_mean_is_small(mean, sq / n)) {
        /* the float32 sum may be off by more than the spread: centre once more */
        mean = centre + sum_deviations(x, s, centre) / n;
        centre = (float)mean;
        sq = sum_squared_deviations(x, s, centre);
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

double an_run_sum_sq(const float *x, size_t len) { return run_sum(SQUARE, x, len, 0); }

double an_set_rest(const float *x, const an_set *set, float mean) {
    return sum_deviations(x, set, mean) / (double)(set->runs * set->len);
}
