/* Status codes: one argument wrong at a time, and outputs that stay as they were. */
#include "native.h"

enum { ROWS = 3, COLS = 4, N = ROWS * COLS };

static float *y, *x, *dy, *per_row, *per_row_too, *mean, *rstd, *gamma, *dgamma, *dbeta;
static double *workspace;

static float *array(size_t count, float value) {
    float *data = take(count * sizeof *data);
    fill(data, count, value);
    return data;
}

static void allocate(void) {
    y = array(N, 77);
    per_row = array(ROWS, 77);
    per_row_too = array(ROWS, 77);
    dgamma = array(COLS, 77);
    dbeta = array(COLS, 77);
    x = array(N, 1);
    dy = array(N, 1);
    mean = array(COLS, 1);
    rstd = array(COLS, 1);
    gamma = array(COLS, 1);
    workspace = take(an_workspace_size(COLS));
}

static void release(void) {
    float *arrays[] = {y, x, dy, per_row, per_row_too, mean, rstd, gamma, dgamma, dbeta};
    for (size_t i = 0; i < COUNT(arrays); ++i) free(arrays[i]);
    free(workspace);
}

static void expect(an_status got, an_status want, int line) {
    CHECK(got == want, "line %d: expected status %d, got %d", line, (int)want, (int)got);
    const struct {
        const float *data;
        size_t count;
    } outputs[] = {{y, N}, {per_row, ROWS}, {per_row_too, ROWS}, {dgamma, COLS}, {dbeta, COLS}};
    for (size_t i = 0; i < COUNT(outputs); ++i)
        for (size_t j = 0; j < outputs[i].count; ++j)
            CHECK(outputs[i].data[j] == 77, "line %d: written in spite of status %d", line, got);
}

#define EXPECT(status, call) expect((call), (status), __LINE__)

static float *misaligned(float *p) { return (float *)(void *)((char *)p + 2); }

static void layer_norm(void) {
#define FORWARD(y, x, rows, cols, eps, flags)                                                      \
    an_layer_norm_forward(y, per_row, per_row_too, x, gamma, NULL, rows, cols, eps, flags)
    EXPECT(AN_ERR_NULL, FORWARD(NULL, x, ROWS, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_NULL, FORWARD(y, NULL, ROWS, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, x, ROWS, 0, 1e-5f, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, x, SIZE_MAX / 2, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, x, SIZE_MAX / 8, 2, 1e-5f, 0));
    EXPECT(AN_ERR_EPS, FORWARD(y, x, ROWS, COLS, -1.0f, 0));
    EXPECT(AN_ERR_EPS, FORWARD(y, x, ROWS, COLS, INFINITY, 0));
    EXPECT(AN_ERR_EPS, FORWARD(y, x, ROWS, COLS, NAN, 0));
    EXPECT(AN_ERR_FLAGS, FORWARD(y, x, ROWS, COLS, 1e-5f, AN_ACCUMULATE));
    EXPECT(AN_ERR_FLAGS, FORWARD(y, x, ROWS, COLS, 1e-5f, 1u << 31));
    EXPECT(AN_ERR_ALIGN, FORWARD(misaligned(y), x, ROWS, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_ALIGN, FORWARD(y, misaligned(x), ROWS, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_OVERLAP, FORWARD(y, y + 1, ROWS - 1, COLS, 1e-5f, 0));
    EXPECT(AN_ERR_OVERLAP, FORWARD(per_row, x, 1, 1, 1e-5f, 0));
#undef FORWARD
#define BACKWARD(dx, dy, x, mean, workspace, flags)                                                \
    an_layer_norm_backward(                                                                        \
        dx, dgamma, dbeta, dy, x, mean, rstd, gamma, workspace, ROWS, COLS, 1e-5f, flags)
    EXPECT(AN_ERR_NULL, BACKWARD(y, NULL, x, mean, workspace, 0));
    EXPECT(AN_ERR_NULL, BACKWARD(y, dy, NULL, mean, workspace, 0));
    EXPECT(AN_ERR_NULL, BACKWARD(y, dy, x, NULL, workspace, 0));
    EXPECT(AN_ERR_NULL, BACKWARD(y, dy, x, mean, NULL, 0));
    EXPECT(AN_ERR_ALIGN, BACKWARD(y, dy, x, mean, (char *)workspace + 4, 0));
    EXPECT(AN_ERR_FLAGS, BACKWARD(y, dy, x, mean, workspace, AN_CHANNELS_LAST));
    EXPECT(AN_ERR_OVERLAP, BACKWARD(dgamma, dy, x, mean, workspace, 0));
#undef BACKWARD
}

static void rms_norm(void) {
#define FORWARD(y, cols, stat_cols, eps)                                                           \
    an_rms_norm_forward(y, per_row, x, gamma, ROWS, cols, stat_cols, 0, eps, 0)
    EXPECT(AN_ERR_NULL, FORWARD(NULL, COLS, COLS, 1e-5f));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 0, 0, 1e-5f));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, COLS, 0, 1e-5f));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, COLS, COLS + 1, 1e-5f));
    EXPECT(AN_ERR_EPS, FORWARD(y, COLS, COLS, -1e-5f));
    EXPECT(AN_ERR_OVERLAP, FORWARD(gamma, COLS, COLS, 1e-5f));
#undef FORWARD
    EXPECT(AN_ERR_SHAPE, an_rms_norm_backward(y, dgamma, dy, x, rstd, gamma, workspace, ROWS, COLS,
                             COLS + 1, 0, 1e-5f, 0));
    EXPECT(AN_ERR_NULL, an_rms_norm_backward(y, dgamma, dy, x, NULL, gamma, workspace, ROWS, COLS,
                            COLS, 0, 1e-5f, 0));
}

static void group_norm(void) {
#define FORWARD(y, batch, channels, spatial, groups, flags)                                        \
    an_group_norm_forward(                                                                         \
        y, NULL, NULL, x, gamma, NULL, batch, channels, spatial, groups, 1e-5f, flags)
    EXPECT(AN_ERR_NULL, FORWARD(NULL, 1, COLS, ROWS, 2, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 1, COLS, ROWS, 3, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 1, COLS, ROWS, 0, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 1, COLS, ROWS, 2 * COLS, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 1, COLS, 0, 2, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 1, 0, ROWS, 1, 0));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, SIZE_MAX / 4, COLS, ROWS, 2, 0));
    EXPECT(AN_ERR_FLAGS, FORWARD(y, 1, COLS, ROWS, 2, AN_BIASED_RUNNING));
#undef FORWARD
    EXPECT(AN_ERR_SHAPE, an_group_norm_backward(y, dgamma, dbeta, dy, x, mean, rstd, gamma,
                             workspace, 1, COLS, ROWS, 3, 1e-5f, 0));
}

static void batch_norm(void) {
    static float bad[] = {-1, INFINITY, NAN};
#define TRAINING(running_mean, running_var, outer, channels, momentum, flags)                      \
    an_batch_norm_forward_training(y, NULL, NULL, running_mean, running_var, NULL, x, NULL, NULL,  \
        outer, channels, 1, 1e-5f, momentum, flags)
    EXPECT(AN_ERR_NULL, TRAINING(mean, NULL, ROWS, COLS, 0.1, 0));
    EXPECT(AN_ERR_NULL, TRAINING(NULL, rstd, ROWS, COLS, 0.1, 0));
    EXPECT(AN_ERR_COUNT, TRAINING(mean, rstd, 1, COLS, 0.1, 0));
    EXPECT(AN_ERR_SHAPE, TRAINING(mean, rstd, ROWS, 0, 0.1, 0));
    EXPECT(AN_ERR_MOMENTUM, TRAINING(mean, rstd, ROWS, COLS, -0.1, 0));
    EXPECT(AN_ERR_MOMENTUM, TRAINING(mean, rstd, ROWS, COLS, 1.5, 0));
    EXPECT(AN_ERR_MOMENTUM, TRAINING(mean, rstd, ROWS, COLS, (double)NAN, 0));
    EXPECT(AN_ERR_FLAGS, TRAINING(mean, rstd, ROWS, COLS, 0.1, AN_CHANNELS_LAST));
    EXPECT(AN_ERR_OVERLAP, TRAINING(mean, mean, ROWS, COLS, 0.1, 0));
    for (size_t i = 0; i < COUNT(bad); ++i) {
        EXPECT(AN_ERR_VARIANCE, TRAINING(mean, bad + i, N, 1, 0.1, 0));
        EXPECT(AN_ERR_VARIANCE,
            an_batch_norm_forward_inference(y, x, mean, bad + i, NULL, NULL, N, 1, 1, 1e-5f, 0));
        EXPECT(AN_ERR_VARIANCE, an_batch_norm_backward_inference(y, dgamma, dbeta, dy, x, mean,
                                    bad + i, NULL, N, 1, 1, 1e-5f, 0));
    }
#undef TRAINING
    EXPECT(AN_ERR_NULL,
        an_batch_norm_forward_inference(y, x, NULL, rstd, NULL, NULL, ROWS, COLS, 1, 1e-5f, 0));
    EXPECT(AN_ERR_NULL, an_batch_norm_backward_inference(
                            y, dgamma, dbeta, dy, NULL, mean, rstd, NULL, ROWS, COLS, 1, 1e-5f, 0));
    EXPECT(AN_ERR_NULL, an_batch_norm_backward_training(
                            y, dgamma, dbeta, dy, NULL, mean, rstd, NULL, ROWS, COLS, 1, 1e-5f, 0));
}

static void weight_standardize(void) {
#define FORWARD(w_hat, fan_in, eps)                                                                \
    an_weight_standardize_forward(w_hat, per_row, per_row_too, x, gamma, ROWS, fan_in, eps, 0)
    EXPECT(AN_ERR_NULL, FORWARD(NULL, COLS, 1e-5f));
    EXPECT(AN_ERR_SHAPE, FORWARD(y, 0, 1e-5f));
    EXPECT(AN_ERR_EPS, FORWARD(y, COLS, -1e-5f));
    EXPECT(AN_ERR_OVERLAP, FORWARD(gamma, 1, 1e-5f));
#undef FORWARD
    EXPECT(AN_ERR_NULL,
        an_weight_standardize_backward(y, dgamma, dy, x, NULL, rstd, gamma, ROWS, COLS, 1e-5f, 0));
}

/* Arrays that touch do not overlap. */
static void neighbours(void) {
    float *all = array(4 * N, 1);
    CHECK(an_layer_norm_forward(all, all + 2 * N, all + 2 * N + ROWS, all + N, all + 3 * N, NULL,
              ROWS, COLS, 1e-5f, 0) == AN_OK,
        "arrays next to each other");
    free(all);
}

int main(void) {
    allocate();
    layer_norm();
    rms_norm();
    group_norm();
    batch_norm();
    weight_standardize();
    neighbours();
    release();
    return 0;
}
