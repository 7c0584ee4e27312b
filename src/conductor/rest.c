/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rest.c - asks the workers to rest. */
#include "conductor/rest.h"

/* Time limit, in seconds, for several workers to come to rest; also the delay until they are asked
 * again. */
#define PATIENCE 1.0
#define AGAIN 10.0

/* The fields that change if the process of a worker is replaced. */
struct process {
    int32_t pid;
    uint32_t lost;
};

static struct process process_of(const struct hd_wire *w)
{
    return (struct process){ __atomic_load_n(&w->worker_pid, __ATOMIC_ACQUIRE),
                             __atomic_load_n(&w->workers_lost, __ATOMIC_ACQUIRE) };
}

static void set(const struct hd_wires *ws, uint32_t request)
{
    for (uint32_t i = 0; i < ws->n; i++)
        __atomic_store_n(&ws->wire[i]->rest, request, __ATOMIC_RELEASE);
}

/* True if the worker is paused as requested.  A worker that has ended counts as paused. */
static bool rests(const struct hd_wire *w, uint32_t request)
{
    uint32_t phase = __atomic_load_n(&w->phase, __ATOMIC_ACQUIRE);

    return phase == HD_PHASE_DONE ||
           (phase == HD_PHASE_RUNNING && __atomic_load_n(&w->worker_pid, __ATOMIC_ACQUIRE) > 0 &&
            __atomic_load_n(&w->rests, __ATOMIC_ACQUIRE) == request);
}

static bool all_rest(const struct hd_wires *ws, uint32_t request)
{
    for (uint32_t i = 0; i < ws->n; i++)
        if (!rests(ws->wire[i], request))
            return false;
    return true;
}

static void ask(struct hd_resting *r, const struct hd_wires *ws, double seconds)
{
    r->asked = true;
    r->asked_at = seconds;
    set(ws, ++r->request);
}

static void withdraw(struct hd_resting *r, const struct hd_wires *ws)
{
    r->asked = false;
    set(ws, 0);
}

/* If a worker was killed while it rested, its successor may have changed the wire. */
static double copy(struct hd_resting *r, const struct hd_rest *rest, const struct hd_wires *ws, double seconds)
{
    struct process before[HD_MAX_WORKERS];
    bool same = true;

    for (uint32_t i = 0; i < ws->n; i++)
        before[i] = process_of(ws->wire[i]);
    rest->copy(rest->ctx, seconds);
    for (uint32_t i = 0; i < ws->n; i++) {
        struct process now = process_of(ws->wire[i]);

        same &= now.pid == before[i].pid && now.lost == before[i].lost;
    }
    withdraw(r, ws);
    return rest->keep(rest->ctx, same);
}

void hd_rest_look(struct hd_resting *r, const struct hd_rest *rest, const struct hd_wires *ws, double seconds)
{
    if (r->next == 0)
        r->next = rest->first;
    if (!r->asked && seconds >= r->next)
        ask(r, ws, seconds);
    if (!r->asked)
        return;
    if (all_rest(ws, r->request)) {
        r->next = seconds + copy(r, rest, ws, seconds);
    } else if (ws->n > 1 && seconds - r->asked_at > PATIENCE) {
        withdraw(r, ws);
        r->next = seconds + AGAIN;
    }
}
