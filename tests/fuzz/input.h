/* The fuzzer's bytes as choices, sizes and floats. Past their end everything is 0. */
#ifndef AN_TESTS_FUZZ_INPUT_H
#define AN_TESTS_FUZZ_INPUT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    const uint8_t *data;
    size_t left;
} input;

static inline uint8_t next_byte(input *in) {
    if (in->left == 0) return 0;
    --in->left;
    return *in->data++;
}

static inline uint32_t next_word(input *in) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | next_byte(in);
    return word;
}

static inline size_t choose(input *in, size_t count) { return next_byte(in) % count; }

/* true in about `parts` of 256 cases; false at the end of the bytes */
static inline bool rarely(input *in, unsigned parts) { return next_byte(in) > 255 - parts; }

static inline float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float next_pattern(input *in) { return float_of_bits(next_word(in)); }

static inline uint32_t hash(uint32_t h) {
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

static inline float uniform_of(uint32_t h) { /* in [-1, 1) */
    return (float)(hash(h) >> 8) * 0x1p-23f - 1.0f;
}

/* Fills an array in one of a few ways, each of which a handful of bytes describes. */
static inline void next_floats(input *in, float *data, size_t count) {
    static const float PATTERNS[] = {0, -0.0f, 1, -1, 0x1p-149f, -0x1p-127f, 0x1p-126f, 0x1p-64f,
        0x1p-50f, 0x1p50f, 0x1p64f, 0x1.fffffep127f, -0x1.fffffep127f, INFINITY, -INFINITY, NAN};
    enum { PLAIN, FAR, CONSTANT, ANY_BITS, PLANTED, PERIODIC, KINDS };
    const size_t kind = choose(in, KINDS);
    const uint32_t seed = next_byte(in);
    const float scale = ldexpf(1, next_byte(in) % 128 < 100 ? 0 : (int8_t)next_byte(in));
    const float near = (float)(int8_t)next_byte(in) / 16;
    const float shift = kind == FAR ? ldexpf(near, (int)choose(in, 24)) : near;
    const float planted =
        choose(in, 2) ? next_pattern(in) : PATTERNS[choose(in, sizeof PATTERNS / sizeof *PATTERNS)];
    const uint32_t period = 1 + next_byte(in);
    for (size_t i = 0; i < count; ++i) {
        const uint32_t h = hash(seed << 24 ^ (uint32_t)i);
        const float u = scale * uniform_of(h);
        if (kind == CONSTANT)
            data[i] = planted;
        else if (kind == ANY_BITS)
            data[i] = float_of_bits(h);
        else if (kind == PLANTED)
            data[i] = i % period == period - 1 ? planted : u + shift;
        else if (kind == PERIODIC)
            data[i] = i % period % 2 ? planted : -planted;
        else
            data[i] = u + shift;
    }
}

#endif
