/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll.h - waiting by polling must neither hang nor blow up the search.
 *
 * P1  A thread is parked only when it came back to a point in the identical
 *     state: same callee-saved registers, same live stack, no store outside it,
 *     only polls as events, none of them with another result than the one before on the
 *     same location, no allocation, and in instrumented code, so that all
 *     this is known.  It goes on when a location that it read in that round has
 *     been written since it read it; a change that no hook saw is noticed when
 *     nobody else can run.  This loses nothing (stuttering only).
 * P2  Any other polling thread is stopped after --loop-bound idle rounds until a
 *     location that it has read is written, or nobody else can run.  A round is
 *     idle when it read no location that the thread had not read since its last
 *     progress at that site, and none with another value.  The verdict says so
 *     (loop_cuts).  Where Heddle cannot know what it reads, another thread's
 *     progress is enough.
 *     Of one that changes something in each round loop.h decides whether it waits;
 *     it is stopped in the same way, and another thread's progress lets it go on.
 * P3  A yield or sleep only makes the switch after it free.  Nobody is made to go
 *     last: that would lose interleavings, and P1 and P2 end every loop.
 * P4  Whether a thread is held at a visit depends on its own history only, and
 *     whether it may go on, on which writes came after its reads: on the partial
 *     order of the execution, not on the order.  The operation that it is held
 *     before has HD_EVF_HELD, also when it may go on at once, and TOUCH events
 *     behind it name what it waited for.  So a search can tell (reversal.h). */
#ifndef HD_RUNTIME_PROGRESS_POLL_H
#define HD_RUNTIME_PROGRESS_POLL_H

#include "runtime/progress/cycle.h"

#define HD_POLL_READS 256

struct hd_poll_read {
    uint64_t addr;
    uint64_t value; /* what was read, to see changes that no hook saw */
    uint32_t obj;   /* of a visible operation; 0: a plain access */
    uint32_t round; /* in which it was read last */
    uint8_t size;   /* of memory; 0: another object */
    bool stale;     /* written since */
    bool plain;     /* ... without a visible operation on obj */
};

struct hd_poll {
    uint64_t anchor;   /* call site that a round begins with */
    uint64_t progress; /* of the thread, at the anchor */
    uint64_t stores;
    uint64_t opaque;   /* of the thread, at the last visit */
    uint64_t hash;     /* of the thread's state at the last visit; 0 unknown */
    uint32_t visits;   /* of other sites since the anchor */
    uint32_t round;    /* number of this round */
    uint32_t idle;     /* idle rounds in a row */
    uint32_t spills;   /* rounds that read more than can be noted */
    uint32_t moves;    /* rounds that have changed something */
    uint32_t stops;    /* times that it was stopped because of loop.h ... */
    uint32_t needs;    /* ... and how much progress of others it waits for, while it is */
    uint32_t since;    /* number of events; those before it are no reason to stop it (loop.h) */
    uint32_t nreads;   /* locations read since the anchor, or since it was held last */
    bool tracking;     /* reads are being noted */
    bool fresh;        /* this round has read something new ... */
    bool torn;         /* it has read one location twice, with different values ... */
    bool overflow;     /* ... or more than can be noted */
    bool blind;        /* held, and what it reads is not known: progress lets it go on */
    bool waits;        /* held because of loop.h: blind, and not everybody's progress counts */
    bool retried;      /* was let go once when nobody could run, and has not read anything new */
    struct hd_poll_read read[HD_POLL_READS];
};

/* Why the running thread is held before its operation (hd_thread.held). */
enum hd_held { HD_HELD_NOT, HD_HELD_PARKED, HD_HELD_BOUND };

void hd_poll_begin(void);
/* The registers with which the running thread came to its operation at v->pc; false when
 * they are not known (it did not come through an entry stub, or not from instrumented
 * code) or its stack is too deep to be looked at. */
bool hd_poll_entry(const struct hd_thread *t, struct hd_visit *v);
/* The running thread is about to announce a polling operation at pc.  True: it is held
 * before it. */
bool hd_poll_visit(struct hd_thread *t, uint64_t pc);
/* The running thread has read this memory by a plain access. */
void hd_poll_read(uintptr_t addr, size_t size);
/* Memory was written by a plain access. */
void hd_poll_written(uintptr_t addr, size_t size);
/* The event has happened; poll: it has changed nothing. */
void hd_poll_event(struct hd_thread *t, const struct hd_event *e, const struct hd_obj *o, bool poll);
/* t is no longer held. */
void hd_poll_let_go(struct hd_thread *t);
/* What the parked threads have read in their last rounds, into out; how many. */
uint32_t hd_poll_tell(struct hd_polled *out, uint32_t cap);
/* t, which has polled (t->polls), has ended. */
void hd_poll_forget(struct hd_thread *t);
/* Others go round in a circle: release loop waiters. */
void hd_poll_release_bound(void);
/* Nobody can run: release loop waiters and threads whose locations changed
 * unseen; false when there are none. */
bool hd_poll_release(void);
/* How often that has let somebody go on. */
uint64_t hd_poll_resorts(void);

#endif
