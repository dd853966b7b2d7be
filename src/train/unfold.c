#include "axisnorm_train.h"
#include "contract.h"
#include "steps.h"

enum { SIDE = 3, WINDOW = SIDE * SIDE };

/* One image. */
typedef struct {
    size_t height, width, channels;
} image;

static bool sizes_ok(size_t batch, const image *x) {
    return x->height > 0 && x->width > 0 && x->channels > 0 &&
           an_floats_fit(x->height, x->width, 1) &&
           an_floats_fit(x->height * x->width, x->channels, WINDOW) &&
           an_floats_fit(batch, x->height * x->width * x->channels, WINDOW);
}

/* Places 0 to `last` of a window's side are within the image from `first` on. */
typedef struct {
    size_t first, last;
} side;

static side within(size_t centre, size_t size) {
    return (side){centre == 0 ? 1 : 0, centre + 1 == size ? 1 : 2};
}

/* One row of a window; x is what lies under its middle, or NULL beyond the edge. */
static void unfold_row(float *y, const float *x, side columns, size_t channels) {
    const size_t before = x ? columns.first * channels : SIDE * channels;
    const size_t end = x ? (columns.last + 1) * channels : before;
    VF_EACH_PART(before, an_zero_step, y, vf_set1(0));
    VF_EACH_PART(end - before, an_copy_step, y + before, x + before - channels);
    VF_EACH_PART(SIDE * channels - end, an_zero_step, y + end, vf_set1(0));
}

static void unfold(float *y, const float *x, const image *im) {
    const size_t row = im->width * im->channels;
    for (size_t h = 0; h < im->height; ++h) {
        const side rows = within(h, im->height);
        for (size_t w = 0; w < im->width; ++w)
            for (size_t i = 0; i < SIDE; ++i, y += SIDE * im->channels) {
                const bool inside = i >= rows.first && i <= rows.last;
                const float *middle = inside ? x + (h + i - 1) * row + w * im->channels : NULL;
                unfold_row(y, middle, within(w, im->width), im->channels);
            }
    }
}

/* Where a value was copied to. */
typedef struct {
    const float *at[WINDOW];
    size_t count;
} copies;

AN_INLINE void fold_step(float *dx, const copies *from, size_t i, int lanes) {
    vf sum = vf_set1(0);
    for (size_t k = 0; k < from->count; ++k) sum = vf_add(sum, vf_get(from->at[k] + i, lanes));
    vf_put(dx + i, sum, lanes);
}

/* The value at h, w was copied to place i, j of the window around h + 1 - i, w + 1 - j. Before the
 * first row or column that is a huge number. */
static copies copies_of(const float *dy, size_t h, size_t w, const image *im) {
    copies found = {.count = 0};
    for (size_t i = 0; i < SIDE; ++i)
        for (size_t j = 0; j < SIDE; ++j) {
            const size_t row = h + 1 - i, column = w + 1 - j;
            if (row >= im->height || column >= im->width) continue;
            const size_t window = (row * im->width + column) * WINDOW + i * SIDE + j;
            found.at[found.count++] = dy + window * im->channels;
        }
    return found;
}

static void fold(float *dx, const float *dy, const image *im) {
    for (size_t h = 0; h < im->height; ++h)
        for (size_t w = 0; w < im->width; ++w, dx += im->channels) {
            const copies from = copies_of(dy, h, w, im);
            VF_EACH(im->channels, fold_step, dx, &from);
        }
}

an_status an_unfold_forward(
    float *y, const float *x, size_t batch, size_t height, size_t width, size_t channels) {
    const image im = {height, width, channels};
    AN_REQUIRE(y && x, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(batch, &im), AN_ERR_SHAPE);
    const size_t n = height * width * channels;
    const an_span outs[] = {an_floats(y, batch * n * WINDOW)};
    const an_span ins[] = {an_floats(x, batch * n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    for (size_t b = 0; b < batch; ++b) unfold(y + b * n * WINDOW, x + b * n, &im);
    return AN_OK;
}

an_status an_unfold_backward(
    float *dx, const float *dy, size_t batch, size_t height, size_t width, size_t channels) {
    const image im = {height, width, channels};
    AN_REQUIRE(dx && dy, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(batch, &im), AN_ERR_SHAPE);
    const size_t n = height * width * channels;
    const an_span outs[] = {an_floats(dx, batch * n)};
    const an_span ins[] = {an_floats(dy, batch * n * WINDOW)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    for (size_t b = 0; b < batch; ++b) fold(dx + b * n, dy + b * n * WINDOW, &im);
    return AN_OK;
}
