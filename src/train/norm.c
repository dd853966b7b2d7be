#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

AN_INLINE vd square(vf v) {
    const vd d = vd_from_vf(v);
    return vd_mul(d, d);
}

/* The square of a float32 is exact in float64, and never too large or small for it. */
static double sum_of_squares(const float *x, size_t n) {
    vd even = vd_zero(), odd = vd_zero();
    size_t i = 0;
    for (; i + 2 * VF_LANES <= n; i += 2 * VF_LANES) {
        even = vd_add(even, square(vf_load(x + i)));
        odd = vd_add(odd, square(vf_load(x + i + VF_LANES)));
    }
    double sum = vd_sum(vd_add(even, odd));
    for (; i < n; ++i) sum += (double)x[i] * x[i];
    return sum;
}

an_status an_norm(double *norm, const float *x, size_t n) {
    AN_REQUIRE(norm && x, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    AN_REQUIRE((uintptr_t)norm % _Alignof(double) == 0, AN_ERR_ALIGN);
    const an_span outs[] = {{norm, sizeof *norm}};
    const an_span ins[] = {an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    *norm = __builtin_sqrt(sum_of_squares(x, n));
    return AN_OK;
}
