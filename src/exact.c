#include "exact.h"

/* for every element e of the set: its run r, its place j in the run, its index i in x */
#define EACH_ELEMENT(set)                                                                          \
    for (size_t r = 0, i = 0; r < (set)->runs; ++r)                                                \
        for (size_t j = (i = r * (set)->stride, 0); j < (set)->len; ++j, ++i)

#define PARAM(set) (r * (set)->param_run + j * (set)->param_step)

static double gain(an_affine a, size_t p) { return a.gamma ? a.gamma[p] + a.offset : 1.0; }

an_summary an_exact_summary(const float *x, const an_set *set, an_coupling kind, float eps) {
    const double n = (double)(set->runs * set->len);
    double mean = 0, sum = 0, sq = 0;
    if (kind == AN_CENTRED) {
        EACH_ELEMENT(set) sum += x[i];
        mean = sum / n;
        sum = 0;
        EACH_ELEMENT(set) sum += x[i] - mean;
        mean += sum / n;
    }
    EACH_ELEMENT(set) sq += (x[i] - mean) * (x[i] - mean);
    return an_summary_of(mean, sq / n, eps);
}

bool an_spread_vanishes(const float *x, const an_set *set, an_summary saved) {
    if (saved.variance > 0x1p-48) return false;
    const double variance = an_exact_summary(x, set, AN_CENTRED, 0).variance;
    return variance != 0 && variance < 0x1p-48;
}

void an_exact_normalize(
    float *y, const float *x, const an_set *set, an_affine affine, an_summary stats) {
    EACH_ELEMENT(set) {
        const size_t p = PARAM(set);
        const double beta = affine.beta ? affine.beta[p] : 0.0;
        y[i] = (float)((x[i] - stats.mean) * stats.rstd * gain(affine, p) + beta);
    }
}

void an_exact_gradients(float *dx, double *dgamma, double *dbeta, const float *dy, const float *x,
    const an_set *set, size_t counted, an_affine affine, an_coupling kind, an_summary stats) {
    const double n = (double)(set->runs * counted);
    double g_mean = 0, gx_mean = 0;
    EACH_ELEMENT(set) {
        const size_t p = PARAM(set);
        const double g = dy[i] * gain(affine, p);
        const double xhat = x ? (x[i] - stats.mean) * stats.rstd : 0;
        if (kind == AN_CENTRED) g_mean += g / n;
        gx_mean += g * xhat / n;
        if (dgamma) dgamma[p] += dy[i] * xhat;
        if (dbeta) dbeta[p] += dy[i];
    }
    if (!dx) return;
    EACH_ELEMENT(set) {
        const double g = dy[i] * gain(affine, PARAM(set));
        const double xhat = (x[i] - stats.mean) * stats.rstd;
        dx[i] = (float)(stats.rstd * (g - g_mean - (j < counted ? xhat * gx_mean : 0)));
    }
}
