/*
 * The formulas of axisnorm.h in float64, and the bound that results must keep. Sums are bounded by
 * the sum of the magnitudes of their terms, as docs/numerics.md says: 36 u. That is loose for
 * ordinary data, which tests/kernels holds to a few units, and true of any data.
 */
#ifndef AN_TESTS_FUZZ_REFERENCE_H
#define AN_TESTS_FUZZ_REFERENCE_H

#include "check.h"
#include "functions.h"

#include <math.h>

static const double BOUND = 40 * 0x1p-24;

typedef struct {
    size_t set, channel;
    bool counted; /* in the statistic of its set */
} place;

typedef struct {
    const function *f;
    const arguments *a; /* what is read, aligned */
    place *at;          /* [values] */
    size_t values, sets, channels;
    double *count, *mean, *variance, *rstd, *sum_g, *sum_gx; /* [sets] */
    double *largest_x, *largest_xhat, *size_g;               /* magnitudes of what they add */
} reference;

static inline place place_of(const function *f, const arguments *a, size_t i) {
    const size_t *size = a->size;
    if (f->norm == GROUP) {
        const bool last = a->flags & AN_CHANNELS_LAST;
        const size_t channel = (last ? i : i / size[2]) % size[1];
        const size_t group = channel / (size[1] / size[3]);
        return (place){i / (size[1] * size[2]) * size[3] + group, channel, true};
    }
    if (f->norm == BATCH) {
        const size_t channel = i / size[2] % size[1];
        return (place){channel, channel, true};
    }
    const size_t row = i / size[1], col = i % size[1];
    if (f->norm == WEIGHT) return (place){row, row, true};
    return (place){row, col, f->norm != RMS || col < size[2]};
}

static inline double value_at(const reference *r, int array, size_t i, double absent) {
    const float *data = (const float *)(const void *)r->a->at[array];
    return data ? data[i] : absent;
}
static inline double x_at(const reference *r, size_t i) { return value_at(r, X, i, 0); }
static inline double gain_at(const reference *r, size_t channel) {
    const double offset = r->f->norm == RMS ? r->a->gamma_offset : 0;
    return r->a->at[GAMMA] ? value_at(r, GAMMA, channel, 0) + offset : 1;
}
static inline double xhat_at(const reference *r, size_t i) {
    const size_t s = r->at[i].set;
    return (x_at(r, i) - r->mean[s]) * r->rstd[s];
}

static inline double *zeros(size_t count) {
    double *data = take(count * sizeof *data);
    for (size_t i = 0; i < count; ++i) data[i] = 0;
    return data;
}

static inline void raise_to(double *largest, double v) { *largest = fmax(*largest, fabs(v)); }

static inline void statistics_of(reference *r) {
    for (size_t i = 0; i < r->values; ++i)
        if (r->at[i].counted) r->count[r->at[i].set] += 1;
    /* twice, so that the mean of equal values is exactly that value */
    for (int pass = 0; pass < 2 && r->f->norm != RMS; ++pass) {
        double *sum = zeros(r->sets);
        for (size_t i = 0; i < r->values; ++i) {
            const size_t s = r->at[i].set;
            sum[s] += x_at(r, i) - r->mean[s];
            raise_to(r->largest_x + s, x_at(r, i));
        }
        for (size_t s = 0; s < r->sets; ++s) r->mean[s] += sum[s] / r->count[s];
        free(sum);
    }
    for (size_t i = 0; i < r->values; ++i) {
        const place at = r->at[i];
        const double d = x_at(r, i) - r->mean[at.set];
        if (at.counted) r->variance[at.set] += d * d / r->count[at.set];
    }
}

static inline reference reference_of(const function *f, const arguments *a) {
    const size_t sets = sets_of(f, a->size);
    reference r = {f, a, NULL, values_of(f, a->size), sets, channels_of(f, a->size), zeros(sets),
        zeros(sets), zeros(sets), zeros(sets), zeros(sets), zeros(sets), zeros(sets), zeros(sets),
        zeros(sets)};
    r.at = take(r.values * sizeof *r.at);
    for (size_t i = 0; i < r.values; ++i) r.at[i] = place_of(f, a, i);
    if (!f->frozen) statistics_of(&r);
    for (size_t s = 0; s < sets; ++s) {
        if (f->frozen) r.mean[s] = value_at(&r, RUN_MEAN, s, 0);
        if (f->frozen) r.variance[s] = value_at(&r, RUN_VAR, s, 0);
        const double v = r.variance[s] + a->eps;
        r.rstd[s] = v > 0 ? 1 / sqrt(v) : 0;
    }
    for (size_t i = 0; i < r.values; ++i) {
        const place at = r.at[i];
        const double g = value_at(&r, DY, i, 0) * gain_at(&r, at.channel), xhat = xhat_at(&r, i);
        r.sum_g[at.set] += g;
        r.size_g[at.set] += fabs(g);
        r.sum_gx[at.set] += g * xhat;
        raise_to(r.largest_xhat + at.set, xhat);
    }
    return r;
}

static inline void reference_free(reference *r) {
    double *arrays[] = {r->count, r->mean, r->variance, r->rstd, r->sum_g, r->sum_gx, r->largest_x,
        r->largest_xhat, r->size_g};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) free(arrays[i]);
    free(r->at);
}

/* ---- results against it; `got` is NULL where a result was not asked for ---- */

static inline void within(const char *what, size_t i, double got, double want, double scale) {
    const bool ok = isfinite((float)want) ? fabs(got - want) <= BOUND * scale + 0x1p-148
                                          : got == want || isinf(got);
    CHECK(ok, "%s[%zu]: expected %.9g, got %.9g (%.3g units)", what, i, want, got,
        fabs(got - want) / scale * 0x1p23);
}

/* y, or dx, of value i; `terms`: the magnitude of what it is made from */
static inline double out_at(const reference *r, size_t i, double *terms) {
    const place at = r->at[i];
    const size_t s = at.set;
    const double xhat = xhat_at(r, i), gain = gain_at(r, at.channel), n = r->count[s];
    if (!r->f->backward) {
        const double beta = value_at(r, BETA, at.channel, 0);
        /* statistics that are given may put a small mean in one term with beta */
        const bool joins = r->f->frozen && r->mean[s] * r->mean[s] <= 4 * r->variance[s];
        const double mean = joins ? fabs(r->mean[s]) * r->rstd[s] : 0;
        *terms = (r->largest_xhat[s] + mean) * fabs(gain) + fabs(beta);
        return xhat * gain + beta;
    }
    const double g = value_at(r, DY, i, 0) * gain;
    const double by_mean = r->f->frozen || r->f->norm == RMS ? 0 : 1 / n;
    const double by_rstd = r->f->frozen || !at.counted ? 0 : xhat / n;
    const double sizes = by_mean + fabs(by_rstd) * r->largest_xhat[s];
    *terms = r->rstd[s] * (fabs(g) + sizes * r->size_g[s]);
    return r->rstd[s] * (g - by_mean * r->sum_g[s] - by_rstd * r->sum_gx[s]);
}

static inline void check_out(const reference *r, const float *got) {
    double *scale = zeros(r->sets), terms;
    for (size_t i = 0; got && i < r->values; ++i) {
        out_at(r, i, &terms);
        raise_to(scale + r->at[i].set, terms);
    }
    for (size_t i = 0; got && i < r->values; ++i)
        within("out", i, got[i], out_at(r, i, &terms), scale[r->at[i].set]);
    free(scale);
}

static inline void check_statistics(const reference *r, const float *mean, const float *rstd) {
    for (size_t s = 0; s < r->sets; ++s) {
        if (mean) within("mean", s, mean[s], r->mean[s], r->largest_x[s]);
        if (rstd) within("rstd", s, rstd[s], r->rstd[s], r->rstd[s]);
    }
}

static inline void check_running(const reference *r, const float *mean, const float *var) {
    const double m = r->a->momentum, n = r->count[0];
    const double unbiased = r->a->flags & AN_BIASED_RUNNING ? 1 : n / (n - 1);
    for (size_t c = 0; mean && c < r->channels; ++c) {
        const double old = value_at(r, RUN_MEAN, c, 0), old_var = value_at(r, RUN_VAR, c, 0);
        const double want = (1 - m) * old + m * r->mean[c];
        const double want_var = (1 - m) * old_var + m * r->variance[c] * unbiased;
        within("running_mean", c, mean[c], want, fabs(old) + r->largest_x[c]);
        within("running_var", c, var[c], want_var, want_var);
    }
}

/* before: of AN_ACCUMULATE, or NULL */
static inline void check_gradient(
    const reference *r, int array, const float *got, const float *before) {
    if (!got) return;
    double *want = zeros(r->channels), *scale = zeros(r->channels);
    for (size_t i = 0; i < r->values; ++i) {
        const place at = r->at[i];
        const double dy = value_at(r, DY, i, 0);
        want[at.channel] += array == DGAMMA ? dy * xhat_at(r, i) : dy;
        scale[at.channel] += fabs(array == DGAMMA ? dy * r->largest_xhat[at.set] : dy);
    }
    for (size_t c = 0; c < r->channels; ++c) {
        const double old = before ? before[c] : 0;
        within(
            array == DGAMMA ? "dgamma" : "dbeta", c, got[c], want[c] + old, scale[c] + fabs(old));
    }
    free(want);
    free(scale);
}

#endif
