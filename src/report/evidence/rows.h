/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows.h - the interleaving of a finding as rows (rows.c), and the selection of the rows that are
 * shown in a given number of lines (fold.c). */
#ifndef HD_REPORT_EVIDENCE_ROWS_H
#define HD_REPORT_EVIDENCE_ROWS_H

#include "report/evidence/decisive.h"
#include "report/evidence/variables.h"

enum hd_row_type {
    HD_ROW_EVENT,   /* an event */
    HD_ROW_ACCESS,  /* an access of a race */
    HD_ROW_VARIABLE, /* an access to a plain variable, with its value */
    HD_ROW_BLOCK,   /* the allocation or release of the heap block of the finding */
    HD_ROW_PENDING, /* at the end: the pending operation of a thread */
    HD_ROW_FAILURE, /* at the end: where a thread failed */
};

struct hd_row {
    enum hd_row_type type;
    const struct hd_event *event;        /* EVENT and PENDING; otherwise NULL */
    const struct hd_race_access *access; /* ACCESS; otherwise NULL */
    const struct hd_heap_site *site;     /* BLOCK; otherwise NULL */
    const struct hd_variable *variable;  /* VARIABLE; otherwise NULL */
    hd_tid tid;
    uint32_t step;   /* number of the step in the schedule; 0: not a step */
    hd_tid left;     /* thread that ran before this row, if another one; otherwise HD_NO_TID */
    const char *why; /* reason why that thread stopped running: "preempted" */
    uint32_t times;  /* number of rounds of the loop whose first round contains this row; 0: no loop */
    bool decisive;
    bool repeats;  /* not printed: a later round of a loop, or a row that other parts of the report imply */
    bool inherits; /* `left` and `why` are copied from an earlier row that is not printed */
    bool hidden;   /* omitted to save lines; the table shows the number of such rows */
};

struct hd_rows {
    const struct hd_report *r;
    bool show_all;
    const struct hd_block_info *block;
    struct hd_decisive decisive;
    struct hd_variables variables;
    struct hd_race_access first; /* first access of a race */
    uint64_t failure_pc; /* place of the failure */
    unsigned nblock; /* number of rows of the block that are added already: its allocation, then its release */
    struct hd_row *all;
    uint32_t n;
};

/* Makes the rows.  show_all: includes events that are not steps.  hd_rows_close frees them. */
void hd_rows_open(struct hd_rows *rs, const struct hd_report *r, bool show_all);
void hd_rows_close(struct hd_rows *rs);

/* Selects rows so that they take at most `lines` lines.  Decisive rows always remain, even if there
 * are more.  Returns the number of lines. */
uint32_t hd_rows_fold(struct hd_rows *rs, uint32_t lines);

/* Returns the number of rows that show values near the decisive rows. */
uint32_t hd_rows_near(const struct hd_rows *rs);

/* Returns the place of the row in the code, a return address. */
uint64_t hd_row_pc(const struct hd_rows *rs, const struct hd_row *row);

/* Returns that place as tables show it: "q.c:17", "end of main". */
const char *hd_row_site(const struct hd_rows *rs, const struct hd_row *row);

/* Fills *o with the operation of the row: "lock" "m", "frees" "session". */
void hd_row_operation(const struct hd_rows *rs, const struct hd_row *row, struct hd_operation *o);

/* Writes how lists of places call the row: "main, step 2", "T1 waits". */
void hd_row_label(const struct hd_rows *rs, const struct hd_row *row, char *buf, size_t cap);

#endif
