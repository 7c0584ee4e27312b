/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - a data race in words: what both accesses touch, who makes them and where,
 * and which locks are held.  For findings that have hd_report.race. */
#ifndef HD_REPORT_EVIDENCE_RACE_H
#define HD_REPORT_EVIDENCE_RACE_H

#include "report/evidence/describe.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

/* The first access, at its exact place when that is known. */
struct hd_race_access hd_race_first(const struct hd_report *r);

/* What both accesses touch. */
struct hd_race_memory {
    char name[256]; /* "x", "pool.queue[3]", "sum (in main)", "a heap block of T1", "the stack of T1" */
    char type[128]; /* "" not known */
    bool local;     /* a variable of a function, on a stack */
};
void hd_race_memory(const struct hd_report *r, struct hd_race_memory *m);
/* Its name alone. */
void hd_race_variable(const struct hd_report *r, char *buf, size_t cap);

/* One sentence. */
void hd_race_message(const struct hd_report *r, char *buf, size_t cap);

/* "x, read at a.c:3 and written at a.c:7", whichever is first; "x, written by both at a.c:3". */
void hd_race_places(const struct hd_report *r, char *buf, size_t cap);

/* The same number for races that are the same to a person: the same lines do the same
 * to the same variable, whoever is first.  Never 0. */
uint64_t hd_race_key(const struct hd_report *r);

/* "writes x = 1", for the interleaving; a is hd_race_first, or the second access in place. */
void hd_race_operation(const struct hd_report *r, const struct hd_race_access *a,
                       struct hd_operation *o);

/* The sentence, memory, both accesses with their locks, labels. */
void hd_race_text(const struct hd_text *t, const struct hd_report *r);

/* The stacks of both accesses, and where the memory and the threads come from. */
void hd_race_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* The same as one JSON object. */
void hd_race_json(FILE *out, const struct hd_report *r);

#endif
