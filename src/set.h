/*
 * A set: the elements that share one mean and one variance, whatever the norm.
 *
 * It is `runs` runs of `len` adjacent floats, `stride` floats apart. A row of
 * LayerNorm is one run; a group of channels is one run when the channels come
 * first and `spatial` runs when they come last; a channel of BatchNorm is a run
 * an example. gamma and beta of element j of run r stand at
 * r * param_run + j * param_step.
 */
#ifndef AN_SET_H
#define AN_SET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t runs, stride, len;
    size_t param_run, param_step;
} an_set;

/* What a set comes down to. */
typedef struct {
    double mean, variance, rstd;
} an_summary;

/* rstd is 0 where variance + eps is 0, so that a constant set gives exactly beta. */
static inline an_summary an_summary_of(double mean, double variance, float eps) {
    const double v = variance + eps;
    return (an_summary){mean, variance, v == 0 ? 0 : 1 / __builtin_sqrt(v)};
}

/*
 * A set of fewer values always goes through float64: dx is what is left of dy without its
 * part along 1 and along xhat, and of few values little is left.
 */
enum { AN_FEW = 8 };

/* A mean this small beside the spread needs no correction. False for a NaN. */
static inline bool an_mean_is_small(double mean, double variance) {
    return mean * mean <= 4.0 * variance;
}

/*
 * Whether float32 sums can be trusted with squares around `scale` (variance + eps):
 * outside these bounds they may have overflowed or vanished. False for a NaN.
 */
static inline bool an_in_plain_range(double scale) {
    return scale >= 0x1p-100 && scale <= 0x1p+100;
}

/* The same, of the rstd that comes of it. */
static inline bool an_rstd_ok(double rstd) { return rstd >= 0x1p-50 && rstd <= 0x1p+50; }

/* The same for products of x - mean and dy, which vanish sooner. */
static inline bool an_in_product_range(double rstd) { return rstd >= 0x1p-24 && rstd <= 0x1p+24; }

/* The same of a coefficient; 0 is plain, too. */
static inline bool an_coefficient_ok(double a) {
    const double size = __builtin_fabs(a);
    return size == 0 || (size >= 0x1p-100 && size <= 0x1p+100);
}

/* an_mean_is_small of saved statistics, without a division. */
static inline bool an_saved_mean_is_small(double mean, double rstd, float eps) {
    const double precision = rstd * rstd;
    return mean * mean * precision <= 4.0 * (1 - eps * 1.000001 * precision);
}

/* The summary behind saved float32 statistics. The margin on eps covers the rounding of rstd. */
static inline an_summary an_summary_saved(float mean, float rstd, float eps) {
    return (an_summary){mean, 1 / ((double)rstd * rstd) - eps * 1.000001, rstd};
}

/* Coefficients of dx that have neither overflowed nor vanished. False for a NaN. */
static inline bool an_line_ok(double slope, double shift) {
    return an_coefficient_ok(slope) && __builtin_fabs(shift) <= 0x1p+120;
}

static inline void an_saved(
    an_summary *saved, const float *mean, const float *rstd, size_t n, float eps) {
    for (size_t k = 0; k < n; ++k) saved[k] = an_summary_saved(mean[k], rstd[k], eps);
}

/*
 * What a saved float32 mean lacks, from the mean of x - mean. It cannot be more than half a
 * unit in the last place of the mean: a larger value is the rounding of the deviations.
 */
static inline double an_rest_of(double mean_deviation, double mean) {
    return __builtin_fabs(mean_deviation) <= 0x1p-24 * __builtin_fabs(mean) ? mean_deviation : 0;
}

/* mean[i] and rstd[i]; NULL: not wanted */
static inline void an_save(float *mean, float *rstd, size_t i, an_summary s) {
    if (mean) mean[i] = (float)s.mean;
    if (rstd) rstd[i] = (float)s.rstd;
}

/*
 * What a float32 kernel takes of a set. mean + rest is the mean to float64
 * precision; rest is 0 for a set whose mean is small beside its spread, where the
 * rounding of the mean is lost in that of the result.
 */
typedef struct {
    float mean, rest, rstd;
} an_stats;

static inline an_stats an_stats_of(an_summary s) {
    const float mean = (float)s.mean;
    const double rest = an_mean_is_small(s.mean, s.variance) ? 0 : s.mean - mean;
    return (an_stats){mean, (float)rest, (float)s.rstd};
}

/*
 * y = (x - centre - rest) * scale + shift for the elements of a set that share gamma and
 * beta. Where the mean is smaller than the spread it is folded into shift, which rounds
 * once less, and centre and rest are 0.
 */
typedef struct {
    float centre, rest, scale, shift;
    bool folded;
} an_line;

static inline an_line an_line_of(an_summary s, double gain, double beta) {
    const float scale = (float)(s.rstd * gain);
    if (s.mean * s.mean <= s.variance)
        return (an_line){0, 0, scale, (float)(beta - s.mean * scale), true};
    const an_stats stats = an_stats_of(s);
    return (an_line){stats.mean, stats.rest, scale, (float)beta, false};
}

/* dx = dy * rstd * gamma + a line of x, given as (x - mean) * slope + shift */
static inline an_line an_dx_line_of(an_summary s, double rest, double slope, double shift) {
    if (an_mean_is_small(
            s.mean, s.variance)) /* with the slope that is used, so that dx sums to 0 */
        return (an_line){0, 0, (float)slope, (float)(shift - s.mean * (float)slope), true};
    return (an_line){(float)s.mean, (float)rest, (float)slope, (float)shift, false};
}

#endif
