/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rest.h - pauses all workers now and then, each between two of its executions, so that the wires can be copied.  A
 * worker *rests* while it is paused.  A worker notices the request at the end of its execution and waits until
 * the request is withdrawn.
 *
 * A single worker may take any time to come to rest, because no other worker waits for it.  With
 * several workers, the first ones to rest wait for the others, so the request is withdrawn after a
 * while. */
#ifndef HD_CONDUCTOR_REST_H
#define HD_CONDUCTOR_REST_H

#include <stdbool.h>

#include "wire/wire.h"

#define HD_REST_LOOK_MS 2 /* interval of checks while a request is pending */

struct hd_rest {
    double first; /* seconds until the first rest */
    /* Called while all workers rest. */
    void (*copy)(void *ctx, double seconds);
    /* Called when the workers continue.  same: all of them rested during the whole copy.  Returns
     * the seconds until the next rest. */
    double (*keep)(void *ctx, bool same);
    void *ctx;
};

struct hd_resting {
    bool asked;       /* a request is pending */
    uint32_t request; /* number of the pending request, or of the last one */
    double asked_at;
    double next;      /* when the next request is due; 0: not set yet */
};

/* Requests a rest, copies the wires, or does nothing, depending on what is due. */
void hd_rest_look(struct hd_resting *r, const struct hd_rest *rest, const struct hd_wires *ws, double seconds);

#endif
