/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_misc.h - identities of the running thread as the target sees them. */
#ifndef HD_RUNTIME_INTERCEPT_MISC_H
#define HD_RUNTIME_INTERCEPT_MISC_H

#include <sys/types.h>

#include "runtime/pids.h"

/* What gettid gives: the process id in main, as natively, and a number that
 * depends on the thread's slot alone elsewhere. */
pid_t hd_virtual_tid(void);

/* The running thread's name, cut where it is too long; 0. */
int hd_set_name(const char *name);

/* The program maps memory that others may see: that cannot be put back in process. */
void hd_maps_shared_memory(void);

/* A signal may arrive now, or is waited for: the running thread's mask counts. */
void hd_signal_use_mask(void);

#endif
