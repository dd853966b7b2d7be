#include "contract.h"

/* Whether a span has bytes from `start` on and before `end`. */
static bool reaches(const an_span *s, uintptr_t start, uintptr_t end) {
    const uintptr_t from = (uintptr_t)s->data;
    return from < end && start < from + s->bytes && s->bytes > 0;
}

static bool all_aligned(const an_span *spans, size_t count) {
    uintptr_t bits = 0;
    for (size_t i = 0; i < count; ++i) bits |= (uintptr_t)spans[i].data;
    return bits % _Alignof(float) == 0;
}

an_status an_check_memory(
    const an_span *outs, size_t out_count, const an_span *ins, size_t in_count, size_t in_place) {
    AN_REQUIRE(all_aligned(ins, in_count) && all_aligned(outs, out_count), AN_ERR_ALIGN);
    for (size_t o = 0; o < out_count; ++o) {
        if (outs[o].bytes == 0) continue;
        const uintptr_t start = (uintptr_t)outs[o].data, end = start + outs[o].bytes;
        for (size_t i = 0; i < in_count; ++i) {
            const bool allowed = o == 0 && i < in_place && outs[o].data == ins[i].data;
            AN_REQUIRE(allowed || !reaches(ins + i, start, end), AN_ERR_OVERLAP);
        }
        for (size_t other = 0; other < o; ++other)
            AN_REQUIRE(!reaches(outs + other, start, end), AN_ERR_OVERLAP);
    }
    return AN_OK;
}
