#include "axisnorm_train.h"
#include "contract.h"
#include "product.h"

static bool sizes_ok(size_t m, size_t n, size_t k) {
    return n > 0 && an_floats_fit(m, n, 1) && an_floats_fit(m, k, 1) && an_floats_fit(n, k, 1);
}

/* What the three forms share: element counts do not depend on which way a matrix lies. */
static an_status multiply(
    float *c, an_matrix a, an_matrix b, size_t m, size_t n, size_t k, uint32_t flags) {
    AN_REQUIRE(c && a.data && b.data, AN_ERR_NULL);
    AN_REQUIRE(sizes_ok(m, n, k), AN_ERR_SHAPE);
    AN_REQUIRE(an_flags_ok(flags, AN_ACCUMULATE), AN_ERR_FLAGS);
    const an_span outs[] = {an_floats(c, m * n)};
    const an_span ins[] = {an_floats(a.data, m * k), an_floats(b.data, k * n)};
    AN_REQUIRE_MEMORY(outs, ins, 0);

    an_product(c, a, b, m, n, k, (flags & AN_ACCUMULATE) != 0);
    return AN_OK;
}

an_status an_matmul_nn(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags) {
    AN_REQUIRE(k > 0, AN_ERR_SHAPE);
    return multiply(c, (an_matrix){a, k, 1}, (an_matrix){b, n, 1}, m, n, k, flags);
}

an_status an_matmul_nt(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags) {
    AN_REQUIRE(k > 0, AN_ERR_SHAPE);
    return multiply(c, (an_matrix){a, k, 1}, (an_matrix){b, 1, k}, m, n, k, flags);
}

an_status an_matmul_tn(
    float *c, const float *a, const float *b, size_t m, size_t n, size_t k, uint32_t flags) {
    return multiply(c, (an_matrix){a, 1, m}, (an_matrix){b, n, 1}, m, n, k, flags);
}
