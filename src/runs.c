#include "runs.h"

#include "moments.h"
#include "simd.h"

enum { BLOCK = 512 /* floats whose products are summed in float32 */ };

/* The same elements as one run where the runs touch, as the channels of a group do. */
static an_set joined(const an_set *set) {
    return set->param_run == 1 ? (an_set){1, 0, set->runs * set->len, 0, 0} : *set;
}

static double gain_of(an_affine a, size_t param) { return a.gamma ? a.gamma[param] : 1; }
static double shift_of(an_affine a, size_t param) { return a.beta ? a.beta[param] : 0; }

/* Every coefficient of the set fits float32 arithmetic. */
static bool gains_ok(const an_set *set, an_affine a, double rstd) {
    for (size_t r = 0; r < set->runs; ++r)
        if (!an_coefficient_ok(rstd * gain_of(a, r * set->param_run))) return false;
    return true;
}

/* ---- forward ---- */

AN_INLINE vf centred(vf x, vf centre, vf rest) { return vf_sub(vf_sub(x, centre), rest); }

/* An an_line in lanes. */
typedef struct {
    vf centre, rest, scale, shift;
} line_lanes;

AN_INLINE line_lanes line_lanes_of(an_line l) {
    return (line_lanes){vf_set1(l.centre), vf_set1(l.rest), vf_set1(l.scale), vf_set1(l.shift)};
}

AN_INLINE vf on_line(bool folded, vf x, const line_lanes *l) {
    const vf d = folded ? x : centred(x, l->centre, l->rest);
    return vf_add(vf_mul(d, l->scale), l->shift);
}

AN_INLINE void line_as(bool folded, float *y, const float *x, size_t len, an_line line) {
    const line_lanes l = line_lanes_of(line);
    size_t i = 0;
    AN_NO_UNROLL for (; VF_TOGETHER && i + 4 * VF_LANES <= len; i += 4 * VF_LANES) {
        AN_UNROLL for (size_t k = 0; k < 4 * VF_LANES; k += VF_LANES)
            vf_store(y + i + k, on_line(folded, vf_load(x + i + k), &l));
    }
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES)
        vf_store(y + i, on_line(folded, vf_load(x + i), &l));
    AN_NO_UNROLL for (; i < len; ++i) vf_store1(y + i, on_line(folded, vf_load1(x + i), &l));
}

static void line_run(float *y, const float *x, size_t len, an_line line) {
    if (line.folded)
        line_as(true, y, x, len, line);
    else
        line_as(false, y, x, len, line);
}

void an_runs_normalize(
    float *y, const float *x, const an_set *set, an_affine affine, an_summary summary, bool exact) {
    if (exact || !an_coefficient_ok(summary.mean) || !gains_ok(set, affine, summary.rstd)) {
        an_exact_normalize(y, x, set, affine, summary);
        return;
    }
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t param = r * set->param_run, at = r * set->stride;
        line_run(y + at, x + at, set->len,
            an_line_of(summary, gain_of(affine, param), shift_of(affine, param)));
    }
}

an_summary an_runs_forward(
    float *y, const float *x, const an_set *set, an_affine affine, float eps, bool exact) {
    if (!exact && set->runs * set->len >= AN_FEW) {
        const an_set all = joined(set);
        const an_summary s = an_summary_of_moments(an_set_moments(x, &all), eps);
        if (an_in_plain_range(s.variance + eps)) {
            an_runs_normalize(y, x, set, affine, s, false);
            return s;
        }
    }
    const an_summary s = an_exact_summary(x, set, AN_CENTRED, eps);
    an_exact_normalize(y, x, set, affine, s);
    return s;
}

/* ---- backward ---- */

/* sums over a run of dy, of d = x - mean, and of dy * d */
typedef struct {
    double dy, d, dyd;
} products;

typedef struct {
    vf dy, d, dyd;
} product_lanes;

AN_INLINE void add_product(product_lanes *p, vf dy, vf x, vf mean) {
    const vf d = vf_sub(x, mean);
    p->dy = vf_add(p->dy, dy);
    p->d = vf_add(p->d, d);
    p->dyd = vf_add(p->dyd, vf_mul(dy, d));
}

AN_INLINE double lanes_sum(vf even, vf odd) { return vd_sum(vd_from_vf(vf_add(even, odd))); }

/* at most BLOCK values */
AN_NOINLINE products block_products(const float *dy, const float *x, size_t len, float mean) {
    const vf m = vf_set1(mean), m1 = vf_only_first(m), zero = vf_set1(0);
    product_lanes even = {zero, zero, zero}, odd = even;
    size_t i = 0;
    AN_NO_UNROLL for (; i + 2 * VF_LANES <= len; i += 2 * VF_LANES) {
        add_product(&even, vf_load(dy + i), vf_load(x + i), m);
        add_product(&odd, vf_load(dy + i + VF_LANES), vf_load(x + i + VF_LANES), m);
    }
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES)
        add_product(&even, vf_load(dy + i), vf_load(x + i), m);
    AN_NO_UNROLL for (; i < len; ++i) add_product(&odd, vf_load1(dy + i), vf_load1(x + i), m1);
    return (products){
        lanes_sum(even.dy, odd.dy), lanes_sum(even.d, odd.d), lanes_sum(even.dyd, odd.dyd)};
}

static products plain_products(const float *dy, const float *x, size_t len, float mean) {
    products sum = {0, 0, 0};
    for (size_t i = 0; i < len; i += BLOCK) {
        const products p = block_products(dy + i, x + i, len - i < BLOCK ? len - i : BLOCK, mean);
        sum = (products){sum.dy + p.dy, sum.d + p.d, sum.dyd + p.dyd};
    }
    return sum;
}

static products exact_products(const float *dy, const float *x, size_t len, float mean) {
    products p = {0, 0, 0};
    for (size_t i = 0; i < len; ++i) {
        const double d = (double)x[i] - mean;
        p.dy += dy[i];
        p.d += d;
        p.dyd += dy[i] * d;
    }
    return p;
}

static products products_of(const float *dy, const float *x, size_t len, float mean) {
    const products p = plain_products(dy, x, len, mean);
    const bool finite =
        __builtin_isfinite(p.dy) && __builtin_isfinite(p.d) && __builtin_isfinite(p.dyd);
    return finite ? p : exact_products(dy, x, len, mean);
}

/* dx = dy * scale + (a line of x) */
AN_INLINE void dx_as(bool folded, float *dx, const float *dy, const float *x, size_t len,
    float scale, an_line line) {
    const line_lanes l = line_lanes_of(line);
    const vf a = vf_set1(scale);
    size_t i = 0;
    AN_NO_UNROLL for (; VF_TOGETHER && folded && i + 4 * VF_LANES <= len; i += 4 * VF_LANES) {
        AN_UNROLL for (size_t k = 0; k < 4 * VF_LANES; k += VF_LANES) {
            const vf v = on_line(folded, vf_load(x + i + k), &l);
            vf_store(dx + i + k, vf_add(vf_mul(vf_load(dy + i + k), a), v));
        }
    }
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES) {
        const vf v = on_line(folded, vf_load(x + i), &l);
        vf_store(dx + i, vf_add(vf_mul(vf_load(dy + i), a), v));
    }
    AN_NO_UNROLL for (; i < len; ++i) {
        const vf v = on_line(folded, vf_load1(x + i), &l);
        vf_store1(dx + i, vf_add(vf_mul(vf_load1(dy + i), a), v));
    }
}

static void dx_run(
    float *dx, const float *dy, const float *x, size_t len, float scale, an_line line) {
    if (line.folded)
        dx_as(true, dx, dy, x, len, scale, line);
    else
        dx_as(false, dx, dy, x, len, scale, line);
}

/* Over a whole set: of g and g * xhat, which dx needs, and the mean of d. */
typedef struct {
    double g, gx, rest;
} set_sums;

static size_t params_of(const an_set *set) { return set->param_run == 1 ? set->runs : 1; }

/* `frozen`: the mean is the mean by definition, and there is no rest. */
static set_sums sum_set(an_gradients out, const float *dy, const float *x, const an_set *set,
    an_affine affine, float mean, double rstd, bool frozen) {
    set_sums sums = {0, 0, 0};
    for (size_t i = 0; i < params_of(set); ++i) out.dy[i] = 0;
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t at = r * set->stride, param = r * set->param_run;
        const products p = products_of(dy + at, x + at, set->len, mean);
        out.dgamma[param] += p.dyd * rstd;
        out.dy[param] += p.dy;
        sums.g += p.dy * gain_of(affine, param);
        sums.gx += p.dyd * rstd * gain_of(affine, param);
        sums.rest += p.d;
    }
    sums.rest = frozen ? 0 : an_rest_of(sums.rest / (double)(set->runs * set->len), mean);
    for (size_t i = 0; i < params_of(set); ++i) out.dbeta[i] += out.dy[i];
    if (sums.rest == 0) return sums;
    /* what d = x - mean - rest makes of these sums */
    sums.gx -= sums.rest * rstd * sums.g;
    for (size_t i = 0; i < params_of(set); ++i) out.dgamma[i] -= sums.rest * rstd * out.dy[i];
    return sums;
}

static void dx_set(float *dx, const float *dy, const float *x, const an_set *set, an_affine affine,
    double rstd, an_line line) {
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t at = r * set->stride;
        const float scale = (float)(rstd * gain_of(affine, r * set->param_run));
        dx_run(dx + at, dy + at, x + at, set->len, scale, line);
    }
}

static bool plain_saved(const an_set *set, an_affine affine, an_summary saved, bool exact) {
    return !exact && set->runs * set->len >= AN_FEW && an_in_product_range(saved.rstd) &&
           an_coefficient_ok(saved.mean) && gains_ok(set, affine, saved.rstd);
}

void an_runs_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary saved, float eps, bool exact) {
    if (!plain_saved(set, affine, saved, exact) || an_spread_vanishes(x, set, saved)) {
        an_exact_gradients(dx, gradients.dgamma, gradients.dbeta, dy, x, set, set->len, affine,
            AN_CENTRED, an_exact_summary(x, set, AN_CENTRED, eps));
        return;
    }
    const float mean = (float)saved.mean;
    const double n = (double)(set->runs * set->len), rstd = saved.rstd;
    const set_sums sums = sum_set(gradients, dy, x, set, affine, mean, rstd, false);
    const double slope = -rstd * rstd * (sums.gx / n), shift = -rstd * (sums.g / n);
    if (!dx) return;
    if (!an_line_ok(slope, shift)) {
        an_exact_gradients(dx, NULL, NULL, dy, x, set, set->len, affine, AN_CENTRED,
            an_exact_summary(x, set, AN_CENTRED, eps));
        return;
    }
    dx_set(dx, dy, x, set, affine, rstd, an_dx_line_of(saved, sums.rest, slope, shift));
}

void an_runs_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary frozen, bool exact) {
    if (plain_saved(set, affine, frozen, exact))
        sum_set(gradients, dy, x ? x : dy, set, affine, (float)frozen.mean, frozen.rstd, true);
    else
        an_exact_gradients(NULL, gradients.dgamma, gradients.dbeta, dy, x, set, set->len, affine,
            AN_CENTRED, frozen);
    const an_affine gamma = {affine.gamma, NULL, 0};
    const an_summary scale_only = {0, frozen.variance, frozen.rstd};
    if (dx) an_runs_normalize(dx, dy, set, gamma, scale_only, exact);
}
