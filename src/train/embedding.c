#include "axisnorm_train.h"
#include "contract.h"
#include "steps.h"

static bool indices_ok(const uint32_t *ids, size_t rows, size_t vocabulary) {
    for (size_t r = 0; r < rows; ++r)
        if (ids[r] >= vocabulary) return false;
    return true;
}

/* rows may be 0 */
static bool sizes_ok(size_t rows, size_t tokens, size_t vocabulary, size_t width) {
    return tokens > 0 && vocabulary > 0 && width > 0 && an_floats_fit(rows, width, 1) &&
           an_floats_fit(tokens, width, 1) && an_floats_fit(vocabulary, width, 1);
}

an_status an_embedding_forward(float *y, const uint32_t *ids, const float *table,
    const float *positions, size_t rows, size_t tokens, size_t vocabulary, size_t width) {
    AN_REQUIRE(y && ids && table, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(rows, tokens, vocabulary, width), AN_ERR_SHAPE);
    const an_span outs[] = {an_floats(y, rows * width)};
    const an_span ins[] = {an_words(ids, rows), an_floats(table, vocabulary * width),
        an_floats(positions, tokens * width)};
    AN_REQUIRE_MEMORY(outs, ins, 0);
    AN_REQUIRE(indices_ok(ids, rows, vocabulary), AN_ERR_INDEX);

    for (size_t r = 0, token = 0; r < rows; ++r, y += width) {
        const float *row = table + ids[r] * width;
        if (positions)
            VF_EACH(width, an_add_step, y, row, positions + token * width);
        else
            VF_EACH(width, an_copy_step, y, row);
        token = token + 1 == tokens ? 0 : token + 1;
    }
    return AN_OK;
}

static void add_row(float *sum, const float *row, size_t width) {
    VF_EACH(width, an_add_step, sum, sum, row);
}

an_status an_embedding_backward(float *dtable, float *dpositions, const float *dy,
    const uint32_t *ids, size_t rows, size_t tokens, size_t vocabulary, size_t width,
    uint32_t flags) {
    AN_REQUIRE(dtable && dy && ids, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(rows, tokens, vocabulary, width), AN_ERR_SHAPE);
    AN_REQUIRE(an_flags_ok(flags, AN_ACCUMULATE), AN_ERR_FLAGS);
    const an_span outs[] = {
        an_floats(dtable, vocabulary * width), an_floats(dpositions, tokens * width)};
    const an_span ins[] = {an_floats(dy, rows * width), an_words(ids, rows)};
    AN_REQUIRE_MEMORY(outs, ins, 0);
    AN_REQUIRE(indices_ok(ids, rows, vocabulary), AN_ERR_INDEX);

    if (!(flags & AN_ACCUMULATE)) {
        VF_EACH(vocabulary * width, an_zero_step, dtable, vf_set1(0));
        if (dpositions) VF_EACH(tokens * width, an_zero_step, dpositions, vf_set1(0));
    }
    for (size_t r = 0, token = 0; r < rows; ++r, dy += width) {
        add_row(dtable + ids[r] * width, dy, width);
        if (dpositions) add_row(dpositions + token * width, dy, width);
        token = token + 1 == tokens ? 0 : token + 1;
    }
    return AN_OK;
}
