/* SPDX-License-Identifier: BSD-2-Clause
 *
 * misc.h - identities of the running thread as the target sees them. */
#ifndef HD_RUNTIME_CALLS_MISC_H
#define HD_RUNTIME_CALLS_MISC_H

#include <sys/types.h>

#include "runtime/core/rt.h"
#include "runtime/kernel/pids.h"

/* What gettid gives: the process id in main, as natively, and a number that
 * depends on the thread's slot alone elsewhere. */
pid_t hd_virtual_tid(void);

/* Name and other attributes of threads (priority.c): before the first execution; of a
 * new thread, and when its creation has been recorded; of one from before main; by prctl. */
void hd_attributes_init(void);
void hd_attributes_inherit(const struct hd_thread *parent, const struct hd_thread *t);
void hd_attributes_created(uint64_t pc);
void hd_attributes_early_name(const struct hd_thread *t, const char *name);
int hd_attributes_set_name(const char *name, uint64_t pc);
int hd_attributes_get_name(char *buf, uint64_t pc);

/* The running thread's name in reports, cut where it is too long; 0. */
int hd_set_name(const char *name);

/* The program maps memory that others may see: that cannot be put back in process. */
void hd_maps_shared_memory(void);

/* A signal may arrive now, or is waited for: the running thread's mask counts. */
void hd_signal_use_mask(void);

#endif
