/* What the forward and the backward of column norms share: strips of adjacent columns. */
#ifndef AN_COLUMN_STRIP_H
#define AN_COLUMN_STRIP_H

#include "columns.h"
#include "simd.h"

enum {
    AN_SWEEP = 4,                 /* rows of one sweep */
    AN_ROOM = AN_STRIP + VF_LANES /* for one value a column, in whole vectors */
};

/* Some adjacent columns, at most AN_STRIP: `at` is the first one's place in the job. */
typedef struct {
    size_t at, cols;
} an_strip;

static inline size_t an_columns_of(const an_columns *job) { return job->sets * job->width; }

static inline an_strip an_strip_at(const an_columns *job, size_t at) {
    const size_t left = an_columns_of(job) - at;
    return (an_strip){at, left < AN_STRIP ? left : AN_STRIP};
}

#define AN_EACH_STRIP(job, s)                                                                      \
    for (an_strip s = an_strip_at(job, 0); s.at < an_columns_of(job);                              \
         s = an_strip_at(job, s.at + s.cols))

/* The rows of one sweep. Where the job has fewer, `missing` stands in. */
typedef struct {
    const float *row[AN_SWEEP];
} an_sweep_in;
typedef struct {
    float *row[AN_SWEEP];
} an_sweep_out;

AN_INLINE an_sweep_in an_sweep_from(
    const float *x, size_t rows, size_t stride, const float *missing) {
    an_sweep_in in;
    AN_UNROLL for (size_t k = 0; k < AN_SWEEP; ++k) in.row[k] = k < rows ? x + k * stride : missing;
    return in;
}
AN_INLINE an_sweep_out an_sweep_to(float *y, size_t rows, size_t stride, float *missing) {
    an_sweep_out out;
    AN_UNROLL for (size_t k = 0; k < AN_SWEEP; ++k) out.row[k] =
        k < rows ? y + k * stride : missing;
    return out;
}

AN_INLINE vf an_tree(const vf t[AN_SWEEP]) {
    return vf_add(vf_add(t[0], t[1]), vf_add(t[2], t[3]));
}

/*
 * The set that a column is in, and how many of the set's columns are left: for loops over columns
 * without a division each.
 */
typedef struct {
    size_t set, left;
} an_member;

static inline an_member an_member_at(const an_columns *job, size_t column) {
    const size_t set = column / job->width;
    return (an_member){set, (set + 1) * job->width - column};
}
static inline void an_next_member(an_member *m, const an_columns *job) {
    if (--m->left > 0) return;
    ++m->set;
    m->left = job->width;
}

/* The parameter of a column; gamma and beta from a set on. */
static inline size_t an_param_of_member(const an_columns *job, an_member m, size_t column) {
    return job->param_per_set ? m.set : column;
}
static inline double an_gain_at(an_affine a, size_t param) { return a.gamma ? a.gamma[param] : 1; }

static inline an_affine an_affine_from(const an_columns *job, an_affine a, size_t set) {
    const size_t param = job->param_per_set ? set : set * job->width;
    if (a.gamma) a.gamma += param;
    if (a.beta) a.beta += param;
    return a;
}

/* The same columns as the float64 path sees a set of them. */
static inline an_set an_column_set(const an_columns *job) {
    return (an_set){job->rows, job->stride, job->width, 0, job->param_per_set ? 0 : 1};
}

/* Sets `from` to `to` of a job. */
static inline an_columns an_columns_between(const an_columns *job, size_t from, size_t to) {
    return (an_columns){job->rows, job->stride, to - from, job->width, job->param_per_set};
}

/* The first set from k on whose ok differs from `ok[k]`. */
static inline size_t an_alike(const bool *ok, size_t k, size_t sets) {
    size_t end = k + 1;
    while (end < sets && ok[end] == ok[k]) ++end;
    return end;
}

/* An an_line a column. */
typedef struct {
    float centre[AN_ROOM], rest[AN_ROOM], scale[AN_ROOM], shift[AN_ROOM];
    bool folded; /* all of them */
} an_column_lines;

static inline void an_put_line(an_column_lines *l, size_t c, an_line line) {
    l->centre[c] = line.centre;
    l->rest[c] = line.rest;
    l->scale[c] = line.scale;
    l->shift[c] = line.shift;
    l->folded = (c == 0 || l->folded) && line.folded;
}

/* The lines of `lanes` columns from c on. Folded ones have centre and rest 0, so that both
 * forms give them the same bits. */
typedef struct {
    vf centre, rest, scale, shift;
} an_line_lanes;

AN_INLINE an_line_lanes an_lines_at(
    bool folded, const an_column_lines *l, size_t c, int more, int lanes) {
    const vf scale = vf_get(l->scale + c + more, lanes), shift = vf_get(l->shift + c + more, lanes);
    if (folded) return (an_line_lanes){scale, scale, scale, shift};
    return (an_line_lanes){
        vf_get(l->centre + c + more, lanes), vf_get(l->rest + c + more, lanes), scale, shift};
}

AN_INLINE vf an_on_line(bool folded, vf x, const an_line_lanes *l) {
    const vf d = folded ? x : vf_sub(vf_sub(x, l->centre), l->rest);
    return vf_add(vf_mul(d, l->scale), l->shift);
}

/* ---- four sets at once, for jobs whose sets are single columns ---- */

typedef struct {
    vd mean, variance, rstd;
} an_summary_lanes;

AN_INLINE an_summary_lanes an_summaries_at(const an_summary *s) {
    return (an_summary_lanes){vd_make(s[0].mean, s[1].mean, s[2].mean, s[3].mean),
        vd_make(s[0].variance, s[1].variance, s[2].variance, s[3].variance),
        vd_make(s[0].rstd, s[1].rstd, s[2].rstd, s[3].rstd)};
}

AN_INLINE vd an_gains_at(const float *gamma, size_t c) {
    return gamma ? vd_from_vf(vf_load(gamma + c)) : vd_set1(1);
}

AN_INLINE vd an_within(double low, vd a, double high) {
    return vd_both(vd_at_most(vd_set1(low), a), vd_at_most(a, vd_set1(high)));
}

/* Which sets float32 arithmetic can do: none by request, or of few values. Returns whether all. */
bool an_columns_ok(
    bool *ok, const an_columns *job, an_affine affine, const an_summary *summaries, bool exact);

/* Whether all sets of a job go through float64. */
static inline bool an_columns_float64(const an_columns *job, bool exact) {
    return exact || job->rows * job->width < AN_FEW;
}

#endif
