#include "params.h"

/* dgamma and dbeta, each with a float64 total and a float32 part */
size_t an_workspace_size(size_t parameters) {
    return 2 * an_padded(parameters) * (sizeof(double) + sizeof(float));
}

/* Not rounded up to whole vectors: a part may be the caller's array. */
static void clear(float *part, size_t n) {
    for (size_t i = 0; i < vf_whole(n); i += VF_LANES) vf_store(part + i, vf_set1(0));
    for (size_t i = vf_whole(n); i < n; ++i) part[i] = 0;
}

void an_param_sum_start(an_param_sum *s, double *total, float *part, size_t n) {
    *s = (an_param_sum){total, part, n, false};
    clear(part, n);
}

double *an_param_sum_total(an_param_sum *s) {
    if (!s->total_used) vd_clear(s->total, s->n);
    s->total_used = true;
    return s->total;
}

static void join(an_param_sum *s) {
    double *total = an_param_sum_total(s);
    const size_t whole = vf_whole(s->n);
    vd_accumulate(total, s->part, whole);
    for (size_t i = whole; i < s->n; ++i) total[i] += s->part[i];
}

void an_param_sum_block(an_param_sum *s) {
    join(s);
    clear(s->part, s->n);
}

void an_param_sum_finish(an_param_sum *s, float *gradient, uint32_t flags) {
    if (!gradient) return;
    if (!s->total_used && !(flags & AN_ACCUMULATE)) { /* a single block, as it is */
        for (size_t i = 0; gradient != s->part && i < s->n; ++i) gradient[i] = s->part[i];
        return;
    }
    join(s);
    for (size_t i = 0; i < s->n; ++i) an_put_gradient(gradient, i, s->total[i], flags);
}
