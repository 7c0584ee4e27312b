/* SPDX-License-Identifier: BSD-2-Clause
 *
 * poll.h - waiting by polling must neither hang nor blow up the search.
 *
 * P1  A thread is parked only when it came back to a point in the identical
 *     state: same callee-saved registers, same live stack, no store outside it,
 *     only polls as events, no allocation, and in instrumented code, so that all
 *     this is known.  It is released when a location that it read in that round
 *     is written; a change that no hook saw is noticed when nobody else can run.
 *     This loses nothing (stuttering only).
 * P2  Any other polling thread waits, after --loop-bound idle rounds, until
 *     another thread makes progress, or nobody else can run.  The verdict says
 *     so (loop_cuts).
 * P3  A yield or sleep only makes the switch after it free.  Nobody is made to go
 *     last: that would lose interleavings, and P1 and P2 end every loop. */
#ifndef HD_RUNTIME_POLL_H
#define HD_RUNTIME_POLL_H

#include "runtime/rt.h"

#define HD_POLL_READS 64

struct hd_poll {
    uint64_t anchor;   /* call site that a round begins with */
    uint64_t progress; /* of the thread, at the anchor */
    uint64_t stores;
    uint64_t foreign;  /* progress of the others, at the last visit */
    uint64_t hash;     /* of the thread's state at the last visit */
    uint32_t visits;   /* of other sites since the anchor */
    uint32_t rounds;   /* identical-site rounds without own progress */
    uint32_t idle;     /* ... and without foreign progress */
    uint32_t nreads;   /* locations read in this round; above the limit: too many */
    bool tracking;     /* reads are being noted */
    bool retried;      /* was let go once when nobody could run, and has not read anything new */
    uint64_t opaque;   /* of the thread, at the last visit */
    uint64_t addr[HD_POLL_READS];
    uint64_t value[HD_POLL_READS]; /* what was read there ... */
    uint8_t size[HD_POLL_READS];   /* ... to see changes that no hook saw; 0: an object */
    bool stale;                    /* one of them was written since */
};

void hd_poll_begin(void);
/* The running thread is about to announce a polling operation at pc. */
void hd_poll_visit(struct hd_thread *t, uint64_t pc);
/* It has read this location. */
void hd_poll_read(uintptr_t addr, size_t size);
/* A location was written. */
void hd_poll_written(uintptr_t addr, size_t size);
/* o was changed by the end of thread `by`, which is no operation of its own. */
void hd_poll_changed(const struct hd_obj *o, struct hd_thread *by);
/* t is no longer held back. */
void hd_poll_let_go(struct hd_thread *t);
/* t has made progress: others that waited for that go on. */
void hd_poll_progress(struct hd_thread *t);
/* t has ended. */
void hd_poll_forget(struct hd_thread *t);
/* Nobody can run: release loop waiters and threads whose locations changed
 * unseen; false when there are none. */
bool hd_poll_release(void);

#endif
