#include "head.h"
#include "softmax.h"
#include "steps.h"

#include <math.h>

/* Scores of token t become probabilities. A row with a NaN still has zeros where it is hidden. */
static void softmax(float *probs, size_t t, const an_head *h) {
    const size_t count = an_scores_for(t, h->tokens);
    an_hide(probs, t, count, vf_set1(-INFINITY));
    const double sum = an_exp_sum(probs, probs, count, an_largest(probs, count), h->scale);
    VF_EACH_PART(count, an_scale_step, probs, probs, vf_set1((float)(1 / sum)));
    an_hide(probs, t, count, vf_set1(0));
    VF_EACH_PART(h->tokens - count, an_zero_step, probs + count, vf_set1(0));
}

/* y = sum_{s <= t} probs[s] * v[s], in order */
AN_INLINE void weigh_step(
    float *y, const float *probs, const an_head *h, size_t t, size_t c, size_t vectors, int lanes) {
    vf sum[AN_HEAD_VECTORS];
    AN_UNROLL for (size_t i = 0; i < vectors; ++i) sum[i] = vf_set1(0);
    for (size_t s = 0; s <= t; ++s) {
        const vf p = vf_set1(probs[s]);
        const float *v = h->v + s * h->stride + c;
        AN_UNROLL for (size_t i = 0; i < vectors; ++i) sum[i] =
            vf_add(sum[i], vf_mul(p, vf_get_part(v + i * VF_LANES, lanes)));
    }
    AN_UNROLL for (size_t i = 0; i < vectors; ++i) vf_put_part(y + c + i * VF_LANES, sum[i], lanes);
}

/* In three sweeps over the rows, so that a processor finds work of other rows while it waits for
 * the steps of one. */
void an_head_forward(float *y, float *probs, const an_head *h) {
    const size_t tokens = h->tokens;
    for (size_t t = 0; t < tokens; ++t)
        an_dots(probs + t * tokens, h->q + t * h->stride, h->k, h->stride, an_scores_for(t, tokens),
            h->width);
    for (size_t t = 0; t < tokens; ++t) softmax(probs + t * tokens, t, h);
    for (size_t t = 0; t < tokens; ++t, y += h->y_stride)
        AN_EACH_HEAD_COLUMN(h->width, weigh_step, y, probs + t * tokens, h, t);
}
