#include "axisnorm_train.h"
#include "contract.h"
#include "log.h"
#include "softmax.h"
#include "steps.h"

static bool targets_ok(const int32_t *targets, size_t rows, size_t classes) {
    for (size_t r = 0; r < rows; ++r)
        if (targets[r] != AN_IGNORED && (targets[r] < 0 || (size_t)targets[r] >= classes))
            return false;
    return true;
}

static uint32_t count(const int32_t *targets, size_t rows) {
    uint32_t counted = 0;
    for (size_t r = 0; r < rows; ++r) counted += targets[r] != AN_IGNORED;
    return counted;
}

static bool first_largest_is(const float *x, size_t target, float largest) {
    for (size_t c = 0; c < target; ++c)
        if (x[c] == largest) return false;
    return x[target] == largest;
}

/* The loss of one row; its `share` of the gradient goes to dlogits. */
static double row_loss(float *dlogits, const float *logits, size_t target, size_t classes,
    float largest, double share) {
    const double rest = (double)largest - logits[target];
    const double sum = an_exp_sum(dlogits, logits, classes, largest, 1);
    if (dlogits) {
        const double p = dlogits[target] / sum;
        VF_EACH_PART(classes, an_scale_step, dlogits, dlogits, vf_set1((float)(share / sum)));
        dlogits[target] = (float)((p - 1) * share);
    }
    return an_log(sum) + rest;
}

an_status an_cross_entropy(an_cross_entropy_result *result, float *dlogits, const float *logits,
    const int32_t *targets, size_t rows, size_t classes) {
    AN_REQUIRE(result && logits && targets, AN_ERR_NULL);
    AN_REQUIRE(classes > 0 && classes <= INT32_MAX, AN_ERR_SHAPE);
    AN_REQUIRE(rows <= UINT32_MAX && an_floats_fit(rows, classes, 1), AN_ERR_SHAPE);
    AN_REQUIRE((uintptr_t)result % _Alignof(an_cross_entropy_result) == 0, AN_ERR_ALIGN);
    const size_t n = rows * classes;
    const an_span outs[] = {an_floats(dlogits, n), {result, sizeof *result}};
    const an_span ins[] = {an_floats(logits, n), an_words(targets, rows)};
    AN_REQUIRE_MEMORY(outs, ins, 1);
    AN_REQUIRE(targets_ok(targets, rows, classes), AN_ERR_INDEX);

    const uint32_t counted = count(targets, rows);
    const double share = counted ? 1.0 / counted : 0;
    double loss = 0;
    uint32_t correct = 0;
    for (size_t r = 0; r < rows; ++r, logits += classes) {
        if (targets[r] != AN_IGNORED) {
            const size_t target = (size_t)targets[r];
            const float largest = an_largest(logits, classes);
            const bool hit = first_largest_is(logits, target, largest);
            const double of_row = row_loss(dlogits, logits, target, classes, largest, share);
            correct += hit && of_row == of_row; /* not NaN */
            loss += of_row;
        } else if (dlogits) {
            VF_EACH_PART(classes, an_zero_step, dlogits, vf_set1(0));
        }
        if (dlogits) dlogits += classes;
    }
    *result = (an_cross_entropy_result){loss * share, counted, correct};
    return AN_OK;
}
