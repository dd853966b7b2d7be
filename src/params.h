/* Optional parameters that run along a row, and the sums that become their gradients. */
#ifndef AN_PARAMS_H
#define AN_PARAMS_H

#include "axisnorm.h"
#include "simd.h"

#include <stdbool.h>
#include <stdint.h>

/* gamma or beta; where it is NULL, every load sees the same four defaults */
typedef struct {
    const float *data;
    size_t mask; /* of the index: all ones, or 0 */
} an_param;

AN_INLINE an_param an_param_of(const float *data, const float defaults[VF_LANES]) {
    return data ? (an_param){data, SIZE_MAX} : (an_param){defaults, 0};
}
AN_INLINE vf an_param_get(const an_param *p, size_t i, int lanes) {
    return vf_get(p->data + (i & p->mask), lanes);
}

/* Whole vectors that hold n values. */
static inline size_t an_padded(size_t n) { return (n + 3) & ~(size_t)3; }

/*
 * A parameter's gradient on its way: the rows of a block are summed in float32
 * (part), the blocks in float64 (total, an_padded(n) long).
 */
typedef struct {
    double *total;
    float *part;
    size_t n;
    bool total_used;
} an_param_sum;

/* `part`: an_padded(n) floats, or the gradient itself where there is a single block to overwrite
 * it */
void an_param_sum_start(an_param_sum *s, double *total, float *part, size_t n);

/* Closes a block: part joins total and is zero again. */
void an_param_sum_block(an_param_sum *s);

/* total, for the float64 path to add to */
double *an_param_sum_total(an_param_sum *s);

/* The gradient, overwritten or added to; NULL: not wanted. */
void an_param_sum_finish(an_param_sum *s, float *gradient, uint32_t flags);

/* gradient[i] from its float64 sum, overwritten or added to by flag; NULL: not wanted */
static inline void an_put_gradient(float *gradient, size_t i, double sum, uint32_t flags) {
    if (gradient) gradient[i] = (float)(flags & AN_ACCUMULATE ? gradient[i] + sum : sum);
}

#endif
