/* The statistics of rows, up to AN_ROWS_MOST at a time so that their latencies overlap. */
#ifndef AN_ROWS_STATS_H
#define AN_ROWS_STATS_H

#include "row_lanes.h"

typedef struct {
    float mean[AN_ROWS_MOST], rest[AN_ROWS_MOST], rstd[AN_ROWS_MOST];
    bool ordinary;            /* no row needs more than its mean and rstd */
    bool plain[AN_ROWS_MOST]; /* unless ordinary: rows that do not need the float64 path */
} an_row_group;

/* The statistics of the rows from x on, AN_ROWS_MOST to a group. */
void an_rows_stats(an_row_group *groups, const float *x, size_t rows, const an_rows *job);

#endif
