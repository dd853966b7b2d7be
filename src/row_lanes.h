/* What the forward and the backward of row norms share: rows and parameters in lanes. */
#ifndef AN_ROW_LANES_H
#define AN_ROW_LANES_H

#include "params.h"
#include "rows.h"

enum { AN_ROWS_MOST = 4 /* rows that go through together */ };

/* How a row is centred: not at all (RMSNorm), by its mean, or by its mean and what the
 * float32 mean lacks. A compile-time constant except in the tails of rows. */
typedef enum { BY_NOTHING, BY_MEAN, BY_MEAN_AND_REST } centring;

/* The statistics of R rows, spread over lanes. */
typedef struct {
    vf mean[AN_ROWS_MOST], rest[AN_ROWS_MOST], rstd[AN_ROWS_MOST];
} row_lanes;

AN_INLINE row_lanes row_lanes_of(int R, const an_stats *stats) {
    row_lanes l;
    AN_UNROLL for (int k = 0; k < R; ++k) {
        l.mean[k] = vf_set1(stats[k].mean);
        l.rest[k] = vf_set1(stats[k].rest);
        l.rstd[k] = vf_set1(stats[k].rstd);
    }
    return l;
}

AN_INLINE vf centred(centring how, vf x, const row_lanes *l, int k) {
    if (how == BY_NOTHING) return x;
    const vf d = vf_sub(x, l->mean[k]);
    return how == BY_MEAN ? d : vf_sub(d, l->rest[k]);
}

/* The parameters along a row of `cols` columns. */
typedef struct {
    an_param gamma, beta;
    vf offset;
    size_t cols;
} row_params;

static inline row_params row_params_of(const an_rows *job) {
    static const float ones[VF_LANES] = {1, 1, 1, 1}, zeros[VF_LANES] = {0, 0, 0, 0};
    const an_affine a = job->affine;
    const float offset = a.gamma ? (float)a.offset : 0;
    return (row_params){
        an_param_of(a.gamma, ones), an_param_of(a.beta, zeros), vf_set1(offset), job->cols};
}

AN_INLINE vf gain_of(centring how, const row_params *p, size_t i, int lanes) {
    const vf gamma = an_param_get(&p->gamma, i, lanes);
    return how == BY_NOTHING ? vf_add(gamma, p->offset) : gamma;
}

static inline an_set an_row_set(size_t len) { return (an_set){1, 0, len, 0, 1}; }

/* By request, or because the rows are so narrow that dx is what little cancellation leaves. */
static inline bool an_rows_float64(const an_rows *job) {
    return job->exact || job->counted < AN_FEW;
}

static inline an_summary an_exact_row(const float *x, const an_rows *job) {
    const an_set set = an_row_set(job->counted);
    return an_exact_summary(x, &set, job->kind, job->eps);
}

#endif
