#include "rows_stats.h"

#include "moments.h"
#include "run_sums.h"

enum { TOGETHER_COLS = 1024 /* columns up to which four rows stay in the first-level cache */ };

/* ---- one row ---- */

static bool set_stats(an_stats *stats, an_summary s, float eps) {
    *stats = an_stats_of(s);
    return an_in_plain_range(s.variance + eps);
}

static bool row_stats(an_stats *stats, const float *x, const an_rows *job) {
    if (job->kind == AN_UNCENTRED) {
        const double mean_sq = an_run_sum_sq(x, job->counted) * (1 / (double)job->counted);
        return set_stats(stats, an_summary_of(0, mean_sq, job->eps), job->eps);
    }
    const an_set set = an_row_set(job->cols);
    const an_moments m = an_set_moments(x, &set);
    return set_stats(stats, an_summary_of_moments(m, job->eps), job->eps);
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

/* The rows whose moments are good as they are; returns whether all are. */
static bool four_stats(an_stats *stats, bool *plain, four_moments m, float eps) {
    const vd scale = vd_add(m.variance, vd_set1(eps));
    double mean[4], variance[4];
    float means[4], rstds[4];
    vd_store(mean, m.mean);
    vd_store(variance, m.variance);
    vf_store(means, vf_from_vd(m.mean));
    vf_store(rstds, vf_from_vd(vd_div(vd_set1(1), vd_sqrt(scale))));
    bool all = true;
    AN_UNROLL for (int k = 0; k < 4; ++k) {
        stats[k] = (an_stats){means[k], 0, rstds[k]};
        plain[k] = an_mean_is_small(mean[k], variance[k]) && an_in_plain_range(variance[k] + eps);
        all &= plain[k];
    }
    return all;
}

static bool all_ordinary(const an_stats *stats, const bool *plain, size_t R) {
    for (size_t k = 0; k < R; ++k)
        if (!plain[k] || stats[k].rest != 0) return false;
    return true;
}

bool an_rows_stats(an_stats *stats, bool *plain, const float *x, size_t R, const an_rows *job) {
    const float *row[AN_ROWS_MOST];
    for (size_t k = 0; k < AN_ROWS_MOST; ++k) {
        row[k] = x + k * job->cols;
        plain[k] = false;
    }
    if (R == AN_ROWS_MOST && job->cols <= TOGETHER_COLS) {
        const four_moments m = job->kind == AN_CENTRED ? four_centred(row, job->cols)
                                                       : four_uncentred(row, job->counted);
        if (four_stats(stats, plain, m, job->eps)) return true;
    }
    for (size_t k = 0; k < R; ++k)
        if (!plain[k]) plain[k] = row_stats(stats + k, row[k], job);
    return all_ordinary(stats, plain, R);
}
