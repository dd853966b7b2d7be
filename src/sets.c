#include "sets.h"

static an_columns columns_from(const an_sets *job, size_t k) {
    const an_set s = job->set;
    const size_t sets = an_columns_together(job->count - k, s.len);
    return (an_columns){s.runs, s.stride, sets, s.len, s.param_step == 0};
}

static an_affine affine_from(const an_sets *job, an_affine a, size_t k) {
    if (a.gamma) a.gamma += k * job->params;
    if (a.beta) a.beta += k * job->params;
    return a;
}

size_t an_sets_together(const an_sets *job, size_t k) {
    return job->columns ? an_columns_together(job->count - k, job->set.len) : 1;
}

size_t an_sets_forward(float *y, an_summary *summaries, const float *x, const an_sets *job,
    an_affine affine, size_t k) {
    const size_t at = k * job->apart;
    const an_affine own = affine_from(job, affine, k);
    if (job->columns) {
        const an_columns columns = columns_from(job, k);
        an_columns_forward(y + at, summaries, x + at, &columns, own, job->eps, job->exact);
        return columns.sets;
    }
    summaries[0] = an_runs_forward(y + at, x + at, &job->set, own, job->eps, job->exact);
    return 1;
}

size_t an_sets_normalize(float *y, const float *x, const an_sets *job, an_affine affine,
    const an_summary *frozen, size_t k) {
    const size_t at = k * job->apart;
    const an_affine own = affine_from(job, affine, k);
    if (job->columns) {
        const an_columns columns = columns_from(job, k);
        an_columns_normalize(y + at, x + at, &columns, own, frozen, job->exact);
        return columns.sets;
    }
    an_runs_normalize(y + at, x + at, &job->set, own, frozen[0], job->exact);
    return 1;
}

size_t an_sets_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_sets *job, an_affine affine, const an_summary *saved, size_t k) {
    const size_t at = k * job->apart;
    const an_affine own = affine_from(job, affine, k);
    float *out = dx ? dx + at : NULL;
    if (job->columns) {
        const an_columns columns = columns_from(job, k);
        an_columns_backward(
            out, gradients, dy + at, x + at, &columns, own, saved, job->eps, job->exact);
        return columns.sets;
    }
    an_runs_backward(
        out, gradients, dy + at, x + at, &job->set, own, saved[0], job->eps, job->exact);
    return 1;
}

size_t an_sets_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_sets *job, an_affine affine, const an_summary *frozen, size_t k) {
    const size_t at = k * job->apart;
    const an_affine own = affine_from(job, affine, k);
    float *out = dx ? dx + at : NULL;
    const float *in = x ? x + at : NULL;
    if (job->columns) {
        const an_columns columns = columns_from(job, k);
        an_columns_backward_frozen(out, gradients, dy + at, in, &columns, own, frozen, job->exact);
        return columns.sets;
    }
    an_runs_backward_frozen(out, gradients, dy + at, in, &job->set, own, frozen[0], job->exact);
    return 1;
}
