#include "column_strip.h"
#include "moments.h"

enum { BLOCK_ROWS = 32 /* rows that are summed in float32, and read twice while in the cache */ };

/* ---- moments ---- */

/* What a sweep adds up; a compile-time constant wherever it is used. */
typedef enum { VALUE, DEVIATION, SQUARED_DEVIATION } term_kind;

AN_INLINE vf term(term_kind kind, vf x, vf centre) {
    if (kind == VALUE) return x;
    const vf d = vf_sub(x, centre);
    return kind == DEVIATION ? d : vf_mul(d, d);
}

AN_INLINE void sum_step(int U, term_kind kind, float *acc, const float *centre,
    const an_sweep_in *x, size_t c, int lanes) {
    vf t[2][AN_SWEEP], m[2];
    AN_UNROLL for (int u = 0; u < U; ++u) m[u] = vf_get(centre + c + u * VF_LANES, lanes);
    AN_UNROLL for (int k = 0; k < AN_SWEEP; ++k) {
        const float *in = x->row[k] + c;
        AN_UNROLL for (int u = 0; u < U; ++u) t[u][k] =
            term(kind, vf_get(in + u * VF_LANES, lanes), m[u]);
    }
    float *sum = acc + c;
    AN_UNROLL for (int u = 0; u < U; ++u)
        vf_put(sum + u * VF_LANES, vf_add(vf_get(sum + u * VF_LANES, lanes), an_tree(t[u])), lanes);
}

/* acc = sum over at most BLOCK_ROWS rows; a missing row is the centre and deviates by 0 */
AN_INLINE void sum_as(term_kind kind, float *acc, const float *centre, const float *x, size_t rows,
    size_t stride, size_t cols) {
    vf_clear(acc, cols);
    for (size_t r = 0; r < rows; r += AN_SWEEP) {
        const an_sweep_in in = an_sweep_from(x + r * stride, rows - r, stride, centre);
        VF_EACH_BY(kind == DEVIATION ? 1 : 2, cols, sum_step, kind, acc, centre, &in);
    }
}

AN_NOINLINE void sum_values(float *acc, const float *x, size_t rows, size_t stride, size_t cols) {
    float zeros[AN_ROOM];
    vf_clear(zeros, cols);
    sum_as(VALUE, acc, zeros, x, rows, stride, cols);
}
AN_NOINLINE void sum_deviations(
    float *acc, const float *centre, const float *x, size_t rows, size_t stride, size_t cols) {
    sum_as(DEVIATION, acc, centre, x, rows, stride, cols);
}
AN_NOINLINE void sum_squares(
    float *acc, const float *centre, const float *x, size_t rows, size_t stride, size_t cols) {
    sum_as(SQUARED_DEVIATION, acc, centre, x, rows, stride, cols);
}

/* Which columns have a mean that is large beside their spread, as an_mean_is_small says; squares of
 * tiny means would vanish. */
static bool large_means(float *large, const float *centre, const float *sq, float n, size_t cols) {
    bool any = false;
    const vf share = vf_set1(1 / n), two = vf_set1(2), one = vf_set1(1), zero = vf_set1(0);
    AN_NO_UNROLL for (size_t c = 0; c < cols; c += VF_LANES) {
        const vf spread = vf_sqrt(vf_mul(vf_load(sq + c), share));
        const vf mask = vf_greater(vf_abs(vf_load(centre + c)), vf_mul(two, spread));
        vf_store(large + c, vf_pick(mask, one, zero));
        any |= vf_any(mask);
    }
    return any;
}

/* mean and m2 of each column over at most BLOCK_ROWS rows */
static void block_moments(
    double *mean, double *m2, const float *x, size_t rows, size_t stride, size_t cols) {
    float sum[AN_ROOM], centre[AN_ROOM], sq[AN_ROOM], large[AN_ROOM];
    const double n = (double)rows;
    const vd inv = vd_set1(1 / n);
    vf_clear(centre, cols);
    vf_clear(sq, cols);
    sum_values(sum, x, rows, stride, cols);
    AN_NO_UNROLL for (size_t c = 0; c < cols; c += VF_LANES) {
        const vd m = vd_mul(vd_from_vf(vf_load(sum + c)), inv);
        vd_store(mean + c, m);
        vf_store(centre + c, vf_from_vd(m));
    }
    sum_squares(sq, centre, x, rows, stride, cols);
    if (large_means(large, centre, sq, (float)n, cols)) {
        /* centre these columns once more, on what the float32 sum missed */
        sum_deviations(sum, centre, x, rows, stride, cols);
        for (size_t c = 0; c < cols; ++c)
            if (large[c] != 0) centre[c] = (float)(mean[c] = centre[c] + sum[c] / n);
        sum_squares(sq, centre, x, rows, stride, cols);
    }
    AN_NO_UNROLL for (size_t c = 0; c < cols; c += VF_LANES) {
        const vd rest = vd_sub(vd_load(mean + c), vd_from_vf(vf_load(centre + c)));
        const vd lost = vd_mul(vd_mul(rest, rest), vd_set1(n));
        vd_store(m2 + c, vd_sub(vd_from_vf(vf_load(sq + c)), lost));
    }
}

/* moments of every column over the rows so far */
typedef struct {
    double n, mean[AN_ROOM], m2[AN_ROOM];
} column_moments;

/* Joins a block of n rows, as an_merge does. */
static void merge_block(
    column_moments *all, double n, const double *mean, const double *m2, size_t cols) {
    const double total = all->n + n;
    const vd share = vd_set1(n / total), weight = vd_set1(all->n * (n / total));
    AN_NO_UNROLL for (size_t c = 0; c < cols; c += VF_LANES) {
        const vd old = vd_load(all->mean + c), delta = vd_sub(vd_load(mean + c), old);
        const vd between = vd_mul(vd_mul(delta, delta), weight);
        vd_store(all->mean + c, vd_add(old, vd_mul(delta, share)));
        vd_store(all->m2 + c, vd_add(vd_add(vd_load(all->m2 + c), vd_load(m2 + c)), between));
    }
    all->n = total;
}

static void strip_moments(
    column_moments *all, const float *x, size_t rows, size_t stride, size_t cols) {
    double mean[AN_ROOM], m2[AN_ROOM];
    all->n = 0;
    vd_clear(all->mean, cols);
    vd_clear(all->m2, cols);
    for (size_t r = 0; r < rows; r += BLOCK_ROWS) {
        const size_t n = rows - r < BLOCK_ROWS ? rows - r : BLOCK_ROWS;
        block_moments(mean, m2, x + r * stride, n, stride, cols);
        merge_block(all, (double)n, mean, m2, cols);
    }
}

/* The moments of every set, joined from those of its columns. */
static void set_moments(an_moments *sets, const float *x, const an_columns *job) {
    for (size_t k = 0; k < job->sets; ++k) sets[k] = (an_moments){0, 0, 0};
    AN_EACH_STRIP(job, s) {
        column_moments all;
        strip_moments(&all, x + s.at, job->rows, job->stride, s.cols);
        an_member m = an_member_at(job, s.at);
        for (size_t c = 0; c < s.cols; ++c, an_next_member(&m, job)) {
            an_moments *set = sets + m.set;
            const double m2 = all.m2[c] < 0 ? 0 : all.m2[c];
            const an_moments column = {all.n, all.mean[c], m2};
            *set = set->n == 0 ? column : an_merge(*set, column);
        }
    }
}

/* ---- normalization ---- */

/* The lines of four sets of one column each; false: one is not folded. */
AN_INLINE bool four_lines(
    an_column_lines *lines, size_t c, const an_summary *summaries, an_affine affine, size_t param) {
    const an_summary_lanes s = an_summaries_at(summaries);
    if (!vd_all(vd_at_most(vd_mul(s.mean, s.mean), s.variance))) return false;
    const vf scale = vf_from_vd(vd_mul(s.rstd, an_gains_at(affine.gamma, param)));
    const vd beta = affine.beta ? vd_from_vf(vf_load(affine.beta + param)) : vd_zero();
    vf_store(lines->centre + c, vf_set1(0));
    vf_store(lines->rest + c, vf_set1(0));
    vf_store(lines->scale + c, scale);
    vf_store(lines->shift + c, vf_from_vd(vd_sub(beta, vd_mul(s.mean, vd_from_vf(scale)))));
    return true;
}

static void one_line(
    an_column_lines *lines, size_t c, an_summary s, an_affine affine, size_t param) {
    const double beta = affine.beta ? affine.beta[param] : 0;
    an_put_line(lines, c, an_line_of(s, an_gain_at(affine, param), beta));
}

/* The an_line of each column of a strip; sets of one column go through four at a time. */
static void lines_of(an_column_lines *lines, const an_columns *job, an_affine affine,
    const an_summary *summaries, an_strip s) {
    an_member m = an_member_at(job, s.at);
    lines->folded = true;
    for (size_t c = 0; c < s.cols;) {
        const size_t param = an_param_of_member(job, m, s.at + c);
        const bool four = VF_TOGETHER && job->width == 1 && c + VF_LANES <= s.cols &&
                          four_lines(lines, c, summaries + m.set, affine, param);
        if (!four) one_line(lines, c, summaries[m.set], affine, param);
        for (size_t end = c + (four ? VF_LANES : 1); c < end; ++c) an_next_member(&m, job);
    }
}

AN_INLINE void line_step(int U, bool folded, const an_sweep_out *y, const an_sweep_in *x,
    const an_column_lines *lines, size_t c, int lanes) {
    an_line_lanes l[2];
    AN_UNROLL for (int u = 0; u < U; ++u) l[u] = an_lines_at(folded, lines, c, u * VF_LANES, lanes);
    AN_UNROLL for (int k = 0; k < AN_SWEEP; ++k) {
        const float *in = x->row[k] + c;
        float *out = y->row[k] + c;
        AN_UNROLL for (int u = 0; u < U; ++u) vf_put(
            out + u * VF_LANES, an_on_line(folded, vf_get(in + u * VF_LANES, lanes), l + u), lanes);
    }
}

static void normalize_sets(float *y, const float *x, const an_columns *job, an_affine affine,
    const an_summary *summaries) {
    AN_EACH_STRIP(job, s) {
        an_column_lines lines;
        float spare[AN_ROOM];
        lines_of(&lines, job, affine, summaries, s);
        for (size_t r = 0; r < job->rows; r += AN_SWEEP) {
            const size_t at = s.at + r * job->stride, rows = job->rows - r;
            const an_sweep_in in = an_sweep_from(x + at, rows, job->stride, lines.scale);
            const an_sweep_out out = an_sweep_to(y + at, rows, job->stride, spare);
            if (lines.folded)
                VF_EACH_BY(2, s.cols, line_step, true, &out, &in, &lines);
            else
                VF_EACH_BY(1, s.cols, line_step, false, &out, &in, &lines);
        }
    }
}

/* Every coefficient of a set fits float32 arithmetic. */
static bool set_ok(size_t params, const float *gamma, an_summary s) {
    bool ok = an_coefficient_ok(s.mean) && an_rstd_ok(s.rstd);
    for (size_t i = 0; ok && gamma && i < params; ++i) ok = an_coefficient_ok(s.rstd * gamma[i]);
    return ok;
}

/* set_ok of four sets of one column each; false: they are looked at one by one */
AN_INLINE bool four_ok(const float *gamma, size_t k, const an_summary *summaries) {
    const an_summary_lanes s = an_summaries_at(summaries + k);
    const vd scale = vd_abs(vd_mul(s.rstd, an_gains_at(gamma, k)));
    return vd_all(vd_both(an_within(0x1p-100, vd_abs(s.mean), 0x1p+100),
        vd_both(an_within(0x1p-50, s.rstd, 0x1p+50), an_within(0x1p-100, scale, 0x1p+100))));
}

bool an_columns_ok(
    bool *ok, const an_columns *job, an_affine affine, const an_summary *summaries, bool exact) {
    const bool float64 = an_columns_float64(job, exact);
    const bool by_four = VF_TOGETHER && !float64 && job->width == 1;
    const size_t params = job->param_per_set ? 1 : job->width;
    bool all = true;
    for (size_t k = 0; k < job->sets;) {
        const bool four =
            by_four && k + VF_LANES <= job->sets && four_ok(affine.gamma, k, summaries);
        const float *gamma = affine.gamma ? affine.gamma + k * params : NULL;
        const bool good = four || (!float64 && set_ok(params, gamma, summaries[k]));
        for (size_t end = k + (four ? VF_LANES : 1); k < end; ++k) ok[k] = good;
        all &= good;
    }
    return all;
}

void an_columns_normalize(float *y, const float *x, const an_columns *job, an_affine affine,
    const an_summary *summaries, bool exact) {
    const an_set set = an_column_set(job);
    bool ok[AN_STRIP];
    if (an_columns_ok(ok, job, affine, summaries, exact)) {
        normalize_sets(y, x, job, affine, summaries);
        return;
    }
    for (size_t k = 0, end; k < job->sets; k = end) {
        const size_t at = k * job->width;
        const an_affine own = an_affine_from(job, affine, k);
        end = ok[k] ? an_alike(ok, k, job->sets) : k + 1;
        const an_columns part = an_columns_between(job, k, end);
        if (ok[k])
            normalize_sets(y + at, x + at, &part, own, summaries + k);
        else
            an_exact_normalize(y + at, x + at, &set, own, summaries[k]);
    }
}

void an_columns_forward(float *y, an_summary *summaries, const float *x, const an_columns *job,
    an_affine affine, float eps, bool exact) {
    const an_set set = an_column_set(job);
    const bool float64 = an_columns_float64(job, exact);
    an_moments moments[AN_STRIP];
    if (!float64) set_moments(moments, x, job);
    for (size_t k = 0; k < job->sets; ++k) {
        if (!float64) {
            summaries[k] = an_summary_of_moments(moments[k], eps);
            if (an_in_plain_range(summaries[k].variance + eps)) continue;
        }
        summaries[k] = an_exact_summary(x + k * job->width, &set, AN_CENTRED, eps);
    }
    an_columns_normalize(y, x, job, affine, summaries, exact);
}
