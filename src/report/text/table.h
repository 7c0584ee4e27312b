/* SPDX-License-Identifier: BSD-2-Clause
 *
 * table.h - the interleaving as a table, in three steps: its rows (rows.c), which of them
 * are shown in how many lines (fold.c), and how they are laid out (table.c). */
#ifndef HD_REPORT_TEXT_TABLE_H
#define HD_REPORT_TEXT_TABLE_H

#include "report/evidence/decisive.h"
#include "report/text/text.h"

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

enum { HD_TABLE_COLUMNS = 16 }; /* at most, the one of all others included */

struct hd_table {
    const struct hd_text *t;
    const struct hd_report *r;
    const struct hd_block_info *block;
    struct hd_decisive decisive;
    struct hd_race_access first; /* of a race */
    uint64_t failure_pc; /* of a thread that fails */
    struct hd_row *rows;
    uint32_t n;
    /* layout */
    unsigned column[HD_MAX_THREADS]; /* of each thread, from 1; 0: it does not occur */
    hd_tid head[HD_TABLE_COLUMNS + 1]; /* the thread of each column; HD_NO_TID: several */
    unsigned columns;
    int width[HD_TABLE_COLUMNS + 1]; /* of each column, without the blank after it */
    int step_width, site_width;
};

/* Make the rows; to be closed. */
void hd_table_open(struct hd_table *tb, const struct hd_text *t, const struct hd_report *r);
void hd_table_close(struct hd_table *tb);

/* Choose what is shown in at most that many lines, if decisive rows leave the choice; how
 * many lines it takes, the head not included. */
uint32_t hd_table_fold(struct hd_table *tb, uint32_t lines);

void hd_table_print(struct hd_table *tb);

/* Where it is in the code: after a call. */
uint64_t hd_table_pc(const struct hd_table *tb, const struct hd_row *row);

/* "main, step 2", "T1 waits": what a row is in a list of places. */
void hd_table_label(const struct hd_table *tb, const struct hd_row *row, char *buf, size_t cap);

#endif
