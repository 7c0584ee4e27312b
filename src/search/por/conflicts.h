/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conflicts.h - which earlier steps of an execution a step, or an operation that never
 * ran, is in a race with. */
#ifndef HD_SEARCH_POR_CONFLICTS_H
#define HD_SEARCH_POR_CONFLICTS_H

#include "search/por/reversal.h"

struct hd_conflicts {
    const struct hd_trace *trace;
    uint32_t *seen; /* [HD_TRACE_STEPS]: candidates of the racer in hand */
    uint32_t stamp;
};

/* Step e may be in a race with the racer: whether the other order exists is to be
 * found out (hd_reversal_make).  True: what came before e on the same object comes into
 * question only when e does not stand between them any more. */
typedef bool hd_conflict_found(void *ctx, uint32_t e, const struct hd_racer *racer);

void hd_conflicts_init(struct hd_conflicts *r, const struct hd_trace *t, struct hd_arena *arena);

/* Step s as a racer; its op is NULL when it has no races. */
struct hd_racer hd_conflicts_racer(const struct hd_trace *t, uint32_t s);

/* Races of the executed step s. */
void hd_conflicts_of_step(struct hd_conflicts *r, uint32_t s, hd_conflict_found *found, void *ctx);
/* Races of what a thread waited for when the execution ended or was cut. */
void hd_conflicts_of_pending(struct hd_conflicts *r, hd_tid tid, const struct hd_event *op,
                         hd_conflict_found *found, void *ctx);

#endif
