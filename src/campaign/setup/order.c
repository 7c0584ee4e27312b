/* SPDX-License-Identifier: BSD-2-Clause
 *
 * order.c - derives happens-before edges from vector clocks.  It feeds the events to the clocks of
 * the race detector again.  If an event advances its thread's clock entry for another thread, there
 * is an edge to this event.  It starts at the event by which the other thread published that time.
 * If several edges end at an event, those that follow from another one are omitted.  The remaining
 * edges are those that a person would draw. */
#include "campaign/setup/order.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/vec.h"
#include "detect/clocks.h"

struct order {
    struct hd_clocks *clocks;
    struct hd_arena arena;
    uint32_t nthreads;
    uint32_t *seen;  /* [nthreads][nthreads]: clock of each thread after its last event */
    uint32_t *known; /* [n][nthreads]: clock of the thread at an event that other threads may synchronise
                      * with */
    hd_segment last[HD_MAX_THREADS]; /* each thread's segment before the event; 0: none */
    uint32_t *ended; /* [segment - first]: 1 + number of the event that ended and published the segment; 0:
                      * none */
    struct hd_order_edge *edge;
    size_t nedges;
};

/* ---- events that end segments -------------------------------------------------------- */

/* Records this event as the end of every segment that it ended: that of its own thread or, for a
 * fence of the whole process, those of all threads. */
static void note_ends(struct order *o, uint32_t event)
{
    const struct hd_clocks *c = o->clocks;

    for (uint32_t t = 0; t < c->nthreads && t < o->nthreads; t++) {
        if (o->last[t] != 0 && o->last[t] != c->now[t])
            o->ended[o->last[t] - c->first] = event + 1;
        o->last[t] = c->now[t];
    }
}

/* Returns 1 + the number of the event that ended segment s.  Returns 0 if no event did. */
static uint32_t told_by(const struct order *o, hd_segment s)
{
    return s < o->clocks->first ? 0 : o->ended[s - o->clocks->first];
}

/* ---- edges ------------------------------------------------------------------------------- */

static void add_edge(struct order *o, uint32_t from, uint32_t to)
{
    *HD_PUSH(o->edge, o->nedges) = (struct hd_order_edge){ from, to };
}

/* An operation has advanced one entry of a vector clock: the entry of thread tid, to `time`.  It acquired this time
 * from `event`. */
struct lesson {
    uint32_t tid, time, event;
};

static bool follows_from(const struct order *o, const struct lesson *a, const struct lesson *b)
{
    return a != b && o->known[(size_t)b->event * o->nthreads + a->tid] >= a->time;
}

static void learn(struct order *o, uint32_t event, hd_tid tid)
{
    const uint32_t *now = o->clocks->time[tid];
    uint32_t *seen = &o->seen[(size_t)tid * o->nthreads];
    struct lesson lesson[HD_MAX_THREADS];
    unsigned n = 0;

    for (uint32_t u = 0; u < o->clocks->nthreads && u < o->nthreads; u++) {
        uint32_t teller = told_by(o, now[u]);

        if (u != tid && now[u] > seen[u] && teller != 0 && teller <= event)
            lesson[n++] = (struct lesson){ u, now[u], teller - 1 };
        seen[u] = now[u];
    }
    for (unsigned i = 0; i < n; i++) {
        bool needless = false;

        for (unsigned k = 0; k < n && !needless; k++)
            needless = follows_from(o, &lesson[i], &lesson[k]);
        if (!needless)
            add_edge(o, lesson[i].event, event);
    }
}

static void follow(struct order *o, uint32_t i, const struct hd_event *e)
{
    /* the race detector starts a segment only at an access; here every event needs one */
    if (e->tid >= o->clocks->nthreads || o->clocks->now[e->tid] == 0)
        o->last[e->tid] = hd_clocks_new_segment(o->clocks, e->tid);
    hd_clocks_event(o->clocks, e);
    note_ends(o, i);
    learn(o, i, e->tid);
    if (o->clocks->now[e->tid] == 0) /* other threads may synchronise with this event */
        memcpy(&o->known[(size_t)i * o->nthreads], o->clocks->time[e->tid],
               o->nthreads * sizeof *o->known);
}

/* ---- the order of an execution ------------------------------------------------------- */

static void count(const struct hd_event *events, uint32_t n, uint32_t *nthreads, uint32_t *nobjects)
{
    *nthreads = *nobjects = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (events[i].tid < HD_MAX_THREADS && events[i].tid >= *nthreads)
            *nthreads = events[i].tid + 1u;
        uint32_t channel = hd_kind_hb[events[i].kind] == HD_HB_FLOW ? events[i].obj2 : 0;

        if (events[i].obj >= *nobjects)
            *nobjects = events[i].obj + 1;
        if (channel >= *nobjects)
            *nobjects = channel + 1;
    }
}

/* Allocates and initialises the clocks.  The kernel allocates a page of the memory when it is first
 * used.  Returns false on failure. */
static bool open_clocks(struct order *o, uint32_t nobjects)
{
    o->arena.size = HD_CLOCKS_WORDS * sizeof *o->clocks->word +
                    HD_CLOCKS_SEGMENTS * (sizeof *o->clocks->position + sizeof *o->clocks->owner) +
                    nobjects * sizeof *o->clocks->sync + sizeof *o->clocks + 4096;
    o->arena.base = mmap(NULL, o->arena.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (o->arena.base == MAP_FAILED)
        return false;
    o->clocks = hd_arena_alloc(&o->arena, sizeof *o->clocks);
    hd_clocks_init(o->clocks, &o->arena, nobjects);
    hd_clocks_begin(o->clocks);
    return true;
}

struct hd_order hd_order_of(const struct hd_event *events, uint32_t n)
{
    struct order o = { .nedges = 0 };
    uint32_t nobjects;

    count(events, n, &o.nthreads, &nobjects);
    if (!open_clocks(&o, nobjects)) /* without clocks the picture has no arrows */
        return (struct hd_order){ NULL, 0 };
    o.seen = hd_zeroed((size_t)o.nthreads * o.nthreads, sizeof *o.seen);
    o.ended = hd_zeroed((size_t)n + 1, sizeof *o.ended);
    o.known = hd_zeroed((size_t)n * o.nthreads, sizeof *o.known);
    for (uint32_t i = 0, shown = 0; i < n; i++) {
        shown = events[i].kind != HD_EV_CHANNEL ? i : shown; /* a CHANNEL event belongs to the event
                                                              * before it */
        if (events[i].kind != HD_EV_NONE && events[i].tid < HD_MAX_THREADS)
            follow(&o, shown, &events[i]);
    }
    munmap(o.arena.base, o.arena.size);
    free(o.ended);
    free(o.seen);
    free(o.known);
    return (struct hd_order){ o.edge, o.nedges };
}

void hd_order_free(struct hd_order *order)
{
    free((void *)(uintptr_t)order->edges);
}
