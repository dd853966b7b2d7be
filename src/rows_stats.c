#include "rows_stats.h"

#include "moments.h"
#include "run_sums.h"

enum { TOGETHER_COLS = 1024 /* columns up to which four rows stay in the first-level cache */ };

/* ---- one row ---- */

static an_summary row_summary(const float *x, const an_rows *job) {
    if (job->kind == AN_CENTRED)
        return an_summary_of_moments(an_run_moments(x, job->cols), job->eps);
    const double mean_sq = an_run_sum_sq(x, job->counted) * (1 / (double)job->counted);
    return an_summary_of(0, mean_sq, job->eps);
}

static void one_row(an_row_group *g, size_t k, const float *x, const an_rows *job) {
    const an_summary s = row_summary(x, job);
    const an_stats stats = an_stats_of(s);
    g->mean[k] = stats.mean;
    g->rest[k] = stats.rest;
    g->rstd[k] = stats.rstd;
    g->plain[k] = an_in_plain_range(s.variance + job->eps);
    g->ordinary &= g->plain[k] && stats.rest == 0;
}

/* ---- four rows: lane k is row k, the arithmetic that of one row ---- */

typedef struct {
    vd mean, variance;
} four_moments;

static four_moments four_centred(const float *const *row, size_t cols) {
    const double n = (double)cols;
    const vd share = vd_set1(1 / n);
    const vd mean = vd_mul(an_sum_four(VALUE, row, cols, vf_set1(0)), share);
    const vf centre = vf_from_vd(mean);
    const vd sq = an_sum_four(SQUARED_DEVIATION, row, cols, centre);

    const vd rest = vd_sub(mean, vd_from_vf(centre));
    const vd lost = vd_mul(vd_mul(vd_set1(n), rest), rest);
    return (four_moments){mean, vd_mul(vd_sub(sq, lost), share)};
}

static four_moments four_uncentred(const float *const *row, size_t counted) {
    const vd share = vd_set1(1 / (double)counted);
    return (four_moments){vd_zero(), vd_mul(an_sum_four(SQUARE, row, counted, vf_set1(0)), share)};
}

/* an_mean_is_small and an_in_plain_range of all rows; false: they go through one by one */
static bool four_ordinary(four_moments m, vd scale) {
    const vd small = vd_at_most(vd_mul(m.mean, m.mean), vd_mul(m.variance, vd_set1(4)));
    const vd low = vd_at_most(vd_set1(0x1p-100), scale);
    const vd high = vd_at_most(scale, vd_set1(0x1p+100));
    return vd_all(vd_both(small, vd_both(low, high)));
}

static bool four_rows(an_row_group *g, const float *x, const an_rows *job) {
    const float *row[AN_ROWS_MOST];
    AN_UNROLL for (size_t k = 0; k < AN_ROWS_MOST; ++k) row[k] = x + k * job->cols;
    const four_moments m =
        job->kind == AN_CENTRED ? four_centred(row, job->cols) : four_uncentred(row, job->counted);
    const vd scale = vd_add(m.variance, vd_set1(job->eps));
    if (!four_ordinary(m, scale)) return false;
    vf_store(g->mean, vf_from_vd(m.mean));
    vf_store(g->rest, vf_set1(0));
    vf_store(g->rstd, vf_from_vd(vd_div(vd_set1(1), vd_sqrt(scale))));
    return true;
}

static void group_stats(an_row_group *g, const float *x, size_t R, const an_rows *job) {
    g->ordinary = true;
    if (VF_TOGETHER && R == AN_ROWS_MOST && job->cols <= TOGETHER_COLS && four_rows(g, x, job))
        return;
    for (size_t k = 0; k < R; ++k) one_row(g, k, x + k * job->cols, job);
}

void an_rows_stats(an_row_group *groups, const float *x, size_t rows, const an_rows *job) {
    for (size_t r = 0; r < rows; r += AN_ROWS_MOST) {
        const size_t left = rows - r;
        group_stats(groups + r / AN_ROWS_MOST, x + r * job->cols,
            left < AN_ROWS_MOST ? left : AN_ROWS_MOST, job);
    }
}
