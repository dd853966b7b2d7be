/* Attention of one head of one example, and what its two directions share. */
#ifndef AN_TRAIN_HEAD_H
#define AN_TRAIN_HEAD_H

#include "simd.h"

/* Rows of q, k and v are `stride` floats apart, those of y `y_stride`. */
typedef struct {
    const float *q, *k, *v;
    size_t stride, y_stride, tokens, width;
    float scale; /* of the scores */
} an_head;

/* y and probs are the first rows of the head's. */
void an_head_forward(float *y, float *probs, const an_head *h);

/* dq is that of the first token; dk and dv lie behind it as k and v behind q. dscores is the
 * workspace. */
void an_head_backward(
    float *dq, const float *dy, const float *probs, float *dscores, const an_head *h);

/* Columns of a head go so many vectors at a time. */
enum { AN_HEAD_VECTORS = 2 };

/* Runs `step(..., c, vectors, lanes)` over them. */
#define AN_EACH_HEAD_COLUMN(width, step, ...)                                                      \
    do {                                                                                           \
        const size_t many_ = AN_HEAD_VECTORS * VF_LANES;                                           \
        size_t c_ = 0;                                                                             \
        for (; c_ + many_ <= (width); c_ += many_)                                                 \
            step(__VA_ARGS__, c_, AN_HEAD_VECTORS, VF_LANES);                                      \
        for (; c_ + VF_LANES <= (width); c_ += VF_LANES) step(__VA_ARGS__, c_, 1, VF_LANES);       \
        if (c_ < (width)) step(__VA_ARGS__, c_, 1, (int)((width)-c_));                             \
    } while (0)

/*
 * Rows of scores are walked in whole vectors as far as the tokens go: this many scores for token
 * t, which sees t + 1. The last vector may reach beyond what is seen; an_hide() replaces that.
 */
static inline size_t an_scores_for(size_t t, size_t tokens) {
    const size_t seen = t + 1, padded = (seen + VF_LANES - 1) & ~(size_t)(VF_LANES - 1);
    return padded <= tokens ? padded : seen;
}

AN_INLINE void an_hide(float *scores, size_t t, size_t count, vf by) {
    const size_t hidden = count - (t + 1);
    if (hidden == 0) return;
    float *last = scores + count - VF_LANES;
    vf_store(last, vf_pick(vf_below(VF_LANES - hidden), vf_load(last), by));
}

AN_INLINE void an_dot_step(vf *sum, const float *a, const float *b, size_t c, int lanes) {
    *sum = vf_add(*sum, vf_mul(vf_get_part(a + c, lanes), vf_get_part(b + c, lanes)));
}

AN_INLINE void an_dots_step(
    vf sum[VF_LANES], const float *a, const float *rows, size_t stride, size_t c, int lanes) {
    const vf x = vf_get_part(a + c, lanes);
    AN_UNROLL for (size_t i = 0; i < VF_LANES; ++i) sum[i] =
        vf_add(sum[i], vf_mul(x, vf_get_part(rows + i * stride + c, lanes)));
}

/* to[s] = a . rows[s], each summed in four lanes */
AN_INLINE void an_dots(
    float *to, const float *a, const float *rows, size_t stride, size_t count, size_t width) {
    const vf zero = vf_set1(0);
    size_t s = 0;
    for (; s + VF_LANES <= count; s += VF_LANES, rows += VF_LANES * stride) {
        vf sum[VF_LANES] = {zero, zero, zero, zero};
        VF_EACH_PART(width, an_dots_step, sum, a, rows, stride);
        vf_store(to + s, vf_sums(sum[0], sum[1], sum[2], sum[3]));
    }
    for (; s < count; ++s, rows += stride) {
        vf sum = zero;
        VF_EACH_PART(width, an_dot_step, &sum, a, rows);
        to[s] = vf_sum(sum);
    }
}

#endif
