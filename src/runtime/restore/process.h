/* SPDX-License-Identifier: BSD-2-Clause
 *
 * process.h - state of the process outside its memory: descriptors, placed mappings, loaded
 * objects. */
#ifndef HD_RUNTIME_RESTORE_PROCESS_H
#define HD_RUNTIME_RESTORE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What this execution has changed outside its memory.  The interposers set the fields.  After the execution
 * worker.c restores what they name, and clears io; hd_process_unmap and hd_kernel_restore clear the other fields. */
struct hd_changes {
    uint32_t io; /* descriptors may have changed: check them */
    bool maps;   /* mappings */
    bool kernel; /* signal dispositions, limits, directory or umask (calls/signal.c) */
};
extern struct hd_changes hd_changes __attribute__((visibility("hidden")));

/* Call first, while the process has one thread: then the kernel enlarges the descriptor table quickly. */
void hd_process_make_room(void);
/* Returns a copy of fd with a high number, which the target does not use. */
long hd_process_high(long fd);
/* The descriptor of /proc, which works under any root directory of the target; -1 if there is none. */
long hd_process_proc(void);
/* Stores the open descriptors in ascending order, at most cap, into out.  Returns their number. */
unsigned hd_process_descriptors(int *out, unsigned cap);
/* True if fd belongs to the target: it was open before the first execution, or an execution has
 * opened it.  Otherwise it is the runtime's. */
bool hd_process_is_targets(int fd);
/* True if fd was open before the first execution. */
bool hd_process_is_inherited(int fd);
/* Records the state of the process before the first execution. */
void hd_process_note(void);
/* Returns an address for a new mapping of the running thread, or NULL if there is no room.  It
 * depends only on the thread's own history.  The mapping is removed after the execution. */
void *hd_process_place(size_t n);
/* Like hd_process_place, for a mapping below 2 GB. */
void *hd_process_place_low(size_t n);
/* Call when the execution has mapped memory at an address of its own choice, over nothing or over
 * its own memory.  The mapping is removed after the execution.  Returns false if there is no room
 * to record it. */
bool hd_process_note_mapping(const void *addr, size_t n);
/* Call when the program break is about to move.  The runtime moves it back after the execution. */
void hd_process_note_break(void);
uintptr_t hd_process_break_before(void); /* 0: the break has not moved */
/* True if addr is the runtime's own memory. */
bool hd_process_is_own(uintptr_t addr);
/* Unmaps the placed mappings.  Needed only if hd_changes.maps is set. */
void hd_process_unmap(void);
/* True if the range lies where hd_process_place puts mappings. */
bool hd_process_is_placed(const void *addr, size_t n);
/* Restores the descriptors. */
void hd_process_restore(void);
/* Restores positions and flags of the target's open files.  They are shared with all duplicates,
 * including those of processes that have ended. */
void hd_process_rewind(void);
/* Restores the host and domain name if an ended process has changed them. */
void hd_process_rename_host(void);
/* Restores signal dispositions, signal mask, directory and umask.  Needed only if hd_changes.kernel
 * is set. */
void hd_kernel_restore(void);
/* Restores the resource limits only. */
void hd_limits_restore(void);
/* True if objects were loaded since hd_process_note (by dlopen or by libc itself). */
bool hd_process_has_grown(void);

#endif
