#include "axisnorm_train.h"
#include "contract.h"
#include "steps.h"

an_status an_scale(float *y, const float *x, size_t n, float factor) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, n)};
    const an_span ins[] = {an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    VF_EACH(n, an_scale_step, y, x, vf_set1(factor));
    return AN_OK;
}
