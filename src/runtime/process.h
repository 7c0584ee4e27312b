/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.h - state of the process outside its memory: descriptors, loaded
 * objects. */
#ifndef HD_RUNTIME_PROCESS_H
#define HD_RUNTIME_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* First of all, while the process has one thread: what follows takes no time then. */
void hd_process_make_room(void);
/* A copy of a descriptor, with a number that the target does not come upon. */
long hd_process_high(long fd);
/* Remember it as it is before the first execution. */
void hd_process_note(void);
/* Where a new mapping of the running thread goes: an address that depends on its
 * own history only; NULL when there is no room.  It is unmapped afterwards. */
void *hd_process_place(size_t n);
/* Unmap what was placed; only when hd.maps_used says so. */
void hd_process_unmap(void);
/* Does the range lie where such mappings are? */
bool hd_process_is_placed(const void *addr, size_t n);
/* Put the descriptors back. */
void hd_process_restore(void);
/* Put signal dispositions and mask, directory and umask back; only when
 * hd.state_changed says that there is something to do. */
void hd_kernel_restore(void);
/* Were objects loaded since (dlopen, also libc's own)? */
bool hd_process_has_grown(void);

#endif
