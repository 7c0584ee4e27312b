/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll.h - threads that wait by polling must neither hang nor blow up the search.
 *
 * P1  A thread is parked only if it has returned to a site in the identical state: same callee-saved registers, same
 *     live stack, no store outside the stack, no events but polls, each with the same result as the previous poll of
 *     that location, no allocation, and all of it in instrumented code, so that this is known.  It continues when a
 *     location that it read in that round has been written since.  If no hook saw the change, the runtime notices it
 *     when no other thread can run.  The search loses nothing but steps without an effect.
 * P2  Any other polling thread is stopped after some idle rounds (IDLE in policy.h) until a location that it has read
 *     is written, or no other thread can run.  A round is idle if it read only locations that the thread had already
 *     read since its last progress at that site, and all with the same values.  The verdict reports such threads
 *     (loop_cuts).  If Heddle cannot know the locations, progress of another thread releases the stopped one.  loop.h
 *     handles loops that change something in every round; their threads are stopped in the same way, and released by
 *     progress of another thread.
 * P3  A yield or sleep only makes the following switch free of cost.  It does not lower the
 *     thread's priority: that would lose interleavings, and P1 and P2 end every loop.
 * P4  Whether a thread is held at a visit depends only on its own history, and whether it may
 *     continue depends only on which writes came after its reads: on the partial order of the
 *     execution, not on the total order.  The operation before which it is held has HD_EVF_HELD,
 *     even if it may continue at once, and TOUCH events after it name the locations.  So a search
 *     can see the dependence (reversal.h). */
#ifndef HD_RUNTIME_PROGRESS_POLL_H
#define HD_RUNTIME_PROGRESS_POLL_H

#include "base/limits.h"
#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"
#include "runtime/progress/cycle.h"
#include "wire/wire.h"

#define HD_POLL_READS HD_LIMIT(256, 8)

struct hd_poll_read {
    uint64_t addr;
    uint64_t value; /* value read, to detect changes that no hook saw */
    uint32_t obj;   /* object of the visible operation; 0: a plain access */
    uint32_t round; /* round of the last read */
    uint8_t size;   /* bytes of memory; 0: another object */
    bool stale;     /* written since the read */
    bool plain;     /* written by something other than a visible operation on obj */
};

struct hd_poll {
    uint64_t anchor;   /* call site at which a round begins */
    uint32_t anchor_obj; /* id of the object that the operation at the last visit of the anchor uses; 0: none */
    uint64_t progress; /* progress of the thread at the last visit of the anchor */
    uint64_t stores;
    uint64_t opaque;   /* t->loop.opaque at the last visit */
    uint64_t hash;     /* hash of the thread's state at the last visit; 0: unknown */
    uint32_t visits;   /* visits of other sites since the anchor */
    uint32_t polls;    /* operations of this round except yields */
    uint32_t round;    /* number of this round */
    uint32_t idle;     /* idle rounds in a row */
    uint32_t spills;   /* rounds that read more locations than can be recorded */
    uint32_t moves;    /* rounds that changed something */
    uint32_t stops;    /* times that loop.h has stopped the thread */
    uint32_t needs;    /* while loop.h stops it: operations of other threads until its release */
    uint32_t since;    /* number of an event; loop.h ignores earlier events */
    uint32_t nreads;   /* locations read since the anchor was visited, or since the thread was last held */
    bool tracking;     /* its reads are recorded */
    bool fresh;        /* this round has read a new location or value */
    bool torn;         /* this round has read different values at the same location */
    bool overflow;     /* this round has read more locations than can be recorded */
    bool blind;        /* held, but its locations are unknown: progress of others releases it */
    bool waits;        /* held because of loop.h: blind, and hd_loop_counts decides whose progress counts */
    bool retried;      /* released once when no thread could run, and has read nothing new since */
    struct hd_poll_read read[HD_POLL_READS];
};

/* An object that a thread waits for. */
struct hd_poll_on {
    uintptr_t addr; /* for reports */
    uint32_t obj;
    bool stale;     /* another thread has changed it since the thread has read it */
};

void hd_poll_begin(void);
/* Holds t before its operation at pc until another thread has changed one of these objects (lock_poll.h). */
void hd_poll_hold_for(struct hd_thread *t, uint64_t pc, const struct hd_poll_on *on, uint32_t n);
/* Updates which plain accesses take the slow path. */
void hd_poll_mode(void);
/* Fills *v with the registers with which the running thread reached its operation at v->pc.
 * Returns false if they are not known (the thread did not come through an entry stub, or not from
 * instrumented code) or its stack is too deep. */
bool hd_poll_entry(const struct hd_thread *t, struct hd_visit *v);
/* Call when the running thread is about to announce a polling operation at pc.  Returns HD_EVF_HELD if the thread
 * is held before it, or flags of await.h (enum hd_visit_flag). */
unsigned hd_poll_visit(struct hd_thread *t, enum hd_kind kind, struct hd_obj *o, uint64_t pc);
/* Call the first function before an operation of t that may be undone (await.h, A2), the second to undo it.  In
 * between only t runs, and nothing holds it. */
void hd_poll_save(const struct hd_thread *t);
void hd_poll_restore(const struct hd_thread *t);
/* Call when the running thread has read this memory by a plain access. */
void hd_poll_read(uintptr_t addr, size_t size);
/* Call when memory was written by a plain access. */
void hd_poll_written(uintptr_t addr, size_t size);
/* Call when the event has happened; poll: the operation has changed nothing. */
void hd_poll_event(struct hd_thread *t, const struct hd_event *e, const struct hd_obj *o, bool poll);
/* Call when t is no longer held. */
void hd_poll_let_go(struct hd_thread *t);
/* Stores the locations that parked threads have read in their last rounds in out, at most cap.
 * Returns their number. */
uint32_t hd_poll_tell(struct hd_polled *out, uint32_t cap);
/* Call when t, which has polled (t->loop.polls), has ended. */
void hd_poll_forget(struct hd_thread *t);
/* Call when other threads run in a cycle: releases all stopped threads. */
void hd_poll_release_bound(void);
/* Call when no thread can run: releases stopped threads, and parked threads whose locations may have changed
 * without a hook seeing it.  Returns true if a thread is enabled now. */
bool hd_poll_release(void);
/* Returns how often hd_poll_release has enabled a thread. */
uint64_t hd_poll_releases(void);

#endif
