#include "head.h"

/* From the gradient of the probabilities of one row to that of the dot products q . k: probs *
 * (dprobs - probs . dprobs), times the scale of the scores. */
AN_INLINE void score_step(float *d, const float *p, vf mean, vf scale, size_t i, int lanes) {
    const vf change = vf_mul(vf_get_part(p + i, lanes), vf_sub(vf_get_part(d + i, lanes), mean));
    vf_put_part(d + i, vf_mul(change, scale), lanes);
}

static void score_gradients(
    float *dscores, const float *dy, const float *probs, size_t t, const an_head *h) {
    const size_t count = an_scores_for(t, h->tokens);
    an_dots(dscores, dy, h->v, h->stride, count, h->width);
    an_hide(dscores, t, count, vf_set1(0));
    vf products = vf_set1(0);
    VF_EACH_PART(count, an_dot_step, &products, probs, dscores);
    const vf mean = vf_set1(vf_sum(products));
    VF_EACH_PART(count, score_step, dscores, probs, mean, vf_set1(h->scale));
}

/* Token t: its query and its gradients, and what goes to all keys and values that it sees. */
typedef struct {
    size_t t, stride;
    const float *q, *dy, *k, *dscores, *probs;
    float *dq, *dk, *dv;
} row;

/* Token t is the first that sees its own key and value, so their gradients start here. */
AN_INLINE void spread_step(const row *r, size_t c, size_t vectors, int lanes) {
    vf dq[AN_HEAD_VECTORS], q[AN_HEAD_VECTORS], dy[AN_HEAD_VECTORS];
    AN_UNROLL for (size_t i = 0; i < vectors; ++i) {
        dq[i] = vf_set1(0);
        q[i] = vf_get_part(r->q + c + i * VF_LANES, lanes);
        dy[i] = vf_get_part(r->dy + c + i * VF_LANES, lanes);
    }
    for (size_t s = 0; s <= r->t; ++s) {
        const bool first = s == r->t;
        const vf dscore = vf_set1(r->dscores[s]), p = vf_set1(r->probs[s]);
        AN_UNROLL for (size_t i = 0; i < vectors; ++i) {
            const size_t at = s * r->stride + c + i * VF_LANES;
            const vf dk = first ? vf_set1(0) : vf_get_part(r->dk + at, lanes);
            const vf dv = first ? vf_set1(0) : vf_get_part(r->dv + at, lanes);
            dq[i] = vf_add(dq[i], vf_mul(dscore, vf_get_part(r->k + at, lanes)));
            vf_put_part(r->dk + at, vf_add(dk, vf_mul(dscore, q[i])), lanes);
            vf_put_part(r->dv + at, vf_add(dv, vf_mul(p, dy[i])), lanes);
        }
    }
    AN_UNROLL for (size_t i = 0; i < vectors; ++i)
        vf_put_part(r->dq + c + i * VF_LANES, dq[i], lanes);
}

void an_head_backward(
    float *dq, const float *dy, const float *probs, float *dscores, const an_head *h) {
    float *dk = dq + (h->k - h->q), *dv = dq + (h->v - h->q);
    for (size_t t = 0; t < h->tokens; ++t, dy += h->y_stride, probs += h->tokens) {
        score_gradients(dscores, dy, probs, t, h);
        const row r = {t, h->stride, h->q + t * h->stride, dy, h->k, dscores, probs,
            dq + t * h->stride, dk, dv};
        AN_EACH_HEAD_COLUMN(h->width, spread_step, &r);
    }
}
