/*
 * Norms over sets that are cut out of [outer][channels][inner] memory: BatchNorm,
 * GroupNorm, InstanceNorm, weight standardization. All sets of a call have one shape;
 * they go through run by run, one set at a time, or column by column, a few at a time.
 */
#ifndef AN_SETS_H
#define AN_SETS_H

#include "columns.h"
#include "runs.h"

typedef struct {
    size_t count;
    an_set set;    /* the shape of one */
    size_t apart;  /* floats from one set to the next */
    size_t params; /* values of gamma in one set */
    bool columns;  /* runs are short and the sets lie side by side */
    float eps;
    bool exact;
} an_sets;

enum { AN_SETS_MOST = AN_STRIP /* sets that go through together */ };

/* Each function does some sets from set k on and returns how many. Arrays are those of the call;
 * summaries and gradients start at set k. */

size_t an_sets_forward(float *y, an_summary *summaries, const float *x, const an_sets *job,
    an_affine affine, size_t k);

/* `frozen`: the statistics are given */
size_t an_sets_normalize(float *y, const float *x, const an_sets *job, an_affine affine,
    const an_summary *frozen, size_t k);

size_t an_sets_backward(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_sets *job, an_affine affine, const an_summary *saved, size_t k);

size_t an_sets_backward_frozen(float *dx, an_gradients gradients, const float *dy, const float *x,
    const an_sets *job, an_affine affine, const an_summary *frozen, size_t k);

/* How many sets from set k on go through together. */
size_t an_sets_together(const an_sets *job, size_t k);

#endif
