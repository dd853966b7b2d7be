/* The pieces of a softmax over one row. */
#ifndef AN_TRAIN_SOFTMAX_H
#define AN_TRAIN_SOFTMAX_H

#include "exp.h"

AN_INLINE void an_largest_step(vf *most, const float *x, size_t i, int lanes) {
    const vf v = vf_get_part(x + i, lanes);
    *most = vf_max(*most, lanes == VF_LANES ? v : vf_pick(vf_below((size_t)lanes), v, *most));
}

/* The largest of n values. NaNs count for nothing, except that the result may be one. */
AN_INLINE float an_largest(const float *x, size_t n) {
    vf most = vf_set1(x[0]);
    VF_EACH_PART(n, an_largest_step, &most, x);
    return vf_largest(most);
}

/* What an_exp_step turns x into, and its sum. */
typedef struct {
    vf largest, scale;
    vd sum;
} an_exp_row;

AN_INLINE void an_exp_step(an_exp_row *r, float *e, const float *x, size_t i, int lanes) {
    vf term = an_exp(vf_mul(vf_sub(vf_get_part(x + i, lanes), r->largest), r->scale));
    if (lanes < VF_LANES) term = vf_pick(vf_below((size_t)lanes), term, vf_set1(0));
    if (e) vf_put_part(e + i, term, lanes);
    r->sum = vd_add(r->sum, vd_from_vf(term));
}

/*
 * The sum of e^(scale * (x[i] - largest)), in float64 and four lanes. The terms go to e, which may
 * be x itself; NULL: not wanted.
 */
AN_INLINE double an_exp_sum(float *e, const float *x, size_t n, float largest, float scale) {
    an_exp_row row = {vf_set1(largest), vf_set1(scale), vd_zero()};
    VF_EACH_PART(n, an_exp_step, &row, e, x);
    return vd_sum(row.sum);
}

#endif
