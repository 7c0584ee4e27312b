/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.h - state of the process outside its memory: descriptors, loaded
 * objects. */
#ifndef HD_RUNTIME_RESTORE_PROCESS_H
#define HD_RUNTIME_RESTORE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* First of all, while the process has one thread: what follows takes no time then. */
void hd_process_make_room(void);
/* A copy of a descriptor, with a number that the target does not come upon. */
long hd_process_high(long fd);
/* The descriptor of /proc, with a name under which the target's own root does not matter; -1 none. */
long hd_process_proc(void);
/* All open descriptors, in order, at most cap of them; how many. */
unsigned hd_process_descriptors(int *out, unsigned cap);
/* Did the target have it before the first execution, or get it from one?  Otherwise it is ours. */
bool hd_process_is_targets(int fd);
/* Remember it as it is before the first execution. */
void hd_process_note(void);
/* Where a new mapping of the running thread goes: an address that depends on its
 * own history only; NULL when there is no room.  It is unmapped afterwards. */
void *hd_process_place(size_t n);
/* The same below 2 GB. */
void *hd_process_place_low(size_t n);
/* The execution has mapped memory at an address of its own choice, where nothing was, or
 * only memory of its own: it is unmapped afterwards.  False: there is no room to note it. */
bool hd_process_note_mapping(const void *addr, size_t n);
/* The program's break is about to move: it is moved back afterwards. */
void hd_process_note_break(void);
uintptr_t hd_process_break_before(void); /* 0: it was not moved */
/* Is it the runtime's own memory? */
bool hd_process_is_own(uintptr_t addr);
/* Unmap what was placed; only when hd.maps_used says so. */
void hd_process_unmap(void);
/* Does the range lie where such mappings are? */
bool hd_process_is_placed(const void *addr, size_t n);
/* Put the descriptors back. */
void hd_process_restore(void);
/* Put back what the target's open files have in common with all copies of them, also those of a
 * process that has ended: positions and flags. */
void hd_process_rewind(void);
/* Give the machine its names back, if a process that has ended has changed them. */
void hd_process_rename_host(void);
/* Put signal dispositions and mask, directory and umask back; only when
 * hd.state_changed says that there is something to do. */
void hd_kernel_restore(void);
/* The part of it that is about limits. */
void hd_limits_restore(void);
/* Were objects loaded since (dlopen, also libc's own)? */
bool hd_process_has_grown(void);

#endif
