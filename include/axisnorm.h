/*
 * axisnorm: LayerNorm, RMSNorm, BatchNorm, GroupNorm (with InstanceNorm as its
 * case) and weight standardization on float32 arrays, forward and backward.
 *
 * What holds for every function
 *
 * Arguments    Results first, then inputs, then sizes, then numbers, then flags.
 *              "out" arrays are written, "in" arrays are only read. NULL is
 *              allowed where the entry says so.
 * Memory       Nothing is allocated and there is no global state. Every pointer
 *              needs 4-byte alignment (the workspace 8). No byte outside the
 *              arrays is read or written. Backward functions that sum parameter
 *              gradients over many rows take a workspace of
 *              an_workspace_size(parameters) bytes, whose contents are free
 *              before and after the call.
 * Aliasing     y may be x itself, dx may be dy or x itself. Any other overlap of
 *              an output with another argument is refused (AN_ERR_OVERLAP).
 * Errors       Arguments are checked before anything is written; on an error all
 *              outputs are as they were.
 * Outputs      Each output of a backward function may be NULL by itself. dx is
 *              overwritten; dgamma and dbeta are overwritten, or added to with
 *              AN_ACCUMULATE.
 * Statistics   mean and rstd are what the forward function wrote for the same x
 *              and eps. rstd = 1 / sqrt(variance + eps), with the biased
 *              variance; where variance + eps is 0, rstd is 0, so that a constant
 *              row gives exactly beta, whatever the constant and eps.
 * Precision    Sums run in float32 over short blocks and in float64 over the
 *              blocks, always in the same order. A row, group or channel whose
 *              sums overflow or vanish in float32 is computed in float64 instead;
 *              AN_EXACT asks for float64 everywhere. See docs/numerics.md.
 * Bits         The bits of a row, group or channel depend on its values alone:
 *              not on its neighbours, position, alignment or in-place use.
 *              Every build gives the same bits.
 * NaN, Inf     stay in the row, group or channel where they are, and are no error.
 * Empty        rows, batch or outer may be 0: nothing is normalized, dgamma, dbeta and
 *              BatchNorm's mean and rstd are zeros, running statistics stay. Other
 *              sizes are at least 1.
 */
#ifndef AXISNORM_H
#define AXISNORM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__wasm__)
#define AN_API __attribute__((used, visibility("default")))
#else
#define AN_API
#endif

/* The values never change. */
typedef enum {
    AN_OK = 0,
    AN_ERR_NULL = 1,     /* a pointer that is needed is NULL */
    AN_ERR_SHAPE = 2,    /* a size is 0, too large, or does not divide another */
    AN_ERR_EPS = 3,      /* eps is negative, infinite or NaN */
    AN_ERR_ALIGN = 4,    /* a pointer is not aligned */
    AN_ERR_OVERLAP = 5,  /* an output overlaps another argument */
    AN_ERR_COUNT = 6,    /* training with one value per channel: no variance */
    AN_ERR_MOMENTUM = 7, /* momentum is not within 0 and 1 */
    AN_ERR_VARIANCE = 8, /* a running variance is negative, infinite or NaN */
    AN_ERR_FLAGS = 9,    /* an unknown flag */
    /* of axisnorm_train.h */
    AN_ERR_INDEX = 10, /* a token or target is not within the table or the classes */
    AN_ERR_VALUE = 11  /* a rate, decay, factor or step is out of its range */
} an_status;

/* Flags, joined with |. Each function says which it knows. */
enum {
    AN_EXACT = 1,         /* float64 throughout, rounded once at the end */
    AN_ACCUMULATE = 2,    /* dgamma and dbeta are added to, not overwritten */
    AN_CHANNELS_LAST = 4, /* x is [batch][spatial][channels] */
    AN_BIASED_RUNNING = 8 /* the running variance takes the biased variance */
};

/*
 * Bytes of workspace for a backward function with `parameters` values in gamma, which
 * takes at most PTRDIFF_MAX / 32 of them.
 */
AN_API size_t an_workspace_size(size_t parameters);

/*
 * LayerNorm, forward [Ba, Kiros & Hinton 2016].
 *
 *   y[r][c] = (x[r][c] - mean[r]) * rstd[r] * gamma[c] + beta[c]
 *   mean[r] = sum_c x[r][c] / cols
 *   rstd[r] = 1 / sqrt(sum_c (x[r][c] - mean[r])^2 / cols + eps)
 *
 * y      out [rows][cols]  may be x itself
 * mean   out [rows]        NULL: not wanted
 * rstd   out [rows]        NULL: not wanted
 * x      in  [rows][cols]  row-major; leading axes are flattened into rows
 * gamma  in  [cols]        NULL: ones
 * beta   in  [cols]        NULL: zeros
 * eps    finite, >= 0, in units of x squared
 * flags  AN_EXACT
 */
AN_API an_status an_layer_norm_forward(float *y, float *mean, float *rstd, const float *x,
    const float *gamma, const float *beta, size_t rows, size_t cols, float eps, uint32_t flags);

/*
 * LayerNorm, backward. With g = dy * gamma, xhat = (x - mean) * rstd and means
 * over a row:
 *
 *   dx        = rstd * (g - mean(g) - xhat * mean(g * xhat))
 *   dgamma[c] = sum_r dy[r][c] * xhat[r][c]
 *   dbeta[c]  = sum_r dy[r][c]
 *
 * dx      out [rows][cols]  NULL: not wanted; may be dy or x itself
 * dgamma  out [cols]        NULL: not wanted
 * dbeta   out [cols]        NULL: not wanted
 * dy, x   in  [rows][cols]
 * mean    in  [rows]
 * rstd    in  [rows]
 * gamma   in  [cols]        NULL: ones
 * workspace  an_workspace_size(cols) bytes
 * eps     that of the forward call
 * flags   AN_EXACT (takes mean and rstd from x again, in float64), AN_ACCUMULATE
 */
AN_API an_status an_layer_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *mean, const float *rstd, const float *gamma, void *workspace,
    size_t rows, size_t cols, float eps, uint32_t flags);

/*
 * RMSNorm, forward [Zhang & Sennrich 2019].
 *
 *   y[r][c] = x[r][c] * rstd[r] * (gamma[c] + gamma_offset)
 *   rstd[r] = 1 / sqrt(sum_{c < stat_cols} x[r][c]^2 / stat_cols + eps)
 *
 * y          out [rows][cols]  may be x itself
 * rstd       out [rows]        NULL: not wanted
 * x          in  [rows][cols]
 * gamma      in  [cols]        NULL: ones, and gamma_offset is ignored
 * stat_cols  1 .. cols: the leading columns that the statistic is taken from;
 *            cols, or fewer for the paper's partial RMSNorm
 * gamma_offset  0, or 1 where gamma is stored as its difference from 1
 * flags      AN_EXACT
 */
AN_API an_status an_rms_norm_forward(float *y, float *rstd, const float *x, const float *gamma,
    size_t rows, size_t cols, size_t stat_cols, float gamma_offset, float eps, uint32_t flags);

/*
 * RMSNorm, backward. With g = dy * (gamma + gamma_offset), xhat = x * rstd:
 *
 *   dx[r][c]  = rstd * (g - [c < stat_cols] * xhat * sum_c(g * xhat) / stat_cols)
 *   dgamma[c] = sum_r dy[r][c] * xhat[r][c]
 *
 * dx      out [rows][cols]  NULL: not wanted; may be dy or x itself
 * dgamma  out [cols]        NULL: not wanted
 * workspace  an_workspace_size(cols) bytes
 * flags   AN_EXACT, AN_ACCUMULATE
 */
AN_API an_status an_rms_norm_backward(float *dx, float *dgamma, const float *dy, const float *x,
    const float *rstd, const float *gamma, void *workspace, size_t rows, size_t cols,
    size_t stat_cols, float gamma_offset, float eps, uint32_t flags);

/*
 * GroupNorm, forward [Wu & He 2018]. With groups = channels it is InstanceNorm.
 * A group is channels / groups adjacent channels of one example; mean and rstd
 * are those of its channels / groups * spatial values.
 *
 *   y[n][c][s] = (x[n][c][s] - mean[n][g]) * rstd[n][g] * gamma[c] + beta[c]
 *
 * y      out [batch][channels][spatial]  may be x itself
 * mean   out [batch][groups]             NULL: not wanted
 * rstd   out [batch][groups]             NULL: not wanted
 * x      in  [batch][channels][spatial], or [batch][spatial][channels] with
 *            AN_CHANNELS_LAST; y has the same layout
 * gamma  in  [channels]                  NULL: ones
 * beta   in  [channels]                  NULL: zeros
 * groups divides channels
 * flags  AN_EXACT, AN_CHANNELS_LAST
 */
AN_API an_status an_group_norm_forward(float *y, float *mean, float *rstd, const float *x,
    const float *gamma, const float *beta, size_t batch, size_t channels, size_t spatial,
    size_t groups, float eps, uint32_t flags);

/*
 * GroupNorm, backward. With g = dy * gamma, xhat = (x - mean) * rstd and means
 * over a group:
 *
 *   dx        = rstd * (g - mean(g) - xhat * mean(g * xhat))
 *   dgamma[c] = sum_{n,s} dy * xhat
 *   dbeta[c]  = sum_{n,s} dy
 *
 * dx      out, shaped as x  NULL: not wanted; may be dy or x itself
 * dgamma  out [channels]    NULL: not wanted
 * dbeta   out [channels]    NULL: not wanted
 * dy, x   in                the layout of the forward call
 * mean, rstd  in [batch][groups]
 * workspace   an_workspace_size(channels) bytes
 * flags   AN_EXACT, AN_ACCUMULATE, AN_CHANNELS_LAST
 */
AN_API an_status an_group_norm_backward(float *dx, float *dgamma, float *dbeta, const float *dy,
    const float *x, const float *mean, const float *rstd, const float *gamma, void *workspace,
    size_t batch, size_t channels, size_t spatial, size_t groups, float eps, uint32_t flags);

/*
 * BatchNorm, forward in training [Ioffe & Szegedy 2015]. Channels are the middle
 * axis of x: NCHW is (N, C, H*W), NHWC is (N*H*W, C, 1), NC is (N, C, 1).
 *
 *   y[o][c][i] = (x[o][c][i] - mean[c]) * rstd[c] * gamma[c] + beta[c]
 *   mean[c], variance[c]: of the outer * inner values of the channel
 *   running_mean[c] = (1 - momentum) * running_mean[c] + momentum * mean[c]
 *   running_var[c]  = (1 - momentum) * running_var[c] + momentum * v
 *   v = variance[c] * n / (n - 1), n = outer * inner; variance[c] itself with
 *       AN_BIASED_RUNNING. y always takes variance[c].
 *
 * y             out [outer][channels][inner]  may be x itself
 * mean, rstd    out [channels]                NULL: not wanted
 * running_mean  in and out [channels]         both or neither may be NULL
 * running_var   in and out [channels]         each finite and >= 0
 * skipped       out, NULL: not wanted. The number of channels whose running
 *               statistics were left alone because the new ones are not finite
 *               (a NaN or infinity in x)
 * gamma, beta   in  [channels]                NULL: ones, zeros
 * momentum      0 .. 1, the weight of the new batch (PyTorch's sense; Keras and
 *               ONNX write 1 - momentum)
 * flags         AN_EXACT, AN_BIASED_RUNNING
 *
 * AN_ERR_COUNT: outer * inner is 1.
 */
AN_API an_status an_batch_norm_forward_training(float *y, float *mean, float *rstd,
    float *running_mean, float *running_var, uint32_t *skipped, const float *x, const float *gamma,
    const float *beta, size_t outer, size_t channels, size_t inner, float eps, double momentum,
    uint32_t flags);

/*
 * BatchNorm, forward in inference: the running statistics are constants.
 *
 *   y[o][c][i] = (x[o][c][i] - running_mean[c]) * rstd[c] * gamma[c] + beta[c]
 *   rstd[c]    = 1 / sqrt(running_var[c] + eps)
 *
 * y            out [outer][channels][inner]  may be x itself
 * gamma, beta  in  [channels]                NULL: ones, zeros
 * flags        AN_EXACT
 */
AN_API an_status an_batch_norm_forward_inference(float *y, const float *x,
    const float *running_mean, const float *running_var, const float *gamma, const float *beta,
    size_t outer, size_t channels, size_t inner, float eps, uint32_t flags);

/*
 * BatchNorm, backward of the training forward. With g = dy * gamma and means
 * over a channel: dx = rstd * (g - mean(g) - xhat * mean(g * xhat)),
 * dgamma = sum dy * xhat, dbeta = sum dy.
 *
 * dx      out [outer][channels][inner]  NULL: not wanted; may be dy or x itself
 * dgamma  out [channels]                NULL: not wanted
 * dbeta   out [channels]                NULL: not wanted
 * mean, rstd  in [channels]             those of the batch
 * flags   AN_EXACT, AN_ACCUMULATE
 */
AN_API an_status an_batch_norm_backward_training(float *dx, float *dgamma, float *dbeta,
    const float *dy, const float *x, const float *mean, const float *rstd, const float *gamma,
    size_t outer, size_t channels, size_t inner, float eps, uint32_t flags);

/*
 * BatchNorm, backward of the inference forward (frozen statistics):
 * dx = dy * gamma * rstd, dgamma = sum dy * (x - running_mean) * rstd,
 * dbeta = sum dy, rstd = 1 / sqrt(running_var + eps).
 *
 * x       in  NULL where dgamma is NULL: dx and dbeta do not depend on it
 * flags   AN_EXACT, AN_ACCUMULATE
 */
AN_API an_status an_batch_norm_backward_inference(float *dx, float *dgamma, float *dbeta,
    const float *dy, const float *x, const float *running_mean, const float *running_var,
    const float *gamma, size_t outer, size_t channels, size_t inner, float eps, uint32_t flags);

/*
 * Weight standardization, forward [Qiao et al. 2019]: each output filter of a
 * layer's weights is normalized over its fan-in.
 *
 *   w_hat[o][i] = (w[o][i] - mean[o]) * rstd[o] * gain[o]
 *
 * w_hat  out [filters][fan_in]  may be w itself
 * mean   out [filters]          NULL: not wanted
 * rstd   out [filters]          NULL: not wanted
 * w      in  [filters][fan_in]
 * gain   in  [filters]          NULL: ones
 * flags  AN_EXACT
 */
AN_API an_status an_weight_standardize_forward(float *w_hat, float *mean, float *rstd,
    const float *w, const float *gain, size_t filters, size_t fan_in, float eps, uint32_t flags);

/*
 * Weight standardization, backward: dw from d_w_hat as LayerNorm's dx, and
 * dgain[o] = sum_i d_w_hat[o][i] * (w[o][i] - mean[o]) * rstd[o].
 *
 * dw     out [filters][fan_in]  NULL: not wanted; may be d_w_hat or w itself
 * dgain  out [filters]          NULL: not wanted
 * flags  AN_EXACT, AN_ACCUMULATE
 */
AN_API an_status an_weight_standardize_backward(float *dw, float *dgain, const float *d_w_hat,
    const float *w, const float *mean, const float *rstd, const float *gain, size_t filters,
    size_t fan_in, float eps, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
