/*
 * The norms as plain C: what one would write without knowing how wasm engines work, built with
 * -O3 -msimd128 -ffast-math, which lets the compiler vectorize the sums. Sums are float32.
 * contestants/loops.js has the same functions with the same arguments.
 */
#include <math.h>

#define EXPORT __attribute__((used, visibility("default")))
#define IN const float *restrict
#define OUT float *restrict

EXPORT void layer_norm(OUT y, IN x, IN gamma, IN beta, int rows, int cols, float eps) {
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * cols;
        float mean = 0;
        for (int c = 0; c < cols; c++) mean += row[c];
        mean /= (float)cols;
        float variance = 0;
        for (int c = 0; c < cols; c++) variance += (row[c] - mean) * (row[c] - mean);
        float rstd = 1 / sqrtf(variance / (float)cols + eps);
        for (int c = 0; c < cols; c++) {
            y[r * cols + c] = (row[c] - mean) * rstd * gamma[c] + beta[c];
        }
    }
}

EXPORT void layer_norm_backward(
    OUT dx, OUT dgamma, OUT dbeta, IN dy, IN x, IN mean, IN rstd, IN gamma, int rows, int cols) {
    for (int c = 0; c < cols; c++) dgamma[c] = dbeta[c] = 0;
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * cols;
        const float *drow = dy + r * cols;
        float m = mean[r], s = rstd[r];
        float sum = 0, product = 0;
        for (int c = 0; c < cols; c++) {
            float xhat = (row[c] - m) * s;
            sum += drow[c] * gamma[c];
            product += drow[c] * gamma[c] * xhat;
            dgamma[c] += drow[c] * xhat;
            dbeta[c] += drow[c];
        }
        sum /= (float)cols;
        product /= (float)cols;
        for (int c = 0; c < cols; c++) {
            float xhat = (row[c] - m) * s;
            dx[r * cols + c] = s * (drow[c] * gamma[c] - sum - xhat * product);
        }
    }
}

EXPORT void rms_norm(OUT y, IN x, IN gamma, int rows, int cols, float eps) {
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * cols;
        float squares = 0;
        for (int c = 0; c < cols; c++) squares += row[c] * row[c];
        float rstd = 1 / sqrtf(squares / (float)cols + eps);
        for (int c = 0; c < cols; c++) y[r * cols + c] = row[c] * rstd * gamma[c];
    }
}

EXPORT void rms_norm_backward(
    OUT dx, OUT dgamma, IN dy, IN x, IN rstd, IN gamma, int rows, int cols) {
    for (int c = 0; c < cols; c++) dgamma[c] = 0;
    for (int r = 0; r < rows; r++) {
        const float *row = x + r * cols;
        const float *drow = dy + r * cols;
        float s = rstd[r];
        float product = 0;
        for (int c = 0; c < cols; c++) {
            product += drow[c] * gamma[c] * row[c] * s;
            dgamma[c] += drow[c] * row[c] * s;
        }
        product /= (float)cols;
        for (int c = 0; c < cols; c++) {
            dx[r * cols + c] = s * (drow[c] * gamma[c] - row[c] * s * product);
        }
    }
}

EXPORT void group_norm(
    OUT y, IN x, IN gamma, IN beta, int batch, int channels, int spatial, int groups, float eps) {
    int width = channels / groups;
    int n = width * spatial;
    for (int set = 0; set < batch * groups; set++) {
        const float *values = x + set * n;
        float mean = 0;
        for (int i = 0; i < n; i++) mean += values[i];
        mean /= (float)n;
        float variance = 0;
        for (int i = 0; i < n; i++) variance += (values[i] - mean) * (values[i] - mean);
        float rstd = 1 / sqrtf(variance / (float)n + eps);
        for (int k = 0; k < width; k++) {
            int c = set % groups * width + k;
            float scale = rstd * gamma[c];
            for (int i = k * spatial; i < (k + 1) * spatial; i++) {
                y[set * n + i] = (values[i] - mean) * scale + beta[c];
            }
        }
    }
}

EXPORT void group_norm_backward(OUT dx, OUT dgamma, OUT dbeta, IN dy, IN x, IN mean, IN rstd,
    IN gamma, int batch, int channels, int spatial, int groups) {
    int width = channels / groups;
    int n = width * spatial;
    for (int c = 0; c < channels; c++) dgamma[c] = dbeta[c] = 0;
    for (int set = 0; set < batch * groups; set++) {
        int first = set % groups * width;
        float m = mean[set], s = rstd[set];
        float sum = 0, product = 0;
        for (int k = 0; k < width; k++) {
            int start = set * n + k * spatial;
            float own = 0, own_product = 0;
            for (int i = start; i < start + spatial; i++) {
                own += dy[i];
                own_product += dy[i] * (x[i] - m) * s;
            }
            dbeta[first + k] += own;
            dgamma[first + k] += own_product;
            sum += gamma[first + k] * own;
            product += gamma[first + k] * own_product;
        }
        sum /= (float)n;
        product /= (float)n;
        for (int k = 0; k < width; k++) {
            int start = set * n + k * spatial;
            float g = gamma[first + k];
            for (int i = start; i < start + spatial; i++) {
                dx[i] = s * (dy[i] * g - sum - (x[i] - m) * s * product);
            }
        }
    }
}

EXPORT void batch_norm(OUT y, IN x, IN running_mean, IN running_var, IN gamma, IN beta, int outer,
    int channels, int inner, float eps) {
    for (int n = 0; n < outer; n++) {
        for (int c = 0; c < channels; c++) {
            int start = (n * channels + c) * inner;
            float scale = gamma[c] / sqrtf(running_var[c] + eps);
            float mean = running_mean[c];
            for (int i = start; i < start + inner; i++) y[i] = (x[i] - mean) * scale + beta[c];
        }
    }
}

EXPORT void batch_norm_frozen_backward(OUT dx, OUT dgamma, OUT dbeta, IN dy, IN x, IN running_mean,
    IN running_var, IN gamma, int outer, int channels, int inner, float eps) {
    for (int c = 0; c < channels; c++) {
        float m = running_mean[c];
        float s = 1 / sqrtf(running_var[c] + eps);
        float scale = gamma[c] * s;
        float sum = 0, product = 0;
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) {
                sum += dy[i];
                product += dy[i] * (x[i] - m) * s;
                dx[i] = dy[i] * scale;
            }
        }
        dbeta[c] = sum;
        dgamma[c] = product;
    }
}

EXPORT void batch_norm_forward(OUT y, OUT mean, OUT rstd, IN x, IN gamma, IN beta, int outer,
    int channels, int inner, float eps) {
    float count = (float)(outer * inner);
    for (int c = 0; c < channels; c++) {
        float m = 0;
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) m += x[i];
        }
        m /= count;
        float variance = 0;
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) variance += (x[i] - m) * (x[i] - m);
        }
        float s = 1 / sqrtf(variance / count + eps);
        float scale = s * gamma[c];
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) y[i] = (x[i] - m) * scale + beta[c];
        }
        mean[c] = m;
        rstd[c] = s;
    }
}

EXPORT void batch_norm_backward(OUT dx, OUT dgamma, OUT dbeta, IN dy, IN x, IN mean, IN rstd,
    IN gamma, int outer, int channels, int inner) {
    float count = (float)(outer * inner);
    for (int c = 0; c < channels; c++) {
        float m = mean[c], s = rstd[c];
        float sum = 0, product = 0;
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) {
                sum += dy[i];
                product += dy[i] * (x[i] - m) * s;
            }
        }
        dbeta[c] = sum;
        dgamma[c] = product;
        float scale = gamma[c] * s;
        float by_mean = sum / count, by_rstd = product / count;
        for (int n = 0; n < outer; n++) {
            int start = (n * channels + c) * inner;
            for (int i = start; i < start + inner; i++) {
                dx[i] = scale * (dy[i] - by_mean - (x[i] - m) * s * by_rstd);
            }
        }
    }
}
