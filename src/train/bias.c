#include "axisnorm_train.h"
#include "contract.h"
#include "steps.h"

enum {
    BLOCK = 128, /* rows that are summed in one chain */
    STEP = 4     /* of which so many are joined in pairs first */
};

an_status an_bias_forward(float *y, const float *x, const float *bias, size_t rows, size_t cols) {
    AN_REQUIRE(y && x && bias, AN_ERR_NULL);
    AN_REQUIRE(cols > 0 && an_floats_fit(rows, cols, 1) && an_floats_fit(cols, 1, 1), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, rows * cols)};
    const an_span ins[] = {an_floats(x, rows * cols), an_floats(bias, cols)};
    AN_REQUIRE_MEMORY(outs, ins, 1);

    for (size_t r = 0; r < rows; ++r, x += cols, y += cols) VF_EACH(cols, an_add_step, y, x, bias);
    return AN_OK;
}

/* The sum of up to BLOCK rows from dy on. */
AN_INLINE vf block_sum(const float *dy, size_t rows, size_t cols, int lanes) {
    vf sum = vf_set1(0);
    size_t r = 0;
    for (; r + STEP <= rows; r += STEP, dy += STEP * cols) {
        const vf a = vf_add(vf_get(dy, lanes), vf_get(dy + cols, lanes));
        const vf b = vf_add(vf_get(dy + 2 * cols, lanes), vf_get(dy + 3 * cols, lanes));
        sum = vf_add(sum, vf_add(a, b));
    }
    for (; r < rows; ++r, dy += cols) sum = vf_add(sum, vf_get(dy, lanes));
    return sum;
}

AN_INLINE void sum_step(
    float *dbias, const float *dy, size_t rows, size_t cols, bool accumulate, size_t i, int lanes) {
    vf total = accumulate ? vf_get(dbias + i, lanes) : vf_set1(0);
    for (size_t r = 0; r < rows; r += BLOCK) {
        const size_t left = rows - r;
        const vf sum = block_sum(dy + r * cols + i, left < BLOCK ? left : BLOCK, cols, lanes);
        total = vf_add(total, sum);
    }
    vf_put(dbias + i, total, lanes);
}

an_status an_bias_backward(
    float *dbias, const float *dy, size_t rows, size_t cols, uint32_t flags) {
    AN_REQUIRE(dbias && dy, AN_ERR_NULL);
    AN_REQUIRE(cols > 0 && an_floats_fit(rows, cols, 1) && an_floats_fit(cols, 1, 1), AN_ERR_SHAPE);
    AN_REQUIRE(an_flags_ok(flags, AN_ACCUMULATE), AN_ERR_FLAGS);
    const an_span outs[] = {an_floats(dbias, cols)};
    const an_span ins[] = {an_floats(dy, rows * cols)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    VF_EACH(cols, sum_step, dbias, dy, rows, cols, (flags & AN_ACCUMULATE) != 0);
    return AN_OK;
}
