#include "axisnorm_train.h"
#include "contract.h"
#include "head.h"

typedef struct {
    size_t batch, tokens, heads, width; /* of a head */
} sizes;

static bool sizes_ok(const sizes *s) {
    if (s->tokens == 0 || s->heads == 0 || s->width == 0) return false;
    if (!an_floats_fit(s->heads, s->width, 3) || !an_floats_fit(s->batch, s->heads, 1))
        return false;
    return an_floats_fit(s->batch, s->tokens, 3 * s->heads * s->width) &&
           an_floats_fit(s->tokens, 3 * s->heads * s->width, 1) &&
           an_floats_fit(s->batch * s->heads, s->tokens, s->tokens);
}

static size_t values_of(const sizes *s) { return s->batch * s->tokens * s->heads * s->width; }
static size_t probs_of(const sizes *s) { return s->batch * s->heads * s->tokens * s->tokens; }

static an_head head_at(const float *qkv, const sizes *s, size_t example, size_t number) {
    const size_t all = s->heads * s->width;
    const float *q = qkv + example * s->tokens * 3 * all + number * s->width;
    const double scale = 1 / __builtin_sqrt((double)s->width);
    return (an_head){q, q + all, q + 2 * all, 3 * all, all, s->tokens, s->width, (float)scale};
}

an_status an_attention_forward(float *y, float *probs, const float *qkv, size_t batch,
    size_t tokens, size_t heads, size_t head_width) {
    const sizes s = {batch, tokens, heads, head_width};
    AN_REQUIRE(y && probs && qkv, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(&s), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, values_of(&s)), an_floats(probs, probs_of(&s))};
    const an_span ins[] = {an_floats(qkv, 3 * values_of(&s))};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    for (size_t b = 0; b < batch; ++b)
        for (size_t n = 0; n < heads; ++n, probs += tokens * tokens) {
            const an_head h = head_at(qkv, &s, b, n);
            an_head_forward(y + b * tokens * h.y_stride + n * head_width, probs, &h);
        }
    return AN_OK;
}

an_status an_attention_backward(float *dqkv, const float *dy, const float *qkv, const float *probs,
    float *workspace, size_t batch, size_t tokens, size_t heads, size_t head_width) {
    const sizes s = {batch, tokens, heads, head_width};
    AN_REQUIRE(dqkv && dy && qkv && probs && workspace, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(&s), AN_ERR_SHAPE);
    const size_t n = values_of(&s);
    const an_span outs[] = {an_floats(dqkv, 3 * n), an_floats(workspace, tokens)};
    const an_span ins[] = {an_floats(dy, n), an_floats(qkv, 3 * n), an_floats(probs, probs_of(&s))};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    for (size_t b = 0; b < batch; ++b)
        for (size_t i = 0; i < heads; ++i, probs += tokens * tokens) {
            const an_head h = head_at(qkv, &s, b, i);
            const float *of_y = dy + b * tokens * h.y_stride + i * head_width;
            an_head_backward(dqkv + (h.q - qkv), of_y, probs, workspace, &h);
        }
    return AN_OK;
}
