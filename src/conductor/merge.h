/* SPDX-License-Identifier: BSD-2-Clause
 *
 * merge.h - merges the findings and totals of several workers.
 *
 * Findings with equal signatures are one finding.  If the workers sample, findings are
 * delivered in the order of their executions' indices, each only when no worker can report
 * a smaller index any more.  So the findings and their order do not depend on the number of
 * workers.  In other searches findings are delivered as they arrive.  Suppressed findings
 * are delivered too, to be counted. */
#ifndef HD_CONDUCTOR_MERGE_H
#define HD_CONDUCTOR_MERGE_H

#include "wire/wire.h"

/* Called once for every record, as soon as it is seen: a worker waits for the answer. */
typedef enum hd_judgement hd_merge_judge(void *ctx, const struct hd_wire *wire,
                                         const struct hd_finding *f);

struct hd_merge {
    const struct hd_wires *wires;
    hd_merge_judge *judge; /* NULL: all findings count */
    void *ctx;             /* context of judge */
    const struct hd_finding *seen[HD_MAX_WORKERS]; /* the last record taken from each wire */
    struct hd_held *held;                          /* taken from the wires, but not delivered yet */
    size_t nheld;
    uint64_t *known; /* signatures of the delivered findings */
    size_t nknown;
    uint64_t first_execution; /* execution of the first finding that counts; 0: none */
    bool stopped;             /* a finding that counts and stops a search was delivered */
    uint64_t stopped_index;   /* index of its execution */
};

typedef void hd_merge_fn(void *ctx, const struct hd_wire *wire, const struct hd_finding *f);

/* Takes new records from the wires and delivers those whose order is certain; at_end: delivers all.  The number of
 * a finding's execution is final when the finding is delivered: index + 1 if workers sample; otherwise, with
 * several workers, the number of executions of all workers when it was noticed. */
void hd_merge_findings(struct hd_merge *m, bool at_end, hd_merge_fn *hand_on, void *ctx);

/* Orders findings by their decisions, step by step; the shorter schedule first. */
int hd_merge_compare(const struct hd_finding *a, const struct hd_finding *b);

/* The sum over all workers. */
void hd_merge_totals(const struct hd_merge *m, struct hd_totals *out);

void hd_merge_free(struct hd_merge *m);

#endif
