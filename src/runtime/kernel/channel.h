/* SPDX-License-Identifier: BSD-2-Clause
 *
 * channel.h - which descriptors are connected to each other, so that the race detector knows the
 * happens-before edges that pass through the kernel.  (Searches and waiting use a single object for
 * all descriptors: io_wait.h.)
 *
 * C1  A thread that reads from a channel, accepts from it, or sees that it is ready or broken
 *     acquires the clocks of all threads that have written to it, closed it or connected.  There
 *     are no other edges: two writers to one pipe are not ordered.
 * C2  A writer may have waited for room; it then acquires the clocks of the readers.  The event does not show whether
 *     it had to wait, since another order of the same operations might have found the channel full.  So writes
 *     acquire as soon as the sum of everything written to the channel might exceed its capacity.
 * C3  An epoll set acquires with each of the channels that it watches.
 * C4  Known channels are pipes, socket pairs, eventfds, timers, epoll sets, connections of the program with itself,
 *     and signals.  An operation on an unknown channel is ordered with all other operations in both directions.
 *     Unknown are: a descriptor that was inherited, opened by name or received; two channels that cannot be
 *     distinguished; everything after a fork, since the other process may pass on data; operations that move bytes
 *     from one channel to another.  So lack of knowledge may hide races but never causes a false report. */
#ifndef HD_RUNTIME_KERNEL_CHANNEL_H
#define HD_RUNTIME_KERNEL_CHANNEL_H

#include "runtime/kernel/shared_state.h"

/* ---- new channels: called at the turn of their creator ---------------------------------- */

void hd_channel_pair(int a, int b);
void hd_channel_single(int fd, bool counts); /* counts: an eventfd or a timer; otherwise an epoll set */
void hd_channel_listens(int fd);
/* Call when the buffer size of the channel has changed: its room is unknown from now on. */
void hd_channel_narrow(int fd);
/* Call when descriptors have been received over fd: their channels are unknown. */
void hd_channel_received(int fd);

/* ---- effect of an operation: call between its turn and hd_channel_flow ---------------------- */

/* Call when the operation has its turn.  Unless one of the calls below says otherwise, it falls
 * under C4. */
void hd_channel_turn(void);
/* Call to say that the operation is on fd. */
void hd_channel_at(int fd);
/* Call if the operation writes this amount.  Needed where the return value of the call is not the
 * amount (eventfd). */
void hd_channel_adds(uint64_t amount);
/* Call when the operation has read from the descriptor (POLLIN), written to it (POLLOUT) or closed
 * it (0), with this result. */
void hd_channel_transferred(short events, long result);
/* Call when the operation has shut the socket down: both directions have ended. */
void hd_channel_shut(void);
/* Call if the operation has no flow so far. */
void hd_channel_nothing(void);
/* Call when the operation has seen that fd is ready (POLLIN …).  Call hd_channel_nothing first,
 * then this for each descriptor. */
void hd_channel_saw_ready(int fd, short events);
/* Call when the operation has seen how many bytes are queued in fd, in either direction. */
void hd_channel_counted(int fd);
void hd_channel_waited_for(int set);
/* Call when the operation has made the set watch fd (-1: it has changed something else in the
 * set). */
void hd_channel_watches(int set, int fd);
/* Call hd_channel_connected when the operation has connected fd, hd_channel_accepted when it has
 * accepted fd. */
void hd_channel_connected(int fd);
void hd_channel_accepted(int fd);
/* Call when an operation of another kind, which has just ended, has made fd ready. */
void hd_channel_made_ready(int fd, uint64_t pc);
/* Call when the operation sends a signal to this process, or has taken one. */
void hd_channel_signal(bool sends);

/* Call instead of hd_done when the operation has taken effect. */
void hd_channel_flow(uint64_t value, unsigned flags);

#endif
