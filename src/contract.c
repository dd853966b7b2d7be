#include "contract.h"

static bool aligned(an_span s) { return (uintptr_t)s.data % _Alignof(float) == 0; }

static bool overlap(an_span a, an_span b) {
    const uintptr_t a0 = (uintptr_t)a.data, b0 = (uintptr_t)b.data;
    return a.bytes && b.bytes && a0 < b0 + b.bytes && b0 < a0 + a.bytes;
}

an_status an_check_memory(
    const an_span *outs, size_t out_count, const an_span *ins, size_t in_count, size_t in_place) {
    for (size_t i = 0; i < in_count; ++i) AN_REQUIRE(aligned(ins[i]), AN_ERR_ALIGN);
    for (size_t o = 0; o < out_count; ++o) {
        AN_REQUIRE(aligned(outs[o]), AN_ERR_ALIGN);
        for (size_t i = 0; i < in_count; ++i) {
            const bool allowed = o == 0 && i < in_place && outs[o].data == ins[i].data;
            AN_REQUIRE(allowed || !overlap(outs[o], ins[i]), AN_ERR_OVERLAP);
        }
        for (size_t other = 0; other < o; ++other)
            AN_REQUIRE(!overlap(outs[o], outs[other]), AN_ERR_OVERLAP);
    }
    return AN_OK;
}
