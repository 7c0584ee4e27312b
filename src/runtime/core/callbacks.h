/* SPDX-License-Identifier: BSD-2-Clause
 *
 * callbacks.h - what the lower layers call in the layers above them.
 *
 * There is one table, a constant that worker/callbacks.c defines.  A call through it costs one
 * load more than a direct one.  Where a call is rare, the caller tests a flag of its own first. */
#ifndef HD_RUNTIME_CORE_CALLBACKS_H
#define HD_RUNTIME_CORE_CALLBACKS_H

#include "runtime/core/rt.h"

struct hd_callbacks {
    /* The start of the process. */
    void (*attached)(void);            /* it is under Heddle, and no constructor has run */
    void (*kernel_thread)(void);       /* the calling kernel thread is to run fibers (debug.h) */
    void *(*main_function)(void *);    /* of thread 0 */
    void (*early_thread_named)(const struct hd_thread *t, const char *name);

    /* Memory that executions share: what fn changes becomes a part of the snapshot; a stack was made;
     * libc is about to write to its data with all signals blocked. */
    void (*absorb)(void (*fn)(void *), void *arg);
    void (*stack_made)(uintptr_t lo, uintptr_t hi, bool code);
    void (*heat_libc)(void);

    /* Threads: from so many locks or polls on a thread is looked at for cycles; parent creates t; the creation was recorded; the running thread has
     * left its function; it still holds locks at its end; it was the last one. */
    uint32_t first_lock_visit, first_poll_visit;
    void (*thread_spawned)(const struct hd_thread *parent, struct hd_thread *t, uint64_t pc);
    void (*thread_created)(uint64_t pc);
    void (*thread_leaves)(void);
    void (*thread_left_locks)(struct hd_thread *t);
    void (*last_thread_ended)(int code, uint64_t pc) __attribute__((noreturn));

    /* Before an operation is announced: while hd.invariants; a polling or yielding one (true: it is
     * held back); a lock from the progress t->look on; a lock while others are held. */
    void (*check_invariants)(void);
    bool (*poll_visit)(struct hd_thread *t, uint64_t pc);
    void (*lock_visit)(struct hd_thread *t, uint64_t pc);
    void (*lock_nested)(const struct hd_obj *wanted, uint64_t pc);
    /* The running thread blocks, or (is_end) the process ends: look for a deadlock of some threads. */
    void (*look_for_deadlock)(bool is_end);

    /* At a decision: limits are to be looked at; some threads go last; nobody is enabled; the search
     * wants no more of this execution. */
    void (*look_at_limits)(void);
    hd_tid (*pick_unfair)(struct hd_point *p);
    void (*nobody_enabled)(void);
    void (*stopped)(void) __attribute__((noreturn));
    /* Can the pending operation take effect?  Waits for descriptors, and for a timer (*idle: when
     * no other thread can run). */
    bool (*io_can_go_on)(const struct hd_thread *t);
    bool (*timer_can_go_on)(const struct hd_thread *t, bool *idle);

    /* While hd.signals: t has announced an operation; it has its turn (true: it has taken a signal,
     * and stands before its operation again). */
    void (*signal_announced)(struct hd_thread *t);
    bool (*signal_turn)(struct hd_thread *t);

    /* An operation was recorded: while hd.races; while hd.special; while HD_MODE_POINTS. */
    void (*race_event)(const struct hd_event *e, uintptr_t addr);
    void (*special_event)(struct hd_thread *t, const struct hd_event *e, const struct hd_obj *o, bool poll);
    void (*points_used)(const struct hd_obj *o, const struct hd_event *e);
    void (*poll_forget)(struct hd_thread *t);
    void (*section_leave)(struct hd_thread *t, uint64_t value);

    /* Names of objects: is it in the heap; an object lives in this block; the name of libc's state. */
    bool (*heap_owns)(const void *p);
    void (*object_in_heap)(uintptr_t addr);
    hd_cname (*state_name)(uintptr_t addr);

    /* The heap: a block was made, is about to be freed, is freed; no
     * live block begins at p, which is to be freed (b: the freed one that does); the number of sites that are points. */
    void (*block_allocated)(const void *p, size_t n, uint64_t pc);
    void (*block_before_free)(uintptr_t addr, size_t size, uint64_t pc);
    void (*block_freed)(uintptr_t addr, size_t size, uint64_t pc);
    void (*bad_free)(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc);
    uint32_t (*point_sites)(void);
};

extern const struct hd_callbacks hd_callbacks __attribute__((visibility("hidden")));

#endif
