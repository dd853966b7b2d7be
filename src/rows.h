/*
 * Norms whose statistics belong to a row and whose parameters run along it:
 * LayerNorm, and RMSNorm as the case without a mean.
 */
#ifndef AN_ROWS_H
#define AN_ROWS_H

#include "axisnorm.h"
#include "exact.h"

/* What stays the same for all rows of a call. */
typedef struct {
    an_affine affine;
    an_coupling kind; /* AN_CENTRED or AN_UNCENTRED */
    bool beta;        /* whether the pass has a beta at all, given or not */
    size_t cols;
    size_t counted; /* the leading columns that make the statistic */
    float eps;
    bool exact;
} an_rows;

/* mean and rstd may be NULL */
void an_rows_forward(
    float *y, float *mean, float *rstd, const float *x, size_t rows, const an_rows *job);

/* Each result may be NULL; mean is NULL for AN_UNCENTRED. */
void an_rows_backward(float *dx, float *dgamma, float *dbeta, const float *dy, const float *x,
    const float *mean, const float *rstd, void *workspace, size_t rows, uint32_t flags,
    const an_rows *job);

#endif
