#include "runs.h"

#include "moments.h"
#include "simd.h"

enum { BLOCK = 512 /* floats whose products are summed in float32 */ };

/* The same elements as one run where the runs touch, as the channels of a group do. */
static an_set joined(const an_set *set) {
    return set->param_run == 1 ? (an_set){1, 0, set->runs * set->len, 0, 0} : *set;
}

static double gain_of(an_affine a, size_t param) { return a.gamma ? a.gamma[param] : 1; }

/* Every coefficient of the set fits float32 arithmetic. */
static bool gains_ok(const an_set *set, an_affine a, double rstd) {
    for (size_t r = 0; r < set->runs; ++r)
        if (!an_coefficient_ok(rstd * gain_of(a, r * set->param_run))) return false;
    return true;
}

/* ---- forward ---- */

/* The mean of a set, and what the float32 mean lacks, spread over lanes. */
typedef struct {
    vf mean, rest;
} centre;

AN_INLINE centre centre_of(an_stats s) { return (centre){vf_set1(s.mean), vf_set1(s.rest)}; }

AN_INLINE vf centred(bool with_rest, vf x, centre c) {
    const vf d = vf_sub(x, c.mean);
    return with_rest ? vf_sub(d, c.rest) : d;
}

AN_INLINE vf line(bool with_rest, vf x, centre c, vf scale, vf shift) {
    return vf_add(vf_mul(centred(with_rest, x, c), scale), shift);
}

AN_INLINE void affine_as(
    bool with_rest, float *y, const float *x, size_t len, an_stats s, float scale, float shift) {
    const centre c = centre_of(s);
    const vf a = vf_set1(scale), b = vf_set1(shift);
    size_t i = 0;
    AN_NO_UNROLL for (; i + 4 * VF_LANES <= len; i += 4 * VF_LANES) {
        AN_UNROLL for (size_t k = 0; k < 4 * VF_LANES; k += VF_LANES)
            vf_store(y + i + k, line(with_rest, vf_load(x + i + k), c, a, b));
    }
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES)
        vf_store(y + i, line(with_rest, vf_load(x + i), c, a, b));
    AN_NO_UNROLL for (; i < len; ++i) vf_store1(y + i, line(with_rest, vf_load1(x + i), c, a, b));
}

/* y = (x - mean - rest) * scale + shift */
static void affine_run(float *y, const float *x, size_t len, an_stats s, float scale, float shift) {
    if (s.rest == 0)
        affine_as(false, y, x, len, s, scale, shift);
    else
        affine_as(true, y, x, len, s, scale, shift);
}

void an_runs_normalize(
    float *y, const float *x, const an_set *set, an_affine affine, an_summary summary, bool exact) {
    const an_stats s = an_stats_of(summary);
    if (exact || !an_coefficient_ok(summary.mean) || !gains_ok(set, affine, summary.rstd)) {
        an_exact_normalize(y, x, set, affine, summary);
        return;
    }
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t param = r * set->param_run;
        const float scale = (float)(summary.rstd * gain_of(affine, param));
        affine_run(y + r * set->stride, x + r * set->stride, set->len, s, scale,
            affine.beta ? affine.beta[param] : 0);
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

AN_INLINE vd joined_lanes(vd total, vf even, vf odd) {
    return vd_add(total, vd_from_vf(vf_add(even, odd)));
}

static products plain_products(const float *dy, const float *x, size_t len, float mean) {
    const vf m = vf_set1(mean), zero = vf_set1(0);
    const product_lanes none = {zero, zero, zero};
    const size_t whole = vf_whole(len);
    vd dy_total = vd_zero(), d_total = dy_total, dyd_total = dy_total;
    size_t i = 0;
    while (i < whole) {
        product_lanes even = none, odd = none;
        const size_t end = whole - i < BLOCK ? whole : i + BLOCK;
        AN_NO_UNROLL for (; i + 2 * VF_LANES <= end; i += 2 * VF_LANES) {
            add_product(&even, vf_load(dy + i), vf_load(x + i), m);
            add_product(&odd, vf_load(dy + i + 4), vf_load(x + i + 4), m);
        }
        if (i < end) {
            add_product(&even, vf_load(dy + i), vf_load(x + i), m);
            i = end;
        }
        dy_total = joined_lanes(dy_total, even.dy, odd.dy);
        d_total = joined_lanes(d_total, even.d, odd.d);
        dyd_total = joined_lanes(dyd_total, even.dyd, odd.dyd);
    }
    product_lanes ones = none;
    AN_NO_UNROLL for (; i < len; ++i) add_product(&ones, vf_load1(dy + i), vf_load1(x + i), m);
    return (products){vd_sum(dy_total) + vf_first(ones.dy), vd_sum(d_total) + vf_first(ones.d),
        vd_sum(dyd_total) + vf_first(ones.dyd)};
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

/* dx = dy * scale + ((x - mean - rest) * slope + shift); folded: the mean is in shift */
typedef struct {
    float scale, slope, shift;
    bool folded;
} dx_line;

AN_INLINE vf dx_of(bool folded, vf dy, vf x, centre c, vf scale, vf slope, vf shift) {
    const vf d = folded ? x : centred(true, x, c);
    return vf_add(vf_mul(dy, scale), vf_add(vf_mul(d, slope), shift));
}

AN_INLINE void dx_as(
    bool folded, float *dx, const float *dy, const float *x, size_t len, an_stats s, dx_line k) {
    const centre c = centre_of(s);
    const vf a = vf_set1(k.scale), b = vf_set1(k.slope), d = vf_set1(k.shift);
    size_t i = 0;
    AN_NO_UNROLL for (; i + VF_LANES <= len; i += VF_LANES)
        vf_store(dx + i, dx_of(folded, vf_load(dy + i), vf_load(x + i), c, a, b, d));
    AN_NO_UNROLL for (; i < len; ++i)
        vf_store1(dx + i, dx_of(folded, vf_load1(dy + i), vf_load1(x + i), c, a, b, d));
}

static void dx_run(float *dx, const float *dy, const float *x, size_t len, an_stats s, dx_line k) {
    if (k.folded)
        dx_as(true, dx, dy, x, len, s, k);
    else
        dx_as(false, dx, dy, x, len, s, k);
}

/* Over a whole set: of g and g * xhat, which dx needs, and the mean of d. */
typedef struct {
    double g, gx, rest;
} set_sums;

static size_t params_of(const an_set *set) { return set->param_run == 1 ? set->runs : 1; }

/* `frozen`: the mean is the mean by definition, and there is no rest. */
static set_sums sum_set(an_gradients out, const float *dy, const float *x, const an_set *set,
    an_affine affine, an_stats s, double rstd, bool frozen) {
    set_sums sums = {0, 0, 0};
    for (size_t i = 0; i < params_of(set); ++i) out.dy[i] = 0;
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t at = r * set->stride, param = r * set->param_run;
        const products p = products_of(dy + at, x + at, set->len, s.mean);
        out.dgamma[param] += p.dyd * rstd;
        out.dy[param] += p.dy;
        sums.g += p.dy * gain_of(affine, param);
        sums.gx += p.dyd * rstd * gain_of(affine, param);
        sums.rest += p.d;
    }
    sums.rest = frozen ? 0 : an_rest_of(sums.rest / (double)(set->runs * set->len), s.mean);
    for (size_t i = 0; i < params_of(set); ++i) out.dbeta[i] += out.dy[i];
    if (sums.rest == 0) return sums;
    /* what d = x - mean - rest makes of these sums */
    sums.gx -= sums.rest * rstd * sums.g;
    for (size_t i = 0; i < params_of(set); ++i) out.dgamma[i] -= sums.rest * rstd * out.dy[i];
    return sums;
}

static void dx_set(float *dx, const float *dy, const float *x, const an_set *set, an_affine affine,
    an_stats s, double rstd, dx_line k) {
    for (size_t r = 0; r < set->runs; ++r) {
        const size_t at = r * set->stride;
        k.scale = (float)(rstd * gain_of(affine, r * set->param_run));
        dx_run(dx + at, dy + at, x + at, set->len, s, k);
    }
}

static bool plain_saved(const an_set *set, an_affine affine, an_summary saved, bool exact) {
    return !exact && set->runs * set->len >= AN_FEW && an_in_product_range(saved.rstd) &&
           an_coefficient_ok(saved.mean) && gains_ok(set, affine, saved.rstd);
}

void an_runs_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary saved, float eps, bool exact) {
    if (!plain_saved(set, affine, saved, exact)) {
        an_exact_gradients(dx, gradients.dgamma, gradients.dbeta, dy, x, set, set->len, affine,
            AN_CENTRED, an_exact_summary(x, set, AN_CENTRED, eps));
        return;
    }
    an_stats s = {(float)saved.mean, 0, (float)saved.rstd};
    const double n = (double)(set->runs * set->len), rstd = saved.rstd;
    const set_sums sums = sum_set(gradients, dy, x, set, affine, s, rstd, false);
    const double slope = -rstd * rstd * (sums.gx / n), shift = -rstd * (sums.g / n);
    if (!dx) return;
    if (!an_line_ok(slope, shift)) {
        an_exact_gradients(dx, NULL, NULL, dy, x, set, set->len, affine, AN_CENTRED,
            an_exact_summary(x, set, AN_CENTRED, eps));
        return;
    }
    s.rest = (float)sums.rest;
    const bool folded = an_mean_is_small(saved.mean, saved.variance);
    const double at_zero = folded ? shift - s.mean * slope : shift;
    dx_set(dx, dy, x, set, affine, s, rstd, (dx_line){0, (float)slope, (float)at_zero, folded});
}

void an_runs_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary frozen, bool exact) {
    const an_stats s = {(float)frozen.mean, 0, (float)frozen.rstd};
    if (plain_saved(set, affine, frozen, exact))
        sum_set(gradients, dy, x ? x : dy, set, affine, s, frozen.rstd, true);
    else
        an_exact_gradients(NULL, gradients.dgamma, gradients.dbeta, dy, x, set, set->len, affine,
            AN_CENTRED, frozen);
    const an_affine gamma = {affine.gamma, NULL, 0};
    const an_summary scale_only = {0, frozen.variance, frozen.rstd};
    if (dx) an_runs_normalize(dx, dy, set, gamma, scale_only, exact);
}
