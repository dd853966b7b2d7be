#include "native.h"

typedef struct {
    size_t outer, channels, inner;
    float *running_mean, *running_var;
    bool training;
} sizes;

static an_status forward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    const float *gamma = unless(absent, GAMMA, p->gamma), *beta = unless(absent, BETA, p->beta);
    if (!s->training)
        return an_batch_norm_forward_inference(p->y, p->x, s->running_mean, s->running_var, gamma,
            beta, s->outer, s->channels, s->inner, p->eps, flags);
    return an_batch_norm_forward_training(p->y, unless(absent, MEAN, p->mean),
        unless(absent, RSTD, p->rstd), NULL, NULL, NULL, p->x, gamma, beta, s->outer, s->channels,
        s->inner, p->eps, 0.1, flags);
}

static an_status backward(problem *p, const void *shape, unsigned absent, uint32_t flags) {
    const sizes *s = shape;
    float *dx = unless(absent, DX, p->dx), *dgamma = unless(absent, DGAMMA, p->dgamma),
          *dbeta = unless(absent, DBETA, p->dbeta);
    const float *gamma = unless(absent, GAMMA, p->gamma);
    if (!s->training)
        return an_batch_norm_backward_inference(dx, dgamma, dbeta, p->dy, dgamma ? p->x : NULL,
            s->running_mean, s->running_var, gamma, s->outer, s->channels, s->inner, p->eps, flags);
    return an_batch_norm_backward_training(dx, dgamma, dbeta, p->dy, p->x, p->mean, p->rstd, gamma,
        s->outer, s->channels, s->inner, p->eps, flags);
}

static const kernels KERNELS = {forward, backward};

static problem make(const sizes *s, size_t offset) {
    problem p = problem_of(s->outer * s->channels * s->inner, s->channels, s->channels, offset);
    for (size_t i = 0; i < p.n; ++i) p.set[i] = p.channel[i] = i / s->inner % s->channels;
    return p;
}

/* one training step and what it makes of the running statistics */
static void run_running(problem *p, const sizes *s, uint32_t flags) {
    reference r = reference_alloc(p);
    reference_statistics(&r, p);
    float *mean = random_floats(p, s->channels, 1, 3), *var = random_floats(p, s->channels, 1, 3);
    float *old_mean = floats(p, s->channels), *old_var = floats(p, s->channels);
    memcpy(old_mean, mean, s->channels * sizeof *mean);
    memcpy(old_var, var, s->channels * sizeof *var);
    uint32_t skipped = 7;
    CHECK(an_batch_norm_forward_training(p->y, NULL, NULL, mean, var, &skipped, p->x, NULL, NULL,
              s->outer, s->channels, s->inner, p->eps, 0.25, flags) == AN_OK,
        "running statistics");
    CHECK(skipped == 0, "skipped: %u", skipped);
    for (size_t c = 0; c < s->channels; ++c) {
        const double n = r.count[c], correction = flags & AN_BIASED_RUNNING ? 1 : n / (n - 1);
        const double m = 0.75 * old_mean[c] + 0.25 * r.mean[c];
        const double v = 0.75 * old_var[c] + 0.25 * r.variance[c] * correction;
        close_to("running_mean", c, mean[c], m, fabs(m) + fabs(r.mean[c]), 4);
        close_to("running_var", c, var[c], v, v, 4);
    }
    drop(p, mean);
    drop(p, var);
    drop(p, old_mean);
    drop(p, old_var);
    reference_free(&r);
}

static void run_training(sizes s, size_t offset) {
    s.training = true;
    problem p = make(&s, offset);
    if (s.outer * s.inner == 1) {
        CHECK(forward(&p, &s, 0, 0) == AN_ERR_COUNT, "one value per channel");
        problem_free(&p);
    } else if (s.outer == 0) {
        run_nothing(&p, &KERNELS, &s, 0);
    } else {
        for (uint32_t flags = 0; flags <= AN_BIASED_RUNNING; flags += AN_BIASED_RUNNING) {
            run_running(&p, &s, flags);
            run_running(&p, &s, flags | AN_EXACT);
        }
        run_problem(&p, &KERNELS, &s, 0);
    }
}

static void run_inference(sizes s, size_t offset) {
    problem p = make(&s, offset);
    s.running_mean = random_floats(&p, s.channels, 2, 20);
    s.running_var = random_floats(&p, s.channels, 3, 4);
    float *given[] = {s.running_mean, s.running_var};
    p.frozen = true;
    p.missing = MEAN | RSTD;
    reference statistics = reference_alloc(&p);
    for (size_t c = 0; c < s.channels; ++c) {
        statistics.mean[c] = s.running_mean[c];
        statistics.rstd[c] = 1 / sqrt((double)s.running_var[c] + p.eps);
    }
    if (s.outer > 0) run_kernels(&p, &KERNELS, &s, &statistics, 0);
    reference_free(&statistics);
    for (size_t i = 0; i < COUNT(given); ++i) drop(&p, given[i]);
    problem_free(&p);
}

int main(void) {
    static const size_t CHANNELS[] = {1, 2, 3, 4, 5, 7, 16, 33, 257, 1030};
    static const size_t INNER[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 67, 1030, 4099};
    static const size_t OUTER[] = {0, 1, 2, 3, 33, 4099};
    size_t turn = 0;
    for (size_t c = 0; c < COUNT(CHANNELS); ++c)
        for (size_t i = 0; i < COUNT(INNER); ++i)
            for (size_t o = 0; o < COUNT(OUTER); ++o) {
                const sizes s = {OUTER[o], CHANNELS[c], INNER[i], NULL, NULL, false};
                if (s.outer * s.channels * s.inner > 9000) continue;
                run_training(s, turn % 4);
                run_inference(s, turn++ % 4);
            }
    return 0;
}
