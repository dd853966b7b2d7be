#include "train.h"

static void run(size_t rows, size_t classes, float scale, bool in_place) {
    const size_t n = rows * classes;
    float *logits = random_array(n, scale), *kept = copy_of(logits, n);
    float *dlogits = in_place ? logits : spoiled_array(n);
    int32_t *targets = take(rows * sizeof *targets);
    uint32_t counted = 0;
    for (size_t r = 0; r < rows; ++r) {
        targets[r] = r % 5 == 3 ? AN_IGNORED : (int32_t)(r * 7 % classes);
        counted += targets[r] != AN_IGNORED;
    }
    an_cross_entropy_result result = {NAN, 77, 77};
    SUCCEED(an_cross_entropy(&result, dlogits, logits, targets, rows, classes));
    CHECK(result.counted == counted, "counted %u rows", result.counted);

    double loss = 0;
    for (size_t r = 0; r < rows; ++r) {
        const float *row = kept + r * classes;
        double most = -INFINITY, sum = 0;
        for (size_t c = 0; c < classes; ++c) most = fmax(most, row[c]);
        for (size_t c = 0; c < classes; ++c) sum += exp(row[c] - most);
        for (size_t c = 0; c < classes; ++c) {
            const double p = exp(row[c] - most) / sum, target = (int32_t)c == targets[r];
            const double want = targets[r] == AN_IGNORED ? 0 : (p - target) / counted;
            close_to("dlogits", r * classes + c, dlogits[r * classes + c], want,
                (2.0 * scale + 2) / (counted ? counted : 1), 1);
        }
        if (targets[r] != AN_IGNORED) loss += (log(sum) + most - row[targets[r]]) / counted;
    }
    CHECK(fabs(result.loss - loss) <= 1e-6 * (1 + loss), "%g and %g", result.loss, loss);
    const double alone = result.loss;
    SUCCEED(an_cross_entropy(&result, NULL, kept, targets, rows, classes));
    CHECK(result.loss == alone, "the loss without the gradient");

    if (rows > 0) {
        targets[rows - 1] = (int32_t)classes;
        result.correct = 77;
        CHECK(an_cross_entropy(&result, NULL, kept, targets, rows, classes) == AN_ERR_INDEX, " ");
        CHECK(result.correct == 77, "written in spite of an error");
    }
    free(targets);
    drop_array(logits);
    drop_array(kept);
    if (!in_place) drop_array(dlogits);
}

int main(void) {
    for (size_t rows = 0; rows < 7; ++rows)
        for (size_t classes = 1; classes < 20; ++classes) {
            skew = (rows + classes) % 4;
            run(rows, classes, 1, false);
            run(rows, classes, 40, true);
        }
    return 0;
}
