/* The statistics of rows, up to AN_ROWS_MOST at a time so that their latencies overlap. */
#ifndef AN_ROWS_STATS_H
#define AN_ROWS_STATS_H

#include "row_lanes.h"

/*
 * stats[k] of the row at x + k * cols; plain[k] is false where it needs the float64 path.
 * Returns whether all are plain and none has a rest.
 */
bool an_rows_stats(an_stats *stats, bool *plain, const float *x, size_t R, const an_rows *job);

#endif
