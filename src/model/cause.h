/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cause.h - what makes an execution fail, found by comparing it with other executions. */
#ifndef HD_MODEL_CAUSE_H
#define HD_MODEL_CAUSE_H

#include <stdbool.h>

#include "model/event.h"

enum hd_cause_how {
    HD_CAUSE_UNKNOWN, /* nothing could be tried */
    HD_CAUSE_BEFORE,  /* the first operation came before the second */
    HD_CAUSE_BETWEEN, /* the second came between the first and the third, which one thread made */
    HD_CAUSE_FREED,   /* like BEFORE, and the first operation frees what the second uses */
    HD_CAUSE_CHOICE,  /* the value of a choice */
    HD_CAUSE_ALWAYS,  /* all executions that were tried failed, too */
};

/* An operation of the failing execution: an event, or an operation that never ran. */
#define HD_CAUSE_PENDING UINT32_MAX
struct hd_cause_part {
    uint32_t event; /* its number, or HD_CAUSE_PENDING */
    hd_tid tid;
};

struct hd_cause {
    enum hd_cause_how how;
    struct hd_cause_part part[3]; /* in temporal order, as many as `how` needs */
    uint32_t tried;               /* number of other executions tried */
    bool cut;                     /* not all candidates could be tried */
    bool passes;                  /* some execution passed */
};

#endif
