/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conflicts.h - the earlier steps of an execution that race with a step or with an
 * operation that never ran. */
#ifndef HD_SEARCH_POR_CONFLICTS_H
#define HD_SEARCH_POR_CONFLICTS_H

#include "search/por/reversal.h"

struct hd_conflicts {
    const struct hd_trace *trace;
    uint32_t *seen; /* [HD_TRACE_STEPS]: equals `stamp` if the step was already reported for the current racer */
    uint32_t stamp;
    uint64_t work;  /* accesses examined; tests check this */
};

/* Called for each step e that may race with the racer.  The callback must find out whether the reverse order is
 * possible (hd_reversal_make).  If it returns true, earlier steps on the same object are skipped, because e
 * separates them from the racer. */
typedef bool hd_conflict_found(void *ctx, uint32_t e, const struct hd_racer *racer);

void hd_conflicts_init(struct hd_conflicts *r, const struct hd_trace *t, struct hd_arena *arena);

/* Returns step s as a racer; its op is NULL if it has no races. */
struct hd_racer hd_conflicts_racer(const struct hd_trace *t, uint32_t s);

/* Reports the races of the executed step s. */
void hd_conflicts_of_step(struct hd_conflicts *r, uint32_t s, hd_conflict_found *found, void *ctx);
/* Reports the races of a thread's pending operation when the execution ended or was cut. */
void hd_conflicts_of_pending(struct hd_conflicts *r, hd_tid tid, const struct hd_event *op,
                         hd_conflict_found *found, void *ctx);
/* Reports the races of a thread's pending operation when the limit on the number of steps ended the execution
 * (HD_END_TOO_LONG).  Within the limit either the operation can run or the last step of another thread, but not
 * both.  So these two race although they do not conflict.  Otherwise a thread that never had its turn would
 * never run. */
void hd_conflicts_of_stopped(const struct hd_trace *t, hd_tid tid, const struct hd_event *op,
                             hd_conflict_found *found, void *ctx);

#endif
