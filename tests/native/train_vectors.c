/* Functions of vectors: all lengths that have another tail. */
#include "train.h"

static double phi(double x) { return 0.5 * erfc(-x / sqrt(2)); }
static double density(double x) { return exp(-x * x / 2) / sqrt(2 * acos(-1)); }

static void activations(size_t n) {
    float *x = random_array(n, 6), *dy = random_array(n, 1);
    float *y = spoiled_array(n), *dx = spoiled_array(n);
    SUCCEED(an_relu_forward(y, x, n));
    SUCCEED(an_relu_backward(dx, dy, y, n));
    for (size_t i = 0; i < n; ++i) {
        CHECK(y[i] == (x[i] > 0 ? x[i] : 0), "relu %zu", i);
        CHECK(dx[i] == (x[i] > 0 ? dy[i] : 0), "relu %zu", i);
    }
    SUCCEED(an_gelu_forward(y, x, n));
    SUCCEED(an_gelu_backward(dx, dy, x, n));
    for (size_t i = 0; i < n; ++i) {
        const double want = x[i] * phi(x[i]), slope = phi(x[i]) + x[i] * density(x[i]);
        close_to("gelu", i, y[i], want, fabs(want) * (1 + x[i] * x[i] / 4), 4);
        close_to("gelu dx", i, dx[i], dy[i] * slope, fabs(dy[i]), 4);
    }
    float *arrays[] = {x, dy, y, dx};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
}

static void rows_and_scales(size_t rows, size_t cols) {
    const size_t n = rows * cols;
    float *x = random_array(n, 1), *f = random_array(n, 1), *bias = random_array(cols, 1);
    float *y = spoiled_array(n), *dbias = spoiled_array(cols);
    SUCCEED(an_bias_forward(y, x, bias, rows, cols));
    for (size_t i = 0; i < n; ++i) CHECK(y[i] == x[i] + bias[i % cols], "bias %zu", i);
    SUCCEED(an_residual(y, x, f, n, 2));
    for (size_t i = 0; i < n; ++i) CHECK(y[i] == 2 * x[i] + f[i], "residual %zu", i);
    SUCCEED(an_scale(y, x, n, 0.7f));
    for (size_t i = 0; i < n; ++i) CHECK(y[i] == 0.7f * x[i], "scale %zu", i);

    double norm = -1, squares = 0, *want = zero_doubles(cols);
    SUCCEED(an_norm(&norm, x, n));
    for (size_t i = 0; i < n; ++i) {
        squares += (double)x[i] * x[i];
        want[i % cols] += x[i];
    }
    CHECK(fabs(norm - sqrt(squares)) <= 1e-14 * norm, "norm %g", norm);
    for (int passes = 1; passes <= 2; ++passes) {
        SUCCEED(an_bias_backward(dbias, x, rows, cols, passes == 2 ? AN_ACCUMULATE : 0));
        for (size_t c = 0; c < cols; ++c)
            close_to("dbias", c, dbias[c], passes * want[c], (double)rows, 4);
    }
    float *arrays[] = {x, f, bias, y, dbias};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
    free(want);
}

static void optimizers(size_t n) {
    float *values = random_array(n, 1), *gradient = random_array(n, 1);
    float *m = random_array(n, 1), *v = random_array(n, 1);
    for (size_t i = 0; i < n; ++i) v[i] *= v[i];
    float *w = copy_of(values, n), *velocity = copy_of(m, n), *square = copy_of(v, n);
    SUCCEED(an_sgd_step(w, velocity, gradient, n, 0.1, 0.9));
    for (size_t i = 0; i < n; ++i) {
        const double change = 0.9 * m[i] + gradient[i];
        close_to("velocity", i, velocity[i], change, 2, 2);
        close_to("values", i, w[i], values[i] - 0.1 * change, 2, 2);
    }
    SUCCEED(an_sgd_step(w, NULL, gradient, n, 0.1, 0));
    SUCCEED(an_adam_step(w, velocity, square, gradient, n, 0.01, 0.9, 0.98, 0.1, 0.02, 1e-8, 0));
    drop_array(w);
    w = copy_of(values, n);
    memcpy(velocity, m, n * sizeof *m);
    memcpy(square, v, n * sizeof *v);
    SUCCEED(an_adam_step(w, velocity, square, gradient, n, 0.01, 0.9, 0.98, 0.19, 0.04, 1e-8, 0.1));
    for (size_t i = 0; i < n; ++i) {
        const double mean = 0.9 * m[i] + 0.1 * gradient[i];
        const double squared = 0.98 * v[i] + 0.02 * gradient[i] * gradient[i];
        const double change = 0.01 / (sqrt(squared / 0.04) + 1e-8) / 0.19;
        close_to("m", i, velocity[i], mean, 1, 2);
        close_to("v", i, square[i], squared, 1, 2);
        close_to("values", i, w[i], 0.999 * values[i] - change * mean, 1 + change, 4);
    }
    float *arrays[] = {values, gradient, m, v, w, velocity, square};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
}

int main(void) {
    for (size_t n = 0; n < 20; ++n) {
        skew = n % 4;
        activations(n);
        optimizers(n);
        for (size_t cols = 1; cols < 10; ++cols) rows_and_scales(n, cols);
    }
    rows_and_scales(300, 5);
    return 0;
}
