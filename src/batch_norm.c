#include "contract.h"
#include "params.h"
#include "sets.h"

#include <math.h>

enum { SHORT_RUN = 32 /* shorter runs are swept as columns, `inner` of them a channel */ };

static an_sets channel_sets(
    size_t outer, size_t channels, size_t inner, float eps, uint32_t flags) {
    const an_set channel = {outer, channels * inner, inner, 0, 0};
    return (an_sets){channels, channel, inner, 1, inner < SHORT_RUN, eps, flags & AN_EXACT};
}

static bool shape_ok(size_t outer, size_t channels, size_t inner) {
    return channels > 0 && inner > 0 && an_floats_fit(outer, channels, inner);
}

static bool variances_ok(const float *running_var, size_t channels) {
    for (size_t c = 0; running_var && c < channels; ++c)
        if (!(running_var[c] >= 0 && running_var[c] <= FLT_MAX)) return false;
    return true;
}

/* ---- training ---- */

typedef struct {
    float *mean, *var;
    double n, momentum;
    bool biased;
} running_stats;

/* false: the new values would not be finite, and the old ones stay */
static bool update_running(const running_stats *r, size_t c, an_summary batch) {
    const double batch_var = r->biased ? batch.variance : batch.variance * (r->n / (r->n - 1));
    const double keep = 1 - r->momentum;
    const float mean = (float)(keep * r->mean[c] + r->momentum * batch.mean);
    const float var = (float)(keep * r->var[c] + r->momentum * batch_var);
    if (!isfinite(mean) || !isfinite(var)) return false;
    r->mean[c] = mean;
    r->var[c] = var;
    return true;
}

an_status an_batch_norm_forward_training(float *y, float *mean, float *rstd, float *running_mean,
    float *running_var, uint32_t *skipped, const float *x, const float *gamma, const float *beta,
    size_t outer, size_t channels, size_t inner, float eps, double momentum, uint32_t flags) {
    AN_REQUIRE(y && x && !running_mean == !running_var, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(outer, channels, inner), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(momentum >= 0 && momentum <= 1, AN_ERR_MOMENTUM);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_BIASED_RUNNING), AN_ERR_FLAGS);
    AN_REQUIRE(outer * inner != 1, AN_ERR_COUNT);
    const size_t n = outer * channels * inner;
    const an_span outs[] = {an_floats(y, n), an_floats(mean, channels), an_floats(rstd, channels),
        an_floats(running_mean, channels), an_floats(running_var, channels),
        {skipped, skipped ? sizeof *skipped : 0}};
    const an_span ins[] = {an_floats(x, n), an_floats(gamma, channels), an_floats(beta, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 1);
    AN_REQUIRE(variances_ok(running_var, channels), AN_ERR_VARIANCE);

    const an_sets job = channel_sets(outer, channels, inner, eps, flags);
    const running_stats running = {
        running_mean, running_var, (double)(outer * inner), momentum, flags & AN_BIASED_RUNNING};
    uint32_t left_alone = 0;
    an_summary summaries[AN_SETS_MOST];
    for (size_t c = 0; outer == 0 && c < channels; ++c)
        an_save(mean, rstd, c, (an_summary){0, 0, 0});
    for (size_t c = 0; outer > 0 && c < channels;) {
        const size_t done = an_sets_forward(y, summaries, x, &job, (an_affine){gamma, beta, 0}, c);
        for (size_t k = 0; k < done; ++k, ++c) {
            an_save(mean, rstd, c, summaries[k]);
            if (running_mean && !update_running(&running, c, summaries[k])) ++left_alone;
        }
    }
    if (skipped) *skipped = left_alone;
    return AN_OK;
}

/* ---- backward ---- */

/* The results of a backward call; each may be NULL. */
typedef struct {
    float *dx, *dgamma, *dbeta;
    uint32_t flags;
} channel_gradients;

/* Some channels from c on, whose summaries are given; returns how many. */
static size_t backward_channels(const channel_gradients *out, const float *dy, const float *x,
    const an_sets *job, const float *gamma, const an_summary *summaries, bool frozen, size_t c) {
    double dgamma[AN_SETS_MOST], dbeta[AN_SETS_MOST], dy_sum[AN_SETS_MOST];
    const an_gradients sums = {dgamma, dbeta, dy_sum};
    const an_affine affine = {gamma, NULL, 0};
    const size_t n = an_sets_together(job, c);
    for (size_t k = 0; k < n; ++k) dgamma[k] = dbeta[k] = 0;
    if (job->set.runs > 0 && frozen)
        an_sets_backward_frozen(out->dx, sums, dy, x, job, affine, summaries, c);
    else if (job->set.runs > 0)
        an_sets_backward(out->dx, sums, dy, x, job, affine, summaries, c);
    for (size_t k = 0; k < n; ++k) {
        an_put_gradient(out->dgamma, c + k, dgamma[k], out->flags);
        an_put_gradient(out->dbeta, c + k, dbeta[k], out->flags);
    }
    return n;
}

an_status an_batch_norm_backward_training(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *mean, const float *rstd, const float *gamma, size_t outer,
    size_t channels, size_t inner, float eps, uint32_t flags) {
    AN_REQUIRE(dy && x && mean && rstd, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(outer, channels, inner), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE), AN_ERR_FLAGS);
    const size_t n = outer * channels * inner;
    const an_span outs[] = {
        an_floats(dx, n), an_floats(dgamma, channels), an_floats(dbeta, channels)};
    const an_span ins[] = {an_floats(dy, n), an_floats(x, n), an_floats(mean, channels),
        an_floats(rstd, channels), an_floats(gamma, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 2);

    const an_sets job = channel_sets(outer, channels, inner, eps, flags);
    const channel_gradients out = {dx, dgamma, dbeta, flags};
    for (size_t c = 0; c < channels;) {
        an_summary saved[AN_SETS_MOST];
        an_saved(saved, mean + c, rstd + c, an_sets_together(&job, c), eps);
        c += backward_channels(&out, dy, x, &job, gamma, saved, false, c);
    }
    return AN_OK;
}

/* ---- inference ---- */

static void frozen_from(
    an_summary *frozen, const float *running_mean, const float *running_var, size_t n, float eps) {
    for (size_t k = 0; k < n; ++k) frozen[k] = an_summary_of(running_mean[k], running_var[k], eps);
}

an_status an_batch_norm_forward_inference(float *y, const float *x, const float *running_mean,
    const float *running_var, const float *gamma, const float *beta, size_t outer, size_t channels,
    size_t inner, float eps, uint32_t flags) {
    AN_REQUIRE(y && x && running_mean && running_var, AN_ERR_NULL);
    AN_REQUIRE(shape_ok(outer, channels, inner), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT), AN_ERR_FLAGS);
    const size_t n = outer * channels * inner;
    const an_span outs[] = {an_floats(y, n)};
    const an_span ins[] = {an_floats(x, n), an_floats(running_mean, channels),
        an_floats(running_var, channels), an_floats(gamma, channels), an_floats(beta, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 1);
    AN_REQUIRE(variances_ok(running_var, channels), AN_ERR_VARIANCE);

    const an_affine affine = {gamma, beta, 0};
    const an_sets job = channel_sets(outer, channels, inner, eps, flags);
    an_summary frozen[AN_SETS_MOST];
    for (size_t c = 0; outer > 0 && c < channels;) {
        if (job.columns) {
            frozen_from(frozen, running_mean + c, running_var + c, an_sets_together(&job, c), eps);
            c += an_sets_normalize(y, x, &job, affine, frozen, c);
            continue;
        }
        const size_t most = channels - c < AN_SETS_MOST ? channels - c : AN_SETS_MOST;
        frozen_from(frozen, running_mean + c, running_var + c, most, eps);
        const an_sets example = {
            channels, {1, inner, inner, 0, 0}, inner, 1, false, eps, job.exact};
        for (size_t o = 0; o < outer; ++o) /* in the order of memory */
            for (size_t k = 0; k < most; ++k)
                an_sets_normalize(y + o * channels * inner, x + o * channels * inner, &example,
                    affine, frozen + k, c + k);
        c += most;
    }
    return AN_OK;
}

an_status an_batch_norm_backward_inference(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *running_mean, const float *running_var, const float *gamma,
    size_t outer, size_t channels, size_t inner, float eps, uint32_t flags) {
    AN_REQUIRE(dy && running_mean && running_var && (x || !dgamma), AN_ERR_NULL);
    AN_REQUIRE(shape_ok(outer, channels, inner), AN_ERR_SHAPE);
    AN_REQUIRE(an_eps_ok(eps), AN_ERR_EPS);
    AN_REQUIRE(an_flags_ok(flags, AN_EXACT | AN_ACCUMULATE), AN_ERR_FLAGS);
    const size_t n = outer * channels * inner;
    const an_span outs[] = {
        an_floats(dx, n), an_floats(dgamma, channels), an_floats(dbeta, channels)};
    const an_span ins[] = {an_floats(dy, n), an_floats(x, n), an_floats(running_mean, channels),
        an_floats(running_var, channels), an_floats(gamma, channels)};
    AN_REQUIRE_MEMORY(outs, ins, 2);
    AN_REQUIRE(variances_ok(running_var, channels), AN_ERR_VARIANCE);

    const an_sets job = channel_sets(outer, channels, inner, eps, flags);
    const channel_gradients out = {dx, dgamma, dbeta, flags};
    for (size_t c = 0; c < channels;) {
        an_summary frozen[AN_SETS_MOST];
        frozen_from(frozen, running_mean + c, running_var + c, an_sets_together(&job, c), eps);
        c += backward_channels(&out, dy, x, &job, gamma, frozen, true, c);
    }
    return AN_OK;
}
