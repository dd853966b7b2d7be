/*
 * Norms whose channels are adjacent in memory: BatchNorm of [N, C] and of
 * channels-last images, GroupNorm with the channels last. A set is `width` adjacent
 * columns; whole rows are swept into one accumulator a column, many columns at a time.
 */
#ifndef AN_COLUMNS_H
#define AN_COLUMNS_H

#include "exact.h"

enum { AN_STRIP = 256 /* columns whose accumulators stay in the first-level cache */ };

/*
 * Adjacent sets that go through together. gamma and beta are per column, or per set.
 * Rows are `stride` floats apart.
 */
typedef struct {
    size_t rows, stride, sets, width;
    bool param_per_set;
} an_columns;

/* How many of `sets` sets go through together: at most AN_STRIP. */
static inline size_t an_columns_together(size_t sets, size_t width) {
    const size_t most = width < AN_STRIP ? AN_STRIP / width : 1;
    return sets < most ? sets : most;
}

/* y, and the summary of each set */
void an_columns_forward(float *y, an_summary *summaries, const float *x, const an_columns *job,
    an_affine affine, float eps, bool exact);

/* y from statistics that are given: BatchNorm in inference */
void an_columns_normalize(float *y, const float *x, const an_columns *job, an_affine affine,
    const an_summary *summaries, bool exact);

/* dx, which may be NULL, and the gradients of the sets' parameters. `saved` is what the forward
 * found, a set each. */
void an_columns_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_columns *job, an_affine affine, const an_summary *saved, float eps, bool exact);

/* The same where the statistics are constants. x may be NULL: dgamma is then of no account. */
void an_columns_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_columns *job, an_affine affine, const an_summary *frozen, bool exact);

#endif
