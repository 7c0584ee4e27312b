/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - describes a data race: the memory of both accesses, their threads and places, and the
 * locks that the threads hold.  Only for findings that have hd_report.race. */
#ifndef HD_REPORT_EVIDENCE_RACE_H
#define HD_REPORT_EVIDENCE_RACE_H

#include "base/json.h"
#include "report/evidence/describe.h"
#include "report/evidence/list.h"
#include "report/print/text.h"

/* Returns the first access.  Its position among the events is exact if a replay has witnessed the
 * race. */
struct hd_race_access hd_race_first(const struct hd_report *r);

/* The memory that both accesses touch. */
struct hd_race_memory {
    char name[400]; /* "x", "pool.queue[3]", "sum (in main)", "a heap block of T1", "the stack of T1" */
    char type[128]; /* "": unknown */
    bool local;     /* a local variable on a stack */
};
void hd_race_memory(const struct hd_report *r, struct hd_race_memory *m);
/* Writes only the name of the memory. */
void hd_race_variable(const struct hd_report *r, char *buf, size_t cap);

/* The function of an access; never NULL. */
const char *hd_race_function(const struct hd_report *r, uint64_t pc);

/* Writes the race as one sentence. */
void hd_race_message(const struct hd_report *r, char *buf, size_t cap);

/* Writes both places in an order that does not depend on the order of the accesses: "x, read at
 * a.c:3 and written at a.c:7", "x, written by both at a.c:3". */
void hd_race_places(const struct hd_report *r, char *buf, size_t cap);

/* Returns a key that is equal for races that a user considers the same: the same lines access the
 * same variable in the same way, in either order.  Never 0. */
uint64_t hd_race_key(const struct hd_report *r);

/* Fills *o for a row of the interleaving: "writes x = 1".  `a` is hd_race_first or the second
 * access; it may be a copy. */
void hd_race_operation(const struct hd_report *r, const struct hd_race_access *a,
                       struct hd_operation *o);

/* Prints the sentence, the memory, both accesses with their locks, and the labels. */
void hd_race_text(const struct hd_text *t, const struct hd_report *r);

/* Appends the stacks of both accesses, and where the memory was allocated and the threads were
 * created. */
void hd_race_evidence(struct hd_evidence_list *l, const struct hd_report *r);

/* Prints the race as one JSON object. */
void hd_race_json(struct hd_json *j, const struct hd_report *r);

#endif
