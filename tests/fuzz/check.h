/* A failed check says in which call, and ends the process, which libFuzzer reports with
 * the input that led there. */
#ifndef AN_TESTS_FUZZ_CHECK_H
#define AN_TESTS_FUZZ_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static char current_call[200];

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                 \
            printf(__VA_ARGS__);                                                                   \
            printf("\n%s\n", current_call);                                                        \
            fflush(stdout);                                                                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static inline void *take(size_t bytes) {
    void *p = malloc(bytes ? bytes : 1);
    CHECK(p, "out of memory");
    return p;
}

#endif
