#include "native.h"

typedef struct {
    size_t batch, channels, spatial, groups;
} sizes;

static an_status forward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_group_norm_forward(p->y, unless(absent, MEAN, p->mean), unless(absent, RSTD, p->rstd),
        p->x, unless(absent, GAMMA, p->gamma), unless(absent, BETA, p->beta), s->batch, s->channels,
        s->spatial, s->groups, p->eps, flags);
}

static an_status backward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    return an_group_norm_backward(unless(absent, DX, p->dx), unless(absent, DGAMMA, p->dgamma),
        unless(absent, DBETA, p->dbeta), p->dy, p->x, p->mean, p->rstd,
        unless(absent, GAMMA, p->gamma), p->workspace, s->batch, s->channels, s->spatial, s->groups,
        p->eps, flags);
}

static const kernels KERNELS = {forward, backward};

static problem make(sizes s, bool channels_last, size_t offset) {
    problem p =
        problem_of(s.batch * s.channels * s.spatial, s.batch * s.groups, s.channels, offset);
    for (size_t i = 0; i < p.n; ++i) {
        const size_t c = channels_last ? i % s.channels : i / s.spatial % s.channels;
        p.channel[i] = c;
        p.set[i] = i / (s.channels * s.spatial) * s.groups + c / (s.channels / s.groups);
    }
    return p;
}

int main(void) {
    static const size_t GROUP_WIDTHS[] = {1, 2, 3, 4, 5, 7, 8, 16, 33, 255, 257};
    static const size_t GROUPS[] = {1, 2, 5, 70};
    static const size_t SPATIAL[] = {1, 2, 3, 4, 5, 7, 16, 17, 67, 1030, 4099};
    static const size_t BATCH[] = {0, 1, 2, 5, 33};
    size_t turn = 0;
    for (size_t w = 0; w < COUNT(GROUP_WIDTHS); ++w)
        for (size_t g = 0; g < COUNT(GROUPS); ++g)
            for (size_t n = 0; n < COUNT(SPATIAL); ++n)
                for (size_t b = 0; b < COUNT(BATCH); ++b) {
                    const sizes s = {BATCH[b], GROUP_WIDTHS[w] * GROUPS[g], SPATIAL[n], GROUPS[g]};
                    if (s.batch * s.channels * s.spatial > 3000) continue;
                    for (uint32_t last = 0; last <= AN_CHANNELS_LAST; last += AN_CHANNELS_LAST) {
                        problem p = make(s, last != 0, turn++ % 4);
                        if (s.batch == 0)
                            run_nothing(&p, &KERNELS, &s, last);
                        else
                            run_problem(&p, &KERNELS, &s, last);
                    }
                }
    return 0;
}
