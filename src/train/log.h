/* The natural logarithm in float64, of its own so that native builds give the same bits too. */
#ifndef AN_TRAIN_LOG_H
#define AN_TRAIN_LOG_H

#include <stdint.h>

/*
 * log x for x >= 1, within 2^-51 of itself; NaN stays NaN.
 *
 * x = 2^n m with m between sqrt(1/2) and sqrt(2), and log m = 2 atanh((m - 1) / (m + 1)), whose
 * series in odd powers ends where a term is less than 2^-53 of the first. log 2 is split so that
 * n times its first part is exact.
 */
static inline double an_log(double x) {
    if (!(x >= 1)) return x;
    union {
        double value;
        uint64_t bits;
    } m = {x};
    const uint64_t below_one = 0x3fe6a09e667f3bcd; /* sqrt(1/2) */
    const int64_t n = (int64_t)((m.bits - below_one) >> 52);
    m.bits -= (uint64_t)n << 52;
    const double s = (m.value - 1) / (m.value + 1), z = s * s;
    double series = 0;
    for (int power = 21; power >= 3; power -= 2) series = (series + 1.0 / power) * z;
    const double high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45; /* of log 2 */
    return (double)n * high + (2 * s + (2 * s * series + (double)n * low));
}

#endif
