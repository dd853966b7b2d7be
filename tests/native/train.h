/*
 * What the tests of axisnorm_train.h share. Arrays lie on the heap, as long as they have to be and
 * `skew` floats past the alignment of malloc, so that a sanitizer sees one float past an end.
 */
#ifndef AN_TESTS_NATIVE_TRAIN_H
#define AN_TESTS_NATIVE_TRAIN_H

#include "axisnorm_train.h"
#include "support.h"

#include <stdbool.h>

static size_t skew = 1;

static inline float *array(size_t n) {
    float *data = calloc(skew + n, sizeof *data);
    CHECK(data, "out of memory");
    return data + skew;
}
static inline float *random_array(size_t n, float scale) {
    float *data = array(n);
    for (size_t i = 0; i < n; ++i) data[i] = scale * uniform();
    return data;
}
/* for results: what is not written stays NaN */
static inline float *spoiled_array(size_t n) {
    float *data = array(n);
    for (size_t i = 0; i < n; ++i) data[i] = NAN;
    return data;
}
static inline float *copy_of(const float *from, size_t n) {
    float *data = array(n);
    for (size_t i = 0; i < n; ++i) data[i] = from[i];
    return data;
}
static inline void drop_array(float *data) { free(data - skew); }

static inline double *zero_doubles(size_t n) {
    double *data = take(n * sizeof *data);
    for (size_t i = 0; i < n; ++i) data[i] = 0;
    return data;
}

#define SUCCEED(call) CHECK((call) == AN_OK, "status")

#endif
