/*
 * axisnorm-train: what a small network needs beside the norms to be trained, forward and
 * backward. Its own wasm module has these functions and all of axisnorm.h.
 *
 * What axisnorm.h says of arguments, memory, errors, bits and NaN holds here too:
 *
 * Aliasing     y may be x itself and dx may be dy or x itself where the entry says so. Any
 *              other overlap of an output with another argument is refused.
 * Outputs      are overwritten; with AN_ACCUMULATE, where a function knows it, they are
 *              added to.
 * Memory       Pointers to float64 values and to an_cross_entropy_result need 8-byte
 *              alignment, all others 4.
 * Precision    float32 with a fixed order of additions; docs/numerics.md says which. Losses
 *              and norms of gradients are float64.
 * Bits         depend on the arguments alone. Every build gives the same.
 * Sizes        rows, batch and n may be 0; other sizes are at least 1.
 */
#ifndef AXISNORM_TRAIN_H
#define AXISNORM_TRAIN_H

#include "axisnorm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A target that is not counted. */
enum { AN_IGNORED = -1 };

/*
 * Matrix products; matrices are row-major.
 *
 *   nn  c[i][j] = sum_l a[i][l] * b[l][j]    y  = x W     a is [m][k], b is [k][n]
 *   nt  c[i][j] = sum_l a[i][l] * b[j][l]    dx = dy W^T  a is [m][k], b is [n][k]
 *   tn  c[i][j] = sum_l a[l][i] * b[l][j]    dW = x^T dy  a is [k][m], b is [k][n]
 *
 * with W [inputs][outputs]. Terms are added in order of l, in chains of 128: the bits of an
 * element depend on its row and column alone, and are the same in all forms.
 *
 * c      out [m][n]
 * a, b   in
 * m may be 0; so may k in tn, which gives zeros
 * flags  AN_ACCUMULATE
 */
AN_API an_status an_matmul_nn(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags);
AN_API an_status an_matmul_nt(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags);
AN_API an_status an_matmul_tn(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags);

/*
 * y[r][c] = x[r][c] + bias[c]
 *
 * y  out [rows][cols]  may be x itself
 */
AN_API an_status an_bias_forward(
    float *y, const float *x, const float *bias, size_t rows, size_t cols);

/*
 * dbias[c] = sum_r dy[r][c]
 *
 * dbias  out [cols]
 * flags  AN_ACCUMULATE
 */
AN_API an_status an_bias_backward(
    float *dbias, const float *dy, size_t rows, size_t cols, uint32_t flags);

/*
 * A residual connection: y = alpha * x + f. DeepNorm takes alpha > 1, others 1.
 *
 * y  out [n]  may be x itself
 */
AN_API an_status an_residual(float *y, const float *x, const float *f, size_t n, float alpha);

/*
 * y = max(x, 0); NaN stays NaN, and -0 becomes 0. dx = dy where y > 0, else 0; x serves as well
 * as y.
 *
 * y, dx  out [n]  y may be x itself; dx may be dy or y itself
 */
AN_API an_status an_relu_forward(float *y, const float *x, size_t n);
AN_API an_status an_relu_backward(float *dx, const float *dy, const float *y, size_t n);

/*
 * y = x * Phi(x) with the normal distribution Phi: the exact form, not that with tanh
 * [Hendrycks & Gimpel 2016]. dx = dy * (Phi(x) + x * phi(x)).
 *
 * y, dx  out [n]  y may be x itself; dx may be dy or x itself
 */
AN_API an_status an_gelu_forward(float *y, const float *x, size_t n);
AN_API an_status an_gelu_backward(float *dx, const float *dy, const float *x, size_t n);

/*
 * Causal multi-head attention [Vaswani et al. 2017]. For token t of a head:
 *
 *   probs[t][s] = softmax over s <= t of (q[t] . k[s]) / sqrt(head_width), 0 for s > t
 *   y[t]        = sum_{s <= t} probs[t][s] * v[s]
 *
 * A token changes no bit of what comes before it, whatever its values.
 *
 * y      out [batch][tokens][heads * head_width]
 * probs  out [batch][heads][tokens][tokens]
 * qkv    in  [batch][tokens][3][heads * head_width]: queries, keys, values
 */
AN_API an_status an_attention_forward(float *y, float *probs, const float *qkv, size_t batch,
    size_t tokens, size_t heads, size_t head_width);

/*
 * dqkv       out [batch][tokens][3][heads * head_width]
 * dy         in  [batch][tokens][heads * head_width]
 * qkv        in  that of the forward call
 * probs      in  what the forward call wrote
 * workspace  [tokens], free before and after
 */
AN_API an_status an_attention_backward(float *dqkv, const float *dy, const float *qkv,
    const float *probs, float *workspace, size_t batch, size_t tokens, size_t heads,
    size_t head_width);

/*
 * y[r] = table[ids[r]] + positions[r mod tokens]
 *
 * y          out [rows][width]
 * ids        in  [rows], each less than vocabulary, else AN_ERR_INDEX
 * table      in  [vocabulary][width]
 * positions  in  [tokens][width]   NULL: none
 */
AN_API an_status an_embedding_forward(float *y, const uint32_t *ids, const float *table,
    const float *positions, size_t rows, size_t tokens, size_t vocabulary, size_t width);

/*
 * Each row of dy is added to the row of the table and the position it came from.
 *
 * dtable      out [vocabulary][width]
 * dpositions  out [tokens][width]     NULL: not wanted
 * flags       AN_ACCUMULATE
 */
AN_API an_status an_embedding_backward(float *dtable, float *dpositions, const float *dy,
    const uint32_t *ids, size_t rows, size_t tokens, size_t vocabulary, size_t width,
    uint32_t flags);

/* What an_cross_entropy has counted. */
typedef struct {
    double loss;      /* mean over the rows that count; 0 where none does */
    uint32_t counted; /* rows whose target is not AN_IGNORED */
    uint32_t correct; /* of these, rows whose largest logit (the first of equals) is the target's;
                         none with a NaN */
} an_cross_entropy_result;

/*
 * Softmax and cross-entropy, in natural logarithms, with the gradient.
 *
 *   loss          = mean over rows that count of -log softmax(logits[r])[targets[r]]
 *   dlogits[r][c] = (softmax(logits[r])[c] - [c = targets[r]]) / counted; 0 in other rows
 *
 * result   out
 * dlogits  out [rows][classes]  NULL: not wanted; may be logits itself
 * targets  in  [rows]           AN_IGNORED, or less than classes, else AN_ERR_INDEX
 */
AN_API an_status an_cross_entropy(an_cross_entropy_result *result, float *dlogits,
    const float *logits, const int32_t *targets, size_t rows, size_t classes);

/*
 * Gradient descent with momentum, as PyTorch's SGD:
 *
 *   velocity = momentum * velocity + gradient
 *   values   = values - rate * velocity
 *
 * values    in and out [n]
 * velocity  in and out [n]  NULL: momentum must be 0
 * rate      finite in float32, >= 0; momentum within 0 and 1: else AN_ERR_VALUE
 */
AN_API an_status an_sgd_step(
    float *values, float *velocity, const float *gradient, size_t n, double rate, double momentum);

/*
 * Adam [Kingma & Ba 2015], with the decoupled weight decay of AdamW [Loshchilov & Hutter 2019]:
 *
 *   m = beta1 * m + (1 - beta1) * gradient
 *   v = beta2 * v + (1 - beta2) * gradient^2
 *   values = (1 - rate * decay) * values - rate * (m / c1) / (sqrt(v / c2) + eps)
 *
 * values, m, v  in and out [n]; m and v are zeros before the first step
 * c1, c2        1 - beta1^t and 1 - beta2^t of step t = 1, 2, ...; the caller keeps them, so that
 *               there is no state here
 * rate, decay, eps  finite in float32, >= 0; beta1, beta2 within 0 and 1; c1, c2 more than 0, at
 *               most 1: else AN_ERR_VALUE
 */
AN_API an_status an_adam_step(float *values, float *m, float *v, const float *gradient, size_t n,
    double rate, double beta1, double beta2, double c1, double c2, double eps, double decay);

/*
 * norm = sqrt(sum_i x[i]^2) in float64. It overflows or vanishes nowhere.
 *
 * norm  out
 */
AN_API an_status an_norm(double *norm, const float *x, size_t n);

/*
 * y = factor * x, as gradient clipping does with factor = limit / norm.
 *
 * y  out [n]  may be x itself
 */
AN_API an_status an_scale(float *y, const float *x, size_t n, float factor);

/*
 * The values under a window of 3 x 3, with zeros beyond the edges, so that a convolution is a
 * matrix product:
 *
 *   y[n][h][w][i][j][c] = x[n][h + i - 1][w + j - 1][c]
 *
 * y  out [batch][height][width][3][3][channels]
 * x  in  [batch][height][width][channels]
 */
AN_API an_status an_unfold_forward(
    float *y, const float *x, size_t batch, size_t height, size_t width, size_t channels);

/* dx[n][h][w][c]: the sum of dy over all places that the value was copied to */
AN_API an_status an_unfold_backward(
    float *dx, const float *dy, size_t batch, size_t height, size_t width, size_t channels);

/*
 * Means over squares of 2 x 2; height and width are even, else AN_ERR_SHAPE.
 *
 * y  out [batch][height / 2][width / 2][channels]
 * x  in  [batch][height][width][channels]
 */
AN_API an_status an_pool_forward(
    float *y, const float *x, size_t batch, size_t height, size_t width, size_t channels);

/* dx[n][h][w][c] = dy[n][h / 2][w / 2][c] / 4, with the sizes of x */
AN_API an_status an_pool_backward(
    float *dx, const float *dy, size_t batch, size_t height, size_t width, size_t channels);

#ifdef __cplusplus
}
#endif

#endif
