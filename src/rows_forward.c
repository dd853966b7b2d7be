#include "rows_stats.h"

enum {
    TOGETHER = AN_ROWS_MOST, /* rows that share one pass over gamma and beta */
    BATCH = 16,              /* rows whose statistics are taken ahead, which hides latencies, */
    BATCH_FLOATS = 4096      /* as long as they stay in the first-level cache */
};

/*
 * U vectors of `lanes` columns of R rows from column i on. Places are pointers that later vectors
 * are at constant distances from, which wasm adds for free.
 */
AN_INLINE void normalize_step(int R, int U, row_way way, const rows_out *y, const rows_in *x,
    const row_lanes *l, const row_params *p, size_t i, int lanes) {
    vf gain[4], shift[4];
    AN_UNROLL for (int u = 0; u < U; ++u) {
        gain[u] = gain_of(way, p, i, u * VF_LANES, lanes);
        shift[u] = way.by == BY_NOTHING ? gain[u] : shift_of(way, p, i, u * VF_LANES, lanes);
    }
    AN_UNROLL for (int k = 0; k < R; ++k) {
        const float *in = x->row[k] + i;
        float *out = y->row[k] + i;
        AN_UNROLL for (int u = 0; u < U; ++u) {
            const vf d = centred(way, vf_get(in + u * VF_LANES, lanes), l, k);
            const vf v = vf_mul(vf_mul(d, l->rstd[k]), gain[u]);
            vf_put(out + u * VF_LANES, way.by == BY_NOTHING ? v : vf_add(v, shift[u]), lanes);
        }
    }
}

AN_INLINE void normalize_as(int R, row_way way, float *y, const float *x, const an_row_group *g,
    size_t k, const row_params *params) {
    const int U = !VF_TOGETHER || !way.all_params ? 1 : R == 1 ? 4 : 2;
    const row_params p = *params; /* a copy, which no store can change */
    const size_t cols = p.cols, step = (size_t)U * VF_LANES;
    const row_lanes l = row_lanes_of(R, way, g->mean + k, g->rest + k, g->rstd + k);
    const rows_in in = rows_from(R, x, cols);
    const rows_out out = rows_to(R, y, cols);
    size_t i = 0;
    AN_NO_UNROLL for (; i + step <= cols; i += step)
        normalize_step(R, U, way, &out, &in, &l, &p, i, VF_LANES);
    AN_NO_UNROLL for (; U > 1 && i + VF_LANES <= cols; i += VF_LANES)
        normalize_step(R, 1, way, &out, &in, &l, &p, i, VF_LANES);
    AN_NO_UNROLL for (; i < cols; ++i) normalize_step(R, 1, way, &out, &in, &l, &p, i, 1);
}

/* Row k of a group. */
static void normalize_row(float *y, const float *x, const an_row_group *g, size_t k,
    const row_params *p, an_coupling kind) {
    if (kind == AN_UNCENTRED && p->all)
        normalize_as(1, UNCENTRED, y, x, g, k, p);
    else if (kind == AN_UNCENTRED)
        normalize_as(1, UNCENTRED_ANY, y, x, g, k, p);
    else if (p->all && (g->ordinary || g->rest[k] == 0))
        normalize_as(1, CENTRED, y, x, g, k, p);
    else
        normalize_as(1, CENTRED_ANY, y, x, g, k, p);
}

static void normalize_together(
    float *y, const float *x, const an_row_group *g, const row_params *p, an_coupling kind) {
    if (kind == AN_UNCENTRED)
        normalize_as(TOGETHER, UNCENTRED, y, x, g, 0, p);
    else
        normalize_as(TOGETHER, CENTRED, y, x, g, 0, p);
}

static an_summary exact_row(float *y, const float *x, const an_rows *job) {
    const an_set set = an_row_set(job->cols);
    const an_summary s = an_exact_row(x, job);
    an_exact_normalize(y, x, &set, job->affine, s);
    return s;
}

static void put_summary(an_row_group *g, size_t k, an_summary s) {
    g->mean[k] = (float)s.mean;
    g->rest[k] = 0;
    g->rstd[k] = (float)s.rstd;
}

static void normalize_group(
    an_row_group *g, float *y, const float *x, size_t R, const row_params *p, const an_rows *job) {
    if (VF_TOGETHER && g->ordinary && p->all && R == TOGETHER) {
        normalize_together(y, x, g, p, job->kind);
        return;
    }
    for (size_t k = 0; k < R; ++k, x += job->cols, y += job->cols) {
        if (g->ordinary || g->plain[k])
            normalize_row(y, x, g, k, p, job->kind);
        else
            put_summary(g, k, exact_row(y, x, job));
    }
}

/* The float64 path for all rows. */
static void exact_rows(
    float *y, float *mean, float *rstd, const float *x, size_t rows, const an_rows *job) {
    for (size_t r = 0; r < rows; ++r)
        an_save(mean, rstd, r, exact_row(y + r * job->cols, x + r * job->cols, job));
}

/* mean + rest is what float64 found */
static void save_group(float *mean, float *rstd, const an_row_group *g, size_t R) {
    for (size_t k = 0; mean && k < R; ++k)
        mean[k] = g->ordinary ? g->mean[k] : (float)((double)g->mean[k] + g->rest[k]);
    for (size_t k = 0; rstd && k < R; ++k) rstd[k] = g->rstd[k];
}

static size_t batch_of(size_t cols) {
    const size_t rows = BATCH_FLOATS / cols / TOGETHER * TOGETHER;
    return rows > BATCH ? BATCH : rows > 0 ? rows : 1;
}

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

void an_rows_forward(
    float *y, float *mean, float *rstd, const float *x, size_t rows, const an_rows *job) {
    if (an_rows_float64(job)) {
        exact_rows(y, mean, rstd, x, rows, job);
        return;
    }
    const row_params p = row_params_of(job);
    const size_t cols = job->cols, batch = batch_of(cols);
    for (size_t r = 0; r < rows; r += batch) {
        const size_t n = least(rows - r, batch);
        an_row_group groups[BATCH / TOGETHER];
        an_rows_stats(groups, x + r * cols, n, job);
        for (size_t k = 0; k < n; k += TOGETHER) {
            an_row_group *g = groups + k / TOGETHER;
            const size_t R = least(n - k, TOGETHER), at = (r + k) * cols;
            normalize_group(g, y + at, x + at, R, &p, job);

            save_group(mean ? mean + r + k : NULL, rstd ? rstd + r + k : NULL, g, R);
        }
    }
}
