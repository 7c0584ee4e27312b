/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch.h - the conductor's loop: what happens while the targets search. */
#ifndef HD_CONDUCTOR_WATCH_H
#define HD_CONDUCTOR_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "conductor/launch.h"
#include "wire/wire.h"

#define HD_WATCHDOG_MS 10000 /* without any step, not counting that it waited for a processor: it hangs */
#define HD_START_MS 60000    /* from exec to main, whatever it does; see watchdog_ms */

struct hd_watch {
    const struct hd_wires *wires;
    struct hd_target *targets;      /* [wires->n], started */
    const struct hd_launch *launch; /* how: for one that has to be started again */
    uint64_t budget_ms;   /* 0: none */
    bool own_time;        /* of the budget: time in which nothing could run does not count */
    bool deaf;            /* signals wait: the caller hears of them */
    uint64_t watchdog_ms; /* also the processor time that it may need to reach main; 0: none */
    /* Called about 20 times a second, and last when all is over. */
    void (*on_look)(void *ctx, bool at_end, double seconds);
    void *ctx;
};

enum hd_watch_end {
    HD_WATCH_DONE,       /* all targets say that they are done, or were stopped by us */
    HD_WATCH_REFUSED,    /* the wire's refusal says why */
    HD_WATCH_DIED_EARLY, /* before the first execution */
    HD_WATCH_STUCK_EARLY, /* main was not reached in time, or within the budget */
    HD_WATCH_DIED,       /* while it searched */
    HD_WATCH_DAMAGED,    /* the program has overwritten the wire: nothing on it counts */
    HD_WATCH_HUNG,       /* a replay made no step for watchdog_ms */
};

struct hd_watched {
    enum hd_watch_end end;
    uint32_t culprit; /* the worker that end speaks of */
    bool interrupted; /* by the user */
    bool out_of_time; /* the budget is used up */
    int signal;       /* that interrupted */
    uint32_t hangs;   /* workers that were killed by the watchdog */
    double seconds;   /* from launch to the end */
    double searching; /* of these, in phase RUNNING; 0 when it was over too soon to tell */
};

/* Returns when all targets have ended; nothing of them is left.  When one fails, the
 * others are stopped. */
struct hd_watched hd_watch_targets(const struct hd_watch *w);

#endif
