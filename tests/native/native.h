/*
 * What the native tests share: exact-size heap arrays (a sanitizer sees one float past the end), a
 * float64 reference written from the formulas of axisnorm.h, and the comparison.
 *
 * A program describes its norm by the set (row, group, channel, filter) and the channel (place of
 * gamma) of every value, and calls the kernels.
 */
#ifndef AN_TESTS_NATIVE_H
#define AN_TESTS_NATIVE_H

#include "support.h"

#include <stdbool.h>

/* every tail of one and of several vectors, the edges of blocks, strips and chunks */
static const size_t WIDTHS[] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 67, 257, 513, 1030, 4099};
static const size_t HEIGHTS[] = {1, 2, 3, 4, 5, 7, 33, 66};

/* what a call leaves out, for the loops over `absent` */
enum { GAMMA = 1, BETA = 2, MEAN = 4, RSTD = 8, DX = 16, DGAMMA = 32, DBETA = 64, ALL = 127 };
static const unsigned ABSENT[] = {0, GAMMA, BETA, MEAN, RSTD, DX, DGAMMA, DBETA, ALL};

/* One problem: the arrays of a call, `offset` floats past the alignment of malloc. */
typedef struct {
    size_t n, sets, channels, offset;
    unsigned missing; /* what the norm does not have: BETA | DBETA */
    size_t *set, *channel;
    bool centred, frozen; /* not RMSNorm; statistics are constants */
    bool *counted;        /* NULL: every value is in the statistic of its set */
    float eps;
    double gamma_offset;
    float *x, *dy, *gamma, *beta, *y, *mean, *rstd, *dx, *dgamma, *dbeta;
    double *workspace;
} problem;

static inline float *floats(const problem *p, size_t count) {
    return (float *)take((p->offset + count) * sizeof(float)) + p->offset;
}

static inline void drop(const problem *p, float *data) { free(data - p->offset); }

static inline float *random_floats(const problem *p, size_t count, float scale, float shift) {
    float *data = floats(p, count);
    for (size_t i = 0; i < count; ++i) data[i] = scale * uniform() + shift;
    return data;
}

static inline void spoil(float *data, size_t count) {
    for (size_t i = 0; i < count; ++i) data[i] = NAN;
}

static inline float *spoiled(const problem *p, size_t count) {
    float *data = floats(p, count);
    spoil(data, count);
    return data;
}

static inline problem problem_of(size_t n, size_t sets, size_t channels, size_t offset) {
    problem p = {.n = n, .sets = sets, .channels = channels, .offset = offset, .centred = true};
    p.eps = 1e-5f;
    p.set = take(n * sizeof *p.set);
    p.channel = take(n * sizeof *p.channel);
    p.x = random_floats(&p, n, 3, 20);
    p.dy = random_floats(&p, n, 1, 0.1f);
    p.gamma = random_floats(&p, channels, 1.5f, 0);
    p.beta = random_floats(&p, channels, 1, 0);
    p.y = spoiled(&p, n);
    p.dx = spoiled(&p, n);
    p.mean = spoiled(&p, sets);
    p.rstd = spoiled(&p, sets);
    p.dgamma = spoiled(&p, channels);
    p.dbeta = spoiled(&p, channels);
    p.workspace = take(an_workspace_size(channels));
    return p;
}

static inline void problem_free(problem *p) {
    float *arrays[] = {
        p->x, p->dy, p->gamma, p->beta, p->y, p->dx, p->mean, p->rstd, p->dgamma, p->dbeta};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop(p, arrays[i]);
    free(p->set);
    free(p->channel);
    free(p->counted);
    free(p->workspace);
}

/* ---- reference ---- */

typedef struct {
    double *y, *y_scale, *dx, *dx_scale;                         /* [n] */
    double *count, *mean, *rstd, *variance, *g, *gx, *x_largest; /* [sets] */
    double *dgamma, *dgamma_squares, *dbeta, *dbeta_squares;     /* [channels] */
} reference;

static inline double *zeros(size_t count) {
    double *data = take(count * sizeof *data);
    for (size_t i = 0; i < count; ++i) data[i] = 0;
    return data;
}

static inline double gain(const problem *p, unsigned absent, size_t i) {
    return absent & GAMMA ? 1 : p->gamma[p->channel[i]] + p->gamma_offset;
}

static inline bool counted(const problem *p, size_t i) { return !p->counted || p->counted[i]; }

/* mean and rstd of every set from x; for frozen statistics the caller fills them in */
static inline void reference_statistics(reference *r, const problem *p) {
    for (size_t i = 0; i < p->n; ++i) r->count[p->set[i]] += counted(p, i);
    for (size_t i = 0; i < p->n && p->centred; ++i)
        r->mean[p->set[i]] += p->x[i] / r->count[p->set[i]];
    for (size_t i = 0; i < p->n; ++i) {
        const double d = p->x[i] - r->mean[p->set[i]];
        if (counted(p, i)) r->variance[p->set[i]] += d * d / r->count[p->set[i]];
    }
    for (size_t s = 0; s < p->sets; ++s) {
        const double v = r->variance[s] + p->eps;
        r->rstd[s] = v > 0 ? 1 / sqrt(v) : 0;
    }
}

static inline reference reference_alloc(const problem *p) {
    return (reference){zeros(p->n), zeros(p->sets), zeros(p->n), zeros(p->sets), zeros(p->sets),
        zeros(p->sets), zeros(p->sets), zeros(p->sets), zeros(p->sets), zeros(p->sets),
        zeros(p->sets), zeros(p->channels), zeros(p->channels), zeros(p->channels),
        zeros(p->channels)};
}

static inline void reference_values(reference *r, const problem *p, unsigned absent) {
    for (size_t i = 0; i < p->n; ++i) {
        const size_t s = p->set[i], c = p->channel[i];
        const double xhat = (p->x[i] - r->mean[s]) * r->rstd[s], g = p->dy[i] * gain(p, absent, i);
        const double beta = absent & BETA ? 0 : p->beta[c];
        r->y[i] = xhat * gain(p, absent, i) + beta;
        r->y_scale[s] = fmax(r->y_scale[s], fmax(fabs(r->y[i]), fabs(r->y[i] - beta)));
        r->x_largest[s] = fmax(r->x_largest[s], fabs(xhat));
        r->g[s] += g;
        r->gx[s] += g * xhat;
        r->dgamma[c] += p->dy[i] * xhat;
        r->dbeta[c] += p->dy[i];
        r->dbeta_squares[c] += (double)p->dy[i] * p->dy[i];
    }
    for (size_t i = 0; i < p->n; ++i) {
        const size_t s = p->set[i];
        const double xhat = (p->x[i] - r->mean[s]) * r->rstd[s], g = p->dy[i] * gain(p, absent, i);
        const double by_mean = p->centred && !p->frozen ? r->g[s] / r->count[s] : 0;
        const double by_rstd = !p->frozen && counted(p, i) ? xhat * r->gx[s] / r->count[s] : 0;
        const double largest = fmax(fabs(g), fmax(fabs(by_mean), fabs(by_rstd)));
        r->dx[i] = r->rstd[s] * (g - by_mean - by_rstd);
        r->dx_scale[s] = fmax(r->dx_scale[s], r->rstd[s] * largest);
        r->dgamma_squares[p->channel[i]] += pow(p->dy[i] * r->x_largest[s], 2);
    }
}

static inline void reference_free(reference *r) {
    double *arrays[] = {r->y, r->y_scale, r->dx, r->dx_scale, r->count, r->mean, r->rstd,
        r->variance, r->g, r->gx, r->x_largest, r->dgamma, r->dgamma_squares, r->dbeta,
        r->dbeta_squares};
    for (size_t i = 0; i < COUNT(arrays); ++i) free(arrays[i]);
}

/* ---- comparison ---- */

static inline void check_forward(const problem *p, const reference *r, unsigned absent) {
    for (size_t i = 0; i < p->n; ++i) close_to("y", i, p->y[i], r->y[i], r->y_scale[p->set[i]], 4);
    if (p->frozen) return;
    for (size_t s = 0; s < p->sets; ++s) {
        const double size = fabs(r->mean[s]) + sqrt(r->variance[s]);
        if (!(absent & MEAN) && p->centred) close_to("mean", s, p->mean[s], r->mean[s], size, 4);
        if (!(absent & RSTD)) close_to("rstd", s, p->rstd[s], r->rstd[s], r->rstd[s], 4);
    }
}

/* before: what dgamma and dbeta were added to */
static inline void check_backward(
    const problem *p, const reference *r, unsigned absent, double before) {
    for (size_t i = 0; i < p->n && !(absent & DX); ++i)
        close_to("dx", i, p->dx[i], r->dx[i], r->dx_scale[p->set[i]], 8);
    for (size_t c = 0; c < p->channels; ++c) {
        const double g = r->dgamma[c] + before, b = r->dbeta[c] + before;
        const double g_scale = fmax(fabs(g) + fabs(before), sqrt(r->dgamma_squares[c]));
        const double b_scale = fmax(fabs(b) + fabs(before), sqrt(r->dbeta_squares[c]));
        if (!(absent & DGAMMA)) close_to("dgamma", c, p->dgamma[c], g, g_scale, 8);
        if (!(absent & DBETA)) close_to("dbeta", c, p->dbeta[c], b, b_scale, 8);
    }
}

/* ---- one problem through both directions ---- */

/* The kernels of a norm; `shape` is the program's own. Outputs whose bit is in absent are NULL. */
typedef struct {
    an_status (*forward)(problem *p, const void *shape, unsigned absent, uint32_t flags);
    an_status (*backward)(problem *p, const void *shape, unsigned absent, uint32_t flags);
} kernels;

static inline float *unless(unsigned absent, unsigned bit, float *data) {
    return absent & bit ? NULL : data;
}

static inline void fill(float *data, size_t count, float value) {
    for (size_t i = 0; i < count; ++i) data[i] = value;
}

static inline void same_bits(const char *what, const float *a, const float *b, size_t count) {
    CHECK(count == 0 || memcmp(a, b, count * sizeof *a) == 0, "%s differs", what);
}

/* y = x, dx = dy and dx = x give the bits of separate arrays */
static inline void run_in_place(problem *p, const kernels *k, const void *shape, uint32_t flags) {
    const problem kept = *p;
    for (int of_x = 0; of_x < 2; ++of_x) {
        float *copy = floats(p, p->n);
        memcpy(copy, of_x ? p->x : p->dy, p->n * sizeof *copy);
        *(of_x ? &p->x : &p->dy) = p->dx = copy;
        CHECK(k->backward(p, shape, DGAMMA | DBETA, flags) == AN_OK, "in place");
        same_bits("dx", copy, kept.dx, p->n);
        drop(p, copy);
        *p = kept;
    }
    float *copy = floats(p, p->n);
    memcpy(copy, p->x, p->n * sizeof *copy);
    p->x = p->y = copy;
    CHECK(k->forward(p, shape, MEAN | RSTD, flags) == AN_OK, "in place");
    same_bits("y", copy, kept.y, p->n);
    drop(p, copy);
    *p = kept;
}

/* every combination of ABSENT, with and without AN_EXACT and AN_ACCUMULATE; r has the statistics */
static inline void run_kernels(
    problem *p, const kernels *k, const void *shape, const reference *statistics, uint32_t layout) {
    for (size_t a = 0; a < COUNT(ABSENT); ++a) {
        for (uint32_t exact = 0; exact <= AN_EXACT; exact += AN_EXACT) {
            const unsigned absent = ABSENT[a] | p->missing;
            const uint32_t flags = exact | layout;
            reference r = reference_alloc(p);
            for (size_t s = 0; s < p->sets; ++s) {
                r.count[s] = statistics->count[s];
                r.mean[s] = statistics->mean[s];
                r.rstd[s] = statistics->rstd[s];
                r.variance[s] = statistics->variance[s];
            }
            reference_values(&r, p, absent);
            spoil(p->y, p->n);
            CHECK(k->forward(p, shape, absent, flags) == AN_OK, "forward");
            check_forward(p, &r, absent);
            CHECK(k->forward(p, shape, absent & (GAMMA | BETA), flags) == AN_OK, "forward");

            spoil(p->dx, p->n);
            spoil(p->dgamma, p->channels);
            spoil(p->dbeta, p->channels);
            CHECK(k->backward(p, shape, absent, flags) == AN_OK, "backward");
            check_backward(p, &r, absent, 0);
            fill(p->dgamma, p->channels, 5);
            fill(p->dbeta, p->channels, 5);
            CHECK(k->backward(p, shape, absent, flags | AN_ACCUMULATE) == AN_OK, "backward");
            check_backward(p, &r, absent, 5);
            if (absent == 0) run_in_place(p, k, shape, flags);
            reference_free(&r);
        }
    }
}

static inline void run_problem(problem *p, const kernels *k, const void *shape, uint32_t layout) {
    reference statistics = reference_alloc(p);
    reference_statistics(&statistics, p);
    run_kernels(p, k, shape, &statistics, layout);
    reference_free(&statistics);
    problem_free(p);
}

/* No examples: no statistic is read or written, dgamma and dbeta become zeros. */
static inline void run_nothing(problem *p, const kernels *k, const void *shape, uint32_t layout) {
    CHECK(k->forward(p, shape, MEAN | RSTD, layout) == AN_OK, "no examples");
    CHECK(k->backward(p, shape, 0, layout) == AN_OK, "no examples");
    for (size_t c = 0; c < p->channels; ++c) CHECK(p->dgamma[c] == 0, "dgamma of no examples");
    problem_free(p);
}

#endif
