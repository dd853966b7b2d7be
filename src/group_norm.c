#include "contract.h"
#include "params.h"
#include "sets.h"

/* The groups of one example; without spatial positions both layouts are the same memory. */
static an_sets group_sets(
    size_t channels, size_t spatial, size_t groups, float eps, uint32_t flags) {
    const size_t width = channels / groups;
    const bool last = spatial == 1 || (flags & AN_CHANNELS_LAST);
    const an_set set =
        last ? (an_set){spatial, channels, width, 0, 1} : (an_set){width, spatial, spatial, 1, 0};
    return (an_sets){
        groups, set, last ? width : width * spatial, width, last, eps, flags & AN_EXACT};
}

static bool shape_ok(size_t batch, size_t channels, size_t spatial, size_t groups) {
    return channels > 0 && spatial > 0 && groups > 0 && channels % groups == 0 &&
           an_floats_fit(batch, channels, spatial);
}

an_status an_group_norm_forward(float *y, float *mean, float *rstd, const float *x,
    const float *gamma, const float *beta, size_t batch, size_t channels, size_t spatial,
    size_t groups, float eps, uint32_t flags) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(batch, channels, spatial, groups), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_CHANNELS_LAST), AN_ERR_FLAGS);
    const size_t example = channels * spatial, n = batch * example;
    const an_span outs[] = {
        an_floats(y, n), an_floats(mean, batch * groups), an_floats(rstd, batch * groups)};
    const an_span ins[] = {an_floats(x, n), an_floats(gamma, channels), an_floats(beta, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    const an_sets job = group_sets(channels, spatial, groups, eps, flags);
    an_summary summaries[AN_SETS_MOST];
    for (size_t i = 0; i < batch; ++i)
        for (size_t g = 0; g < groups;) {
            const size_t done = an_sets_forward(
                y + i * example, summaries, x + i * example, &job, (an_affine){gamma, beta, 0}, g);
            for (size_t k = 0; k < done; ++k, ++g)
                an_save(mean, rstd, i * groups + g, summaries[k]);
        }
    return AN_OK;
}

an_status an_group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *mean, const float *rstd, const float *gamma, void *workspace,
    size_t batch, size_t channels, size_t spatial, size_t groups, float eps, uint32_t flags) {
    AN_REQUIRE(dy && x && mean && rstd && workspace, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(batch, channels, spatial, groups), AN_ERR_SHAPE);
    AN_REQUIRE(an_parameters_fit(channels), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE | AN_CHANNELS_LAST), AN_ERR_FLAGS);
    AN_REQUIRE(an_workspace_aligned(workspace), AN_ERR_ALIGN);
    const size_t example = channels * spatial, n = batch * example;
    const an_span outs[] = {an_floats(dx, n), an_floats(dgamma, channels),
        an_floats(dbeta, channels), an_workspace_span(workspace, channels)};
    const an_span ins[] = {an_floats(dy, n), an_floats(x, n), an_floats(mean, batch * groups),
        an_floats(rstd, batch * groups), an_floats(gamma, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    const an_sets job = group_sets(channels, spatial, groups, eps, flags);
    double *dgamma_sum = workspace, *dbeta_sum = dgamma_sum + channels;
    double *dy_sum = dbeta_sum + channels;
    for (size_t c = 0; c < channels; ++c) dgamma_sum[c] = dbeta_sum[c] = 0;
    for (size_t i = 0; i < batch; ++i)
        for (size_t g = 0; g < groups;) {
            an_summary saved[AN_SETS_MOST];
            an_saved(saved, mean + i * groups + g, rstd + i * groups + g, an_sets_together(&job, g),
                eps);
            const size_t at = g * job.params;
            g += an_sets_backward(dx ? dx + i * example : NULL,
                (an_gradients){dgamma_sum + at, dbeta_sum + at, dy_sum + at}, dy + i * example,
                x + i * example, &job, (an_affine){gamma, NULL, 0}, saved, g);
        }
    for (size_t c = 0; c < channels; ++c) {
        an_put_gradient(dgamma, c, dgamma_sum[c], flags);
        an_put_gradient(dbeta, c, dbeta_sum[c], flags);
    }
    return AN_OK;
}
