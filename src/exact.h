/*
 * The float64 path: any set, forward and backward, one element at a time. It is
 * what AN_EXACT asks for and where sets go whose float32 sums cannot be trusted.
 */
#ifndef AN_EXACT_H
#define AN_EXACT_H

#include "set.h"

#include <stdbool.h>

/* gamma (plus offset) and beta from the place of the set's first element; NULL: ones, zeros */
typedef struct {
    const float *gamma, *beta;
    double offset;
} an_affine;

/*
 * Parameter gradients in float64, one value for each parameter of the sets at hand:
 * dgamma and dbeta are added to, dy is scratch.
 */
typedef struct {
    double *dgamma, *dbeta, *dy;
} an_gradients;

/* How x enters its own normalization, which is what decides dx. */
typedef enum {
    AN_CENTRED,  /* by mean and variance */
    AN_UNCENTRED /* by its mean square: RMSNorm */
} an_coupling;

an_summary an_exact_summary(const float *x, const an_set *set, an_coupling kind, float eps);

/*
 * Whether float32 products of dy and x - mean may vanish although rstd is ordinary: eps hides
 * a spread that is tiny. Costs a comparison where it does not; false for a constant set, whose
 * deviations are 0.
 */
bool an_spread_vanishes(const float *x, const an_set *set, an_summary saved);

void an_exact_normalize(
    float *y, const float *x, const an_set *set, an_affine affine, an_summary stats);

/*
 * dx, and dgamma and dbeta added to float64 totals; each may be NULL, and x where
 * only dbeta is wanted. For AN_UNCENTRED, `counted` elements of each run made the statistic
 * (partial RMSNorm).
 */
void an_exact_gradients(float *dx, double *dgamma, double *dbeta, const float *dy, const float *x,
    const an_set *set, size_t counted, an_affine affine, an_coupling kind, an_summary stats);

#endif
