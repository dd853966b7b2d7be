#include "rows_stats.h"

enum {
    TOGETHER = AN_ROWS_MOST, /* rows that share one pass over gamma and beta */
    BATCH = 16,              /* rows whose statistics are taken ahead, which hides latencies, */
    BATCH_FLOATS = 4096      /* as long as they stay in the first-level cache */
};

/* `lanes` columns of R rows from column i on */
AN_INLINE void normalize_step(int R, row_way way, const rows_out *y, const rows_in *x,
    const row_lanes *l, const row_params *p, size_t i, int lanes) {
    const vf gain = gain_of(way, p, i, lanes);
    const vf shift = way.by == BY_NOTHING ? gain : shift_of(way, p, i, lanes);
    AN_UNROLL for (int k = 0; k < R; ++k) {
        const vf xhat = vf_mul(centred(way, vf_get(x->row[k] + i, lanes), l, k), l->rstd[k]);
        const vf v = vf_mul(xhat, gain);
        vf_put(y->row[k] + i, way.by == BY_NOTHING ? v : vf_add(v, shift), lanes);
    }
}

AN_INLINE void normalize_as(
    int R, row_way way, float *y, const float *x, const an_stats *stats, const row_params *p) {
    const size_t cols = p->cols;
    const row_lanes l = row_lanes_of(R, stats);
    const rows_in in = rows_from(R, x, cols);
    const rows_out out = rows_to(R, y, cols);
    size_t i = 0;
    AN_NO_UNROLL for (; i + 2 * VF_LANES <= cols; i += 2 * VF_LANES) {
        normalize_step(R, way, &out, &in, &l, p, i, VF_LANES);
        normalize_step(R, way, &out, &in, &l, p, i + VF_LANES, VF_LANES);
    }
    AN_NO_UNROLL for (; i + VF_LANES <= cols; i += VF_LANES)
        normalize_step(R, way, &out, &in, &l, p, i, VF_LANES);
    AN_NO_UNROLL for (; i < cols; ++i) normalize_step(R, way, &out, &in, &l, p, i, 1);
}

static void normalize_row(
    float *y, const float *x, const an_stats *stats, const row_params *p, an_coupling kind) {
    if (kind == AN_UNCENTRED && p->all)
        normalize_as(1, UNCENTRED, y, x, stats, p);
    else if (kind == AN_UNCENTRED)
        normalize_as(1, UNCENTRED_ANY, y, x, stats, p);
    else if (p->all && stats->rest == 0)
        normalize_as(1, CENTRED, y, x, stats, p);
    else
        normalize_as(1, CENTRED_ANY, y, x, stats, p);
}

static void normalize_together(
    float *y, const float *x, const an_stats *stats, const row_params *p, an_coupling kind) {
    if (kind == AN_UNCENTRED)
        normalize_as(TOGETHER, UNCENTRED, y, x, stats, p);
    else
        normalize_as(TOGETHER, CENTRED, y, x, stats, p);
}

static an_stats exact_row(float *y, const float *x, const an_rows *job) {
    const an_set set = an_row_set(job->cols);
    const an_summary s = an_exact_row(x, job);
    an_exact_normalize(y, x, &set, job->affine, s);
    return (an_stats){(float)s.mean, 0, (float)s.rstd};
}

/* The statistics of up to TOGETHER rows, and what they allow. */
typedef struct {
    an_stats stats[TOGETHER];
    bool plain[TOGETHER], ordinary;
} row_group;

static void group_stats(row_group *g, const float *x, size_t R, const an_rows *job) {
    g->ordinary = !an_rows_float64(job) && an_rows_stats(g->stats, g->plain, x, R, job);
}

static void normalize_group(row_group *g, float *y, const float *x, size_t R, const an_rows *job) {
    const row_params p = row_params_of(job);
    if (g->ordinary && p.all && R == TOGETHER) {
        normalize_together(y, x, g->stats, &p, job->kind);
        return;
    }
    for (size_t k = 0; k < R; ++k, x += job->cols, y += job->cols) {
        if (!an_rows_float64(job) && g->plain[k])
            normalize_row(y, x, g->stats + k, &p, job->kind);
        else
            g->stats[k] = exact_row(y, x, job);
    }
}

static size_t batch_of(size_t cols) {
    const size_t rows = BATCH_FLOATS / cols / TOGETHER * TOGETHER;
    return rows > BATCH ? BATCH : rows > 0 ? rows : 1;
}

void an_rows_forward(
    float *y, float *mean, float *rstd, const float *x, size_t rows, const an_rows *job) {
    const size_t cols = job->cols, batch = batch_of(cols);
    for (size_t r = 0; r < rows; r += batch) {
        const size_t n = rows - r < batch ? rows - r : batch;
        row_group groups[BATCH / TOGETHER];
        for (size_t k = 0; k < n; k += TOGETHER)
            group_stats(groups + k / TOGETHER, x + (r + k) * cols,
                n - k < TOGETHER ? n - k : TOGETHER, job);
        for (size_t k = 0; k < n; k += TOGETHER)
            normalize_group(groups + k / TOGETHER, y + (r + k) * cols, x + (r + k) * cols,
                n - k < TOGETHER ? n - k : TOGETHER, job);
        for (size_t k = 0; k < n; ++k) {
            const an_stats s = groups[k / TOGETHER].stats[k % TOGETHER];
            if (mean) mean[r + k] = (float)((double)s.mean + s.rest);
            if (rstd) rstd[r + k] = s.rstd;
        }
    }
}
