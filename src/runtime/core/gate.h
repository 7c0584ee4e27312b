/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gate.h - the interface of the gate for the other parts of the runtime's core (threads, exit,
 * polling). */
#ifndef HD_RUNTIME_CORE_GATE_H
#define HD_RUNTIME_CORE_GATE_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

/* Starts an execution: removes all threads from the gate. */
void hd_gate_begin(void);
/* Adds a new thread, whose pending operation is its start. */
void hd_gate_add(struct hd_thread *t);
/* Chooses another thread to run.  The running thread has ended or failed and never runs again. */
_Noreturn void hd_gate_leave_for_good(void);
/* Decides again whether t is enabled, after a change of the state that its pending operation
 * depends on.  The second function does so for all threads that watch o. */
void hd_gate_reevaluate(struct hd_thread *t);
void hd_gate_reevaluate_object(struct hd_obj *o);
/* Returns true if the waiter t has a token or is cancelled.  Only its mutex may still be missing. */
bool hd_gate_is_woken(const struct hd_thread *t);
/* Recomputes hd.special.  Call when one of its inputs has changed. */
void hd_gate_special(void);
/* Ends the execution if it has recorded too many events that are not steps: the log is bounded for
 * these, too.  Call before recording such an event. */
void hd_gate_make_room(void);
/* Call when the running thread gives up the operation that it has announced, before its turn. */
void hd_gate_withdraw(struct hd_thread *t);
/* hd_gate_save_pending replaces t's pending operation by taking a signal (kernel/signals.h, S2), which is always
 * possible, and saves the operation in *a.  hd_gate_restore_pending restores it. */
struct hd_saved_op { /* a pending operation, while its thread takes a signal */
    struct hd_event event;
    struct hd_obj *obj, *obj2, *waits;
};
void hd_gate_save_pending(struct hd_thread *t, struct hd_saved_op *a, struct hd_obj *signals);
void hd_gate_restore_pending(struct hd_thread *t, const struct hd_saved_op *a);
/* The running thread has its turn and uses o, which is not the first object of its operation.  Reports
 * a use of memory that is gone, and a data race. */
void hd_gate_use(const struct hd_obj *o, uint64_t pc);
/* Appends an event to the log and passes it to the race detector. */
void hd_gate_record(const struct hd_event *e, const struct hd_obj *o);
/* Appends an event to the log, but does not pass it to the race detector. */
void hd_gate_append(const struct hd_event *e, const struct hd_obj *o);

#endif
