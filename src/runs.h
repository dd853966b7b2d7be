/*
 * Norms whose parameters are constant along a run: GroupNorm with the channels
 * first, BatchNorm of images, InstanceNorm, weight standardization. One set at a
 * time.
 */
#ifndef AN_RUNS_H
#define AN_RUNS_H

#include "exact.h"

/* y, and the set's mean, variance and rstd */
an_summary an_runs_forward(
    float *y, const float *x, const an_set *set, an_affine affine, float eps, bool exact);

/* y from statistics that are given: BatchNorm in inference */
void an_runs_normalize(
    float *y, const float *x, const an_set *set, an_affine affine, an_summary summary, bool exact);

/* dx, which may be NULL, and the gradients of the set's parameters. `saved` is what the forward
 * found. */
void an_runs_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary saved, float eps, bool exact);

/* The same where the statistics are constants. x may be NULL: dgamma is then of no account. */
void an_runs_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_set *set, an_affine affine, an_summary frozen, bool exact);

#endif
