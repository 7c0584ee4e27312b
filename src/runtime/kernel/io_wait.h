/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_wait.h - operations on pipes, sockets and the like, and waiting for them.
 *
 * They are all operations on one object.  Which end belongs to which is known for some of them
 * (channel.h), but only the race detector is told.
 *
 * W1  A descriptor is *inner* when all that can make it ready is such an operation: a
 *     controlled thread of this execution has made it (pipe, eventfd, timer, socket pair, epoll
 *     set, socket of the inner network), and nobody has forked since.  An epoll set is
 *     inner as long as all that was put into it is.
 * W2  To wait for inner descriptors is to wait for the state of the object.  Such an
 *     operation is enabled when the kernel says that they are ready; the gate asks it
 *     again whenever the object has changed, and at no other time.  So a thread that
 *     waits takes no steps, and when nobody can run it is a deadlock.
 * W3  What comes from outside changes nothing that Heddle sees.  Who waits for that
 *     looks again and again, and lets the others go in between (hd_io_retry). */
#ifndef HD_RUNTIME_KERNEL_IO_WAIT_H
#define HD_RUNTIME_KERNEL_IO_WAIT_H

#include "runtime/core/rt.h"
#include "runtime/kernel/signals.h"

/* What a thread waits for, on its stack.  ready must not change anything. */
struct hd_io_wait {
    bool (*ready)(const void *what);
    bool (*inner)(const void *what);
    const void *what;
    unsigned place; /* of what is waited for (model/state.h), where a report is to name it; else 0 */
};

/* One attempt, which never blocks: announced, and it is the caller's turn; it ends with
 * hd_channel_flow.  After one that would have blocked, hd_io_retry lets the others go first. */
void hd_io_attempt(uint64_t pc);
void hd_io_retry(uint64_t pc);
/* After a yield of who waits for what comes from outside (W3). */
void hd_io_outside(void);

/* Is w's pending operation enabled?  (The gate's question.) */
bool hd_io_can_go_on(const struct hd_thread *t);

/* As hd_io_attempt, when what w describes is ready; it must be inner.  Where it ceases to be
 * while the thread waits, it is not ready now: the caller goes on as for W3.  False: a handler has ended
 * the wait (hd_signal_wait_ends), and the operation is over. */
bool hd_io_await(const struct hd_io_wait *w, uint64_t pc);
/* As hd_io_await, for no longer than limit_ns; false: that time is over, and so is the operation. */
bool hd_io_await_until(const struct hd_io_wait *w, uint64_t limit_ns, uint64_t pc);

/* As these (limit_ns below 0: no limit), for a call that EINTR may end.  True: ready, as hd_io_await.
 * False: the operation is over; *ended, by EINTR. */
bool hd_io_await_ends(const struct hd_io_wait *w, int64_t limit_ns, enum hd_wait_end how, bool *ended,
                      uint64_t pc);

/* For one descriptor.  Ready for any of events (POLLIN …), or in error. */
bool hd_io_is_ready(int fd, short events);
/* The same, of one that is not inner (W3), after a yield: takes a moment when all the others wait. */
bool hd_io_comes_from_outside(int fd, short events);

/* Nothing is inner any longer: there is another process. */
void hd_io_forked(void);
/* Of signals: they may come from elsewhere from now on (another process, a timer of the kernel's). */
void hd_io_signals_outside(void);
bool hd_io_signals_are_inner(void);
/* Something has changed that waiting depends on, by the operation that has just ended. */
void hd_io_changed(void);
/* The same of one of another kind: it counts as input or output, too. */
void hd_io_also(uint64_t pc);

#endif
