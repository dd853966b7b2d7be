#include "train.h"

typedef struct {
    size_t batch, height, width, channels;
} sizes;

static size_t in_image(const sizes *s, size_t b, size_t h, size_t w, size_t c) {
    return ((b * s->height + h) * s->width + w) * s->channels + c;
}

static void unfold(const sizes *s) {
    const size_t n = s->batch * s->height * s->width * s->channels;
    float *x = random_array(n, 1), *y = spoiled_array(9 * n);
    float *dy = random_array(9 * n, 1), *dx = spoiled_array(n);
    double *want = zero_doubles(n);
    SUCCEED(an_unfold_forward(y, x, s->batch, s->height, s->width, s->channels));
    SUCCEED(an_unfold_backward(dx, dy, s->batch, s->height, s->width, s->channels));
    for (size_t at = 0; at < 9 * n; ++at) {
        const size_t c = at % s->channels, j = at / s->channels % 3, i = at / s->channels / 3 % 3;
        const size_t pixel = at / s->channels / 9, w = pixel % s->width + j,
                     h = pixel / s->width % s->height + i, b = pixel / s->width / s->height;
        const bool within = h >= 1 && h <= s->height && w >= 1 && w <= s->width;
        const size_t from = within ? in_image(s, b, h - 1, w - 1, c) : 0;
        CHECK(y[at] == (within ? x[from] : 0), "y[%zu]", at);
        if (within) want[from] += dy[at];
    }
    for (size_t i = 0; i < n; ++i) close_to("dx", i, dx[i], want[i], 9, 4);
    float *arrays[] = {x, y, dy, dx};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
    free(want);
}

static void pool(const sizes *s) {
    const size_t n = s->batch * s->height * s->width * s->channels;
    float *x = random_array(n, 1), *y = spoiled_array(n / 4);
    float *dy = random_array(n / 4, 1), *dx = spoiled_array(n);
    double *want = zero_doubles(n / 4);
    SUCCEED(an_pool_forward(y, x, s->batch, s->height, s->width, s->channels));
    SUCCEED(an_pool_backward(dx, dy, s->batch, s->height, s->width, s->channels));
    for (size_t at = 0; at < n; ++at) {
        const size_t c = at % s->channels, w = at / s->channels % s->width;
        const size_t h = at / s->channels / s->width; /* of all images */
        const size_t to = (h / 2 * (s->width / 2) + w / 2) * s->channels + c;
        want[to] += x[at] / 4.0;
        CHECK(dx[at] == dy[to] / 4, "dx[%zu]", at);
    }
    for (size_t i = 0; i < n / 4; ++i) close_to("y", i, y[i], want[i], 1, 2);
    float *arrays[] = {x, y, dy, dx};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
    free(want);
}

int main(void) {
    for (size_t height = 1; height < 5; ++height)
        for (size_t width = 1; width < 5; ++width)
            for (size_t channels = 1; channels < 10; ++channels) {
                skew = (height + width + channels) % 4;
                unfold(&(sizes){2, height, width, channels});
                pool(&(sizes){2, 2 * height, 2 * width, channels});
            }
    unfold(&(sizes){0, 2, 3, 4});
    pool(&(sizes){0, 2, 2, 4});
    return 0;
}
