/* SPDX-License-Identifier: BSD-2-Clause
 *
 * io_wait.h - operations on pipes, sockets and the like, and waiting for them.
 *
 * All of them operate on one object. channel.h knows which ends are connected for some of them, but
 * only the race detector uses that.
 *
 * W1  A descriptor is *inner* if only operations of the program can make it ready: a controlled thread of this
 *     execution has created it (pipe, eventfd, timer, socket pair, epoll set, socket of the inner network) and no
 *     process has been forked since.  An epoll set is inner as long as all its members are.
 * W2  Waiting for inner descriptors is waiting for the state of the object.  Such an operation is
 *     enabled when the kernel reports the descriptors ready.  The gate asks again whenever the
 *     object has changed, and only then.  So a waiting thread takes no steps, and if no thread can
 *     run, it is a deadlock.
 * W3  Input from outside changes nothing that Heddle sees.  A thread that waits for it polls and
 *     lets other threads run in between (hd_io_retry). */
#ifndef HD_RUNTIME_KERNEL_IO_WAIT_H
#define HD_RUNTIME_KERNEL_IO_WAIT_H

#include "runtime/core/thread_state.h"
#include "runtime/kernel/signals.h"

/* What a thread waits for, on its stack. ready must have no side effects. */
struct hd_io_wait {
    bool (*ready)(const void *what);
    bool (*inner)(const void *what);
    const void *what;
    unsigned place; /* place of the awaited object (model/state.h), for reports; 0: none */
};

/* One attempt that never blocks.  It is announced and has its turn on return; the caller ends it
 * with hd_channel_flow.  After an attempt that would have blocked, hd_io_retry lets other threads
 * run first. */
void hd_io_attempt(uint64_t pc);
void hd_io_retry(uint64_t pc);
/* Called after the yield of a thread that waits for input from outside (W3). */
void hd_io_outside(void);

/* For the gate: true if the pending operation of t is enabled. */
bool hd_io_can_go_on(const struct hd_thread *t);

/* Like hd_io_attempt, when w is ready.  Precondition: w is inner.  If it ceases to be inner during
 * the wait, the function returns before it is ready and the caller continues with W3.  Returns
 * false if a handler has ended the wait (hd_signal_wait_ends); the operation is over then. */
bool hd_io_await(const struct hd_io_wait *w, uint64_t pc);
/* Like hd_io_await, with a time limit.  Returns false if the limit has passed; the operation is
 * over then. */
bool hd_io_await_until(const struct hd_io_wait *w, uint64_t limit_ns, uint64_t pc);

/* Like the two above (limit_ns below 0: no limit), for a call that may fail with EINTR.  Returns
 * true if w is ready.  Returns false if the operation is over; *ended says whether by EINTR. */
bool hd_io_await_ends(const struct hd_io_wait *w, int64_t limit_ns, enum hd_wait_end how, bool *ended,
                      uint64_t pc);

/* True if fd is ready for any of events (POLLIN …), or in error. */
bool hd_io_is_ready(int fd, short events);
/* Like hd_io_is_ready, for a descriptor that is not inner (W3), after a yield.  Sleeps briefly if
 * all other threads wait. */
bool hd_io_comes_from_outside(int fd, short events);

/* Call after a fork: no descriptor is inner any more. */
void hd_io_forked(void);
/* Call when signals may come from outside from now on (another process, a timer of the kernel). */
void hd_io_signals_outside(void);
bool hd_io_signals_are_inner(void);
/* Call when the operation that has just ended has changed something that waiting depends on. */
void hd_io_changed(void);
/* Like hd_io_changed, for an operation of another kind, which then also counts as input or
 * output. */
void hd_io_counts_as(uint64_t pc);

#endif
