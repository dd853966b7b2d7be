#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

/* The addition makes 0 of -0. */
AN_INLINE void forward_step(float *y, const float *x, vf zero, size_t i, int lanes) {
    vf_put(y + i, vf_add(vf_max(vf_get(x + i, lanes), zero), zero), lanes);
}

AN_INLINE void backward_step(
    float *dx, const float *dy, const float *y, vf zero, size_t i, int lanes) {
    const vf passes = vf_greater(vf_get(y + i, lanes), zero);
    vf_put(dx + i, vf_pick(passes, vf_get(dy + i, lanes), zero), lanes);
}

an_status an_relu_forward(float *y, const float *x, size_t n) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, n)};
    const an_span ins[] = {an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    VF_EACH(n, forward_step, y, x, vf_set1(0));
    return AN_OK;
}

an_status an_relu_backward(float *dx, const float *dy, const float *y, size_t n) {
    AN_REQUIRE(dx && dy && y, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(dx, n)};
    const an_span ins[] = {an_floats(dy, n), an_floats(y, n)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    VF_EACH(n, backward_step, dx, dy, y, vf_set1(0));
    return AN_OK;
}
