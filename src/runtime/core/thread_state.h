/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_state.h - the state of a logical thread.
 *
 * The fields of core are grouped by when they are valid.  A nested struct belongs to one layer above
 * core: only that layer writes it, unless a comment says otherwise.  hd_thread_new zeroes all of it,
 * and the first two cache lines hold what a switch and an operation on a mutex need. */
#ifndef HD_RUNTIME_CORE_THREAD_STATE_H
#define HD_RUNTIME_CORE_THREAD_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

struct hd_call;
struct hd_obj;

/* progress: how the thread loops.  Core reads parked, stopped and held, and clears visited after each
 * operation of the thread. */
struct hd_loop_state {
    uint64_t lock_check;  /* cycle.c checks the thread at its locks from this value of hd_thread.progress on */
    uint8_t polls;        /* has a struct hd_poll in use */
    uint8_t parked;       /* has polled repeatedly in the same state: waits for a write */
    uint8_t stopped;      /* has used up its idle rounds: waits for a write */
    uint8_t held;         /* enum hd_held: why it was held before its pending operation */
    uint8_t visited;      /* cycle.c has checked it before its pending operation */
    uint32_t cycle_wait;  /* polling operations until cycle.c checks it again */
    uint64_t expected;    /* hash of the values that failed compare-and-swaps have found since poll.c last checked
                           * the thread: the target stores such a value in its `expected` variable, and no hook
                           * sees that store.  (hooks/access.c writes it.) */
    uint64_t opaque;      /* number of calls that may have changed the thread's state without a hook seeing it.
                           * (Every layer that makes such a call counts it.) */
};

/* kernel/signals.h.  A new thread inherits the mask. */
struct hd_thread_signals {
    uint64_t mask;    /* signals that it blocks */
    uint64_t pending; /* signals sent to this thread and not yet taken */
    uint8_t wait_end; /* enum hd_wait_end, for its wait */
};

/* core/thread.c, calls/thread.c: cancellation. */
struct hd_cancellation {
    uint8_t state; /* PTHREAD_CANCEL_ENABLE is 0 */
    uint8_t type;
    uint8_t pending;
    uint32_t checked; /* 1 + number of steps at its last cancellation point */
};

/* State of the modules in watch/: `faults` belongs to fault.c (a new thread inherits it), `sections` to checks.c,
 * and called_outside to unseen_sections.c. */
struct hd_thread_watch {
    uint64_t faults;        /* set of injected faults that precede its next step in every order */
    uint32_t sections;      /* depth of atomic sections; > 0 without in_section: a wait ended the section */
    uint8_t called_outside; /* it called uninstrumented code with a lock held */
};

/* What a thread is inside: nothing, an atomic section (heddle_atomic_begin, watch/checks.c), or a transaction. */
enum hd_in_section { HD_IN_NONE, HD_IN_ATOMIC, HD_IN_TRANSACTION };

struct hd_thread {
    /* The fiber, while the thread does not run.  While it runs, struct hd_rt has calls and stores. */
    uint64_t sp; /* saved stack pointer */
    uint64_t fsbase;
    struct hd_call *calls; /* shadow call stack: next free entry */
    uint64_t stores;       /* number of its stores (hd.stores) */
    uintptr_t stack_lo, stack_hi; /* range of its frames; constant */
    uintptr_t low_sp;             /* lowest stack pointer that the runtime has seen */

    hd_tid tid;    /* constant, like slot */
    uint16_t slot;
    uint8_t state;        /* enum hd_thread_state */
    uint8_t in_section;   /* enum hd_in_section: if not 0, it passes the gate without waiting */
    uint8_t just_yielded; /* its last operation was a yield: switching away is no preemption */
    uint8_t new_next;     /* enum hd_new: see calls/new.h */

    uint64_t progress; /* number of its events, without polls */
    uint64_t locks;    /* sum of the signatures of the locks that it holds, 0 if none (held.h) */

    /* Its pending operation, from the announcement until it is recorded. */
    struct hd_obj *obj;
    struct hd_obj *obj2;
    struct hd_obj *waits; /* cond or futex on whose tokens its pending operation depends */

    struct hd_loop_state loop;

    /* Valid while it waits with tokens, or at a barrier. */
    struct hd_obj *queued; /* cond or futex in whose queue it is */
    uint32_t stamp;        /* its position in the queue */
    uint32_t round;        /* barrier: the round that it waits for */
    uint8_t timed;         /* enum hd_timed */

    uint64_t deadline; /* deadline of its pending operation in virtual time (hd_now_ns), if that has
                        * a time limit or is a sleep */

    /* Valid from its creation to its end. */
    uint8_t detached;
    uint8_t joined;
    uint8_t exiting;      /* running exit handlers */
    uint8_t robust_held;  /* robust mutexes that it holds */
    uint32_t grace;       /* operations since exit began */
    uint32_t children;
    uint32_t clock_reads; /* how often it has read a clock (time.c) */
    struct hd_cancellation cancel;
    struct hd_thread_signals signals;
    struct hd_thread_watch watch;
    void *(*fn)(void *);
    void *arg;
    void *retval;
    uint64_t self;     /* its pthread_t */
    uint64_t new_pc;   /* the caller of operator new, which is about to call malloc; 0: none (calls/new.h) */
    size_t stack_size; /* requested stack size, which the thread sees; 0: the default */
    size_t guard_size; /* requested guard size */
    uintptr_t frames_hi;  /* end of the frames of the target's code */
    void *tls_dtors;   /* list of __cxa_thread_atexit_impl */
} __attribute__((aligned(64)));

_Static_assert(offsetof(struct hd_thread, progress) == 64 && offsetof(struct hd_thread, loop.cycle_wait) < 128,
               "hot fields in the first two cache lines");

#endif
