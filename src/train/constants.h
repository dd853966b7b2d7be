/*
 * Numbers that loops load from memory. A compiler that knew them would write them into the loop,
 * where an engine needs three instructions to build a vector of each; so they are defined
 * elsewhere, in constants.c.
 */
#ifndef AN_TRAIN_CONSTANTS_H
#define AN_TRAIN_CONSTANTS_H

/* See exp.h. */
typedef struct {
    float lowest, per_log2, to_whole, log2_high, log2_low, one, q[5];
} an_exp_constants;

/* See gelu.c. */
typedef struct {
    float far, slope, one, minus_half, density, p[10];
} an_gelu_constants;

extern const an_exp_constants an_for_exp;
extern const an_gelu_constants an_for_gelu;

#endif
