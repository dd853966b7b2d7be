#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

/* What is the same for every value: prepared in float64, rounded once. */
typedef struct {
    vf beta1, rest1, beta2, rest2; /* beta and 1 - beta */
    vf keep;                       /* 1 - rate * decay */
    vf rate;                       /* rate / c1 */
    vf v_scale;                    /* 1 / c2 */
    vf eps;
} factors;

AN_INLINE void step(float *values, float *m, float *v, const float *gradient, const factors *f,
    size_t i, int lanes) {
    const vf g = vf_get(gradient + i, lanes);
    const vf mean = vf_add(vf_mul(f->beta1, vf_get(m + i, lanes)), vf_mul(f->rest1, g));
    const vf square =
        vf_add(vf_mul(f->beta2, vf_get(v + i, lanes)), vf_mul(f->rest2, vf_mul(g, g)));
    const vf root = vf_add(vf_sqrt(vf_mul(square, f->v_scale)), f->eps);
    const vf kept = vf_mul(f->keep, vf_get(values + i, lanes));
    vf_put(m + i, mean, lanes);
    vf_put(v + i, square, lanes);
    vf_put(values + i, vf_sub(kept, vf_div(vf_mul(f->rate, mean), root)), lanes);
}

static bool finite_and_not_negative(double a) { return a >= 0 && a <= (double)FLT_MAX; }
static bool within_0_and_1(double a) { return a >= 0 && a <= 1; }

an_status an_adam_step(float *values, float *m, float *v, const float *gradient, size_t n,
    double rate, double beta1, double beta2, double c1, double c2, double eps, double decay) {
    AN_REQUIRE(values && m && v && gradient, AN_ERR_NULL);
    AN_REQUIRE(an_floats_fit(n, 1, 1), AN_ERR_SHAPE);
    AN_REQUIRE(finite_and_not_negative(rate), AN_ERR_VALUE);
    AN_REQUIRE(within_0_and_1(beta1) && within_0_and_1(beta2), AN_ERR_VALUE);
    AN_REQUIRE(within_0_and_1(c1) && within_0_and_1(c2) && c1 > 0 && c2 > 0, AN_ERR_VALUE);
    AN_REQUIRE(finite_and_not_negative(eps) && finite_and_not_negative(decay), AN_ERR_VALUE);
    const an_span outs[] = {an_floats(values, n), an_floats(m, n), an_floats(v, n)};
    const an_span ins[] = {an_floats(gradient, n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    const factors f = {
        .beta1 = vf_set1((float)beta1),
        .rest1 = vf_set1((float)(1 - beta1)),
        .beta2 = vf_set1((float)beta2),
        .rest2 = vf_set1((float)(1 - beta2)),
        .keep = vf_set1((float)(1 - rate * decay)),
        .rate = vf_set1((float)(rate / c1)),
        .v_scale = vf_set1((float)(1 / c2)),
        .eps = vf_set1((float)eps),
    };
    VF_EACH(n, step, values, m, v, gradient, &f);
    return AN_OK;
}
