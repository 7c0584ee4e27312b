/* SPDX-License-Identifier: BSD-2-Clause
 *
 * channel.h - which descriptors lead to each other, so that the race detector knows who
 * learns from whom.  (To searches and to who waits all of them are one object: io_wait.h.)
 *
 * C1  Who reads from a channel, accepts from it, or sees that it is ready or broken, learns
 *     what those know who have written to it so far, closed it, or connected.  Nobody learns
 *     anything else: two that write to the same pipe tell each other nothing.
 * C2  Who writes may have waited for room, and then learns from those who have read.  Whether
 *     this write had to cannot be seen (another order of the same operations might have found
 *     it full), so it counts from the moment at which all that was ever written to the channel
 *     might not have had room in it.
 * C3  A set of epoll's learns with each of the channels that it watches.
 * C4  Known are pipes, pairs of sockets, eventfds, timers, sets of epoll's, connections of the program
 *     with itself, and signals.  Where it is not known which channel it is (a descriptor that
 *     was inherited, opened by name or received; two that cannot be told apart; anything after a
 *     fork, since the other process may hand on what it reads; one that moves bytes from one
 *     channel to another), the operation learns from all
 *     others and all others learn from it.  So what is unknown hides races and never makes one. */
#ifndef HD_RUNTIME_KERNEL_CHANNEL_H
#define HD_RUNTIME_KERNEL_CHANNEL_H

#include "runtime/kernel/shared_state.h"

/* ---- what there is: the caller has just made it, at its turn ---------------------------- */

void hd_channel_pair(int a, int b);
void hd_channel_alone(int fd, bool counts); /* counts: an eventfd or a timer; else a set of epoll's */
void hd_channel_listens(int fd);
/* The room of this channel is no longer what it was. */
void hd_channel_narrow(int fd);
/* Descriptors have been received: nobody knows what they are. */
void hd_channel_received(int fd);

/* ---- what an operation has done: between its turn and hd_channel_flow ------------------- */

/* It is its turn.  Unless something else is said below, C4 holds. */
void hd_channel_turn(void);
/* It is on this descriptor. */
void hd_channel_at(int fd);
/* It was a write of so much, where that is not what the call returns: to an eventfd. */
void hd_channel_adds(uint64_t amount);
/* It has read there (POLLIN), written (POLLOUT) or closed it (0), with that result. */
void hd_channel_did(short events, long result);
/* It has shut it down, so that it ends at both sides. */
void hd_channel_shut(void);
/* It has told nobody anything, yet. */
void hd_channel_nothing(void);
/* It has seen that fd is ready (POLLIN …).  After hd_channel_nothing, and again for others. */
void hd_channel_looked(int fd, short events);
/* It has seen how much is in fd, of what was written to it or at it. */
void hd_channel_counted(int fd);
void hd_channel_waited_for(int set);
/* It has told a set to watch fd (-1: something else about the set). */
void hd_channel_watches(int set, int fd);
/* It has connected fd; it has accepted fd. */
void hd_channel_connected(int fd);
void hd_channel_accepted(int fd);
/* An operation of another kind, which has just ended, has made fd ready, or what it tells. */
void hd_channel_made_ready(int fd, uint64_t pc);
/* It sends a signal to this process, or has taken one. */
void hd_channel_signal(bool sends);

/* The operation has taken effect (instead of hd_done). */
void hd_channel_flow(uint64_t value, unsigned flags);

#endif
