/* SPDX-License-Identifier: BSD-2-Clause
 *
 * watch.h - the conductor's loop: what happens while the target searches. */
#ifndef HD_CONDUCTOR_WATCH_H
#define HD_CONDUCTOR_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "conductor/launch.h"
#include "wire/wire.h"

#define HD_WATCHDOG_MS 10000 /* without any step, not counting that it waited for a processor: it hangs */
#define HD_START_MS 60000    /* from exec to the first execution */

struct hd_watch {
    struct hd_wire *wire;
    struct hd_target *target;
    uint64_t budget_ms;   /* 0: none */
    uint64_t watchdog_ms; /* 0: none */
    /* Called for each finding as soon as it is complete, and about 20 times a
     * second. */
    void (*on_finding)(void *ctx, const struct hd_finding *f);
    void (*on_tick)(void *ctx, double seconds);
    void *ctx;
};

enum hd_watch_end {
    HD_WATCH_DONE,       /* the target says that it is done, or was stopped by us */
    HD_WATCH_REFUSED,    /* wire->refusal says why */
    HD_WATCH_DIED_EARLY, /* before the first execution */
    HD_WATCH_STUCK_EARLY, /* no first execution within HD_START_MS */
    HD_WATCH_DIED,       /* while it searched */
    HD_WATCH_HUNG,       /* a replay made no step for watchdog_ms */
};

struct hd_watched {
    enum hd_watch_end end;
    bool interrupted; /* by the user */
    bool out_of_time; /* the budget is used up */
    int signal;       /* that interrupted */
    uint32_t hangs;   /* workers that were killed by the watchdog */
    double seconds;   /* from launch to the end */
    double searching; /* of these, in phase RUNNING; 0 when it was over too soon to tell */
};

/* Returns when the target has ended; nothing of it is left. */
struct hd_watched hd_watch_target(const struct hd_watch *w);

#endif
