/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.h - what makes an execution fail, as far as comparing it with others tells. */
#ifndef HD_MODEL_CAUSE_H
#define HD_MODEL_CAUSE_H

#include <stdbool.h>

#include "model/event.h"

enum hd_cause_how {
    HD_CAUSE_UNKNOWN, /* nothing could be tried */
    HD_CAUSE_BEFORE,  /* the first operation came before the second */
    HD_CAUSE_BETWEEN, /* the second came between the first and the third, of one thread */
    HD_CAUSE_FREED,   /* the same, and the first one frees what the second uses */
    HD_CAUSE_CHOICE,  /* of a value */
    HD_CAUSE_ALWAYS,  /* whatever was tried failed too */
};

/* An operation of the failure: an event, or what a thread never came to. */
#define HD_CAUSE_PENDING UINT32_MAX
struct hd_cause_part {
    uint32_t event; /* its number, or HD_CAUSE_PENDING */
    hd_tid tid;
};

struct hd_cause {
    enum hd_cause_how how;
    struct hd_cause_part part[3]; /* in the order of time, as many as how needs */
    uint32_t tried;               /* other executions */
    bool cut;                     /* there are more, but there was no time for them */
    bool passes;                  /* some execution is known to, near this one or not */
};

#endif
