/* Steps for VF_EACH and VF_EACH_PART that several functions take. */
#ifndef AN_TRAIN_STEPS_H
#define AN_TRAIN_STEPS_H

#include "simd.h"

AN_INLINE void an_zero_step(float *y, vf zero, size_t i, int lanes) {
    vf_put_part(y + i, zero, lanes);
}

AN_INLINE void an_copy_step(float *y, const float *x, size_t i, int lanes) {
    vf_put_part(y + i, vf_get_part(x + i, lanes), lanes);
}

/* y = a + b */
AN_INLINE void an_add_step(float *y, const float *a, const float *b, size_t i, int lanes) {
    vf_put_part(y + i, vf_add(vf_get_part(a + i, lanes), vf_get_part(b + i, lanes)), lanes);
}

/* y = x * factor */
AN_INLINE void an_scale_step(float *y, const float *x, vf factor, size_t i, int lanes) {
    vf_put_part(y + i, vf_mul(vf_get_part(x + i, lanes), factor), lanes);
}

#endif
