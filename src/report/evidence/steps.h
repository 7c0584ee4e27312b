/* SPDX-License-Identifier: BSD-2-Clause
 *
 * steps.h - the interleaving of a finding as a list, in the order of time: what the threads
 * did, the accesses of a race among it, and at the end what failed or what each thread
 * waits for.  For formats that have no columns. */
#ifndef HD_REPORT_EVIDENCE_STEPS_H
#define HD_REPORT_EVIDENCE_STEPS_H

#include "report/evidence/describe.h"

enum hd_step_type {
    HD_STEP_EVENT,
    HD_STEP_ACCESS, /* of a race */
    HD_STEP_FAILS,
    HD_STEP_WAITS,  /* has not happened: what the thread is about to do */
};

struct hd_step {
    enum hd_step_type type;
    hd_tid tid;
    const struct hd_event *event; /* of EVENT and WAITS, else NULL */
    struct hd_race_access access; /* of ACCESS */
    uint64_t pc;    /* follows the call that it is; 0 unknown */
    bool decisive;  /* what the failure is made of */
    bool switched;  /* the thread before it was another one */
};

struct hd_steps {
    struct hd_step *all;
    uint32_t n;
};

/* To be freed with hd_steps_free. */
void hd_steps_of(const struct hd_report *r, struct hd_steps *s);
void hd_steps_free(struct hd_steps *s);

/* "lock m", "writes x", "waits: lock n"; parts of an operation of an event also apart. */
void hd_step_text(const struct hd_report *r, const struct hd_step *s, char *buf, size_t cap);

#endif
