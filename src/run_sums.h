/*
 * Sums over runs, one or four at a time. The order of a run's additions depends on its
 * length alone: trees of eight vectors, their sums one after the other in float32 over a
 * block, and the blocks in float64.
 */
#ifndef AN_RUN_SUMS_H
#define AN_RUN_SUMS_H

#include "simd.h"

enum { AN_SUM_BLOCK = 512 /* floats that are summed in float32 */ };

/* What a sum adds up; a compile-time constant. */
typedef enum { VALUE, SQUARE, DEVIATION, SQUARED_DEVIATION } an_term;

AN_INLINE vf an_term_of(an_term kind, vf x, vf mean) {
    const vf d = kind == DEVIATION || kind == SQUARED_DEVIATION ? vf_sub(x, mean) : x;
    return kind == SQUARE || kind == SQUARED_DEVIATION ? vf_mul(d, d) : d;
}

AN_INLINE vf an_term_at(an_term kind, const float *x, vf mean) {
    return an_term_of(kind, vf_load(x), mean);
}

AN_INLINE vf an_tree_of_4(an_term kind, const float *x, vf m) {
    return vf_add(vf_add(an_term_at(kind, x, m), an_term_at(kind, x + 4, m)),
        vf_add(an_term_at(kind, x + 8, m), an_term_at(kind, x + 12, m)));
}

/* What R runs, R = 1 or 4, come to: in float32 lanes, and in float64 over blocks. */
typedef struct {
    vf lanes[4];
    vd blocks[4];
} an_partial_sums;

AN_INLINE an_partial_sums an_sum_lanes(
    int R, an_term kind, const float *const *x, size_t len, const vf *mean) {
    an_partial_sums s;
    AN_UNROLL for (int k = 0; k < R; ++k) {
        s.lanes[k] = vf_set1(0);
        s.blocks[k] = vd_zero();
    }
    const size_t whole = len & ~(size_t)31;
    size_t i = 0;
    while (i < whole) {
        const size_t stop = whole - i < AN_SUM_BLOCK ? whole : i + AN_SUM_BLOCK;
        AN_NO_UNROLL for (; i < stop; i += 32) {
            AN_UNROLL for (int k = 0; k < R; ++k) s.lanes[k] =
                vf_add(s.lanes[k], vf_add(an_tree_of_4(kind, x[k] + i, mean[k]),
                                       an_tree_of_4(kind, x[k] + i + 16, mean[k])));
        }
        if (len <= AN_SUM_BLOCK) break;
        AN_UNROLL for (int k = 0; k < R; ++k) {
            s.blocks[k] = vd_add(s.blocks[k], vd_from_vf(s.lanes[k]));
            s.lanes[k] = vf_set1(0);
        }
    }
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES) {
        AN_UNROLL for (int k = 0; k < R; ++k) s.lanes[k] =
            vf_add(s.lanes[k], an_term_at(kind, x[k] + i, mean[k]));
    }
    if (i == len) return s;
    vf mean1[4]; /* idle lanes of a tail are 0 and deviate from 0 */
    AN_UNROLL for (int k = 0; k < R; ++k) mean1[k] = vf_only_first(mean[k]);
    AN_NO_UNROLL for (; i < len; ++i) {
        AN_UNROLL for (int k = 0; k < R; ++k) s.lanes[k] =
            vf_add(s.lanes[k], an_term_of(kind, vf_load1(x[k] + i), mean1[k]));
    }
    return s;
}

AN_INLINE double an_sum_run(an_term kind, const float *x, size_t len, float mean) {
    const vf m = vf_set1(mean);
    const an_partial_sums s = an_sum_lanes(1, kind, &x, len, &m);
    const float sum = vf_sum(s.lanes[0]);
    return len > AN_SUM_BLOCK ? vd_sum(s.blocks[0]) + sum : sum;
}

/* lane k: the sum of run k, with the bits of an_sum_run; lane k of mean is its mean */
AN_INLINE vd an_sum_four(an_term kind, const float *const *x, size_t len, vf mean) {
    const vf m[4] = {
        vf_spread(mean, 0), vf_spread(mean, 1), vf_spread(mean, 2), vf_spread(mean, 3)};
    const an_partial_sums s = an_sum_lanes(4, kind, x, len, m);
    const vd sum = vd_from_vf(vf_sums(s.lanes[0], s.lanes[1], s.lanes[2], s.lanes[3]));
    if (len <= AN_SUM_BLOCK) return sum;
    return vd_add(
        vd_make(vd_sum(s.blocks[0]), vd_sum(s.blocks[1]), vd_sum(s.blocks[2]), vd_sum(s.blocks[3])),
        sum);
}

#endif
