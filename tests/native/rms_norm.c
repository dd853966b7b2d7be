#include "native.h"

typedef struct {
    size_t rows, cols, stat_cols;
} sizes;

static an_status forward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_rms_norm_forward(p->y, unless(absent, RSTD, p->rstd), p->x,
        unless(absent, GAMMA, p->gamma), s->rows, s->cols, s->stat_cols, (float)p->gamma_offset,
        p->eps, flags);
}

static an_status backward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_rms_norm_backward(unless(absent, DX, p->dx), unless(absent, DGAMMA, p->dgamma), p->dy,
        p->x, p->rstd, unless(absent, GAMMA, p->gamma), p->workspace, s->rows, s->cols,
        s->stat_cols, (float)p->gamma_offset, p->eps, flags);
}

static const kernels KERNELS = {forward, backward};

static problem make(sizes s, size_t offset) {
    problem p = problem_of(s.rows * s.cols, s.rows, s.cols, offset);
    p.centred = false;
    p.missing = MEAN | BETA | DBETA;
    p.gamma_offset = s.cols % 3 ? 1 : 0;
    p.counted = take(p.n);
    for (size_t i = 0; i < p.n; ++i) {
        p.set[i] = i / s.cols;
        p.channel[i] = i % s.cols;
        p.counted[i] = i % s.cols < s.stat_cols;
    }
    return p;
}

int main(void) {
    for (size_t w = 0; w < COUNT(WIDTHS); ++w) {
        for (size_t h = 0; h < COUNT(HEIGHTS); ++h) {
            for (size_t part = 1; part <= 3; ++part) {
                const size_t counted = (WIDTHS[w] + part - 1) / part;
                if (WIDTHS[w] * HEIGHTS[h] > 20000) continue;
                const sizes s = {HEIGHTS[h], WIDTHS[w], counted};
                problem p = make(s, (w + h) % 4);
                run_problem(&p, &KERNELS, &s, 0);
            }
        }
        const sizes none = {0, WIDTHS[w], WIDTHS[w]};
        problem p = make(none, w % 4);
        run_nothing(&p, &KERNELS, &none, 0);
    }
    return 0;
}
