#include "axisnorm_train.h"
#include "contract.h"
#include "simd.h"

/* The square's values are at x and x + right, and below them. */
AN_INLINE void mean_step(
    float *y, const float *x, size_t right, size_t below, vf quarter, size_t i, int lanes) {
    const vf above = vf_add(vf_get(x + i, lanes), vf_get(x + right + i, lanes));
    const vf under = vf_add(vf_get(x + below + i, lanes), vf_get(x + below + right + i, lanes));
    vf_put(y + i, vf_mul(vf_add(above, under), quarter), lanes);
}

AN_INLINE void spread_step(
    float *dx, const float *dy, size_t right, size_t below, vf quarter, size_t i, int lanes) {
    const vf share = vf_mul(vf_get(dy + i, lanes), quarter);
    vf_put(dx + i, share, lanes);
    vf_put(dx + right + i, share, lanes);
    vf_put(dx + below + i, share, lanes);
    vf_put(dx + below + right + i, share, lanes);
}

static bool sizes_ok(size_t batch, size_t height, size_t width, size_t channels) {
    return height > 0 && width > 0 && channels > 0 && height % 2 == 0 && width % 2 == 0 &&
           an_floats_fit(height, width, channels) &&
           an_floats_fit(batch, height * width * channels, 1);
}

an_status an_pool_forward(
    float *y, const float *x, size_t batch, size_t height, size_t width, size_t channels) {
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(batch, height, width, channels), AN_ERR_SHAPE);
    const size_t n = batch * height * width * channels;
    const an_span outs[] = {an_floats(y, n / 4)};
    const an_span ins[] = {an_floats(x, n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    const size_t below = width * channels;
    for (size_t h = 0; h < batch * height; h += 2, x += below)
        for (size_t w = 0; w < width; w += 2, x += 2 * channels, y += channels)
            VF_EACH(channels, mean_step, y, x, channels, below, vf_set1(0.25f));
    return AN_OK;
}

an_status an_pool_backward(
    float *dx, const float *dy, size_t batch, size_t height, size_t width, size_t channels) {
    AN_REQUIRE(dx && dy, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(batch, height, width, channels), AN_ERR_SHAPE);
    const size_t n = batch * height * width * channels;
    const an_span outs[] = {an_floats(dx, n)};
    const an_span ins[] = {an_floats(dy, n / 4)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    const size_t below = width * channels;
    for (size_t h = 0; h < batch * height; h += 2, dx += below)
        for (size_t w = 0; w < width; w += 2, dx += 2 * channels, dy += channels)
            VF_EACH(channels, spread_step, dx, dy, channels, below, vf_set1(0.25f));
    return AN_OK;
}
