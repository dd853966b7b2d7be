#include "train.h"

typedef an_status matmul(
    float *c, const float *a, const float *b, size_t, size_t, size_t, uint32_t);

/* where element (i, l) of a and (l, j) of b are */
typedef struct {
    matmul *run;
    bool a_transposed, b_transposed;
} form;

static const form FORMS[] = {
    {an_matmul_nn, false, false}, {an_matmul_nt, false, true}, {an_matmul_tn, true, false}};

static size_t place(bool transposed, size_t row, size_t col, size_t rows, size_t cols) {
    return transposed ? col * rows + row : row * cols + col;
}

static void run(const form *f, size_t m, size_t n, size_t k, uint32_t flags) {
    float *a = random_array(m * k, 1), *b = random_array(k * n, 1);
    float *c = flags ? random_array(m * n, 1) : spoiled_array(m * n), *before = copy_of(c, m * n);
    SUCCEED(f->run(c, a, b, m, n, k, flags));
    for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < n; ++j) {
            double want = flags ? before[i * n + j] : 0, scale = fabs(want);
            for (size_t l = 0; l < k; ++l) {
                const double term = (double)a[place(f->a_transposed, i, l, m, k)] *
                                    b[place(f->b_transposed, l, j, k, n)];
                want += term;
                scale += fabs(term);
            }
            close_to("c", i * n + j, c[i * n + j], want, scale, 4);
        }
    drop_array(a);
    drop_array(b);
    drop_array(c);
    drop_array(before);
}

int main(void) {
    static const size_t DEPTHS[] = {1, 2, 5, 127, 128, 131, 260};
    for (size_t f = 0; f < COUNT(FORMS); ++f)
        for (size_t m = 0; m < 10; ++m)
            for (size_t n = 1; n < 18; ++n) {
                skew = (m + n) % 4;
                const size_t k = DEPTHS[(m + n) % COUNT(DEPTHS)];
                run(&FORMS[f], m, n, k, 0);
                run(&FORMS[f], m, n, k, AN_ACCUMULATE);
            }
    run(&FORMS[2], 3, 5, 0, 0);
    run(&FORMS[2], 3, 5, 0, AN_ACCUMULATE);
    return 0;
}
