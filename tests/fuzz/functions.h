/*
 * The functions of axisnorm.h as data: which arrays each takes and how large they are, what it
 * refuses, and how it is called.
 */
#ifndef AN_TESTS_FUZZ_FUNCTIONS_H
#define AN_TESTS_FUZZ_FUNCTIONS_H

#include "axisnorm.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

/* OUT is y, w_hat or dx. MEAN and RSTD are outputs of the forward and inputs of the backward. */
enum { OUT, MEAN, RSTD, DGAMMA, DBETA, RUN_MEAN, RUN_VAR, SKIPPED, SPACE, X, DY, GAMMA, BETA };
enum { ARRAYS = BETA + 1 };
#define BIT(array) (1u << (array))
enum { RUNNING = BIT(RUN_MEAN) | BIT(RUN_VAR), STATISTICS = BIT(MEAN) | BIT(RSTD) };
enum { GRADIENTS = BIT(DGAMMA) | BIT(DBETA) };

typedef enum { LAYER, RMS, GROUP, BATCH, WEIGHT } norm;

/* The arguments of a call. */
typedef struct {
    char *at[ARRAYS]; /* may be misaligned */
    size_t size[4];   /* as in the header; stat_cols and groups are the last of their norms */
    float eps, gamma_offset;
    double momentum;
    uint32_t flags;
} arguments;

typedef struct {
    const char *name;
    norm norm;
    an_status (*run)(const arguments *a);
    unsigned ins, outs, updated; /* arrays; `updated` are read and written */
    unsigned needed;             /* not NULL */
    uint32_t flags;              /* known */
    int sizes;
    bool backward, frozen;
} function;

#define F(array) ((float *)(void *)a->at[array])
#define S(i) a->size[i]

static an_status layer_forward(const arguments *a) {
    return an_layer_norm_forward(
        F(OUT), F(MEAN), F(RSTD), F(X), F(GAMMA), F(BETA), S(0), S(1), a->eps, a->flags);
}
static an_status layer_backward(const arguments *a) {
    return an_layer_norm_backward(F(OUT), F(DGAMMA), F(DBETA), F(DY), F(X), F(MEAN), F(RSTD),
        F(GAMMA), a->at[SPACE], S(0), S(1), a->eps, a->flags);
}
static an_status rms_forward(const arguments *a) {
    return an_rms_norm_forward(
        F(OUT), F(RSTD), F(X), F(GAMMA), S(0), S(1), S(2), a->gamma_offset, a->eps, a->flags);
}
static an_status rms_backward(const arguments *a) {
    return an_rms_norm_backward(F(OUT), F(DGAMMA), F(DY), F(X), F(RSTD), F(GAMMA), a->at[SPACE],
        S(0), S(1), S(2), a->gamma_offset, a->eps, a->flags);
}
static an_status group_forward(const arguments *a) {
    return an_group_norm_forward(F(OUT), F(MEAN), F(RSTD), F(X), F(GAMMA), F(BETA), S(0), S(1),
        S(2), S(3), a->eps, a->flags);
}
static an_status group_backward(const arguments *a) {
    return an_group_norm_backward(F(OUT), F(DGAMMA), F(DBETA), F(DY), F(X), F(MEAN), F(RSTD),
        F(GAMMA), a->at[SPACE], S(0), S(1), S(2), S(3), a->eps, a->flags);
}
static an_status batch_training(const arguments *a) {
    return an_batch_norm_forward_training(F(OUT), F(MEAN), F(RSTD), F(RUN_MEAN), F(RUN_VAR),
        (uint32_t *)(void *)a->at[SKIPPED], F(X), F(GAMMA), F(BETA), S(0), S(1), S(2), a->eps,
        a->momentum, a->flags);
}
static an_status batch_inference(const arguments *a) {
    return an_batch_norm_forward_inference(F(OUT), F(X), F(RUN_MEAN), F(RUN_VAR), F(GAMMA), F(BETA),
        S(0), S(1), S(2), a->eps, a->flags);
}
static an_status batch_backward(const arguments *a) {
    return an_batch_norm_backward_training(F(OUT), F(DGAMMA), F(DBETA), F(DY), F(X), F(MEAN),
        F(RSTD), F(GAMMA), S(0), S(1), S(2), a->eps, a->flags);
}
static an_status batch_backward_frozen(const arguments *a) {
    return an_batch_norm_backward_inference(F(OUT), F(DGAMMA), F(DBETA), F(DY), F(X), F(RUN_MEAN),
        F(RUN_VAR), F(GAMMA), S(0), S(1), S(2), a->eps, a->flags);
}
static an_status weight_forward(const arguments *a) {
    return an_weight_standardize_forward(
        F(OUT), F(MEAN), F(RSTD), F(X), F(GAMMA), S(0), S(1), a->eps, a->flags);
}
static an_status weight_backward(const arguments *a) {
    return an_weight_standardize_backward(
        F(OUT), F(DGAMMA), F(DY), F(X), F(MEAN), F(RSTD), F(GAMMA), S(0), S(1), a->eps, a->flags);
}

enum {
    X_Y = BIT(OUT) | BIT(X),
    AFFINE = BIT(GAMMA) | BIT(BETA),
    DY_X = BIT(DY) | BIT(X),
    SAVED = DY_X | STATISTICS,
    ACC = AN_EXACT | AN_ACCUMULATE
};

/* A forward function, and behind it its backward. */
static const function FUNCTIONS[] = {
    {"layer_forward", LAYER, layer_forward, BIT(X) | AFFINE, BIT(OUT) | STATISTICS, 0, X_Y,
        AN_EXACT, 2, 0, 0},
    {"layer_backward", LAYER, layer_backward, SAVED | BIT(GAMMA), BIT(OUT) | GRADIENTS | BIT(SPACE),
        0, SAVED | BIT(SPACE), ACC, 2, 1, 0},
    {"rms_forward", RMS, rms_forward, BIT(X) | BIT(GAMMA), BIT(OUT) | BIT(RSTD), 0, X_Y, AN_EXACT,
        3, 0, 0},
    {"rms_backward", RMS, rms_backward, DY_X | BIT(RSTD) | BIT(GAMMA),
        BIT(OUT) | BIT(DGAMMA) | BIT(SPACE), 0, DY_X | BIT(RSTD) | BIT(SPACE), ACC, 3, 1, 0},
    {"group_forward", GROUP, group_forward, BIT(X) | AFFINE, BIT(OUT) | STATISTICS, 0, X_Y,
        AN_EXACT | AN_CHANNELS_LAST, 4, 0, 0},
    {"group_backward", GROUP, group_backward, SAVED | BIT(GAMMA), BIT(OUT) | GRADIENTS | BIT(SPACE),
        0, SAVED | BIT(SPACE), ACC | AN_CHANNELS_LAST, 4, 1, 0},
    {"batch_training", BATCH, batch_training, BIT(X) | AFFINE,
        BIT(OUT) | STATISTICS | RUNNING | BIT(SKIPPED), RUNNING, X_Y, AN_EXACT | AN_BIASED_RUNNING,
        3, 0, 0},
    {"batch_backward", BATCH, batch_backward, SAVED | BIT(GAMMA), BIT(OUT) | GRADIENTS, 0, SAVED,
        ACC, 3, 1, 0},
    {"batch_inference", BATCH, batch_inference, BIT(X) | AFFINE | RUNNING, BIT(OUT), 0,
        X_Y | RUNNING, AN_EXACT, 3, 0, 1},
    {"batch_backward_frozen", BATCH, batch_backward_frozen, DY_X | RUNNING | BIT(GAMMA),
        BIT(OUT) | GRADIENTS, 0, BIT(DY) | RUNNING, ACC, 3, 1, 1},
    {"weight_forward", WEIGHT, weight_forward, BIT(X) | BIT(GAMMA), BIT(OUT) | STATISTICS, 0, X_Y,
        AN_EXACT, 2, 0, 0},
    {"weight_backward", WEIGHT, weight_backward, SAVED | BIT(GAMMA), BIT(OUT) | BIT(DGAMMA), 0,
        SAVED, ACC, 2, 1, 0},
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

#undef F
#undef S

/* ---- sizes ---- */

static inline size_t channels_of(const function *f, const size_t *size) {
    return f->norm == WEIGHT ? size[0] : size[1];
}
static inline size_t sets_of(const function *f, const size_t *size) {
    return f->norm == BATCH ? size[1] : f->norm == GROUP ? size[0] * size[3] : size[0];
}
static inline size_t values_of(const function *f, const size_t *size) {
    return size[0] * size[1] * (f->norm == GROUP || f->norm == BATCH ? size[2] : 1);
}

static inline size_t bytes_of(const function *f, const size_t *size, int array) {
    const unsigned bit = BIT(array);
    if (array == SKIPPED) return sizeof(uint32_t);
    if (array == SPACE) return an_workspace_size(channels_of(f, size));
    if (bit & (BIT(OUT) | BIT(X) | BIT(DY))) return sizeof(float) * values_of(f, size);
    return sizeof(float) * (bit & STATISTICS ? sets_of(f, size) : channels_of(f, size));
}

/* the first size may be 0, and stat_cols and groups have their own rules */
static inline bool shape_ok(const function *f, const size_t *size) {
    const int axes = f->norm == GROUP || f->norm == BATCH ? 3 : 2;
    size_t values = size[0];
    for (int i = 1; i < axes; ++i)
        if (size[i] == 0 || __builtin_mul_overflow(values, size[i], &values)) return false;
    if (values > PTRDIFF_MAX / sizeof(float)) return false;
    if (f->outs & BIT(SPACE) && channels_of(f, size) > PTRDIFF_MAX / 32) return false;
    if (f->norm == RMS) return size[2] >= 1 && size[2] <= size[1];
    return f->norm != GROUP || (size[3] > 0 && size[1] % size[3] == 0);
}

/* ---- what the header says is wrong with a call: a bit a status ---- */

static inline bool overlaps(const char *a, size_t a_bytes, const char *b, size_t b_bytes) {
    return a && b && a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

static inline unsigned memory_faults(const function *f, const arguments *a) {
    const unsigned in_place = f->backward ? DY_X : BIT(X);
    unsigned faults = 0;
    for (int i = 0; i < ARRAYS; ++i) {
        if (!((f->ins | f->outs) & BIT(i))) continue;
        if ((uintptr_t)a->at[i] % (i == SPACE ? 8 : 4)) faults |= BIT(AN_ERR_ALIGN);
        for (int k = 0; k < ARRAYS && f->outs & BIT(i); ++k) {
            if (k == i || !((f->ins | f->outs) & BIT(k))) continue;
            if (i == OUT && in_place & BIT(k) && a->at[i] == a->at[k]) continue;
            if (overlaps(a->at[i], bytes_of(f, a->size, i), a->at[k], bytes_of(f, a->size, k)))
                faults |= BIT(AN_ERR_OVERLAP);
        }
    }
    return faults;
}

static inline bool variances_ok(const arguments *a, size_t channels) {
    for (size_t c = 0; a->at[RUN_VAR] && c < channels; ++c) {
        float variance;
        memcpy(&variance, a->at[RUN_VAR] + c * sizeof variance, sizeof variance);
        if (!(variance >= 0 && variance <= FLT_MAX)) return false;
    }
    return true;
}

static inline unsigned faults_of(const function *f, const arguments *a) {
    unsigned faults = 0;
    for (int i = 0; i < ARRAYS; ++i)
        if (f->needed & BIT(i) && !a->at[i]) faults |= BIT(AN_ERR_NULL);
    if (f->updated && !a->at[RUN_MEAN] != !a->at[RUN_VAR]) faults |= BIT(AN_ERR_NULL);
    if (f->frozen && f->backward && a->at[DGAMMA] && !a->at[X]) faults |= BIT(AN_ERR_NULL);
    if (!(a->eps >= 0 && a->eps <= FLT_MAX)) faults |= BIT(AN_ERR_EPS);
    if (a->flags & ~f->flags) faults |= BIT(AN_ERR_FLAGS);
    if (f->updated && !(a->momentum >= 0 && a->momentum <= 1)) faults |= BIT(AN_ERR_MOMENTUM);
    if (!shape_ok(f, a->size)) return faults | BIT(AN_ERR_SHAPE);
    if (f->updated && a->size[0] * a->size[2] == 1) faults |= BIT(AN_ERR_COUNT);
    if ((f->ins | f->outs) & RUNNING && !variances_ok(a, a->size[1]))
        faults |= BIT(AN_ERR_VARIANCE);
    return faults | memory_faults(f, a);
}

#endif
