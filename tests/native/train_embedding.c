#include "train.h"

static void run(size_t rows, size_t tokens, size_t vocabulary, size_t width, bool positioned) {
    uint32_t *ids = take(rows * sizeof *ids);
    for (size_t r = 0; r < rows; ++r) ids[r] = (uint32_t)(r * 5 % vocabulary);
    float *table = random_array(vocabulary * width, 1),
          *positions = random_array(tokens * width, 1);
    float *y = spoiled_array(rows * width), *dy = random_array(rows * width, 1);
    SUCCEED(an_embedding_forward(
        y, ids, table, positioned ? positions : NULL, rows, tokens, vocabulary, width));
    for (size_t i = 0; i < rows * width; ++i) {
        const size_t r = i / width, c = i % width;
        const float place = positioned ? positions[r % tokens * width + c] : 0;
        CHECK(y[i] == table[ids[r] * width + c] + place, "y[%zu]", i);
    }

    float *dtable = spoiled_array(vocabulary * width), *dpositions = spoiled_array(tokens * width);
    double *want = zero_doubles(vocabulary * width), *want_place = zero_doubles(tokens * width);
    for (size_t i = 0; i < rows * width; ++i) {
        want[ids[i / width] * width + i % width] += dy[i];
        want_place[i / width % tokens * width + i % width] += dy[i];
    }
    for (int passes = 1; passes <= 2; ++passes) {
        SUCCEED(an_embedding_backward(dtable, positioned ? dpositions : NULL, dy, ids, rows, tokens,
            vocabulary, width, passes == 2 ? AN_ACCUMULATE : 0));
        for (size_t i = 0; i < vocabulary * width; ++i)
            close_to("dtable", i, dtable[i], passes * want[i], (double)rows, 4);
        for (size_t i = 0; i < tokens * width && positioned; ++i)
            close_to("dpositions", i, dpositions[i], passes * want_place[i], (double)rows, 4);
    }
    float *arrays[] = {table, positions, y, dy, dtable, dpositions};
    for (size_t i = 0; i < COUNT(arrays); ++i) drop_array(arrays[i]);
    free(ids);
    free(want);
    free(want_place);
}

int main(void) {
    for (size_t rows = 0; rows < 9; ++rows)
        for (size_t width = 1; width < 10; ++width) {
            skew = (rows + width) % 4;
            run(rows, 3, 4, width, true);
            run(rows, 1, 1, width, false);
        }
    return 0;
}
