/* SPDX-License-Identifier: BSD-2-Clause
 *
 * period.h - checks whether the last events of an execution repeat a round.  (poll.h and cycle.h compare states
 * instead.) */
#ifndef HD_RUNTIME_PROGRESS_PERIOD_H
#define HD_RUNTIME_PROGRESS_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/* When two events are the same.  OPERATION: the same operation at the same site; the objects of plain
 * accesses may differ, because each round may use a newly allocated block.  RESULT: also the same object
 * and the same result. */
enum hd_same { HD_SAME_OPERATION, HD_SAME_RESULT };

static inline bool hd_period_same(const struct hd_event *a, const struct hd_event *b, enum hd_same same)
{
    bool plain = a->kind == HD_EV_PLAIN_READ || a->kind == HD_EV_PLAIN_WRITE;
    unsigned flags = same == HD_SAME_RESULT ? HD_EVF_FAILED | HD_EVF_SAME : HD_EVF_FAILED;

    if (a->tid != b->tid || a->kind != b->kind || a->pc != b->pc || ((a->flags ^ b->flags) & flags) != 0)
        return false;
    if (same == HD_SAME_RESULT)
        return a->obj == b->obj && a->value == b->value;
    return plain || a->obj == b->obj;
}

/* Returns true if each of the n events before end is the same as the event one round earlier. */
static inline bool hd_period_repeats(const struct hd_event *end, uint32_t round, uint32_t n, enum hd_same same)
{
    for (const struct hd_event *e = end - 1; e >= end - n; e--)
        if (!hd_period_same(e, e - round, same))
            return false;
    return true;
}

#endif
