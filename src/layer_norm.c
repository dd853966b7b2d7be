#include "contract.h"
#include "rows.h"

static an_rows job_of(an_affine affine, bool with_beta, size_t cols, float eps, uint32_t flags) {
    return (an_rows){affine, AN_CENTRED, with_beta, cols, cols, eps, flags & AN_EXACT};
}

an_status an_layer_norm_forward(float *y, float *mean, float *rstd, const float *x,
    const float *gamma, const float *beta, size_t rows, size_t cols, float eps, uint32_t flags) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(cols > 0 && an_floats_fit(rows, cols, 1), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT), AN_ERR_FLAGS);
    const size_t n = rows * cols;
    const an_span outs[] = {an_floats(y, n), an_floats(mean, rows), an_floats(rstd, rows)};
    const an_span ins[] = {an_floats(x, n), an_floats(gamma, cols), an_floats(beta, cols)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    const an_rows job = job_of((an_affine){gamma, beta, 0}, true, cols, eps, flags);
    an_rows_forward(y, mean, rstd, x, rows, &job);
    return AN_OK;
}

an_status an_layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *mean, const float *rstd, const float *gamma, void *workspace,
    size_t rows, size_t cols, float eps, uint32_t flags) {
    AN_REQUIRE(dy && x && mean && rstd && workspace, AN_ERR_NULL);
    AN_REQUIRE(cols > 0 && an_floats_fit(rows, cols, 1), AN_ERR_SHAPE);
    AN_REQUIRE(an_parameters_fit(cols), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE), AN_ERR_FLAGS);
    AN_REQUIRE(an_workspace_aligned(workspace), AN_ERR_ALIGN);
    const size_t n = rows * cols;
    const an_span outs[] = {an_floats(dx, n), an_floats(dgamma, cols), an_floats(dbeta, cols),
        an_workspace_span(workspace, cols)};
    const an_span ins[] = {an_floats(dy, n), an_floats(x, n), an_floats(mean, rows),
        an_floats(rstd, rows), an_floats(gamma, cols)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    const an_rows job = job_of((an_affine){gamma, NULL, 0}, false, cols, eps, flags);
    an_rows_backward(dx, dgamma, dbeta, dy, x, mean, rstd, workspace, rows, flags, &job);
    return AN_OK;
}
