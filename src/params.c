#include "params.h"

/* dgamma and dbeta, each with a float64 total and a float32 part */
size_t an_workspace_size(size_t parameters) {
    return 2 * an_padded(parameters) * (sizeof(double) + sizeof(float));
}

void an_param_sum_start(an_param_sum *s, double *total, float *part, size_t n) {
    *s = (an_param_sum){total, part, n, false};
    vf_clear(part, n);
}

double *an_param_sum_total(an_param_sum *s) {
    if (!s->total_used) vd_clear(s->total, s->n);
    s->total_used = true;
    return s->total;
}

void an_param_sum_block(an_param_sum *s) {
    vd_accumulate(an_param_sum_total(s), s->part, s->n);
    vf_clear(s->part, s->n);
}

void an_param_sum_finish(an_param_sum *s, float *gradient, uint32_t flags) {
    if (!gradient) return;
    if (!s->total_used && !(flags & AN_ACCUMULATE)) { /* a single block, as it is */
        for (size_t i = 0; i < s->n; ++i) gradient[i] = s->part[i];
        return;
    }
    const double *total = an_param_sum_total(s);
    an_param_sum_block(s);
    for (size_t i = 0; i < s->n; ++i) an_put_gradient(gradient, i, total[i], flags);
}
