/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.h - the interleaving of a finding as a list in temporal order: the events, between them the accesses of a
 * race and accesses to variables that matter, and at the end the failure or the pending operation of each thread.
 * It is for formats without columns. */
#ifndef HD_REPORT_EVIDENCE_STEPS_H
#define HD_REPORT_EVIDENCE_STEPS_H

#include "report/evidence/describe.h"
#include "report/evidence/variables.h"

enum hd_step_type {
    HD_STEP_EVENT,
    HD_STEP_ACCESS, /* an access of a race */
    HD_STEP_VARIABLE, /* an access to a plain variable, with its value */
    HD_STEP_FAILS,
    HD_STEP_WAITS,  /* pending: the thread has not done it */
};

struct hd_step {
    enum hd_step_type type;
    hd_tid tid;
    const struct hd_event *event; /* EVENT and WAITS; otherwise NULL */
    struct hd_race_access access; /* valid for ACCESS */
    const struct hd_variable *variable; /* VARIABLE; otherwise NULL */
    uint64_t pc;    /* return address of the call; 0: unknown */
    bool decisive;  /* part of the cause of the failure */
    bool switched;  /* the previous step belongs to another thread */
};

struct hd_steps {
    struct hd_step *all;
    uint32_t n;
    struct hd_variables variables;
};

/* Fills *s; hd_steps_free frees it. */
void hd_steps_of(const struct hd_report *r, struct hd_steps *s);
void hd_steps_free(struct hd_steps *s);

/* Writes the text of the step: "lock m", "writes x", "waits: lock n". */
void hd_step_text(const struct hd_report *r, const struct hd_step *s, char *buf, size_t cap);

#endif
