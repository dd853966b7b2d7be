/* What the forward and the backward of row norms share: rows and parameters in lanes. */
#ifndef AN_ROW_LANES_H
#define AN_ROW_LANES_H

#include "params.h"
#include "rows.h"

enum { AN_ROWS_MOST = 4 /* rows that go through together */ };

/*
 * What a loop over columns does, a compile-time constant except in tails: how a row is
 * centred (not at all, by its mean, by its mean and what the float32 mean lacks), and whether
 * all parameters are there as they are. Loops for missing parameters, and for a gamma that is
 * stored as its difference from 1, go through the most general way of centring.
 */
typedef enum { BY_NOTHING, BY_MEAN, BY_MEAN_AND_REST } centring;
typedef struct {
    centring by;
    bool all_params;
} row_way;

#define UNCENTRED ((row_way){BY_NOTHING, true})
#define UNCENTRED_ANY ((row_way){BY_NOTHING, false})
#define CENTRED ((row_way){BY_MEAN, true})
#define CENTRED_ANY ((row_way){BY_MEAN_AND_REST, false})

/* The statistics of R rows, spread over lanes. */
typedef struct {
    vf mean[AN_ROWS_MOST], rest[AN_ROWS_MOST], rstd[AN_ROWS_MOST];
} row_lanes;

AN_INLINE row_lanes row_lanes_of(
    int R, row_way way, const float *mean, const float *rest, const float *rstd) {
    row_lanes l;
    AN_UNROLL for (int k = 0; k < R; ++k) {
        l.rstd[k] = vf_set1(rstd[k]);
        l.mean[k] = way.by == BY_NOTHING ? l.rstd[k] : vf_set1(mean[k]);
        l.rest[k] = way.by == BY_MEAN_AND_REST ? vf_set1(rest[k]) : l.rstd[k];
    }
    return l;
}

AN_INLINE row_lanes row_lanes_of_stats(int R, const an_stats *stats) {
    row_lanes l;
    AN_UNROLL for (int k = 0; k < R; ++k) {
        l.mean[k] = vf_set1(stats[k].mean);
        l.rest[k] = vf_set1(stats[k].rest);
        l.rstd[k] = vf_set1(stats[k].rstd);
    }
    return l;
}

AN_INLINE vf centred(row_way way, vf x, const row_lanes *l, int k) {
    if (way.by == BY_NOTHING) return x;
    const vf d = vf_sub(x, l->mean[k]);
    return way.by == BY_MEAN ? d : vf_sub(d, l->rest[k]);
}

/* The places of up to AN_ROWS_MOST rows, each in a register of its own. */
typedef struct {
    const float *row[AN_ROWS_MOST];
} rows_in;
typedef struct {
    float *row[AN_ROWS_MOST];
} rows_out;

AN_INLINE rows_in rows_from(int R, const float *x, size_t cols) {
    rows_in in;
    AN_UNROLL for (int k = 0; k < AN_ROWS_MOST; ++k) in.row[k] = k < R ? x + (size_t)k * cols : x;
    return in;
}
AN_INLINE rows_out rows_to(int R, float *y, size_t cols) {
    rows_out out;
    AN_UNROLL for (int k = 0; k < AN_ROWS_MOST; ++k) out.row[k] = k < R ? y + (size_t)k * cols : y;
    return out;
}

/* The parameters along a row of `cols` columns. */
typedef struct {
    an_param gamma, beta;
    vf offset;
    size_t cols;
    bool all;
} row_params;

static inline row_params row_params_of(const an_rows *job) {
    static const float ones[VF_LANES] = {1, 1, 1, 1}, zeros[VF_LANES] = {0, 0, 0, 0};
    const an_affine a = job->affine;
    const float offset = a.gamma ? (float)a.offset : 0;
    const bool all = a.gamma && offset == 0 && (a.beta || !job->beta);
    return (row_params){
        an_param_of(a.gamma, ones), an_param_of(a.beta, zeros), vf_set1(offset), job->cols, all};
}

/* at column i + more; `more` is a constant */
AN_INLINE vf gain_of(row_way way, const row_params *p, size_t i, int more, int lanes) {
    if (way.all_params) return vf_get(p->gamma.data + i + more, lanes);
    const vf gamma = an_param_get(&p->gamma, i + (size_t)more, lanes);
    return way.by == BY_NOTHING ? vf_add(gamma, p->offset) : gamma;
}

AN_INLINE vf shift_of(row_way way, const row_params *p, size_t i, int more, int lanes) {
    return way.all_params ? vf_get(p->beta.data + i + more, lanes)
                          : an_param_get(&p->beta, i + (size_t)more, lanes);
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
