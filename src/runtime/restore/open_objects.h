/* SPDX-License-Identifier: BSD-2-Clause
 *
 * open_objects.h - the kernel objects to which the target's descriptors refer.  A fork shares them with its parent,
 * so the changes of an execution persist when its process has ended.
 *
 * D1  A record is a hash of everything that a process can see of these objects: identity, flags, position, locks, the
 *     counter of an eventfd, the members of an epoll set, the options of a socket, and whether it is ready for
 *     reading or writing.
 * D2  Contents are not compared.  So a record is usable only if there are none: no data in pipes and sockets, no
 *     connection to accept, nothing ready in an epoll set.  The first usable record also keeps the counters and
 *     members that are needed to restore them.
 * D3  A record is not usable if there are other kinds of objects (timers, inotify, memory files), edge-triggered
 *     members of epoll sets, sockets of families other than AF_UNIX, or writable shared mappings. */
#ifndef HD_RUNTIME_RESTORE_OPEN_OBJECTS_H
#define HD_RUNTIME_RESTORE_OPEN_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/* Stores the hash.  Returns NULL, or the reason why the record is not usable. */
const char *hd_open_objects_take(uint64_t *hash);

/* Discards data that can be read, and restores counters and members of epoll sets to those of the first record.
 * Another record shows whether everything is restored. */
void hd_open_objects_settle(void);

/* True if the target has a shared mapping that can be written (D3). */
bool hd_open_objects_shares_memory(void);

#endif
