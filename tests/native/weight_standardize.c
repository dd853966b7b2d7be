#include "native.h"

typedef struct {
    size_t filters, fan_in;
} sizes;

static an_status forward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_weight_standardize_forward(p->y, unless(absent, MEAN, p->mean),
        unless(absent, RSTD, p->rstd), p->x, unless(absent, GAMMA, p->gamma), s->filters, s->fan_in,
        p->eps, flags);
}

static an_status backward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_weight_standardize_backward(unless(absent, DX, p->dx),
        unless(absent, DGAMMA, p->dgamma), p->dy, p->x, p->mean, p->rstd,
        unless(absent, GAMMA, p->gamma), s->filters, s->fan_in, p->eps, flags);
}

static const kernels KERNELS = {forward, backward};

static problem make(sizes s, size_t offset) {
    problem p = problem_of(s.filters * s.fan_in, s.filters, s.filters, offset);
    p.missing = BETA | DBETA;
    for (size_t i = 0; i < p.n; ++i) p.set[i] = p.channel[i] = i / s.fan_in;
    return p;
}

int main(void) {
    for (size_t w = 0; w < COUNT(WIDTHS); ++w) {
        for (size_t h = 0; h < COUNT(HEIGHTS); ++h) {
            if (WIDTHS[w] * HEIGHTS[h] > 20000) continue;
            const sizes s = {HEIGHTS[h], WIDTHS[w]};
            problem p = make(s, (w + h) % 4);
            run_problem(&p, &KERNELS, &s, 0);
        }
        const sizes none = {0, WIDTHS[w]};
        problem p = make(none, w % 4);
        run_nothing(&p, &KERNELS, &none, 0);
    }
    return 0;
}
