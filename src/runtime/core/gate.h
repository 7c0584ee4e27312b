/* SPDX-License-Identifier: BSD-2-Clause
 *
 * gate.h - inner interface of the gate, for the other parts of the runtime's
 * core (threads, exit, polling). */
#ifndef HD_RUNTIME_CORE_GATE_H
#define HD_RUNTIME_CORE_GATE_H

#include "runtime/core/rt.h"

/* An execution begins: no thread yet. */
void hd_gate_begin(void);
/* A thread was created; it stands before its start. */
void hd_gate_add(struct hd_thread *t);
/* The running thread has ended or failed: choose another; does not return. */
_Noreturn void hd_gate_leave_for_good(void);
/* The state that t's pending operation depends on has changed. */
void hd_gate_reevaluate(struct hd_thread *t);
void hd_gate_reevaluate_object(struct hd_obj *o);
/* The running thread is on its way: it no longer waits on q. */
/* Has a waiter been given what it waits for, so that only its mutex may be missing? */
bool hd_gate_is_woken(const struct hd_thread *t);
/* One of the things that hd.special sums up has changed. */
void hd_gate_special(void);
/* The log is bounded also where events are no steps: before such a one. */
void hd_gate_make_room(void);
/* t stands before taking a signal instead (signals.h, S2), which is always possible; and back. */
struct hd_saved_op { /* a pending operation, while its thread takes a signal */
    struct hd_event event;
    struct hd_obj *obj, *obj2, *waits;
};
void hd_gate_put_aside(struct hd_thread *t, struct hd_saved_op *a, struct hd_obj *signals);
void hd_gate_take_up(struct hd_thread *t, const struct hd_saved_op *a);
/* Append an event to the log. */
void hd_gate_record(const struct hd_event *e, const struct hd_obj *o);

#endif
