#include "product.h"

#include "simd.h"

enum {
    ROWS = 4,    /* of c that are computed at a time */
    VECTORS = 2, /* and so many columns, in vectors */
    COLUMNS = VECTORS * VF_LANES
};

/* Some columns of b next to each other, row after row; zeros where b has fewer columns. */
typedef struct {
    float row[AN_PRODUCT_BLOCK][COLUMNS];
} panel;

/* Columns of b that are next to each other in memory. Returns how many rows of the panel are done,
 * as pack_columns() does. */
static size_t pack_rows(panel *p, an_matrix b, size_t depth) {
    for (size_t l = 0; l < depth; ++l)
        AN_UNROLL for (size_t v = 0; v < COLUMNS; v += VF_LANES)
            vf_store(p->row[l] + v, vf_load(b.data + l * b.down + v));
    return depth;
}

/* Columns of b that lie in memory one after another: four values of four at a time. */
static size_t pack_columns(panel *p, an_matrix b, size_t depth) {
    size_t l = 0;
    for (; l + VF_LANES <= depth; l += VF_LANES)
        AN_UNROLL for (size_t v = 0; v < COLUMNS; v += VF_LANES) {
            const float *from = b.data + l + v * b.right;
            vf t[VF_LANES];
            AN_UNROLL for (size_t i = 0; i < VF_LANES; ++i) t[i] = vf_load(from + i * b.right);
            vf_transpose(t);
            AN_UNROLL for (size_t i = 0; i < VF_LANES; ++i) vf_store(p->row[l + i] + v, t[i]);
        }
    return l;
}

static void pack(panel *p, an_matrix b, size_t depth, size_t columns) {
    size_t l = 0;
    if (columns == COLUMNS && b.right == 1)
        l = pack_rows(p, b, depth);
    else if (columns == COLUMNS && b.down == 1)
        l = pack_columns(p, b, depth);
    for (; l < depth; ++l)
        for (size_t j = 0; j < COLUMNS; ++j)
            p->row[l][j] = j < columns ? b.data[l * b.down + j * b.right] : 0;
}

/* `rows` rows of a times the panel, overwriting c or added to it. */
AN_INLINE void multiply(
    float *c, size_t c_down, an_matrix a, const panel *p, size_t depth, bool add, size_t rows) {
    vf sum[ROWS][VECTORS];
    AN_UNROLL for (size_t i = 0; i < rows; ++i) {
        AN_UNROLL for (size_t v = 0; v < VECTORS; ++v) sum[i][v] = vf_set1(0);
    }
    const float *from = a.data;
    AN_NO_UNROLL for (size_t l = 0; l < depth; ++l, from += a.right) {
        vf b[VECTORS];
        AN_UNROLL for (size_t v = 0; v < VECTORS; ++v) b[v] = vf_load(p->row[l] + v * VF_LANES);
        AN_UNROLL for (size_t i = 0; i < rows; ++i) {
            const vf x = vf_set1(from[i * a.down]);
            AN_UNROLL for (size_t v = 0; v < VECTORS; ++v) sum[i][v] =
                vf_add(sum[i][v], vf_mul(x, b[v]));
        }
    }
    AN_UNROLL for (size_t i = 0; i < rows; ++i) {
        AN_UNROLL for (size_t v = 0; v < VECTORS; ++v) {
            float *to = c + i * c_down + v * VF_LANES;
            vf_store(to, add ? vf_add(vf_load(to), sum[i][v]) : sum[i][v]);
        }
    }
}

static void multiply_rows(
    float *c, size_t c_down, an_matrix a, const panel *p, size_t depth, bool add, size_t rows) {
    switch (rows) {
    case 1:
        multiply(c, c_down, a, p, depth, add, 1);
        break;
    case 2:
        multiply(c, c_down, a, p, depth, add, 2);
        break;
    case 3:
        multiply(c, c_down, a, p, depth, add, 3);
        break;
    default:
        multiply(c, c_down, a, p, depth, add, ROWS);
        break;
    }
}

/* Fewer than COLUMNS columns: whole vectors go to `tile` first. */
static void multiply_narrow(float *c, size_t c_down, an_matrix a, const panel *p, size_t depth,
    bool add, size_t rows, size_t columns) {
    float tile[ROWS][COLUMNS];
    multiply_rows(tile[0], COLUMNS, a, p, depth, false, rows);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < columns; ++j) {
            float *to = c + i * c_down + j;
            *to = add ? *to + tile[i][j] : tile[i][j];
        }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The part of the sums that is due to `depth` columns of a and rows of b. */
static void product_block(
    float *c, an_matrix a, an_matrix b, size_t m, size_t n, size_t depth, bool add) {
    panel p;
    for (size_t j = 0; j < n; j += COLUMNS) {
        const size_t columns = least(n - j, COLUMNS);
        pack(&p, (an_matrix){b.data + j * b.right, b.down, b.right}, depth, columns);
        for (size_t i = 0; i < m; i += ROWS) {
            const size_t rows = least(m - i, ROWS);
            const an_matrix some = {a.data + i * a.down, a.down, a.right};
            float *to = c + i * n + j;
            if (columns == COLUMNS)
                multiply_rows(to, n, some, &p, depth, add, rows);
            else
                multiply_narrow(to, n, some, &p, depth, add, rows, columns);
        }
    }
}

void an_product(float *c, an_matrix a, an_matrix b, size_t m, size_t n, size_t k, bool accumulate) {
    size_t l = 0;
    do {
        const size_t depth = least(k - l, AN_PRODUCT_BLOCK);
        const an_matrix some_a = {a.data + l * a.right, a.down, a.right};
        const an_matrix some_b = {b.data + l * b.down, b.down, b.right};
        product_block(c, some_a, some_b, m, n, depth, accumulate || l > 0);
        l += depth;
    } while (l < k);
}
