/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stats_table.h - the fields of stats.json, for the writer and the reader. */
#ifndef HD_STATUS_STATS_TABLE_H
#define HD_STATUS_STATS_TABLE_H

#include "status/stats.h"

enum hd_stats_type {
    HD_STATS_TRUTH,  /* bool */
    HD_STATS_COUNT,  /* uint64_t */
    HD_STATS_NUMBER, /* double; NAN: null */
    HD_STATS_TEXT,   /* char[size]; empty: null */
    HD_STATS_KINDS,  /* uint64_t[HD_FK_COUNT], counts by kind of finding; a JSON object without the zero counts */
};

struct hd_stats_field {
    const char *name;
    enum hd_stats_type type;
    size_t at, size;
};

extern const struct hd_stats_field hd_stats_fields[];
extern const size_t hd_stats_field_count;

#endif
