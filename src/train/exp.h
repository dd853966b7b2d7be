/* The exponential function of four lanes. */
#ifndef AN_TRAIN_EXP_H
#define AN_TRAIN_EXP_H

#include "constants.h"
#include "simd.h"

/*
 * e^x for x <= 0, within 1 unit in the last place; exactly 1 for 0, and 0 where e^x is below
 * the smallest normal number. NaN stays NaN.
 *
 * x = n log 2 + r with whole n, and e^x = 2^n e^r. log 2 is split so that n times its first part
 * is exact; e^r is 1 + r + r^2 q(r) with the q of least relative error on |r| <= log(2) / 2.
 */
AN_INLINE vf an_exp(vf x) {
    const an_exp_constants *c = &an_for_exp;
    const vf shifted = vf_add(vf_mul(x, vf_set1(c->per_log2)), vf_set1(c->to_whole));
    const vf n = vf_sub(shifted, vf_set1(c->to_whole));
    const vf high = vf_sub(x, vf_mul(n, vf_set1(c->log2_high)));
    const vf r = vf_sub(high, vf_mul(n, vf_set1(c->log2_low)));
    vf q = vf_set1(c->q[4]);
    AN_UNROLL for (int i = 3; i >= 0; --i) q = vf_add(vf_mul(q, r), vf_set1(c->q[i]));
    const vf e = vf_add(vf_add(vf_mul(vf_mul(r, r), q), r), vf_set1(c->one));
    const vf vanishes = vf_greater(vf_set1(c->lowest), x);
    return vf_zero_where(vanishes, vf_mul(e, vf_pow2(shifted)));
}

#endif
