/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_wait.c - see io_wait.h. */

#include "runtime/kernel/io_wait.h"

#include <poll.h>
#include <sys/syscall.h>

#include "base/sys.h"
#include "runtime/core/entry.h"
#include "runtime/core/gate.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/operation.h"
#include "runtime/core/state.h"
#include "runtime/core/thread.h"
#include "runtime/core/time.h"
#include "runtime/kernel/channel.h"
#include "runtime/kernel/files.h"
#include "runtime/kernel/shared_state.h"
#include "runtime/kernel/signals.h"
#include "runtime/watch/fault.h"

/* By tid: what the thread waits for, while an IO_WAIT or IO_TIMED is pending. */
static const struct hd_io_wait *awaited[HD_MAX_THREADS];

static struct hd_obj *io_object(void)
{
    static const char object;

    return hd_object(&object, HD_OBJ_UNKNOWN);
}

/* Input from outside is not a write to the object, so a thread must never be parked until the
 * object is written (poll.h, P1).  Clearing the caller's registers prevents that. */
static void announce(enum hd_kind kind, unsigned place, uint64_t pc)
{
    hd_entry.rsp = 0;
    hd_fact(HD_FACT_IO);
    hd_op(kind, io_object(), place != 0 ? hd_shared_place(place) : NULL, pc);
    hd_channel_turn();
}

void hd_io_attempt(uint64_t pc)
{
    announce(HD_EV_IO, 0, pc);
}

void hd_io_retry(uint64_t pc)
{
    hd_done(0, HD_EVF_FAILED);
    hd_uncontrolled("blocking I/O with other processes is modelled as polling");
    hd_yield(pc);
    hd_io_outside();
    hd_cancel_point();
}

static bool look_for(int fd, short events, int ms)
{
    static struct pollfd look; /* static: a page of the target's stack may be write-protected */

    look = (struct pollfd){ fd, events, 0 };
    return hd_sys(SYS_poll, &look, 1, ms) != 0; /* true on errors as well: the real call reports
                                                 * them */
}

bool hd_io_is_ready(int fd, short events)
{
    return look_for(fd, events, 0);
}

/* True if no other thread can run.  Then the wait takes real time, so that a slow peer does not look like an
 * endless loop. */
static bool is_alone(void)
{
    return hd_set_count(&hd.point.enabled) <= 1;
}

bool hd_io_comes_from_outside(int fd, short events)
{
    return look_for(fd, events, is_alone());
}

void hd_io_outside(void)
{
    if (is_alone())
        hd_sys(SYS_poll, NULL, 0, 1);
}

bool hd_io_can_go_on(const struct hd_thread *t)
{
    const struct hd_io_wait *w = awaited[t->tid];

    return hd_thread_is_cancelled(t) || !w->inner(w->what) || w->ready(w->what);
}

/* Returns true if the descriptor is ready, or if W3 applies now; the operation is then announced.  Returns false
 * if the operation has ended. */
static bool await(enum hd_kind kind, const struct hd_io_wait *w, uint64_t pc)
{
    hd_cancel_point();
    awaited[hd.cur->tid] = w;
    announce(kind, w->place, pc);
    if (hd_signal_has_ended_wait())
        return false;
    if (w->ready(w->what) || !w->inner(w->what))
        return true;
    return false;
}

bool hd_io_await(const struct hd_io_wait *w, uint64_t pc)
{
    while (!await(HD_EV_IO_WAIT, w, pc)) {
        if (hd_signal_has_ended_wait())
            return false;
        hd_done(0, HD_EVF_FAILED); /* the thread got its turn because it was cancelled */
    }
    return true;
}

bool hd_io_await_until(const struct hd_io_wait *w, uint64_t limit_ns, uint64_t pc)
{
    uint64_t deadline = hd_now_ns + limit_ns;

    hd.cur->deadline = deadline;
    if (await(HD_EV_IO_TIMED, w, pc))
        return true;
    if (hd_signal_has_ended_wait())
        return false;
    if (deadline > hd_now_ns && !hd_thread_is_cancelled(hd.cur))
        hd_time_pass(deadline - hd_now_ns);
    hd_done(0, HD_EVF_FAILED);
    hd_cancel_point();
    return false;
}

bool hd_io_await_ends(const struct hd_io_wait *w, int64_t limit_ns, enum hd_wait_end how, bool *ended,
                      uint64_t pc)
{
    bool fault = hd_fault(HD_FAULT_EINTR, NULL, pc), ready;

    hd_signal_wait_ends(how);
    if (limit_ns > 0 || fault)
        ready = hd_io_await_until(w, fault ? 0 : (uint64_t)limit_ns, pc);
    else
        ready = hd_io_await(w, pc);
    *ended = hd_signal_ended_wait() || (fault && !ready);
    return ready && !*ended;
}

void hd_io_changed(void)
{
    hd_gate_reevaluate_object(io_object());
}

void hd_io_counts_as(uint64_t pc)
{
    hd_fact(HD_FACT_IO);
    hd_touch_unit(io_object(), true, pc);
    hd_io_changed();
}

static uint32_t outside_epoch; /* number of the execution since which signals may come from outside */

bool hd_io_signals_are_inner(void)
{
    return outside_epoch != hd.epoch;
}

void hd_io_signals_outside(void)
{
    outside_epoch = hd.epoch;
    hd_io_changed();
}

void hd_io_forked(void)
{
    hd_files_forked();
    hd_io_signals_outside();
}
