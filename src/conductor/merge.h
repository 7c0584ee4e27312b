/* SPDX-License-Identifier: BSD-2-Clause
 *
 * merge.h - what several workers have found and counted, as one.
 *
 * A finding that two workers have (equal signature) is one finding.  Of workers that
 * sample, findings are handed on in the order of their executions' indices, and each
 * only when no worker can come with a smaller index any more: so they are the same,
 * in the same order, whatever the number of workers.  Of all other searches they are
 * handed on as they come.  Suppressed ones are handed on too, to be counted. */
#ifndef HD_CONDUCTOR_MERGE_H
#define HD_CONDUCTOR_MERGE_H

#include "wire/wire.h"

/* Asked once of every record, as soon as it is seen: a worker waits for the answer. */
typedef enum hd_judgement hd_merge_judge(void *ctx, const struct hd_wire *wire,
                                         const struct hd_finding *f);

struct hd_merge {
    const struct hd_wires *wires;
    hd_merge_judge *judge; /* NULL: all findings count */
    void *ctx;             /* of judge */
    const struct hd_finding *seen[HD_MAX_WORKERS]; /* the last one that was taken in */
    struct hd_held *held;                          /* taken in, but not handed on */
    size_t nheld;
    uint64_t *known; /* signatures of those handed on */
    size_t nknown;
    uint64_t first_execution; /* number of the execution of the first that counts; 0 none */
    bool stopped;             /* one that counts and at which a search stops was handed on ... */
    uint64_t stopped_index;   /* ... and the index of its execution */
};

typedef void hd_merge_fn(void *ctx, const struct hd_wire *wire, const struct hd_finding *f);

/* Take in what is new, hand on what is certain.  At the end: everything.  The number of
 * a finding's execution is final when it is handed on: its index + 1 when workers
 * sample; else, of several workers, how many executions they had done together when it
 * was noticed. */
void hd_merge_findings(struct hd_merge *m, bool at_end, hd_merge_fn *hand_on, void *ctx);

/* The order of findings by what was chosen, step by step; the shorter schedule first. */
int hd_merge_compare(const struct hd_finding *a, const struct hd_finding *b);

/* The sum over all workers. */
void hd_merge_totals(const struct hd_merge *m, struct hd_totals *out);

void hd_merge_free(struct hd_merge *m);

#endif
