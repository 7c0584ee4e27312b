/* SPDX-License-Identifier: BSD-2-Clause
 *
 * misc.h - identity and attributes of the running thread as the target sees them. */
#ifndef HD_RUNTIME_CALLS_MISC_H
#define HD_RUNTIME_CALLS_MISC_H

#include <sys/types.h>

#include "runtime/core/thread_state.h"
#include "runtime/kernel/pids.h"

/* Returns the result of gettid: in main the process id, as in a native run; in other threads a
 * number that depends on the thread's slot only. */
pid_t hd_virtual_tid(void);

/* Name and other attributes of threads (priority.c). init: call it before the first execution.
 * inherit: call it when parent has created t. created: call it when the creation of a thread has
 * been recorded. early_name: call it for a thread that was started before main and has this name.
 * set_name and get_name: prctl of the running thread; they return 0 or an error number. */
void hd_attributes_init(void);
void hd_attributes_inherit(const struct hd_thread *parent, const struct hd_thread *t);
void hd_attributes_created(uint64_t pc);
void hd_attributes_early_name(const struct hd_thread *t, const char *name);
int hd_attributes_set_name(const char *name, uint64_t pc);
int hd_attributes_get_name(char *buf, uint64_t pc);

/* Sets the running thread's name in reports; truncates a name that is too long.  Returns 0. */
int hd_set_name(const char *name);

/* Notes that the program maps memory that other processes may see.  Heddle cannot restore such
 * memory in process. */
void hd_maps_shared_memory(void);
/* Call when the running thread unmaps, moves or protects memory (map.c, I4). */
void hd_maps_other_memory(void);

/* Gives the running thread's signal mask to the kernel.  Call it before a signal may arrive or the
 * thread waits for one. */
void hd_signal_use_mask(void);

#endif
