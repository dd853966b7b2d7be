#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

AN_INLINE void plain_step(float *values, const float *gradient, vf rate, size_t i, int lanes) {
    const vf change = vf_mul(rate, vf_get(gradient + i, lanes));
    vf_put(values + i, vf_sub(vf_get(values + i, lanes), change), lanes);
}

AN_INLINE void momentum_step(float *values, float *velocity, const float *gradient, vf rate,
    vf momentum, size_t i, int lanes) {
    const vf v = vf_add(vf_mul(momentum, vf_get(velocity + i, lanes)), vf_get(gradient + i, lanes));
    vf_put(velocity + i, v, lanes);
    vf_put(values + i, vf_sub(vf_get(values + i, lanes), vf_mul(rate, v)), lanes);
}

an_status an_sgd_step(
    float *values, float *velocity, const float *gradient, size_t n, double rate, double momentum) {
    AN_REQUIRE(values && gradient, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    AN_REQUIRE(rate >= 0 && rate <= (double)FLT_MAX, AN_ERR_VALUE);
    AN_REQUIRE(momentum >= 0 && momentum <= (velocity ? 1 : 0), AN_ERR_VALUE);
    const an_span outs[] = {an_floats(values, n), an_floats(velocity, n)};
    const an_span ins[] = {an_floats(gradient, n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    const vf r = vf_set1((float)rate), m = vf_set1((float)momentum);
    if (velocity)
        VF_EACH(n, momentum_step, values, velocity, gradient, r, m);
    else
        VF_EACH(n, plain_step, values, gradient, r);
    return AN_OK;
}
