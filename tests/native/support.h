/* What every native test needs: checks, heap arrays of exact size, random numbers. */
#ifndef AN_TESTS_NATIVE_SUPPORT_H
#define AN_TESTS_NATIVE_SUPPORT_H

#include "axisnorm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n");                                                                          \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof *(array))

static inline void *take(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    CHECK(p, "out of memory");
    return p;
}

static inline float uniform(void) { /* in [-1, 1) */
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-23f - 1.0f;
}

/* errors in units of 2^-23 of what the result was made from */
static inline void close_to(
    const char *what, size_t i, double got, double want, double scale, double units) {
    const double allowed = units * 0x1p-23 * scale + 0x1p-149;
    CHECK(fabs(got - want) <= allowed, "%s[%zu]: expected %.9g, got %.9g", what, i, want, got);
}

#endif
