/* SPDX-License-Identifier: BSD-2-Clause
 *
 * witness.h - a race is happening again, in a replay: who looks at its accesses.
 *
 * The race detector keeps of an access its pc and its segment, no more: that is what
 * makes it cheap.  An execution depends on its schedule only, so the stack of the
 * first access, its exact place among the events, the values around it and the
 * allocation of the block are all had by running the schedule once more. */
#ifndef HD_RUNTIME_WATCH_WITNESS_H
#define HD_RUNTIME_WATCH_WITNESS_H

#include "runtime/core/rt.h"

/* All of these only when hd.witness is set, in the thread that runs. */
void hd_witness_access(uintptr_t addr, size_t size, bool write, uint64_t pc);
void hd_witness_event(const struct hd_event *e);
void hd_witness_race(const struct hd_race *race);
/* The running thread has created that one. */
void hd_witness_created(hd_tid tid, uint64_t pc);
void hd_witness_allocated(const void *p, size_t size, uint64_t pc);

#endif
