#include "column_strip.h"

enum { BLOCK_ROWS = 32 /* rows whose products are summed in float32 */ };

/* ---- sums over rows of dy, of d = x - mean, and of dy * d, a column each ---- */

typedef struct {
    float dy[AN_ROOM], d[AN_ROOM], dyd[AN_ROOM];
} product_block;

typedef struct {
    double dy[AN_ROOM], d[AN_ROOM], dyd[AN_ROOM];
} products;

AN_INLINE void product_step(product_block *b, const an_sweep_in *dy, const an_sweep_in *x,
    const float *mean, size_t c, int lanes) {
    const vf m = vf_get(mean + c, lanes);
    vf g[AN_SWEEP], d[AN_SWEEP], product[AN_SWEEP];
    AN_UNROLL for (int k = 0; k < AN_SWEEP; ++k) {
        g[k] = vf_get(dy->row[k] + c, lanes);
        d[k] = vf_sub(vf_get(x->row[k] + c, lanes), m);
        product[k] = vf_mul(g[k], d[k]);
    }
    vf_put(b->dy + c, vf_add(vf_get(b->dy + c, lanes), an_tree(g)), lanes);
    vf_put(b->d + c, vf_add(vf_get(b->d + c, lanes), an_tree(d)), lanes);
    vf_put(b->dyd + c, vf_add(vf_get(b->dyd + c, lanes), an_tree(product)), lanes);
}

static void sum_products(products *total, const float *dy, const float *x, size_t rows,
    size_t stride, const float *mean, size_t cols) {
    float zeros[AN_ROOM];
    vf_clear(zeros, cols);
    vd_clear(total->dy, cols);
    vd_clear(total->d, cols);
    vd_clear(total->dyd, cols);
    for (size_t r = 0; r < rows;) {
        product_block b;
        vf_clear(b.dy, cols);
        vf_clear(b.d, cols);
        vf_clear(b.dyd, cols);
        const size_t end = rows - r < BLOCK_ROWS ? rows : r + BLOCK_ROWS;
        for (; r < end; r += AN_SWEEP) {
            const an_sweep_in g = an_sweep_from(dy + r * stride, end - r, stride, zeros);
            const an_sweep_in v = an_sweep_from(x + r * stride, end - r, stride, mean);
            VF_EACH(cols, product_step, &b, &g, &v, mean);
        }
        r = r < end ? r : end;
        vd_accumulate(total->dy, b.dy, cols);
        vd_accumulate(total->d, b.d, cols);
        vd_accumulate(total->dyd, b.dyd, cols);
    }
}

/* A column whose float32 products overflowed. */
static void exact_products(products *total, const float *dy, const float *x, const an_columns *job,
    const float *mean, size_t c) {
    total->dy[c] = total->d[c] = total->dyd[c] = 0;
    for (size_t r = 0, i = c; r < job->rows; ++r, i += job->stride) {
        const double d = (double)x[i] - mean[c];
        total->dy[c] += dy[i];
        total->d[c] += d;
        total->dyd[c] += dy[i] * d;
    }
}

static bool finite_products(const products *p, size_t c) {
    return __builtin_isfinite(p->dy[c]) && __builtin_isfinite(p->d[c]) &&
           __builtin_isfinite(p->dyd[c]);
}

/* Over a whole set: of g and g * xhat, which dx needs, and the mean of d. */
typedef struct {
    double g, gx, rest;
} set_sums;

static void clear_sums(set_sums *sums, const an_columns *job) {
    for (size_t k = 0; k < job->sets; ++k) sums[k] = (set_sums){0, 0, 0};
}

/* What d = x - mean - rest makes of the sums of the sets that are ok. */
static void correct_sums(an_gradients out, set_sums *sums, const an_columns *job,
    const an_summary *saved, const bool *ok) {
    const size_t params = job->param_per_set ? 1 : job->width;
    const double share = 1 / (double)(job->rows * job->width);
    for (size_t k = 0; k < job->sets; ++k) {
        if (!ok[k]) continue;
        sums[k].rest = an_rest_of(sums[k].rest * share, saved[k].mean);
        if (sums[k].rest == 0) continue;
        const double lost = sums[k].rest * saved[k].rstd;
        sums[k].gx -= lost * sums[k].g;
        for (size_t i = k * params; i < (k + 1) * params; ++i) out.dgamma[i] -= lost * out.dy[i];
    }
}

/* The sets that are ok: their sums, and their part of dgamma and dbeta. */
static void sum_sets(an_gradients out, set_sums *sums, const float *dy, const float *x,
    const an_columns *job, an_affine affine, const an_summary *saved, const bool *ok) {
    const size_t params = job->param_per_set ? job->sets : an_columns_of(job);
    for (size_t i = 0; i < params; ++i) out.dy[i] = 0;
    AN_EACH_STRIP(job, s) {
        float mean[AN_ROOM];
        products total;
        an_member m = an_member_at(job, s.at);
        for (size_t c = 0; c < s.cols; ++c, an_next_member(&m, job))
            mean[c] = (float)saved[m.set].mean;
        sum_products(&total, dy + s.at, x + s.at, job->rows, job->stride, mean, s.cols);
        m = an_member_at(job, s.at);
        for (size_t c = 0; c < s.cols; ++c, an_next_member(&m, job)) {
            const size_t set = m.set, param = an_param_of_member(job, m, s.at + c);
            if (!ok[set]) continue;
            if (!finite_products(&total, c))
                exact_products(&total, dy + s.at, x + s.at, job, mean, c);
            const double product = total.dyd[c] * saved[set].rstd;
            const double gain = an_gain_at(affine, param);
            out.dgamma[param] += product;
            out.dy[param] += total.dy[c];
            sums[set].g += total.dy[c] * gain;
            sums[set].gx += product * gain;
            sums[set].rest += total.d[c];
        }
    }
    for (size_t i = 0; i < params; ++i) out.dbeta[i] += out.dy[i];
}

/* dgamma and dbeta of a set that needs float64 */
static void exact_sums(an_gradients out, const float *dy, const float *x, const an_columns *job,
    size_t k, an_summary summary) {
    const an_set set = an_column_set(job);
    const size_t at = k * job->width, param = job->param_per_set ? k : at;
    an_exact_gradients(NULL, out.dgamma + param, out.dbeta + param, dy + at, x ? x + at : NULL,
        &set, set.len, (an_affine){NULL, NULL, 0}, AN_CENTRED, summary);
}

/* ---- dx = dy * scale + ((x - mean - rest) * slope + shift) ---- */

/* The slope and shift of a set. */
typedef struct {
    double slope, shift;
} line;

/* dx = dy * scale + (a line of x), a coefficient a column */
typedef struct {
    float scale[AN_ROOM];
    an_column_lines lines;
} coefficients;

static void coefficients_of(coefficients *a, const an_columns *job, an_affine affine,
    const an_summary *saved, const set_sums *sums, const line *lines, an_strip s) {
    an_member m = an_member_at(job, s.at);
    for (size_t c = 0; c < s.cols; ++c, an_next_member(&m, job)) {
        const size_t set = m.set, param = an_param_of_member(job, m, s.at + c);
        a->scale[c] = (float)(saved[set].rstd * an_gain_at(affine, param));
        an_put_line(&a->lines, c,
            an_dx_line_of(saved[set], sums[set].rest, lines[set].slope, lines[set].shift));
    }
}

AN_INLINE void dx_step(bool folded, const an_sweep_out *dx, const an_sweep_in *dy,
    const an_sweep_in *x, const coefficients *a, size_t c, int lanes) {
    const an_line_lanes l = an_lines_at(folded, &a->lines, c, 0, lanes);
    const vf scale = vf_get(a->scale + c, lanes);
    AN_UNROLL for (int k = 0; k < AN_SWEEP; ++k) {
        const vf v = an_on_line(folded, vf_get(x->row[k] + c, lanes), &l);
        const vf g = vf_mul(vf_get(dy->row[k] + c, lanes), scale);
        vf_put(dx->row[k] + c, vf_add(g, v), lanes);
    }
}

static void dx_sets(float *dx, const float *dy, const float *x, const an_columns *job,
    an_affine affine, const an_summary *saved, const set_sums *sums, const line *lines) {
    AN_EACH_STRIP(job, s) {
        coefficients a;
        float spare[AN_ROOM];
        coefficients_of(&a, job, affine, saved, sums, lines, s);
        for (size_t r = 0; r < job->rows; r += AN_SWEEP) {
            const size_t at = s.at + r * job->stride, rows = job->rows - r;
            const an_sweep_in g = an_sweep_from(dy + at, rows, job->stride, a.scale);
            const an_sweep_in v = an_sweep_from(x + at, rows, job->stride, a.scale);
            const an_sweep_out out = an_sweep_to(dx + at, rows, job->stride, spare);
            if (a.lines.folded)
                VF_EACH(s.cols, dx_step, true, &out, &g, &v, &a);
            else
                VF_EACH(s.cols, dx_step, false, &out, &g, &v, &a);
        }
    }
}

/* ---- jobs ---- */

/* Which sets float32 products can do. */
static void saved_ok(
    bool *ok, const an_columns *job, an_affine affine, const an_summary *saved, bool exact) {
    an_columns_ok(ok, job, affine, saved, exact);
    for (size_t k = 0; k < job->sets; ++k) ok[k] = ok[k] && an_in_product_range(saved[k].rstd);
}

/* The line of each set; ok becomes false where it overflows. */
static void lines_of(
    line *lines, bool *ok, const an_columns *job, const an_summary *saved, const set_sums *sums) {
    const double share = 1 / (double)(job->rows * job->width);
    for (size_t k = 0; k < job->sets; ++k) {
        const double rstd = saved[k].rstd;
        lines[k] = (line){-rstd * rstd * (sums[k].gx * share), -rstd * (sums[k].g * share)};
        ok[k] = ok[k] && an_line_ok(lines[k].slope, lines[k].shift);
    }
}

void an_columns_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_columns *job, an_affine affine, const an_summary *saved, float eps, bool exact) {
    const an_set set = an_column_set(job);
    bool ok[AN_STRIP];
    set_sums sums[AN_STRIP];
    line lines[AN_STRIP];
    saved_ok(ok, job, affine, saved, exact);
    clear_sums(sums, job);
    for (size_t k = 0; k < job->sets; ++k)
        ok[k] = ok[k] && !an_spread_vanishes(x + k * job->width, &set, saved[k]);
    if (!an_columns_float64(job, exact)) {
        sum_sets(gradients, sums, dy, x, job, affine, saved, ok);
        correct_sums(gradients, sums, job, saved, ok);
    }
    for (size_t k = 0; k < job->sets; ++k)
        if (!ok[k])
            exact_sums(gradients, dy, x, job, k,
                an_exact_summary(x + k * job->width, &set, AN_CENTRED, eps));
    lines_of(lines, ok, job, saved, sums);
    for (size_t k = 0, end; dx && k < job->sets; k = end) {
        const size_t at = k * job->width;
        const an_affine own = an_affine_from(job, affine, k);
        end = ok[k] ? an_alike(ok, k, job->sets) : k + 1;
        const an_columns part = an_columns_between(job, k, end);
        if (ok[k])
            dx_sets(dx + at, dy + at, x + at, &part, own, saved + k, sums + k, lines + k);
        else
            an_exact_gradients(dx + at, NULL, NULL, dy + at, x + at, &set, set.len, own, AN_CENTRED,
                an_exact_summary(x + at, &set, AN_CENTRED, eps));
    }
}

void an_columns_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_columns *job, an_affine affine, const an_summary *frozen, bool exact) {
    bool ok[AN_STRIP];
    an_summary scale_only[AN_STRIP];
    set_sums sums[AN_STRIP];
    saved_ok(ok, job, affine, frozen, exact);
    clear_sums(sums, job);
    if (!an_columns_float64(job, exact))
        sum_sets(gradients, sums, dy, x ? x : dy, job, affine, frozen, ok);
    for (size_t k = 0; k < job->sets; ++k) {
        if (!ok[k]) exact_sums(gradients, dy, x, job, k, frozen[k]);
        scale_only[k] = (an_summary){0, frozen[k].variance, frozen[k].rstd};
    }
    const an_affine gamma = {affine.gamma, NULL, 0};
    if (dx) an_columns_normalize(dx, dy, job, gamma, scale_only, exact);
}
