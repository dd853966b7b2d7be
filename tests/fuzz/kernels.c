/*
 * A libFuzzer target: any call of any function of axisnorm.h.
 *
 * The bytes choose function, sizes, numbers, flags, which arrays are NULL, misaligned or share
 * memory, and the values. Each call must return an error that axisnorm.h allows for it and write
 * nothing, or return AN_OK and write every output and nothing else; at other addresses and over
 * other memory it gives the same bits, and so it does in place; and where all values are ordinary,
 * the results are those of float64.
 *
 * Arrays are heap blocks of exact size, so that AddressSanitizer sees a read or a write past them.
 */
#include "check.h"
#include "functions.h"
#include "input.h"
#include "reference.h"

/* Every tail of one and of several vectors, the edges of blocks, strips, runs and pieces. */
static const size_t SIZES[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 24, 31, 32, 33, 34,
    48, 63, 64, 65, 66, 100, 127, 128, 129, 255, 256, 257, 260, 300, 511, 512, 513, 600, 1023, 1024,
    1025, 1030, 2048, 2100, 4095, 4096, 4097, 4100, 6000, 8193};
static const size_t FAULTY[] = {0, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1, SIZE_MAX / 8 + 1,
    SIZE_MAX / 24 + 1, (size_t)1 << 61, (size_t)1 << 32};
enum { MOST_VALUES = 9000, FEW_VALUES = 600, MOST_PARAMETERS = 1 << 16 };

typedef struct {
    const function *f;
    arguments args; /* but for the addresses */
    unsigned ins, outs;
    size_t bytes[ARRAYS];
    int home[ARRAYS];     /* the array in whose block it lies: itself, or -1 where it is NULL */
    size_t shift[ARRAYS]; /* bytes from the start of that block */
    size_t offset[ARRAYS], block[ARRAYS]; /* of a block: bytes past malloc's alignment; size */
    char *image[ARRAYS];                  /* what is in it before the call */
    bool shares, saved, vast;             /* saved: mean and rstd are those of x */
} call;

typedef struct {
    an_status status;
    char *out[ARRAYS]; /* copies; NULL for what is no output */
} result;

#define EACH_ARRAY(i) for (int i = 0; i < ARRAYS; ++i)

/* ---- drawing a call ---- */

static void draw_sizes(input *in, call *c) {
    size_t *size = c->args.size;
    const norm kind = c->f->norm;
    const size_t axes = kind == GROUP || kind == BATCH ? 3 : 2, first = choose(in, axes);
    size_t room = rarely(in, 64) ? MOST_VALUES : FEW_VALUES;
    for (size_t i = 0; i < axes; ++i) {
        size_t *s = size + (first + i) % axes;
        *s = SIZES[choose(in, sizeof SIZES / sizeof *SIZES)];
        if (*s > room) *s = room;
        room /= *s;
    }
    if (kind == RMS) size[2] = choose(in, 3) ? size[1] : 1 + next_word(in) % size[1];
    if (kind == GROUP) size[3] = 1 + choose(in, 8);
    if (kind == GROUP && size[1] % size[3]) size[3] = choose(in, 2) ? 1 : size[1];
    if (rarely(in, 12)) size[0] = 0;
    if (rarely(in, 12))
        size[choose(in, (size_t)c->f->sizes)] = FAULTY[choose(in, sizeof FAULTY / sizeof *FAULTY)];
}

static void draw_numbers(input *in, call *c) {
    static const float EPS[] = {1e-5f, 1e-5f, 0, 1e-12f, 1e-3f, 1, 0x1p-149f, FLT_MAX};
    static const double MOMENTUM[] = {0.1, 0.5, 0, 1}, FAULTY_MOMENTUM[] = {-0.1, 1.5, NAN};
    c->args.eps = rarely(in, 12) ? next_pattern(in) : EPS[choose(in, 8)];
    c->args.momentum = rarely(in, 8) ? FAULTY_MOMENTUM[choose(in, 3)] : MOMENTUM[choose(in, 4)];
    c->args.gamma_offset = rarely(in, 8) ? next_pattern(in) : (float)choose(in, 2);
    c->args.flags = next_byte(in) & c->f->flags;
    if (rarely(in, 6)) c->args.flags ^= 1u << choose(in, 32);
}

/* No values, but more parameters than memory holds: those arrays are NULL then. */
static bool is_vast(const call *c) {
    const size_t *size = c->args.size;
    return shape_ok(c->f, size) && channels_of(c->f, size) > MOST_PARAMETERS;
}

/* one of the arrays of a mask that is not empty */
static int choose_array(input *in, unsigned mask) {
    int turns = (int)choose(in, ARRAYS), i = 0;
    while (!(mask & BIT(i)) || turns-- > 0) i = (i + 1) % ARRAYS;
    return i;
}

/* Lays array a into the block of array b, unless one of them shares a block already. */
static void share(call *c, int a, int b, size_t shift) {
    bool is_free = a != b && c->home[a] == a && c->home[b] == b;
    EACH_ARRAY(i) is_free &= i == a || c->home[i] != a;
    if (!is_free) return;
    c->home[a] = b;
    c->shift[a] = shift;
    c->shares = true;
}

/* which arrays are NULL */
static unsigned draw_absent(input *in, const call *c) {
    const function *f = c->f;
    const uint32_t word = next_word(in), needed = rarely(in, 10) ? next_word(in) : 0;
    unsigned absent = (word & word >> 16 & ~f->needed) | (needed & needed >> 16);
    if (f->updated && absent & RUNNING && !rarely(in, 10)) absent |= RUNNING;
    if (f->frozen && absent & BIT(X)) absent |= BIT(DGAMMA);
    if (c->vast) absent |= ~(f->needed | BIT(OUT));
    return absent | ~(f->ins | f->outs);
}

static void draw_arrays(input *in, call *c) {
    const function *f = c->f;
    const bool ok = shape_ok(f, c->args.size);
    c->ins = f->ins | f->updated | (c->args.flags & AN_ACCUMULATE ? f->outs & GRADIENTS : 0);
    c->outs = f->outs;
    c->vast = is_vast(c);
    const unsigned absent = draw_absent(in, c), present = ~absent, outs = present & c->outs;
    EACH_ARRAY(i) {
        c->home[i] = absent & BIT(i) ? -1 : i;
        c->bytes[i] = ok ? bytes_of(f, c->args.size, i) : 64;
        c->offset[i] = sizeof(float) * choose(in, 4);
        if (i == SPACE) c->offset[i] = rarely(in, 10) ? 4 : c->offset[i] / 8 * 8;
        if (rarely(in, 3)) c->offset[i] += 1;
    }
    for (int times = 0; times < 2 && outs && rarely(in, 32); ++times) {
        const int a = choose_array(in, choose(in, 4) ? outs : present);
        const int b = choose_array(in, present);
        const size_t words = choose(in, 3) ? 0 : choose(in, 16);
        share(c, a, b, rarely(in, 32) ? c->bytes[b] : words * sizeof(float));
    }
    EACH_ARRAY(i) {
        const int home = c->home[i];
        const size_t end = c->shift[i] + c->bytes[i];
        if (home >= 0 && end > c->block[home]) c->block[home] = end;
    }
}

static char *image_at(const call *c, int array) {
    return c->home[array] < 0 ? NULL : c->image[c->home[array]] + c->shift[array];
}

static void draw_values(input *in, call *c) {
    EACH_ARRAY(i) {
        if (c->home[i] != i) continue;
        c->image[i] = take(c->block[i]);
        memset(c->image[i], 0, c->block[i]);
        next_floats(in, (float *)(void *)c->image[i], c->block[i] / sizeof(float));
    }
    if (c->home[RUN_VAR] != RUN_VAR || rarely(in, 10)) return;
    float *variance = (float *)(void *)c->image[RUN_VAR];
    for (size_t i = 0; i < c->block[RUN_VAR] / sizeof(float); ++i)
        variance[i] = isfinite(variance[i]) ? fabsf(variance[i]) : 1;
}

/* mean and rstd as the forward gives them, unless they are to be anything */
static void draw_saved(input *in, call *c) {
    const function *forward = c->f - 1;
    if (!c->f->backward || c->f->frozen || c->vast || rarely(in, 16)) return;
    arguments a = c->args;
    a.flags &= forward->flags;
    a.momentum = 0;
    EACH_ARRAY(i) a.at[i] = BIT(i) & (BIT(X) | STATISTICS) ? image_at(c, i) : NULL;
    a.at[OUT] = take(c->bytes[X]);
    if (c->home[MEAN] != MEAN) a.at[MEAN] = NULL;
    if (c->home[RSTD] != RSTD) a.at[RSTD] = NULL;
    const bool both = a.at[RSTD] && (a.at[MEAN] || c->f->norm == RMS);
    c->saved = faults_of(forward, &a) == 0 && forward->run(&a) == AN_OK && both;
    free(a.at[OUT]);
}

/* ---- making it ---- */

static bool is_input(const call *c, int block) {
    bool found = false;
    EACH_ARRAY(i) found |= c->home[i] == block && c->ins & BIT(i);
    return found;
}

static void expect_status(an_status got, unsigned faults) {
    if (!faults)
        CHECK(got == AN_OK, "got status %d", (int)got);
    else
        CHECK(got != AN_OK && faults & BIT(got), "one of %#x, got status %d", faults, (int)got);
}

/* The blocks of one call as they lie in memory, and what has to be in them after it. */
typedef struct {
    char *raw[ARRAYS], *expected[ARRAYS];
    size_t offset[ARRAYS], bytes[ARRAYS];
} memory;

/* A turn has its own addresses, and its own garbage in the outputs. */
static memory lay_out(const call *c, unsigned turn) {
    enum { BEFORE = 0xa5 };
    memory m = {.raw = {0}};
    EACH_ARRAY(i) {
        if (c->home[i] != i) continue;
        /* the workspace, or what lies in one block with it, stays aligned or not */
        const size_t step = (i == SPACE || c->shares ? 8 : 4) * turn;
        const size_t offset = (c->offset[i] / 4 * 4 + step) % 16 + c->offset[i] % 4;
        m.offset[i] = offset;
        m.bytes[i] = offset + c->block[i];
        m.raw[i] = take(m.bytes[i]);
        memset(m.raw[i], BEFORE, offset);
        memset(m.raw[i] + offset, turn ? 0x7f : 0xc1, c->block[i]);
        if (is_input(c, i)) memcpy(m.raw[i] + offset, c->image[i], c->block[i]);
        m.expected[i] = take(m.bytes[i]);
        memcpy(m.expected[i], m.raw[i], m.bytes[i]);
    }
    return m;
}

static result make(const call *c, unsigned turn) {
    memory m = lay_out(c, turn);
    arguments a = c->args;
    EACH_ARRAY(i) {
        const int home = c->home[i];
        a.at[i] = home < 0 ? NULL : m.raw[home] + m.offset[home] + c->shift[i];
    }
    const unsigned faults = faults_of(c->f, &a);
    result r = {.status = c->f->run(&a)};
    expect_status(r.status, faults);

    EACH_ARRAY(i) {
        if (r.status != AN_OK || !(c->outs & BIT(i)) || !a.at[i]) continue;
        const int home = c->home[i];
        r.out[i] = take(c->bytes[i]);
        memcpy(r.out[i], a.at[i], c->bytes[i]);
        memcpy(m.expected[home] + (a.at[i] - m.raw[home]), a.at[i], c->bytes[i]);
    }
    EACH_ARRAY(i) {
        const bool kept = !m.raw[i] || memcmp(m.raw[i], m.expected[i], m.bytes[i]) == 0;
        CHECK(kept, "a write to what is no output (%d)", i);
        free(m.raw[i]);
        free(m.expected[i]);
    }
    return r;
}

static void drop(result *r) { EACH_ARRAY(i) free(r->out[i]); }

static void expect_same(const call *c, unsigned turn, const result *want, const char *how) {
    result got = make(c, turn);
    CHECK((got.status == AN_OK) == (want->status == AN_OK), "%s", how);
    EACH_ARRAY(i) {
        if (!got.out[i] || i == SPACE) continue;
        CHECK(memcmp(got.out[i], want->out[i], c->bytes[i]) == 0, "%s: array %d differs", how, i);
    }
    drop(&got);
}

/* y in x, dx in dy and dx in x */
static void make_in_place(const call *c, const result *want) {
    const int first = c->f->backward ? DY : X;
    for (int over = X; over <= first; ++over) {
        if (c->home[OUT] < 0 || c->home[over] < 0) continue;
        call in_place = *c;
        in_place.home[OUT] = over;
        expect_same(&in_place, 0, want, "in place");
    }
}

/* ---- against float64 ---- */

static bool is_ordinary(double v) {
    const double size = fabs(v);
    return v == 0 || (size >= 0x1p-40 && size <= 0x1p40);
}

static bool all_ordinary(const call *c) {
    bool ok = is_ordinary(c->args.gamma_offset) &&
              (c->args.eps == 0 || (c->args.eps >= 0x1p-60f && c->args.eps <= 0x1p60f));
    EACH_ARRAY(i) {
        const float *data = (const float *)(const void *)image_at(c, i);
        if (!data || !(c->ins & BIT(i)) || (BIT(i) & STATISTICS && c->f->backward)) continue;
        for (size_t k = 0; ok && k < c->bytes[i] / sizeof *data; ++k) ok = is_ordinary(data[k]);
    }
    return ok;
}

static void check_values(const call *c, const result *r) {
    const float *got[ARRAYS], *given[ARRAYS];
    arguments a = c->args;
    EACH_ARRAY(i) {
        a.at[i] = image_at(c, i);
        given[i] = (const float *)(const void *)a.at[i];
        got[i] = (const float *)(const void *)r->out[i];
    }
    reference want = reference_of(c->f, &a);
    const bool add = a.flags & AN_ACCUMULATE;
    for (int i = DGAMMA; i <= DBETA; ++i) check_gradient(&want, i, got[i], add ? given[i] : NULL);
    if (want.values > 0) {
        check_out(&want, got[OUT]);
        if (!c->f->backward) check_statistics(&want, got[MEAN], got[RSTD]);
        if (c->f->updated) check_running(&want, got[RUN_MEAN], got[RUN_VAR]);
    }
    reference_free(&want);
}

static void describe(const call *c) {
    const size_t *s = c->args.size;
    snprintf(current_call, sizeof current_call, "%s(%zu, %zu, %zu, %zu, eps %g, flags %u)%s",
        c->f->name, s[0], s[1], s[2], s[3], (double)c->args.eps, (unsigned)c->args.flags,
        c->shares ? ", arrays share memory" : "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    call c = {.f = FUNCTIONS + choose(&in, FUNCTION_COUNT)};
    draw_sizes(&in, &c);
    draw_numbers(&in, &c);
    if (shape_ok(c.f, c.args.size) && values_of(c.f, c.args.size) > MOST_VALUES) return -1;
    draw_arrays(&in, &c);
    if (c.vast && (c.f->norm == BATCH || c.bytes[SPACE] > MOST_PARAMETERS)) return -1;
    describe(&c);
    draw_values(&in, &c);
    draw_saved(&in, &c);

    result r = make(&c, 0);
    expect_same(&c, 1, &r, "once more");
    if (r.status == AN_OK && !c.vast) {
        if (!c.shares) make_in_place(&c, &r);
        if ((c.saved || !c.f->backward || c.f->frozen) && all_ordinary(&c)) check_values(&c, &r);
    }
    drop(&r);
    EACH_ARRAY(i) free(c.image[i]);
    return 0;
}
