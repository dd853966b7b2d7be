/* What every function checks before it writes anything. */
#ifndef AN_CONTRACT_H
#define AN_CONTRACT_H

#include "axisnorm.h"

#include <float.h>
#include <stdbool.h>

#define AN_REQUIRE(condition, status)                                                              \
    do {                                                                                           \
        if (!(condition)) return (status);                                                         \
    } while (0)

/* One array of a call. A NULL pointer or a count of 0 means that there is none. */
typedef struct {
    const void *data;
    size_t bytes;
} an_span;

static inline an_span an_floats(const float *data, size_t count) {
    return (an_span){data, data ? count * sizeof *data : 0};
}

/* of integers with the size of a float */
static inline an_span an_words(const void *data, size_t count) {
    return (an_span){data, data ? count * sizeof(uint32_t) : 0};
}

/* a * b * c floats are addressable */
static inline bool an_floats_fit(size_t a, size_t b, size_t c) {
    size_t n;
    return !__builtin_mul_overflow(a, b, &n) && !__builtin_mul_overflow(n, c, &n) &&
           n <= PTRDIFF_MAX / sizeof(float);
}

/* the workspace of so many parameters is addressable, with or without rows */
static inline bool an_parameters_fit(size_t parameters) { return parameters <= PTRDIFF_MAX / 32; }

static inline an_span an_workspace_span(const void *workspace, size_t parameters) {
    return (an_span){workspace, workspace ? an_workspace_size(parameters) : 0};
}

static inline bool an_workspace_aligned(const void *workspace) {
    return (uintptr_t)workspace % _Alignof(double) == 0;
}

static inline bool an_flags_ok(uint32_t flags, uint32_t known) { return (flags & ~known) == 0; }

static inline bool an_eps_ok(float eps) { return eps >= 0.0f && eps <= FLT_MAX; }

#define AN_COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Returns the status of an_check_memory where it is not AN_OK. */
#define AN_REQUIRE_MEMORY(outs, ins, in_place)                                                     \
    do {                                                                                           \
        const an_status status_ =                                                                  \
            an_check_memory(outs, AN_COUNT(outs), ins, AN_COUNT(ins), in_place);                   \
        AN_REQUIRE(status_ == AN_OK, status_);                                                     \
    } while (0)

/*
 * Alignment and overlap: outs[i] may overlap nothing, except that outs[0] (y or
 * dx) may be exactly one of the first `in_place` inputs.
 */
an_status an_check_memory(
    const an_span *outs, size_t out_count, const an_span *ins, size_t in_count, size_t in_place);

#endif
