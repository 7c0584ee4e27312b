/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plain_log.h - the plain accesses of a replay with the values that they read or wrote, for the
 * report (wire->witness.access).  A search does not pay for it: only a replay has hd.witness. */
#ifndef HD_RUNTIME_WATCH_PLAIN_LOG_H
#define HD_RUNTIME_WATCH_PLAIN_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Both functions are called in the running thread.  Precondition: hd.witness is set. */

/* The running thread makes this access immediately after the call. */
void hd_plain_log(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Reads the values that the last accesses have written.  Every hook calls this first: at that time these
 * writes have been made, and no later one has.  (Some calls note all accesses before they make them: see
 * witness.h.) */
void hd_plain_log_settle(void);

#endif
