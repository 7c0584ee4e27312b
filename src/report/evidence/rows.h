/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h - the interleaving of a finding as rows (rows.c), and which of them are shown in how
 * many lines (fold.c). */
#ifndef HD_REPORT_EVIDENCE_ROWS_H
#define HD_REPORT_EVIDENCE_ROWS_H

#include "report/evidence/decisive.h"

enum hd_row_type {
    HD_ROW_EVENT,   /* something that was done */
    HD_ROW_ACCESS,  /* an access of a race */
    HD_ROW_BLOCK,   /* where the block of the finding was allocated or freed */
    HD_ROW_PENDING, /* at the end: what a thread waits for or does next */
    HD_ROW_FAILURE, /* at the end: where a thread failed */
};

struct hd_row {
    enum hd_row_type type;
    const struct hd_event *event;        /* of EVENT and PENDING, else NULL */
    const struct hd_race_access *access; /* of ACCESS, else NULL */
    const struct hd_heap_site *site;     /* of BLOCK, else NULL */
    hd_tid tid;
    uint32_t step;   /* number in the schedule; 0: none */
    hd_tid left;     /* thread that was left before this row; HD_NO_TID: none */
    const char *why; /* ... and why: "preempted" */
    uint32_t times;  /* how often this row and its neighbours were repeated; 0: they were not */
    bool decisive;
    bool repeats;  /* it is one of those rounds, and not the first; or a start that is not told */
    bool inherits; /* left and why are those of a start that is not told */
    bool hidden;
};

struct hd_rows {
    const struct hd_report *r;
    bool show_all;
    const struct hd_block_info *block;
    struct hd_decisive decisive;
    struct hd_race_access first; /* of a race */
    uint64_t failure_pc; /* of a thread that fails */
    struct hd_row *all;
    uint32_t n;
};

/* Make the rows; show_all: also of events that are no steps.  To be closed. */
void hd_rows_open(struct hd_rows *rs, const struct hd_report *r, bool show_all);
void hd_rows_close(struct hd_rows *rs);

/* Choose what is shown in at most that many lines, as far as decisive rows leave a choice;
 * returns the number of lines. */
uint32_t hd_rows_fold(struct hd_rows *rs, uint32_t lines);

/* Where it is in the code: after a call. */
uint64_t hd_row_pc(const struct hd_rows *rs, const struct hd_row *row);

/* "main, step 2", "T1 waits": what a row is in a list of places. */
void hd_row_label(const struct hd_rows *rs, const struct hd_row *row, char *buf, size_t cap);

#endif
