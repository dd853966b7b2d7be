#include "contract.h"
#include "params.h"
#include "sets.h"

/* A filter is one run with one gain: instance norm over the fan-in. */
static an_sets filter_sets(size_t filters, size_t fan_in, float eps, uint32_t flags) {
    const an_set filter = {1, fan_in, fan_in, 0, 0};
    return (an_sets){filters, filter, fan_in, 1, false, eps, flags & AN_EXACT};
}

an_status an_weight_standardize_forward(float *w_hat, float *mean, float *rstd, const float *w,
    const float *gain, size_t filters, size_t fan_in, float eps, uint32_t flags) {
    AN_REQUIRE(w_hat && w, AN_ERR_NULL);
    AN_REQUIRE(fan_in > 0 && an_floats_fit(filters, fan_in, 1), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT), AN_ERR_FLAGS);
    const size_t n = filters * fan_in;
    const an_span outs[] = {
        an_floats(w_hat, n), an_floats(mean, filters), an_floats(rstd, filters)};
    const an_span ins[] = {an_floats(w, n), an_floats(gain, filters)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    const an_sets job = filter_sets(filters, fan_in, eps, flags);
    for (size_t o = 0; o < filters; ++o) {
        an_summary s;
        an_sets_forward(w_hat, &s, w, &job, (an_affine){gain, NULL, 0}, o);
        an_save(mean, rstd, o, s);
    }
    return AN_OK;
}

an_status an_weight_standardize_backward(float *dw, float *dgain, const float *d_w_hat,
    const float *w, const float *mean, const float *rstd, const float *gain, size_t filters,
    size_t fan_in, float eps, uint32_t flags) {
    AN_REQUIRE(d_w_hat && w && mean && rstd, AN_ERR_NULL);
    AN_REQUIRE(fan_in > 0 && an_floats_fit(filters, fan_in, 1), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE), AN_ERR_FLAGS);
    const size_t n = filters * fan_in;
    const an_span outs[] = {an_floats(dw, n), an_floats(dgain, filters)};
    const an_span ins[] = {an_floats(d_w_hat, n), an_floats(w, n), an_floats(mean, filters),
        an_floats(rstd, filters), an_floats(gain, filters)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    const an_sets job = filter_sets(filters, fan_in, eps, flags);
    for (size_t o = 0; o < filters; ++o) {
        double sum = 0, dbeta = 0, dy;
        const an_summary saved = an_summary_saved(mean[o], rstd[o], eps);
        an_sets_backward(dw, (an_gradients){&sum, &dbeta, &dy}, d_w_hat, w, &job,
            (an_affine){gain, NULL, 0}, &saved, o);
        an_put_gradient(dgain, o, sum, flags);
    }
    return AN_OK;
}
