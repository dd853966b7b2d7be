/* The product of two matrices, whichever way they lie in memory. */
#ifndef AN_TRAIN_PRODUCT_H
#define AN_TRAIN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* A matrix whose element (i, j) is data[i * down + j * right]. */
typedef struct {
    const float *data;
    size_t down, right;
} an_matrix;

/*
 * c[i][j] = sum_l a(i, l) * b(l, j), or that is added to c. Terms are added in order of l, in
 * float32, each block of AN_PRODUCT_BLOCK of them in a chain of its own that starts from 0; then
 * the blocks in order. So an element's bits depend on its row and its column alone.
 */
void an_product(float *c, an_matrix a, an_matrix b, size_t m, size_t n, size_t k, bool accumulate);

enum { AN_PRODUCT_BLOCK = 128 };

#endif
