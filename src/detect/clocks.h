/* SPDX-License-Identifier: BSD-2-Clause
 *
 * clocks.h - vector clocks for the happens-before relation of C11 and POSIX, which defines data races.  The
 * search uses a different relation, which orders more (for example all operations on one atomic variable) and
 * would hide data races.
 *
 * The input is the events in the order in which they happened.  The execution of a thread is divided into
 * segments at each operation from which another thread may acquire; each segment has a number.  A vector clock
 * holds, for each thread, the last of its segments that happened before.  Numbers grow over all executions, so
 * an entry of an earlier execution is recognised by its number, and nothing has to be cleared. */
#ifndef HD_DETECT_CLOCKS_H
#define HD_DETECT_CLOCKS_H

#include "base/arena.h"
#include "base/set.h"
#include "model/event.h"
#include "model/race.h"

typedef uint32_t hd_segment; /* 0: none */

/* Limits of one execution.  Beyond them no more edges are added and hd_clocks.full is set: from then on no race
 * may be reported. */
#define HD_CLOCKS_SEGMENTS (1u << 22)
#define HD_CLOCKS_WORDS (1u << 25)

/* From so many threads on, the shadow's 8 bits do not tell which thread made an access. */
#define HD_CLOCKS_MANY 257u

/* The clocks that threads may acquire from an object: offsets into hd_clocks.word; 0: none. */
struct hd_sync {
    uint32_t stamp;    /* the execution for which the other fields are valid */
    uint32_t released;
    uint32_t readers;  /* clocks of read-unlocks, kept apart because readers do not order each other; for a
                        * channel, clocks of the threads that made room in it; for memory, clocks of the
                        * transactions that have read it */
    uint32_t heads;    /* for an atomic variable: the list of its active release sequences */
};

struct hd_clocks {
    hd_segment first;  /* first segment of this execution */
    hd_segment next;
    uint32_t stamp;    /* number of this execution */
    uint32_t nthreads;
    uint32_t nwords;
    bool full;
    uint8_t rule;      /* enum hd_release_rule */
    bool relied;       /* in this execution a thread has acquired something only because of the assumption
                        * HD_RELEASE_OPEN */
    uint64_t relied_pc; /* where that happened; 0: unknown */
    bool fence_open[HD_MAX_THREADS]; /* an acquire fence of the thread would acquire something only because of
                                      * HD_RELEASE_OPEN */
    const uint32_t *events;              /* number of events so far; NULL: not needed */
    uint32_t *word;                      /* [HD_CLOCKS_WORDS] */
    uint32_t *position;                  /* [HD_CLOCKS_SEGMENTS], from `first` on: number of events before each
                                          * segment */
    struct hd_sync *sync;                /* [nsync], by object */
    uint32_t nsync;
    hd_segment now[HD_MAX_THREADS];      /* current segment of each thread; 0: not begun, or there are HD_CLOCKS_MANY
                                          * threads: then hooks, which read it, leave the check to the detector */
    hd_segment many[HD_MAX_THREADS];     /* used instead of `now` while there are HD_CLOCKS_MANY threads */
    uint16_t *owner;                     /* [HD_CLOCKS_SEGMENTS], from first on: thread of each segment */
    /* time[t] is the clock of thread t, including its own segment.  A value below `first` means that no segment
     * of this execution happened before.  In the columns below `columns` that value is exactly first - 1, so
     * that it covers the segments of earlier executions. */
    hd_segment time[HD_MAX_THREADS][HD_MAX_THREADS];
    uint32_t columns; /* largest number of threads so far */
    uint32_t fence_released[HD_MAX_THREADS]; /* clock of each thread at its last release fence; 0: none */
    uint32_t fence_acquires[HD_MAX_THREADS]; /* clock that an acquire fence would acquire; 0: none */
};

/* Precondition: object numbers are below nobjects. */
void hd_clocks_init(struct hd_clocks *c, struct hd_arena *arena, uint32_t nobjects);

/* Begins an execution with thread 0.  Returns true if segment numbers restart: the caller must then forget
 * everything that it has stored by segment. */
bool hd_clocks_begin(struct hd_clocks *c);

void hd_clocks_event(struct hd_clocks *c, const struct hd_event *e);
/* Like hd_clocks_event, for an event with HD_HB_ATOMIC. */
void hd_clocks_atomic(struct hd_clocks *c, const struct hd_event *e);

/* Call if an atomic read of the thread also covers bytes of object obj, besides those of the object of its
 * event. */
void hd_clocks_read(struct hd_clocks *c, hd_tid tid, uint32_t obj, unsigned order);

/* Call when a transaction of the thread that reads or writes the object begins (enter) or ends (leave).  It is
 * ordered like a sequentially consistent read or read-modify-write.  In addition, a later transaction that
 * writes the object, or a later atomic write that acquires, is ordered after the transactions that have read
 * it: on a processor it would have aborted them. */
void hd_clocks_tx_enter(struct hd_clocks *c, hd_tid tid, uint32_t obj, bool write);
void hd_clocks_tx_leave(struct hd_clocks *c, hd_tid tid, uint32_t obj, bool write);

/* The state that an atomic operation of a thread on an object may change, saved so that the operation can be
 * undone. */
struct hd_clocks_saved {
    hd_tid tid;
    bool full, relied, fence_open;
    uint64_t relied_pc;
    uint32_t obj, nwords;
    struct hd_sync sync;
    uint32_t fence_acquires;
    uint32_t own, own_clock, own_open; /* the thread's release sequence on the object (see clocks.c) */
    hd_segment time[HD_MAX_THREADS];
    uint32_t fence[HD_MAX_THREADS], released[HD_MAX_THREADS]; /* the clocks at fence_acquires and own_clock */
};

/* hd_clocks_save saves the state before the operation, hd_clocks_restore restores it.  Nothing else may have
 * happened in between. */
void hd_clocks_save(struct hd_clocks *c, hd_tid tid, uint32_t obj, struct hd_clocks_saved *s);
void hd_clocks_restore(struct hd_clocks *c, const struct hd_clocks_saved *s);

/* Begins a new segment of the thread. */
void hd_clocks_cut(struct hd_clocks *c, hd_tid tid);

hd_segment hd_clocks_new_segment(struct hd_clocks *c, hd_tid tid);

/* Returns the current segment of the thread; 0 if there is no room. */
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

/* The thread that made an access in segment s; low: the 8 bits that the shadow has.  For a segment of another execution: any
 * thread. */
static inline hd_tid hd_clocks_user(const struct hd_clocks *c, hd_segment s, uint8_t low)
{
    if (HD_LIKELY(c->nthreads < HD_CLOCKS_MANY) || hd_clocks_stale(c, s))
        return low;
    return c->owner[s - c->first];
}

/* True if all of segment s of thread `of`, in this execution, happens before what tid does now, or is tid's
 * own.  For a segment of an earlier execution: true if thread `of` has begun in this one. */
static inline bool hd_clocks_before(const struct hd_clocks *c, hd_segment s, hd_tid of, hd_tid tid)
{
    return s <= c->time[tid][of];
}

#endif
