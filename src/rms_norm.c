#include "contract.h"
#include "rows.h"

static an_rows job_of(const float *gamma, float gamma_offset, size_t cols, size_t stat_cols,
    float eps, uint32_t flags) {
    return (an_rows){
        {gamma, NULL, gamma_offset}, AN_UNCENTRED, false, cols, stat_cols, eps, flags & AN_EXACT};
}

static bool shape_ok(size_t rows, size_t cols, size_t stat_cols) {
    return stat_cols > 0 && stat_cols <= cols && an_floats_fit(rows, cols, 1);
}

an_status an_rms_norm_forward(float *y, float *rstd, const float *x, const float *gamma,
    size_t rows, size_t cols, size_t stat_cols, float gamma_offset, float eps, uint32_t flags) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(rows, cols, stat_cols), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT), AN_ERR_FLAGS);
    const size_t n = rows * cols;
    const an_span outs[] = {an_floats(y, n), an_floats(rstd, rows)};
    const an_span ins[] = {an_floats(x, n), an_floats(gamma, cols)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    const an_rows job = job_of(gamma, gamma_offset, cols, stat_cols, eps, flags);
    an_rows_forward(y, NULL, rstd, x, rows, &job);
    return AN_OK;
}

an_status an_rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
    const float *rstd, const float *gamma, void *workspace, size_t rows, size_t cols,
    size_t stat_cols, float gamma_offset, float eps, uint32_t flags) {
    AN_REQUIRE(dy && x && rstd && workspace, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(rows, cols, stat_cols) && an_parameters_fit(cols), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE), AN_ERR_FLAGS);
    AN_REQUIRE(an_workspace_aligned(workspace), AN_ERR_ALIGN);
    const size_t n = rows * cols;
    const an_span outs[] = {
        an_floats(dx, n), an_floats(dgamma, cols), an_workspace_span(workspace, cols)};
    const an_span ins[] = {
        an_floats(dy, n), an_floats(x, n), an_floats(rstd, rows), an_floats(gamma, cols)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    const an_rows job = job_of(gamma, gamma_offset, cols, stat_cols, eps, flags);
    an_rows_backward(dx, dgamma, NULL, dy, x, NULL, rstd, workspace, rows, flags, &job);
    return AN_OK;
}
