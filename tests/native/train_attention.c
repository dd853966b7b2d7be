#include "train.h"

typedef struct {
    size_t batch, tokens, heads, width;
} sizes;

/* part 0, 1, 2: query, key, value */
static size_t in_qkv(const sizes *s, size_t b, size_t t, size_t part, size_t h, size_t c) {
    return (((b * s->tokens + t) * 3 + part) * s->heads + h) * s->width + c;
}
static size_t in_y(const sizes *s, size_t b, size_t t, size_t h, size_t c) {
    return ((b * s->tokens + t) * s->heads + h) * s->width + c;
}

/* One row of probabilities in float64. */
static void reference_row(
    double *p, const sizes *s, const float *qkv, size_t b, size_t h, size_t t) {
    double most = -INFINITY, sum = 0;
    for (size_t r = 0; r <= t; ++r) {
        p[r] = 0;
        for (size_t c = 0; c < s->width; ++c)
            p[r] += (double)qkv[in_qkv(s, b, t, 0, h, c)] * qkv[in_qkv(s, b, r, 1, h, c)];
        p[r] /= sqrt((double)s->width);
        most = fmax(most, p[r]);
    }
    for (size_t r = 0; r <= t; ++r) sum += p[r] = exp(p[r] - most);
    for (size_t r = 0; r <= t; ++r) p[r] /= sum;
}

/* The loss sum(y * dy) in float64. */
static double loss(const sizes *s, const float *qkv, const float *dy) {
    double total = 0, *p = zero_doubles(s->tokens);
    for (size_t b = 0; b < s->batch; ++b)
        for (size_t h = 0; h < s->heads; ++h)
            for (size_t t = 0; t < s->tokens; ++t) {
                reference_row(p, s, qkv, b, h, t);
                for (size_t r = 0; r <= t; ++r)
                    for (size_t c = 0; c < s->width; ++c)
                        total += p[r] * qkv[in_qkv(s, b, r, 2, h, c)] * dy[in_y(s, b, t, h, c)];
            }
    free(p);
    return total;
}

static void check_forward(const sizes *s, const float *y, const float *probs, const float *qkv) {
    double *p = zero_doubles(s->tokens);
    for (size_t b = 0; b < s->batch; ++b)
        for (size_t h = 0; h < s->heads; ++h)
            for (size_t t = 0; t < s->tokens; ++t) {
                reference_row(p, s, qkv, b, h, t);
                const float *row = probs + ((b * s->heads + h) * s->tokens + t) * s->tokens;
                for (size_t r = 0; r < s->tokens; ++r)
                    close_to("probs", r, row[r], r <= t ? p[r] : 0, r <= t ? p[r] : 0, 16);
                for (size_t c = 0; c < s->width; ++c) {
                    double want = 0, scale = 0;
                    for (size_t r = 0; r <= t; ++r) {
                        const double term = p[r] * qkv[in_qkv(s, b, r, 2, h, c)];
                        want += term;
                        scale += fabs(term);
                    }
                    close_to("y", c, y[in_y(s, b, t, h, c)], want, scale, 16);
                }
            }
    free(p);
}

/* against central differences of the float64 loss; steps are exact in float32 */
static void check_backward(const sizes *s, const float *dqkv, float *qkv, const float *dy) {
    const float step = 0x1p-9f;
    for (size_t i = 0; i < s->batch * s->tokens * 3 * s->heads * s->width; ++i) {
        const float at = qkv[i], above = at + step, below = at - step;
        qkv[i] = above;
        const double up = loss(s, qkv, dy);
        qkv[i] = below;
        const double down = loss(s, qkv, dy);
        qkv[i] = at;
        const double want = (up - down) / ((double)above - below);
        CHECK(fabs(dqkv[i] - want) < 2e-5, "dqkv[%zu]: expected %g, got %g", i, want, dqkv[i]);
    }
}

static void run(sizes s) {
    const size_t n = s.batch * s.tokens * s.heads * s.width;
    const size_t probs_count = s.batch * s.heads * s.tokens * s.tokens;
    float *qkv = random_array(3 * n, 1.5f), *dy = random_array(n, 1);
    float *y = spoiled_array(n), *probs = spoiled_array(probs_count);
    float *dqkv = spoiled_array(3 * n), *workspace = spoiled_array(s.tokens);
    SUCCEED(an_attention_forward(y, probs, qkv, s.batch, s.tokens, s.heads, s.width));
    SUCCEED(an_attention_backward(
        dqkv, dy, qkv, probs, workspace, s.batch, s.tokens, s.heads, s.width));
    check_forward(&s, y, probs, qkv);
    check_backward(&s, dqkv, qkv, dy);
    float *arrays[] = {qkv, dy, y, probs, dqkv, workspace};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
}

int main(void) {
    for (size_t tokens = 1; tokens < 11; ++tokens)
        for (size_t width = 1; width < 10; ++width) {
            skew = (tokens + width) % 4;
            run((sizes){1 + tokens % 2, tokens, 1 + width % 2, width});
        }
    run((sizes){0, 3, 2, 4});
    return 0;
}
