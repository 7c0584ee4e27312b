/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rest.h - brings all workers to rest now and then, each between two of its executions, so that the wires can be
 * copied.  A worker that is asked meets the request at the end of its execution and waits until it is withdrawn.
 *
 * With one worker a request stands until it is met, which costs nothing before.  With several, those that rest wait
 * for the others, so a request is withdrawn after a while. */
#ifndef HD_CONDUCTOR_REST_H
#define HD_CONDUCTOR_REST_H

#include <stdbool.h>

#include "wire/wire.h"

#define HD_REST_LOOK_MS 2 /* how often to look while a request stands */

struct hd_rest {
    double first; /* seconds until the first rest */
    /* All workers rest. */
    void (*copy)(void *ctx, double seconds);
    /* They go on; same: all of them rested during the whole copy.  Returns the seconds until the next rest. */
    double (*keep)(void *ctx, bool same);
    void *ctx;
};

struct hd_resting {
    bool asked;       /* a request stands */
    uint32_t request; /* its number, or the last one's */
    double asked_at;
    double next;      /* when the next one is due; 0: not set yet */
};

/* Asks, copies, or does nothing, as is due. */
void hd_rest_look(struct hd_resting *r, const struct hd_rest *rest, const struct hd_wires *ws, double seconds);

#endif
