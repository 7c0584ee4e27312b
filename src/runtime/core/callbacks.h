/* SPDX-License-Identifier: BSD-2-Clause
 *
 * callbacks.h - calls from the lower layers of the runtime into the layers above them.
 *
 * There is one table, a constant that worker/callbacks.c defines.  A call through it costs one load more than a
 * direct call.  If a callback is rarely needed, its caller tests a flag first. */
#ifndef HD_RUNTIME_CORE_CALLBACKS_H
#define HD_RUNTIME_CORE_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "model/finding.h"
#include "model/object.h"

struct hd_block;
struct hd_obj;
struct hd_point;
struct hd_thread;

/* The result of poll_visit: HD_EVF_HELD, or these flags (progress/await.h).  AWAITS: the operation has a key.
 * AGAIN: the last step was undone. */
enum hd_visit_flag { HD_VISIT_AWAITS = 0x100, HD_VISIT_AGAIN = 0x200 };

struct hd_callbacks {
    /* The start of the process. */
    void (*attached)(void);            /* the process is under Heddle; no constructor has run yet */
    void (*kernel_thread)(void);       /* the calling kernel thread will run fibers (debug.h) */
    void *(*main_function)(void *);    /* the function of thread 0 */
    void (*early_thread_named)(const struct hd_thread *t, const char *name);

    /* Memory that executions share.  absorb: calls fn; its changes to memory become part of the
     * snapshot.  stack_made: the runtime has made a stack.  heat_libc: libc is about to write to its
     * data with all signals blocked. */
    void (*absorb)(void (*fn)(void *), void *arg);
    void (*stack_made)(uintptr_t lo, uintptr_t hi, bool code);
    void (*heat_libc)(void);

    /* Threads.  first_lock_visit, first_poll_visit: number of locks and of polls of a thread after which the
     * search for cycles first checks it.  thread_spawned: parent creates t.  thread_created: the creation was
     * recorded.  thread_leaves: the running thread has returned from its function.  thread_left_locks: t holds
     * locks at its end.  last_thread_ended: the last thread of the process has ended. */
    uint32_t first_lock_visit, first_poll_visit;
    void (*thread_spawned)(const struct hd_thread *parent, struct hd_thread *t, uint64_t pc);
    void (*thread_created)(uint64_t pc);
    void (*thread_leaves)(void);
    void (*thread_left_locks)(struct hd_thread *t);
    void (*last_thread_ended)(int code, uint64_t pc) __attribute__((noreturn));

    /* Before a thread announces an operation.  check_invariants: every operation, while hd.invariants.
     * poll_visit: an operation that polls or yields; returns flags (enum hd_visit_flag), or HD_EVF_HELD if t must
     * be held back.  lock_visit: a lock, once t->progress has reached t->loop.lock_check.  lock_nested: a lock by
     * a thread that already holds locks. */
    void (*check_invariants)(void);
    unsigned (*poll_visit)(struct hd_thread *t, enum hd_kind kind, struct hd_obj *o, uint64_t pc);
    bool (*lock_visit)(struct hd_thread *t, const struct hd_obj *o, uint64_t pc);
    void (*lock_nested)(const struct hd_obj *wanted, uint64_t pc);
    /* Looks for a deadlock of some of the threads.  The running thread is about to block; is_end:
     * the process ends. */
    void (*look_for_deadlock)(bool is_end);

    /* At a decision.  look_at_limits: step hd.next_check is reached.  pick_specially: chooses a thread
     * while hd.unfair or hd.prologue.  nobody_enabled: no thread is enabled.  stopped: the search has ended this
     * execution. */
    void (*look_at_limits)(void);
    hd_tid (*pick_specially)(struct hd_point *p);
    void (*nobody_enabled)(void);
    void (*stopped)(void) __attribute__((noreturn));
    /* io_can_go_on, timer_can_go_on: true if the pending operation of t can take effect, which is a wait for
     * descriptors or for a timer.  *idle is set if the operation may run only when no other thread can. */
    bool (*io_can_go_on)(const struct hd_thread *t);
    bool (*timer_can_go_on)(const struct hd_thread *t, bool *idle);

    /* await_turn: called after the turn of t, whose operation has a key (HD_VISIT_AWAITS).  await_key: returns the
     * key. */
    void (*await_turn)(struct hd_thread *t);
    uint64_t (*await_key)(const struct hd_thread *t);

    /* While hd.signals.  signal_announced: t has announced an operation.  signal_turn: t has its
     * turn; returns true if t has used it to take a signal, and its operation is pending again. */
    void (*signal_announced)(struct hd_thread *t);
    bool (*signal_turn)(struct hd_thread *t);

    /* After an operation was recorded.  race_event: while hd.races.  race_use: while hd.races, the
     * running thread uses an object in the heap that its event does not name first.  race_save, race_restore: what an
     * atomic operation of tid on obj changes; to take that operation back.  special_event: while hd.special.
     * points_used: while HD_MODE_POINTS is set.  point_chosen: plain accesses at this pc are points
     * although their class is left out (hd_settings.no_points).  point_selected: the filters select what the
     * running thread does at this pc.  poll_forget: t ends and no longer polls.
     * section_leave: t leaves its atomic section. */
    void (*race_save)(hd_tid tid, uint32_t obj);
    void (*race_restore)(void);
    void (*race_event)(const struct hd_event *e, uintptr_t addr);
    void (*race_use)(uintptr_t addr, uint64_t pc);
    void (*special_event)(struct hd_thread *t, const struct hd_event *e, const struct hd_obj *o, bool poll);
    void (*points_used)(const struct hd_obj *o, const struct hd_event *e);
    bool (*point_chosen)(uint64_t pc);
    bool (*point_selected)(uint64_t pc);
    void (*poll_forget)(struct hd_thread *t);
    void (*section_leave)(struct hd_thread *t, uint64_t value);

    /* t, which is in a transaction, has announced an operation. */
    void (*tx_operation)(struct hd_thread *t);
    /* The running thread, which is in a transaction, has allocated a block, or will free one when the transaction
     * ends. */
    void (*tx_allocated)(void *p);
    void (*tx_frees)(void *p, size_t size, uint64_t pc);

    /* Findings.  report: reports one; the running thread continues.  bad_access: the address is none of
     * those that memory_map.h knows to be valid; does not return if the access is invalid.
     * lock_not_own: the running thread unlocks a lock that it does not hold.  is_unsure: the race
     * detector has dropped data, so the execution must be run again instead of judged. */
    void (*report)(enum hd_finding_kind kind, uint64_t pc, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
    void (*bad_access)(uintptr_t addr, size_t size, bool write, uint64_t pc);
    void (*lock_not_own)(const struct hd_obj *o, uint64_t pc);
    bool (*is_unsure)(void);

    /* Names of objects.  heap_owns: true if p is in the heap.  object_in_heap: a sync object lies at
     * addr in the heap.  state_name: the name of a part of libc's or the kernel's state.  alias_of: the
     * canonical address of memory, in HD_MODE_ALIAS. */
    bool (*heap_owns)(const void *p);
    void (*object_in_heap)(uintptr_t addr);
    hd_cname (*state_name)(uintptr_t addr);
    uintptr_t (*alias_of)(uintptr_t addr);

    /* System calls that bypass libc.  The models use the interposers of libc's functions and set
     * errno.  *known: there is a model. */
    long (*raw_call)(long nr, const long a[6], uint64_t pc, bool *known);
    long (*raw_futex)(const long a[6], uint64_t pc);

    /* The heap.  block_allocated, block_before_free, block_freed: the target has allocated a block,
     * is about to free it, has freed it.  bad_free: the target frees p, at which no live block
     * begins (b: the freed block that begins there, or NULL).  point_sites: returns the number of
     * sites that are scheduling points.  wait_places: returns the rows of hd_common.waits that
     * apply. */
    void (*block_allocated)(const void *p, size_t n, uint64_t pc);
    void (*block_before_free)(uintptr_t addr, size_t size, uint64_t pc);
    void (*block_freed)(uintptr_t addr, size_t size, uint64_t pc);
    void (*bad_free)(uintptr_t p, const struct hd_block *b, const char *what, uint64_t pc);
    uint32_t (*point_sites)(void);
    uint64_t (*wait_places)(void);
};

extern const struct hd_callbacks hd_callbacks __attribute__((visibility("hidden")));

#endif
