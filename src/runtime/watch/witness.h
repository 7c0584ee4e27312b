/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - observes the accesses of a race in a replay.
 *
 * To be cheap, the race detector keeps only pc and segment of an access.  An execution depends only
 * on its schedule, so running the schedule again yields the stack of the first access, its exact
 * position among the events, the values around it and the allocation of the block. */
#ifndef HD_RUNTIME_WATCH_WITNESS_H
#define HD_RUNTIME_WATCH_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "model/race.h"


/* Precondition of all these functions: hd.witness is set.  Call them in the running thread. */
void hd_witness_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Call the first function when a call of libc is about to note its accesses, the second when it has noted them
 * all.  The call makes the accesses only after that, so the values that it writes are read after the last one. */
void hd_witness_call_begins(void);
void hd_witness_call_noted(void);
void hd_witness_event(const struct hd_event *e);
void hd_witness_race(const struct hd_race *race);
/* Call when the running thread has created thread tid. */
void hd_witness_created(hd_tid tid, uint64_t pc);
void hd_witness_allocated(const void *p, size_t size, uint64_t pc);

#endif
