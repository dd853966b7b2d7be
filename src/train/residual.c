#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

AN_INLINE void step(float *y, const float *x, const float *f, vf alpha, size_t i, int lanes) {
    vf_put(y + i, vf_add(vf_mul(vf_get(x + i, lanes), alpha), vf_get(f + i, lanes)), lanes);
}

an_status an_residual(float *y, const float *x, const float *f, size_t n, float alpha) {
    AN_REQUIRE(y && x && f, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, n)};
    const an_span ins[] = {an_floats(x, n), an_floats(f, n)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    VF_EACH(n, step, y, x, f, vf_set1(alpha));
    return AN_OK;
}
