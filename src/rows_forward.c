#include "moments.h"
#include "row_lanes.h"

enum {
    TOGETHER = AN_ROWS_MOST, /* rows that share one pass over gamma and beta, */
    TOGETHER_COLS = 1024     /* as long as they fit the first-level cache together */
};

/* `lanes` columns of R rows from column i on */
AN_INLINE void normalize_step(int R, centring how, float *y, const float *x, const row_lanes *l,
    const row_params *p, size_t i, int lanes) {
    const vf gain = gain_of(how, p, i, lanes);
    const vf shift = how == BY_NOTHING ? gain : an_param_get(&p->beta, i, lanes);
    AN_UNROLL for (int k = 0; k < R; ++k) {
        const size_t at = (size_t)k * p->cols + i;
        const vf xhat = vf_mul(centred(how, vf_get(x + at, lanes), l, k), l->rstd[k]);
        const vf v = vf_mul(xhat, gain);
        vf_put(y + at, how == BY_NOTHING ? v : vf_add(v, shift), lanes);
    }
}

/* The columns of one row that fill no vector. */
AN_NOINLINE void normalize_tail(
    centring how, float *y, const float *x, const an_stats *stats, const row_params *p) {
    const row_lanes l = row_lanes_of(1, stats);
    AN_NO_UNROLL for (size_t i = vf_whole(p->cols); i < p->cols; ++i)
        normalize_step(1, how, y, x, &l, p, i, 1);
}

AN_INLINE void normalize_as(
    int R, centring how, float *y, const float *x, const an_stats *stats, const row_params *p) {
    const size_t whole = vf_whole(p->cols);
    const row_lanes l = row_lanes_of(R, stats);
    AN_NO_UNROLL for (size_t i = 0; i < whole; i += VF_LANES)
        normalize_step(R, how, y, x, &l, p, i, VF_LANES);
    if (whole == p->cols) return;
    for (size_t k = 0, at = 0; k < (size_t)R; ++k, at += p->cols)
        normalize_tail(how, y + at, x + at, stats + k, p);
}

static void normalize_row(float *y, const float *x, const an_stats *stats, const an_rows *job) {
    const row_params p = row_params_of(job);
    if (job->kind == AN_UNCENTRED)
        normalize_as(1, BY_NOTHING, y, x, stats, &p);
    else if (stats->rest == 0)
        normalize_as(1, BY_MEAN, y, x, stats, &p);
    else
        normalize_as(1, BY_MEAN_AND_REST, y, x, stats, &p);
}

static void normalize_together(
    float *y, const float *x, const an_stats *stats, const an_rows *job) {
    const row_params p = row_params_of(job);
    if (job->kind == AN_UNCENTRED)
        normalize_as(TOGETHER, BY_NOTHING, y, x, stats, &p);
    else
        normalize_as(TOGETHER, BY_MEAN, y, x, stats, &p);
}

/* false: the row needs the float64 path */
static bool plain_stats(an_stats *stats, const float *x, const an_rows *job) {
    an_summary s;
    if (job->kind == AN_UNCENTRED) {
        s = an_summary_of(0, an_run_sum_sq(x, job->counted) / (double)job->counted, job->eps);
    } else {
        const an_set set = an_row_set(job->cols);
        s = an_summary_of_moments(an_set_moments(x, &set), job->eps);
    }
    *stats = an_stats_of(s);
    return an_in_plain_range(s.variance + job->eps);
}

static an_stats exact_row(float *y, const float *x, const an_rows *job) {
    const an_set set = an_row_set(job->cols);
    const an_summary s = an_exact_row(x, job);
    an_exact_normalize(y, x, &set, job->affine, s);
    return (an_stats){(float)s.mean, 0, (float)s.rstd};
}

static void forward_rows(size_t R, float *y, an_stats *stats, const float *x, const an_rows *job) {
    bool plain[TOGETHER], together = R == TOGETHER;
    for (size_t k = 0; k < R; ++k) {
        plain[k] = !an_rows_float64(job) && plain_stats(stats + k, x + k * job->cols, job);
        together = together && plain[k] && stats[k].rest == 0;
    }
    if (together) {
        normalize_together(y, x, stats, job);
        return;
    }
    for (size_t k = 0; k < R; ++k, x += job->cols, y += job->cols) {
        if (plain[k])
            normalize_row(y, x, stats + k, job);
        else
            stats[k] = exact_row(y, x, job);
    }
}

void an_rows_forward(
    float *y, float *mean, float *rstd, const float *x, size_t rows, const an_rows *job) {
    const size_t together = job->cols <= TOGETHER_COLS ? TOGETHER : 1;
    for (size_t r = 0; r < rows;) {
        const size_t R = rows - r < together ? 1 : together;
        an_stats stats[TOGETHER];
        forward_rows(R, y + r * job->cols, stats, x + r * job->cols, job);
        for (size_t k = 0; k < R; ++k, ++r) {
            if (mean) mean[r] = (float)((double)stats[k].mean + stats[k].rest);
            if (rstd) rstd[r] = stats[k].rstd;
        }
    }
}
