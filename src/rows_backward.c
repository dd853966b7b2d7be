#include "moments.h"
#include "row_lanes.h"

enum {
    PAIR = 2,        /* rows that go through together: each has two sums in registers */
    BLOCK_ROWS = 32, /* rows whose parameter gradients are summed in float32 */
    BLOCK = 256      /* columns whose products are summed in float32 */
};

/* Rows that are read, and the block sums of the parameters that they add to. */
typedef struct {
    rows_in dy, x;
    float *dgamma, *dbeta;
} row_io;

AN_INLINE row_io io_of(int R, const float *dy, const float *x, size_t cols) {
    return (row_io){rows_from(R, dy, cols), rows_from(R, x, cols), NULL, NULL};
}

/* ---- sums of g = dy * gain and of g * xhat ---- */

typedef struct {
    vf g[PAIR], gx[PAIR];
} product_lanes;

typedef struct {
    double g, gx;
} products;

AN_INLINE product_lanes no_products(int R) {
    product_lanes s;
    AN_UNROLL for (int k = 0; k < R; ++k) s.g[k] = s.gx[k] = vf_set1(0);
    return s;
}

/* U vectors of `lanes` columns from column i on, at constant distances as wasm likes them */
AN_INLINE void sum_step(int R, int U, row_way way, product_lanes *s, const row_io *io,
    const row_lanes *l, const row_params *p, size_t i, int lanes) {
    AN_UNROLL for (int u = 0; u < U; ++u) {
        const int more = u * VF_LANES;
        const vf gain = gain_of(way, p, i, more, lanes);
        vf dgamma = gain,
           dbeta = gain; /* of these rows: adding them first halves the chain over rows */
        AN_UNROLL for (int k = 0; k < R; ++k) {
            const vf dy = vf_get(io->dy.row[k] + i + more, lanes);
            const vf d = centred(way, vf_get(io->x.row[k] + i + more, lanes), l, k);
            const vf xhat = vf_mul(d, l->rstd[k]), g = vf_mul(dy, gain);
            if (way.by != BY_NOTHING) s->g[k] = vf_add(s->g[k], g);
            s->gx[k] = vf_add(s->gx[k], vf_mul(g, xhat));
            dgamma = k == 0 ? vf_mul(dy, xhat) : vf_add(dgamma, vf_mul(dy, xhat));
            dbeta = k == 0 ? dy : vf_add(dbeta, dy);
        }
        float *to = io->dgamma + i;
        vf_put(to + more, vf_add(vf_get(to + more, lanes), dgamma), lanes);
        if (way.by == BY_NOTHING) continue;
        to = io->dbeta + i;
        vf_put(to + more, vf_add(vf_get(to + more, lanes), dbeta), lanes);
    }
}

AN_INLINE product_lanes sum_columns(int R, row_way way, const row_io *io, const row_lanes *l,
    const row_params *p, size_t from, size_t to) {
    product_lanes s = no_products(R);
    AN_NO_UNROLL for (; VF_TOGETHER && way.all_params && from + 2 * VF_LANES <= to;
                      from += 2 * VF_LANES) sum_step(R, 2, way, &s, io, l, p, from, VF_LANES);
    AN_NO_UNROLL for (; from + VF_LANES <= to; from += VF_LANES)
        sum_step(R, 1, way, &s, io, l, p, from, VF_LANES);
    AN_NO_UNROLL for (; from < to; ++from) sum_step(R, 1, way, &s, io, l, p, from, 1);
    return s;
}

/* in float32 over BLOCK columns, in float64 over the blocks */
AN_INLINE void sum_rows(int R, row_way way, products *sums, const row_io *io, const an_stats *stats,
    const row_params *params) {
    const row_params p = *params; /* a copy, which no store can change */
    const row_lanes l = row_lanes_of_stats(R, stats);
    for (size_t i = 0; i < p.cols; i += BLOCK) {
        const size_t stop = p.cols - i < BLOCK ? p.cols : i + BLOCK;
        const product_lanes s = sum_columns(R, way, io, &l, &p, i, stop);
        AN_UNROLL for (int k = 0; k < R; ++k) {
            const products block = {vd_sum(vd_from_vf(s.g[k])), vd_sum(vd_from_vf(s.gx[k]))};
            sums[k].g = i == 0 ? block.g : sums[k].g + block.g;
            sums[k].gx = i == 0 ? block.gx : sums[k].gx + block.gx;
        }
    }
}

/* ---- dx = g * rstd + ((x - mean) * slope + shift) ---- */

/* BY_MEAN: the mean is folded into shift, which its size allows. */
typedef struct {
    float slope, shift;
} line;

/* false: a coefficient overflows */
static bool line_of(
    line *l, row_way way, products sums, const an_stats *stats, const an_rows *job) {
    const double share = 1 / (double)job->counted, rstd = stats->rstd;
    const double slope = -rstd * rstd * (sums.gx * share);
    double shift = way.by == BY_NOTHING ? 0 : -rstd * (sums.g * share);
    if (way.by == BY_MEAN) shift -= stats->mean * (double)(float)slope; /* the one that is used */
    *l = (line){(float)slope, (float)shift};
    return an_line_ok(slope, shift);
}

typedef struct {
    vf slope[PAIR], shift[PAIR];
} line_lanes;

AN_INLINE line_lanes line_lanes_of(int R, const line *lines) {
    line_lanes l;
    AN_UNROLL for (int k = 0; k < R; ++k) {
        l.slope[k] = vf_set1(lines[k].slope);
        l.shift[k] = vf_set1(lines[k].shift);
    }
    return l;
}

AN_INLINE void dx_step(int R, int U, row_way way, const rows_out *dx, const row_io *io,
    const row_lanes *l, const line_lanes *s, const row_params *p, size_t i, int lanes) {
    vf gain[2];
    AN_UNROLL for (int u = 0; u < U; ++u) gain[u] = gain_of(way, p, i, u * VF_LANES, lanes);
    AN_UNROLL for (int k = 0; k < R; ++k) {
        const float *dy = io->dy.row[k] + i, *in = io->x.row[k] + i;
        float *out = dx->row[k] + i;
        AN_UNROLL for (int u = 0; u < U; ++u) {
            const int more = u * VF_LANES;
            const vf g = vf_mul(vf_mul(vf_get(dy + more, lanes), gain[u]), l->rstd[k]);
            const vf x = vf_get(in + more, lanes);
            const vf d = way.by == BY_MEAN_AND_REST ? centred(way, x, l, k) : x;
            const vf v = vf_mul(d, s->slope[k]);
            const vf rest = way.by == BY_NOTHING ? v : vf_add(v, s->shift[k]);
            vf_put(out + more, vf_add(g, rest), lanes);
        }
    }
}

/* Columns `from` to `to` of R rows */
AN_INLINE void dx_as(int R, row_way way, float *dx, const row_io *io, const an_stats *stats,
    const line *lines, const row_params *params, size_t from, size_t to) {
    const row_params p = *params;
    const row_io own = *io;
    const row_lanes l = row_lanes_of_stats(R, stats);
    const line_lanes s = line_lanes_of(R, lines);
    const rows_out out = rows_to(R, dx, p.cols);
    AN_NO_UNROLL for (; VF_TOGETHER && way.all_params && from + 2 * VF_LANES <= to;
                      from += 2 * VF_LANES)
        dx_step(R, 2, way, &out, &own, &l, &s, &p, from, VF_LANES);
    AN_NO_UNROLL for (; from + VF_LANES <= to; from += VF_LANES)
        dx_step(R, 1, way, &out, &own, &l, &s, &p, from, VF_LANES);
    AN_NO_UNROLL for (; from < to; ++from) dx_step(R, 1, way, &out, &own, &l, &s, &p, from, 1);
}

AN_NOINLINE void dx_columns(row_way way, float *dx, const row_io *io, const an_stats *stats,
    const line *l, const row_params *p, size_t from, size_t to) {
    if (way.by == BY_NOTHING && way.all_params)
        dx_as(1, UNCENTRED, dx, io, stats, l, p, from, to);
    else if (way.by == BY_NOTHING)
        dx_as(1, UNCENTRED_ANY, dx, io, stats, l, p, from, to);
    else if (way.by == BY_MEAN)
        dx_as(1, CENTRED, dx, io, stats, l, p, from, to);
    else
        dx_as(1, CENTRED_ANY, dx, io, stats, l, p, from, to);
}

/* ---- rows ---- */

/* The parameter gradients of a call. */
typedef struct {
    an_param_sum dgamma, dbeta;
} row_sums;

AN_NOINLINE void exact_gradients(
    float *dx, row_sums *sums, const float *dy, const float *x, const an_rows *job) {
    const an_set set = an_row_set(job->cols);
    double *dgamma = sums ? an_param_sum_total(&sums->dgamma) : NULL;
    double *dbeta = sums && job->kind == AN_CENTRED ? an_param_sum_total(&sums->dbeta) : NULL;
    an_exact_gradients(
        dx, dgamma, dbeta, dy, x, &set, job->counted, job->affine, job->kind, an_exact_row(x, job));
}

AN_NOINLINE void dx_row(row_way way, float *dx, const row_io *io, const an_stats *stats,
    products sums, const row_params *p, const an_rows *job) {
    static const line none = {0, 0};
    line l;
    if (!line_of(&l, way, sums, stats, job)) {
        exact_gradients(dx, NULL, io->dy.row[0], io->x.row[0], job);
        return;
    }
    dx_columns(way, dx, io, stats, &l, p, 0, job->counted);
    /* outside the statistic of a partial RMSNorm, dx = g * rstd */
    if (job->counted < p->cols) dx_columns(way, dx, io, stats, &none, p, job->counted, p->cols);
}

static bool pair_lines(
    line *lines, row_way way, const products *sums, const an_stats *stats, const an_rows *job) {
    return job->counted == job->cols && line_of(lines, way, sums[0], stats, job) &&
           line_of(lines + 1, way, sums[1], stats + 1, job);
}

AN_INLINE void backward_as(int R, row_way way, float *dx, row_sums *params, const float *dy,
    const float *x, const an_stats *stats, const row_params *p, const an_rows *job) {
    row_io io = io_of(R, dy, x, p->cols);
    io.dgamma = params->dgamma.part;
    io.dbeta = params->dbeta.part;
    products sums[PAIR];
    line lines[PAIR];
    sum_rows(R, way, sums, &io, stats, p);
    if (!dx) return;
    if (R == PAIR && pair_lines(lines, way, sums, stats, job)) {
        dx_as(PAIR, way, dx, &io, stats, lines, p, 0, p->cols);
        return;
    }
    for (size_t k = 0, at = 0; k < (size_t)R; ++k, at += p->cols) {
        const row_io row = io_of(1, dy + at, x + at, p->cols);
        dx_row(way, dx + at, &row, stats + k, sums[k], p, job);
    }
}

typedef enum { PLAIN, WITH_REST, EXACT } row_path;

/* What a row needs, from its saved statistics alone. */
static row_path path_of(an_stats s, const an_rows *job) {
    if (an_rows_float64(job) || !an_rstd_ok(s.rstd)) return EXACT;
    if (job->kind == AN_UNCENTRED) return PLAIN;
    if (!__builtin_isfinite(s.mean)) return EXACT;
    return an_saved_mean_is_small(s.mean, s.rstd, job->eps) ? PLAIN : WITH_REST;
}

static void backward_row(row_path path, float *dx, row_sums *sums, const float *dy, const float *x,
    an_stats stats, const row_params *p, const an_rows *job) {
    const an_set set = an_row_set(job->cols);
    if (path == WITH_REST) stats.rest = (float)an_set_rest(x, &set, stats.mean);
    if (path == EXACT)
        exact_gradients(dx, sums, dy, x, job);
    else if (job->kind == AN_UNCENTRED && p->all)
        backward_as(1, UNCENTRED, dx, sums, dy, x, &stats, p, job);
    else if (job->kind == AN_UNCENTRED)
        backward_as(1, UNCENTRED_ANY, dx, sums, dy, x, &stats, p, job);
    else if (path == PLAIN && p->all)
        backward_as(1, CENTRED, dx, sums, dy, x, &stats, p, job);
    else
        backward_as(1, CENTRED_ANY, dx, sums, dy, x, &stats, p, job);
}

static void backward_pair(float *dx, row_sums *sums, const float *dy, const float *x,
    const an_stats *stats, const row_params *p, const an_rows *job) {
    if (job->kind == AN_UNCENTRED)
        backward_as(PAIR, UNCENTRED, dx, sums, dy, x, stats, p, job);
    else
        backward_as(PAIR, CENTRED, dx, sums, dy, x, stats, p, job);
}

/* The first one or two of `rows` rows; returns how many. */
static size_t backward_next(float *dx, row_sums *sums, const float *dy, const float *x,
    const float *mean, const float *rstd, size_t rows, const row_params *p, const an_rows *job) {
    const an_stats first = {mean ? mean[0] : 0, 0, rstd[0]};
    const row_path path = path_of(first, job);
    if (path == PLAIN && p->all && rows > 1) {
        const an_stats pair[PAIR] = {first, {mean ? mean[1] : 0, 0, rstd[1]}};
        if (path_of(pair[1], job) == PLAIN) {
            backward_pair(dx, sums, dy, x, pair, p, job);
            return PAIR;
        }
    }
    backward_row(path, dx, sums, dy, x, first, p, job);
    return 1;
}

/* A single block that is not added to anything is summed in the gradient itself. */
static an_param_sum sum_of(float *gradient, double *total, float *part, size_t cols, bool single) {
    an_param_sum s;
    an_param_sum_start(&s, total, single && gradient ? gradient : part, cols);
    return s;
}

void an_rows_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
    const float *mean, const float *rstd, void *workspace, size_t rows, uint32_t flags,
    const an_rows *job) {
    const row_params p = row_params_of(job);
    const bool single = rows <= BLOCK_ROWS && !(flags & AN_ACCUMULATE);
    const size_t width = an_padded(job->cols);
    double *totals = workspace;
    float *parts = (float *)(totals + 2 * width);
    row_sums sums;
    sums.dgamma = sum_of(dgamma, totals, parts, job->cols, single);
    if (job->kind == AN_CENTRED)
        sums.dbeta = sum_of(dbeta, totals + width, parts + width, job->cols, single);
    for (size_t r = 0; r < rows;) {
        const size_t block_end = rows - r < BLOCK_ROWS ? rows : r + BLOCK_ROWS;
        while (r < block_end) {
            const size_t at = r * job->cols;
            r += backward_next(dx ? dx + at : NULL, &sums, dy + at, x + at, mean ? mean + r : NULL,
                rstd + r, block_end - r, &p, job);
        }
        if (r == rows) break;
        an_param_sum_block(&sums.dgamma);
        if (job->kind == AN_CENTRED) an_param_sum_block(&sums.dbeta);
    }
    an_param_sum_finish(&sums.dgamma, dgamma, flags);
    if (job->kind == AN_CENTRED) an_param_sum_finish(&sums.dbeta, dbeta, flags);
}
