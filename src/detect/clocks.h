/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clocks.h - what each thread knows of the others, as C11 and POSIX order them: the
 * happens-before relation of data races.  Not that of the search, which orders more
 * (every two operations on one atomic, say) and would hide races.
 *
 * Fed with events in the order in which they happened.  A thread's time is cut into
 * segments: between two operations by which others may learn of it, everything it
 * does has one number.  A vector clock holds, for each thread, the last of its segments
 * that is known.  Numbers only grow, over all executions, so what an earlier execution has
 * left behind is known by its number alone and nothing has to be cleared. */
#ifndef HD_DETECT_CLOCKS_H
#define HD_DETECT_CLOCKS_H

#include "base/arena.h"
#include "base/set.h"
#include "model/event.h"
#include "model/race.h"

typedef uint32_t hd_segment; /* 0: none */

/* Bounds of what one execution may have; beyond them nothing more is ordered, which
 * hd_clocks.full says: no race may be reported any more. */
#define HD_CLOCKS_SEGMENTS (1u << 22)
#define HD_CLOCKS_WORDS (1u << 25)

/* What others may acquire from an object.  Offsets into hd_clocks.word, 0 none. */
struct hd_sync {
    uint32_t stamp;    /* execution that it belongs to */
    uint32_t released;
    uint32_t readers;  /* a lock's readers must not learn of each other: read-unlocks; the
                        * same of who makes room in a channel */
    uint32_t heads;    /* an atomic: list of release sequences that are in effect */
};

struct hd_clocks {
    hd_segment first;  /* of this execution */
    hd_segment next;
    uint32_t stamp;    /* of this execution */
    uint32_t nthreads;
    uint32_t nwords;
    bool full;
    uint8_t rule;      /* enum hd_release_rule */
    bool relied;       /* in this execution a thread has learnt something by HD_RELEASE_OPEN only ... */
    uint64_t relied_pc; /* ... there; 0 not known */
    bool fence_open[HD_MAX_THREADS]; /* an acquire fence would do so */
    const uint32_t *events;              /* how many have happened; NULL: nobody asks */
    uint32_t *word;                      /* [HD_CLOCKS_WORDS] */
    uint32_t *position;                  /* [HD_CLOCKS_SEGMENTS], from first: events that had
                                          * happened when a segment began */
    struct hd_sync *sync;                /* [nsync], by object */
    uint32_t nsync;
    hd_segment now[HD_MAX_THREADS];      /* segment that each thread is in, 0 not begun */
    /* [thread] what it knows, itself included.  Below `first`: nothing of this execution; but
     * for `columns` that is just below, so that it covers what earlier ones have left. */
    hd_segment time[HD_MAX_THREADS][HD_MAX_THREADS];
    uint32_t columns; /* most threads that there ever were */
    uint32_t fence_released[HD_MAX_THREADS]; /* clocks, 0 none: at its last release fence */
    uint32_t fence_acquires[HD_MAX_THREADS]; /* what an acquire fence would learn */
};

/* Objects are numbered below nobjects. */
void hd_clocks_init(struct hd_clocks *c, struct hd_arena *arena, uint32_t nobjects);

/* A new execution begins, with thread 0.  True: numbers began again, all that was
 * remembered by segment is to be forgotten. */
bool hd_clocks_begin(struct hd_clocks *c);

void hd_clocks_event(struct hd_clocks *c, const struct hd_event *e);
/* The same of one with HD_HB_ATOMIC. */
void hd_clocks_atomic(struct hd_clocks *c, const struct hd_event *e);

/* What the thread has read atomically is in part that of another object, which shares bytes with
 * the one of its event. */
void hd_clocks_read(struct hd_clocks *c, hd_tid tid, uint32_t obj, unsigned order);

/* What the thread does next is told apart from what it did before. */
void hd_clocks_cut(struct hd_clocks *c, hd_tid tid);

hd_segment hd_clocks_new_segment(struct hd_clocks *c, hd_tid tid);

/* The segment that the thread is in; 0 when there is no room. */
static inline hd_segment hd_clocks_segment(struct hd_clocks *c, hd_tid tid)
{
    return c->now[tid] != 0 ? c->now[tid] : hd_clocks_new_segment(c, tid);
}

static inline bool hd_clocks_stale(const struct hd_clocks *c, hd_segment s)
{
    return s < c->first;
}

static inline uint32_t hd_clocks_events(const struct hd_clocks *c)
{
    return c->events != NULL ? *c->events : 0;
}

static inline uint32_t hd_clocks_position(const struct hd_clocks *c, hd_segment s)
{
    return c->position[s - c->first];
}

/* Does all of segment s, of thread `of` in this execution, happen before what tid does now, or
 * is it its own?  Of another execution: true when `of` has begun in this one, too. */
static inline bool hd_clocks_before(const struct hd_clocks *c, hd_segment s, hd_tid of, hd_tid tid)
{
    return s <= c->time[tid][of];
}

#endif
