#include "constants.h"

#include "simd.h"

const an_exp_constants an_for_exp = {
    .lowest = -87.33654f, /* log of 2^-126 */
    .per_log2 = 1.44269504f,
    .to_whole = VF_POW2,
    .log2_high = 0.693359375f,
    .log2_low = -2.12194440e-4f,
    .one = 1,
    .q = {0.499999934f, 0.166665205f, 4.16683942e-2f, 8.36878046e-3f, 1.38144655e-3f},
};

const an_gelu_constants an_for_gelu = {
    .far = 14,
    .slope = 0.3f,
    .one = 1,
    .minus_half = -0.5f,
    .density = 0.398942280f, /* 1 / sqrt(2 pi) */
    .p = {0.119686633f, 0.119572841f, 0.110227317f, 0.0784255937f, 0.0960577801f, -0.0792472512f,
        0.191581592f, -0.228067443f, 0.112375744f, -0.0206128228f},
};
