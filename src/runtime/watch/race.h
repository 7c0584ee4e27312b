/* SPDX-License-Identifier: BSD-2-Clause
 *
 * race.h - the race detector (detect/race.h) inside the target. */
#ifndef HD_RUNTIME_WATCH_RACE_H
#define HD_RUNTIME_WATCH_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "detect/lines.h"
#include "detect/race.h"

/* The address is a constant because hooks are short of registers. */
#define HD_LINES_AT ((struct hd_lines *)UINT64_C(0x5e0000000000))

extern struct hd_races hd_races __attribute__((visibility("hidden")));

/* Passes an event to the race detector.  Call only while hd.races.  addr: the address of its object. */
void hd_race_event(const struct hd_event *e, uintptr_t addr);

/* The running thread uses the object at addr in the heap, besides the one of its event. */
void hd_race_use(uintptr_t addr, uint64_t pc);

/* Call when a transaction of the running thread that touches this unit of 4 bytes begins (enter), when it has made
 * this access to some bytes of the unit (bits), and when it ends (leave). */
void hd_race_tx_enter(uintptr_t unit, bool write);
void hd_race_tx_access(uintptr_t unit, unsigned bytes, bool write, uint64_t pc);
void hd_race_tx_leave(uintptr_t unit, bool write);
/* Call when the running thread has made this atomic operation, so that transactions find it by its units. */
void hd_race_tx_atomic(const struct hd_event *e, uintptr_t addr);

/* Call before the thread makes an atomic operation on the object: saves the state of the detector that this
 * operation may change. hd_race_restore restores it (progress/await.h, A2). */
void hd_race_save(hd_tid tid, uint32_t obj);
void hd_race_restore(void);
/* Checks a plain access of a controlled thread for races.  addr must be the canonical address. */
void hd_race_plain(uintptr_t addr, size_t size, bool write, uint64_t pc);
/* Checks the free of a block by the running thread for races.  The whole block counts as written,
 * except, beyond its first pages, memory that no thread has used. */
void hd_race_free(uintptr_t addr, size_t size, uint64_t pc);
/* Returns true if the detector has dropped data that may matter for a race.  The execution must
 * then be run again instead of judged (detect/lines.h, L4). */
bool hd_race_is_unsure(void);
/* Returns true if Heddle sees all synchronisation of the code at pc, so that its accesses can be
 * checked for races.  The C++ library orders accesses to its own variables by atomics that are not seen. */
bool hd_race_sees(uint64_t pc, uintptr_t addr);

/* Ends the checks of this execution. */
void hd_race_end(void);
/* Call when the program loads a library, which may have been compiled for another standard. */
void hd_race_loads(void);

/* Call when the worker is gone.  Returns true if its execution is to be run again instead of being
 * reported. */
bool hd_race_needs_rerun(void);

#endif
