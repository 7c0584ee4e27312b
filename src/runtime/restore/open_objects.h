/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open_objects.h - what the target's descriptors refer to: a fork shares it with its parent, and so the changes of an
 * execution stay when its process has ended.
 *
 * D1  A record is a hash of all that a process can see of these objects: which they are, flags, position, locks,
 *     counter of an eventfd, members of an epoll set, options of a socket, whether it is ready for reading or writing.
 * D2  Contents are not compared.  So a record is only usable if there are none: nothing to be read in pipes and
 *     sockets, no connection that waits, nothing ready in an epoll set.  The first usable record keeps what is needed to
 *     restore counters and members.
 * D3  Not usable are other kinds of objects (timers, inotify, memory files), edge-triggered members of epoll sets, sockets
 *     of other families than AF_UNIX, and shared mappings that can be written. */
#ifndef HD_RUNTIME_RESTORE_OPEN_OBJECTS_H
#define HD_RUNTIME_RESTORE_OPEN_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Stores the hash.  Returns NULL, or what makes the record unusable. */
const char *hd_open_objects_take(uint64_t *hash);

/* Takes away what can be read, and restores counters and members of epoll sets, as far as hd_open_objects_take has
 * recorded them first.  Whether all is as it was then, another record shows. */
void hd_open_objects_settle(void);

/* True if the target has a shared mapping that can be written (D3). */
bool hd_open_objects_shares_memory(void);

#endif
