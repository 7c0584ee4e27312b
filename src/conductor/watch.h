/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch.h - the conductor's loop while the targets search. */
#ifndef HD_CONDUCTOR_WATCH_H
#define HD_CONDUCTOR_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "conductor/launch.h"
#include "conductor/rest.h"
#include "wire/wire.h"

#define HD_WATCHDOG_MS 10000 /* no progress for this long, excluding time runnable without a
                              * processor, counts as a hang */
#define HD_START_MS 60000    /* limit from exec to main, whatever the target does; see
                              * watchdog_ms */

struct hd_watch {
    const struct hd_wires *wires;
    struct hd_target *targets;      /* [wires->n], already started */
    const struct hd_launch *launch; /* for restarting a target */
    uint64_t budget_ms;   /* 0: no budget */
    bool from_main;       /* the budget begins when a target has reached main */
    bool own_time;        /* the budget excludes time in which nothing could run */
    bool leaves_signals;  /* leave signals pending for the caller */
    uint64_t watchdog_ms; /* also the limit of processor time before main; 0: none */
    /* Called about 20 times a second, and once at the end. */
    void (*on_look)(void *ctx, bool at_end, double seconds);
    void *ctx;
    const struct hd_rest *rest; /* NULL: the workers never rest */
};

enum hd_watch_end {
    HD_WATCH_DONE,       /* all targets are done or were stopped by us */
    HD_WATCH_REFUSED,    /* the wire's refusal gives the reason */
    HD_WATCH_DIED_EARLY, /* before the first execution */
    HD_WATCH_STUCK_EARLY, /* did not reach main in time */
    HD_WATCH_DIED,       /* died during the search */
    HD_WATCH_DAMAGED,    /* the program has overwritten the wire: its contents are invalid */
    HD_WATCH_HUNG,       /* a replay made no step for watchdog_ms */
};

struct hd_watched {
    enum hd_watch_end end;
    uint32_t culprit; /* the worker that `end` refers to */
    bool interrupted; /* the user has interrupted the search */
    bool out_of_time; /* the budget is used up */
    int signal;       /* the interrupting signal */
    uint32_t hangs;   /* number of workers killed by the watchdog */
    double seconds;   /* from launch to the end */
    double searching; /* seconds in phase RUNNING; 0: too short to measure */
};

/* Returns when all targets have ended and none of their processes is left.  If one fails,
 * the others are stopped. */
struct hd_watched hd_watch_targets(const struct hd_watch *w);

#endif
