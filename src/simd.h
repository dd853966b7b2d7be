/*
 * The vector vocabulary: the only file that knows the instruction set.
 *
 *   vf  four float32 lanes      vd  four float64 lanes
 *
 * Arrays are walked in whole vectors and the last 1 to 3 floats one by one, with the same
 * words: steps take a compile-time `lanes`, VF_LANES or 1 (vf_get, vf_put).
 *
 * The scalar build writes the same four lanes out, so that both builds give the
 * same bits. A kernel that wants an intrinsic lacks a word here.
 */
#ifndef AN_SIMD_H
#define AN_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AN_INLINE static inline __attribute__((always_inline))
#define AN_NOINLINE static __attribute__((noinline))

/* for loops over a compile-time number of rows, whose values stay in registers; and for
 * loops that are unrolled by hand already */
#if defined(__clang__)
#define AN_UNROLL _Pragma("clang loop unroll(full)")
#define AN_NO_UNROLL _Pragma("clang loop unroll(disable)")
#else
#define AN_UNROLL _Pragma("GCC unroll 8")
#define AN_NO_UNROLL
#endif

enum { VF_LANES = 4 };

/*
 * Whether several rows, columns or vectors go through together, which changes no bit. Without SIMD
 * there is little to gain, and the scalar module would be half as large again.
 */
#if defined(__wasm__) && !defined(__wasm_simd128__)
#define VF_TOGETHER 0
#else
#define VF_TOGETHER 1
#endif

#define VF_POW2 (0x1.8p23f + 127)

#if defined(__wasm_simd128__)

#include <wasm_simd128.h>

typedef v128_t vf;
typedef struct {
    v128_t lo, hi;
} vd;

AN_INLINE vf vf_set1(float a) { return wasm_f32x4_splat(a); }
AN_INLINE vf vf_load(const float *p) { return wasm_v128_load(p); }
AN_INLINE void vf_store(float *p, vf v) { wasm_v128_store(p, v); }
AN_INLINE vf vf_add(vf a, vf b) { return wasm_f32x4_add(a, b); }
AN_INLINE vf vf_sub(vf a, vf b) { return wasm_f32x4_sub(a, b); }
AN_INLINE vf vf_mul(vf a, vf b) { return wasm_f32x4_mul(a, b); }
AN_INLINE vf vf_div(vf a, vf b) { return wasm_f32x4_div(a, b); }
/* a < b ? b : a, and b < a ? b : a: a NaN in a stays, one in b does not come in. Of 0 and -0 it may
 * be either, as compilers make f32.max of it in the scalar build. */
AN_INLINE vf vf_max(vf a, vf b) { return wasm_f32x4_pmax(a, b); }
AN_INLINE vf vf_min(vf a, vf b) { return wasm_f32x4_pmin(a, b); }
/* 2^n from n + VF_POW2, where n is whole and -126 .. 127: its last bits become the exponent */
AN_INLINE vf vf_pow2(vf n) { return wasm_i32x4_shl(n, 23); }

/* one float in lane 0, zeros in the others; vf_store1 looks at lane 0 alone */
AN_INLINE vf vf_load1(const float *p) { return wasm_v128_load32_zero(p); }
AN_INLINE void vf_store1(float *p, vf v) { wasm_v128_store32_lane(p, v, 0); }
AN_INLINE float vf_first(vf v) { return wasm_f32x4_extract_lane(v, 0); }

/* two or three floats, zeros in the other lanes */
AN_INLINE vf vf_load_part(const float *p, int n) {
    const vf two = wasm_v128_load64_zero(p);
    return n == 2 ? two : wasm_v128_load32_lane(p + 2, two, 2);
}
AN_INLINE void vf_store_part(float *p, vf v, int n) {
    wasm_v128_store64_lane(p, v, 0);
    if (n == 3) wasm_v128_store32_lane(p + 2, v, 2);
}

AN_INLINE vf vf_greater(vf a, vf b) { return wasm_f32x4_gt(a, b); }
AN_INLINE bool vf_any(vf mask) { return wasm_v128_any_true(mask); }
AN_INLINE vf vf_pick(vf mask, vf yes, vf no) { return wasm_v128_bitselect(yes, no, mask); }
AN_INLINE vf vf_zero_where(vf mask, vf v) { return wasm_v128_andnot(v, mask); }
/* the mask of the first n lanes */
AN_INLINE vf vf_below(size_t n) {
    return wasm_i32x4_lt(wasm_i32x4_const(0, 1, 2, 3), wasm_i32x4_splat((int)n));
}

AN_INLINE vf vf_abs(vf a) { return wasm_f32x4_abs(a); }
AN_INLINE vf vf_sqrt(vf a) { return wasm_f32x4_sqrt(a); }
AN_INLINE float vf_sum(vf v) {
    const vf pair = wasm_f32x4_add(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(pair, 0) + wasm_f32x4_extract_lane(pair, 1);
}

/* the largest lane, in the order of vf_max */
AN_INLINE float vf_largest(vf v) {
    v = vf_max(v, wasm_i32x4_shuffle(v, v, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(vf_max(v, wasm_i32x4_shuffle(v, v, 1, 0, 3, 2)), 0);
}

/* lane k in every lane; k is a constant */
#define vf_spread(v, k) wasm_i32x4_shuffle(v, v, k, k, k, k)

/* lane k: the sum of the lanes of the k-th argument, as (0 + 2) + (1 + 3) */
AN_INLINE vf vf_sums(vf a, vf b, vf c, vf d) {
    const vf ab =
        vf_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    const vf cd =
        vf_add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
    return vf_add(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5), wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7));
}
/* lane 0, and zeros */
AN_INLINE vf vf_only_first(vf v) { return wasm_i32x4_shuffle(v, wasm_i32x4_splat(0), 0, 4, 4, 4); }

/* rows become columns */
AN_INLINE void vf_transpose(vf t[VF_LANES]) {
    const vf a = wasm_i32x4_shuffle(t[0], t[1], 0, 4, 1, 5);
    const vf b = wasm_i32x4_shuffle(t[0], t[1], 2, 6, 3, 7);
    const vf c = wasm_i32x4_shuffle(t[2], t[3], 0, 4, 1, 5);
    const vf d = wasm_i32x4_shuffle(t[2], t[3], 2, 6, 3, 7);
    t[0] = wasm_i32x4_shuffle(a, c, 0, 1, 4, 5);
    t[1] = wasm_i32x4_shuffle(a, c, 2, 3, 6, 7);
    t[2] = wasm_i32x4_shuffle(b, d, 0, 1, 4, 5);
    t[3] = wasm_i32x4_shuffle(b, d, 2, 3, 6, 7);
}

AN_INLINE vd vd_zero(void) { return (vd){wasm_f64x2_splat(0), wasm_f64x2_splat(0)}; }
AN_INLINE vd vd_set1(double a) { return (vd){wasm_f64x2_splat(a), wasm_f64x2_splat(a)}; }
AN_INLINE vd vd_load(const double *p) { return (vd){wasm_v128_load(p), wasm_v128_load(p + 2)}; }
AN_INLINE void vd_store(double *p, vd v) {
    wasm_v128_store(p, v.lo);
    wasm_v128_store(p + 2, v.hi);
}
AN_INLINE vd vd_from_vf(vf v) {
    return (vd){wasm_f64x2_promote_low_f32x4(v),
        wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle(v, v, 2, 3, 0, 1))};
}
AN_INLINE vf vf_from_vd(vd v) {
    return wasm_i32x4_shuffle(
        wasm_f32x4_demote_f64x2_zero(v.lo), wasm_f32x4_demote_f64x2_zero(v.hi), 0, 1, 4, 5);
}
AN_INLINE vd vd_add(vd a, vd b) {
    return (vd){wasm_f64x2_add(a.lo, b.lo), wasm_f64x2_add(a.hi, b.hi)};
}
AN_INLINE vd vd_sub(vd a, vd b) {
    return (vd){wasm_f64x2_sub(a.lo, b.lo), wasm_f64x2_sub(a.hi, b.hi)};
}
AN_INLINE vd vd_mul(vd a, vd b) {
    return (vd){wasm_f64x2_mul(a.lo, b.lo), wasm_f64x2_mul(a.hi, b.hi)};
}
AN_INLINE vd vd_div(vd a, vd b) {
    return (vd){wasm_f64x2_div(a.lo, b.lo), wasm_f64x2_div(a.hi, b.hi)};
}
AN_INLINE vd vd_sqrt(vd a) { return (vd){wasm_f64x2_sqrt(a.lo), wasm_f64x2_sqrt(a.hi)}; }
AN_INLINE vd vd_abs(vd a) { return (vd){wasm_f64x2_abs(a.lo), wasm_f64x2_abs(a.hi)}; }
AN_INLINE vd vd_at_most(vd a, vd b) {
    return (vd){wasm_f64x2_le(a.lo, b.lo), wasm_f64x2_le(a.hi, b.hi)};
}
AN_INLINE vd vd_both(vd mask, vd other) {
    return (vd){wasm_v128_and(mask.lo, other.lo), wasm_v128_and(mask.hi, other.hi)};
}
AN_INLINE bool vd_all(vd mask) { return wasm_i64x2_all_true(wasm_v128_and(mask.lo, mask.hi)); }
AN_INLINE vd vd_make(double a, double b, double c, double d) {
    return (vd){wasm_f64x2_make(a, b), wasm_f64x2_make(c, d)};
}
/* (0 + 2) + (1 + 3): the one order every build adds lanes in */
AN_INLINE double vd_sum(vd v) {
    const v128_t pair = wasm_f64x2_add(v.lo, v.hi);
    return wasm_f64x2_extract_lane(pair, 0) + wasm_f64x2_extract_lane(pair, 1);
}

#else /* scalar: the same four lanes, written out */

typedef struct {
    float l[4];
} vf;
typedef struct {
    double l[4];
} vd;

#define VF_LANEWISE(e0, e1, e2, e3) ((vf){{(e0), (e1), (e2), (e3)}})
#define VD_LANEWISE(e0, e1, e2, e3) ((vd){{(e0), (e1), (e2), (e3)}})
#define VF_OP(a, op, b)                                                                            \
    VF_LANEWISE(a.l[0] op b.l[0], a.l[1] op b.l[1], a.l[2] op b.l[2], a.l[3] op b.l[3])
#define VD_OP(a, op, b)                                                                            \
    VD_LANEWISE(a.l[0] op b.l[0], a.l[1] op b.l[1], a.l[2] op b.l[2], a.l[3] op b.l[3])

AN_INLINE vf vf_set1(float a) { return VF_LANEWISE(a, a, a, a); }
AN_INLINE vf vf_load(const float *p) { return VF_LANEWISE(p[0], p[1], p[2], p[3]); }
AN_INLINE void vf_store(float *p, vf v) {
    p[0] = v.l[0];
    p[1] = v.l[1];
    p[2] = v.l[2];
    p[3] = v.l[3];
}
AN_INLINE vf vf_add(vf a, vf b) { return VF_OP(a, +, b); }
AN_INLINE vf vf_sub(vf a, vf b) { return VF_OP(a, -, b); }
AN_INLINE vf vf_mul(vf a, vf b) { return VF_OP(a, *, b); }
AN_INLINE vf vf_div(vf a, vf b) { return VF_OP(a, /, b); }
AN_INLINE vf vf_max(vf a, vf b) {
    return VF_LANEWISE(a.l[0] < b.l[0] ? b.l[0] : a.l[0], a.l[1] < b.l[1] ? b.l[1] : a.l[1],
        a.l[2] < b.l[2] ? b.l[2] : a.l[2], a.l[3] < b.l[3] ? b.l[3] : a.l[3]);
}
AN_INLINE vf vf_min(vf a, vf b) {
    return VF_LANEWISE(b.l[0] < a.l[0] ? b.l[0] : a.l[0], b.l[1] < a.l[1] ? b.l[1] : a.l[1],
        b.l[2] < a.l[2] ? b.l[2] : a.l[2], b.l[3] < a.l[3] ? b.l[3] : a.l[3]);
}
AN_INLINE float vf_pow2_lane(float n) {
    union {
        float value;
        uint32_t bits;
    } lane = {n};
    lane.bits <<= 23;
    return lane.value;
}
AN_INLINE vf vf_pow2(vf n) {
    return VF_LANEWISE(
        vf_pow2_lane(n.l[0]), vf_pow2_lane(n.l[1]), vf_pow2_lane(n.l[2]), vf_pow2_lane(n.l[3]));
}

/* a mask lane is 1 or 0 */
AN_INLINE vf vf_greater(vf a, vf b) { return VF_OP(a, >, b); }
AN_INLINE bool vf_any(vf m) { return m.l[0] != 0 || m.l[1] != 0 || m.l[2] != 0 || m.l[3] != 0; }
AN_INLINE vf vf_pick(vf m, vf yes, vf no) {
    return VF_LANEWISE(m.l[0] != 0 ? yes.l[0] : no.l[0], m.l[1] != 0 ? yes.l[1] : no.l[1],
        m.l[2] != 0 ? yes.l[2] : no.l[2], m.l[3] != 0 ? yes.l[3] : no.l[3]);
}

AN_INLINE vf vf_zero_where(vf m, vf v) { return vf_pick(m, VF_LANEWISE(0, 0, 0, 0), v); }

AN_INLINE vf vf_below(size_t n) { return VF_LANEWISE(n > 0, n > 1, n > 2, n > 3); }

AN_INLINE vf vf_load1(const float *p) { return VF_LANEWISE(*p, 0, 0, 0); }
AN_INLINE void vf_store1(float *p, vf v) { *p = v.l[0]; }
AN_INLINE float vf_first(vf v) { return v.l[0]; }
AN_INLINE vf vf_load_part(const float *p, int n) {
    return VF_LANEWISE(p[0], p[1], n == 3 ? p[2] : 0, 0);
}
AN_INLINE void vf_store_part(float *p, vf v, int n) {
    p[0] = v.l[0];
    p[1] = v.l[1];
    if (n == 3) p[2] = v.l[2];
}

#define vf_spread(v, k) vf_set1((v).l[k])

AN_INLINE vf vf_abs(vf a) {
    return VF_LANEWISE(__builtin_fabsf(a.l[0]), __builtin_fabsf(a.l[1]), __builtin_fabsf(a.l[2]),
        __builtin_fabsf(a.l[3]));
}
AN_INLINE vf vf_sqrt(vf a) {
    return VF_LANEWISE(__builtin_sqrtf(a.l[0]), __builtin_sqrtf(a.l[1]), __builtin_sqrtf(a.l[2]),
        __builtin_sqrtf(a.l[3]));
}
AN_INLINE float vf_sum(vf v) { return (v.l[0] + v.l[2]) + (v.l[1] + v.l[3]); }
AN_INLINE float vf_largest(vf v) {
    const float a = v.l[0] < v.l[2] ? v.l[2] : v.l[0], b = v.l[1] < v.l[3] ? v.l[3] : v.l[1];
    return a < b ? b : a;
}
AN_INLINE vf vf_sums(vf a, vf b, vf c, vf d) {
    return VF_LANEWISE(vf_sum(a), vf_sum(b), vf_sum(c), vf_sum(d));
}
AN_INLINE vf vf_only_first(vf v) { return VF_LANEWISE(v.l[0], 0, 0, 0); }

AN_INLINE void vf_transpose(vf t[VF_LANES]) {
    const vf a = t[0], b = t[1], c = t[2], d = t[3];
    AN_UNROLL for (int i = 0; i < VF_LANES; ++i) t[i] = VF_LANEWISE(a.l[i], b.l[i], c.l[i], d.l[i]);
}

AN_INLINE vd vd_zero(void) { return VD_LANEWISE(0, 0, 0, 0); }
AN_INLINE vd vd_set1(double a) { return VD_LANEWISE(a, a, a, a); }
AN_INLINE vd vd_load(const double *p) { return VD_LANEWISE(p[0], p[1], p[2], p[3]); }
AN_INLINE void vd_store(double *p, vd v) {
    p[0] = v.l[0];
    p[1] = v.l[1];
    p[2] = v.l[2];
    p[3] = v.l[3];
}
AN_INLINE vd vd_from_vf(vf v) { return VD_LANEWISE(v.l[0], v.l[1], v.l[2], v.l[3]); }
AN_INLINE vf vf_from_vd(vd v) {
    return VF_LANEWISE((float)v.l[0], (float)v.l[1], (float)v.l[2], (float)v.l[3]);
}
AN_INLINE vd vd_add(vd a, vd b) { return VD_OP(a, +, b); }
AN_INLINE vd vd_sub(vd a, vd b) { return VD_OP(a, -, b); }
AN_INLINE vd vd_mul(vd a, vd b) { return VD_OP(a, *, b); }
AN_INLINE vd vd_div(vd a, vd b) { return VD_OP(a, /, b); }
AN_INLINE vd vd_sqrt(vd a) {
    return VD_LANEWISE(__builtin_sqrt(a.l[0]), __builtin_sqrt(a.l[1]), __builtin_sqrt(a.l[2]),
        __builtin_sqrt(a.l[3]));
}
AN_INLINE vd vd_abs(vd a) {
    return VD_LANEWISE(__builtin_fabs(a.l[0]), __builtin_fabs(a.l[1]), __builtin_fabs(a.l[2]),
        __builtin_fabs(a.l[3]));
}
AN_INLINE vd vd_at_most(vd a, vd b) { return VD_OP(a, <=, b); }
AN_INLINE vd vd_both(vd mask, vd other) { return VD_OP(mask, *, other); }
AN_INLINE bool vd_all(vd m) { return m.l[0] * m.l[1] * m.l[2] * m.l[3] != 0; }
AN_INLINE vd vd_make(double a, double b, double c, double d) { return VD_LANEWISE(a, b, c, d); }
AN_INLINE double vd_sum(vd v) { return (v.l[0] + v.l[2]) + (v.l[1] + v.l[3]); }

#endif

AN_INLINE vf vf_get(const float *p, int lanes) { return lanes == 1 ? vf_load1(p) : vf_load(p); }
AN_INLINE void vf_put(float *p, vf v, int lanes) {
    if (lanes == 1)
        vf_store1(p, v);
    else
        vf_store(p, v);
}

/* the same for 1 to 4 floats */
AN_INLINE vf vf_get_part(const float *p, int lanes) {
    if (lanes == VF_LANES) return vf_load(p);
    return lanes == 1 ? vf_load1(p) : vf_load_part(p, lanes);
}
AN_INLINE void vf_put_part(float *p, vf v, int lanes) {
    if (lanes == VF_LANES)
        vf_store(p, v);
    else if (lanes == 1)
        vf_store1(p, v);
    else
        vf_store_part(p, v, lanes);
}

/* p[0 .. n) = 0, rounded up to whole vectors */
AN_INLINE void vf_clear(float *p, size_t n) {
    for (size_t i = 0; i < n; i += VF_LANES) vf_store(p + i, vf_set1(0));
}
AN_INLINE void vd_clear(double *p, size_t n) {
    for (size_t i = 0; i < n; i += VF_LANES) vd_store(p + i, vd_zero());
}

/* total[i] += part[i], rounded up to whole vectors */
AN_INLINE void vd_accumulate(double *total, const float *part, size_t n) {
    AN_NO_UNROLL for (size_t i = 0; i < n; i += VF_LANES)
        vd_store(total + i, vd_add(vd_load(total + i), vd_from_vf(vf_load(part + i))));
}

/* Runs `step(..., i, lanes)` over n values. */
#define VF_EACH(n, step, ...)                                                                      \
    do {                                                                                           \
        size_t i_ = 0;                                                                             \
        AN_NO_UNROLL for (; i_ + VF_LANES <= (n); i_ += VF_LANES) step(__VA_ARGS__, i_, VF_LANES); \
        AN_NO_UNROLL for (; i_ < (n); ++i_) step(__VA_ARGS__, i_, 1);                              \
    } while (0)

/*
 * Runs `step(U, ..., i, lanes)` over n values, U vectors of `lanes` at a time. The second and later
 * ones are at constant distances from the first, which wasm adds for free.
 */
#define VF_EACH_BY(U, n, step, ...)                                                                \
    do {                                                                                           \
        const size_t by_ = (size_t)(U)*VF_LANES;                                                   \
        size_t i_ = 0;                                                                             \
        AN_NO_UNROLL for (; (VF_TOGETHER || (U) == 1) && i_ + by_ <= (n); i_ += by_)               \
            step(U, __VA_ARGS__, i_, VF_LANES);                                                    \
        AN_NO_UNROLL for (; (U) > 1 && i_ + VF_LANES <= (n); i_ += VF_LANES)                       \
            step(1, __VA_ARGS__, i_, VF_LANES);                                                    \
        AN_NO_UNROLL for (; i_ < (n); ++i_) step(1, __VA_ARGS__, i_, 1);                           \
    } while (0)

/* As VF_EACH, but the last 1 to 3 values at once, so that `lanes` is no constant there
 * (vf_get_part, vf_put_part): for short rows. */
#define VF_EACH_PART(n, step, ...)                                                                 \
    do {                                                                                           \
        size_t i_ = 0;                                                                             \
        AN_NO_UNROLL for (; i_ + VF_LANES <= (n); i_ += VF_LANES) step(__VA_ARGS__, i_, VF_LANES); \
        if (i_ < (n)) step(__VA_ARGS__, i_, (int)((n)-i_));                                        \
    } while (0)

/* the part of n that is walked in whole vectors */
AN_INLINE size_t vf_whole(size_t n) { return n & ~(size_t)(VF_LANES - 1); }

#endif
