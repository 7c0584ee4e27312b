/* SPDX-License-Identifier: BSD-2-Clause
 *
 * callbacks.c - the table of callbacks, with functions of all layers. */
#include "base/check.h"
#include "runtime/calls/exit.h"
#include "runtime/calls/intercept.h"
#include "runtime/calls/misc.h"
#include "runtime/calls/raw.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/state.h"
#include "runtime/hooks/dispatch.h"
#include "runtime/kernel/io_wait.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signals.h"
#include "runtime/kernel/timers.h"
#include "runtime/progress/await.h"
#include "runtime/progress/cycle.h"
#include "runtime/progress/limit.h"
#include "runtime/progress/policy.h"
#include "runtime/progress/poll.h"
#include "runtime/progress/prologue.h"
#include "runtime/report/finding.h"
#include "runtime/restore/alias.h"
#include "runtime/restore/heap.h"
#include "runtime/restore/heap_query.h"
#include "runtime/restore/maps.h"
#include "runtime/restore/snapshot.h"
#include "runtime/watch/checks.h"
#include "runtime/watch/deadlock.h"
#include "runtime/watch/locks.h"
#include "runtime/watch/memcheck.h"
#include "runtime/watch/points.h"
#include "runtime/watch/race.h"
#include "runtime/watch/transaction.h"
#include "runtime/watch/unseen_probe.h"
#include "runtime/watch/witness.h"
#include "runtime/worker/start.h"
#include "runtime/worker/verdict.h"

static void thread_spawned(const struct hd_thread *parent, struct hd_thread *t, uint64_t pc)
{
    t->signals.mask = parent->signals.mask;
    t->watch.faults = parent->watch.faults;
    hd_probe_threads();
    hd_attributes_inherit(parent, t);
    if (HD_UNLIKELY(hd.witness != 0) && hd.cur != NULL)
        hd_witness_created(t->tid, pc);
}

static void thread_leaves(void)
{
    if (HD_UNLIKELY(hd.signals))
        hd_signal_thread_ends();
    hd_thread_run_tls_dtors();
    hd_keys_run_destructors();
}

/* Ends the section of a thread that ends.  If the section is a transaction, its end is missing, unless the thread
 * has failed inside it. */
static void section_leave(struct hd_thread *t, uint64_t value)
{
    if (t->in_section != HD_IN_TRANSACTION) {
        hd_section_leave(t, value);
        return;
    }
    hd_tx_leave();
    if (value != HD_SECTION_LEFT)
        hd_report(HD_FK_TM_MISUSE, 0, "T%u ends inside a transaction", t->tid);
}

static hd_tid pick_specially(struct hd_point *p)
{
    return hd.prologue ? hd_prologue_pick(p) : hd_cycle_pick(p);
}

const struct hd_callbacks hd_callbacks = {
    .attached = hd_maps_before_constructors,
    .kernel_thread = hd_dispatch_begin,
    .main_function = hd_start_main_fiber,
    .early_thread_named = hd_attributes_early_name,

    .absorb = hd_snapshot_absorb,
    .stack_made = hd_snapshot_add_mapping,
    .heat_libc = hd_snapshot_heat_libc,

    .first_lock_visit = HD_CYCLE_LOCKS,
    .first_poll_visit = HD_CYCLE_POLLS,
    .thread_spawned = thread_spawned,
    .thread_created = hd_attributes_created,
    .thread_leaves = thread_leaves,
    .thread_left_locks = hd_locks_left_behind,
    .last_thread_ended = hd_exit_run,

    .check_invariants = hd_invariants_look,
    .poll_visit = hd_poll_visit,
    .lock_visit = hd_cycle_lock,
    .lock_nested = hd_locks_request,
    .look_for_deadlock = hd_deadlock_partial,

    .look_at_limits = hd_limit_look,
    .pick_specially = pick_specially,
    .nobody_enabled = hd_verdict_nobody_enabled,
    .stopped = hd_verdict_stopped,
    .io_can_go_on = hd_io_can_go_on,
    .timer_can_go_on = hd_timer_can_go_on,

    .await_turn = hd_await_turn,
    .await_key = hd_await_key,

    .signal_announced = hd_signal_announced,
    .signal_turn = hd_signal_turn,

    .race_save = hd_race_save,
    .race_restore = hd_race_restore,
    .race_event = hd_race_event,
    .race_use = hd_race_use,
    .special_event = hd_poll_event,
    .points_used = hd_points_used,
    .point_chosen = hd_points_chosen,
    .point_selected = hd_points_selected,
    .poll_forget = hd_poll_forget,
    .section_leave = section_leave,

    .tx_operation = hd_tx_operation,
    .tx_allocated = hd_tx_allocated,
    .tx_frees = hd_tx_frees,

    .report = hd_report,
    .bad_access = hd_memcheck_far,
    .lock_not_own = hd_lock_not_own,
    .is_unsure = hd_race_is_unsure,

    .heap_owns = hd_heap_owns,
    .object_in_heap = hd_heap_note_object,
    .state_name = hd_shared_name,
    .alias_of = hd_alias_of,

    .raw_call = hd_raw,
    .raw_futex = hd_raw_futex,

    .block_allocated = hd_witness_allocated,
    .block_before_free = hd_points_free,
    .block_freed = hd_race_free,
    .bad_free = hd_memcheck_bad_free,
    .point_sites = hd_points_count,
    .wait_places = hd_await_places,
};
