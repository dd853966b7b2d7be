#include "axisnorm_train.h"
#include "contract.h"
#include "exp.h"

/* The normal distribution beyond |x|: `tail` is 1 - Phi(|x|), `density` phi(x). */
typedef struct {
    vf tail, density;
} normal;

/*
 * size = min(|x|, far), where far is beyond what float32 can tell from infinity. The tail is
 * e^(-x^2 / 2) t p(t) with t = 1 / (1 + slope |x|) and the p of least relative error.
 */
AN_INLINE normal normal_beyond(vf size) {
    const an_gelu_constants *c = &an_for_gelu;
    const vf one = vf_set1(c->one);
    const vf bell = an_exp(vf_mul(vf_mul(size, size), vf_set1(c->minus_half)));
    const vf t = vf_div(one, vf_add(one, vf_mul(size, vf_set1(c->slope))));
    vf p = vf_set1(c->p[9]);
    AN_UNROLL for (int i = 8; i >= 0; --i) p = vf_add(vf_mul(p, t), vf_set1(c->p[i]));
    return (normal){vf_mul(bell, vf_mul(p, t)), vf_mul(bell, vf_set1(c->density))};
}

AN_INLINE vf size_of(vf x) { return vf_min(vf_abs(x), vf_set1(an_for_gelu.far)); }

/* x Phi(x) = max(x, 0) - |x| (1 - Phi(|x|)): nothing cancels */
AN_INLINE void forward_step(float *y, const float *x, vf zero, size_t i, int lanes) {
    const vf v = vf_get(x + i, lanes), size = size_of(v);
    const vf tail = normal_beyond(size).tail;
    vf_put(y + i, vf_sub(vf_max(v, zero), vf_mul(size, tail)), lanes);
}

/* For x <= 0 the slope is `down`, and for x > 0 it is 1 - down. */
AN_INLINE void backward_step(
    float *dx, const float *dy, const float *x, vf zero, size_t i, int lanes) {
    const vf v = vf_get(x + i, lanes), size = size_of(v);
    const normal n = normal_beyond(size);
    const vf down = vf_sub(n.tail, vf_mul(size, n.density));
    const vf up = vf_sub(vf_set1(an_for_gelu.one), down);
    vf_put(dx + i, vf_mul(vf_get(dy + i, lanes), vf_pick(vf_greater(v, zero), up, down)), lanes);
}

an_status an_gelu_forward(float *y, const float *x, size_t n) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, n)};
    const an_span ins[] = {an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    VF_EACH(n, forward_step, y, x, vf_set1(0));
    return AN_OK;
}

an_status an_gelu_backward(float *dx, const float *dy, const float *x, size_t n) {
    AN_REQUIRE(dx && dy && x, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(dx, n)};
    const an_span ins[] = {an_floats(dy, n), an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    VF_EACH(n, backward_step, dx, dy, x, vf_set1(0));
    return AN_OK;
}
