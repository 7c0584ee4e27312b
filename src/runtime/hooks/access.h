/* SPDX-License-Identifier: BSD-2-Clause
 *
 * access.h - atomic operations of the target. */
#ifndef HD_RUNTIME_HOOKS_ACCESS_H
#define HD_RUNTIME_HOOKS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"

/* An atomic operation.  hd_atomic_enter announces it and returns true when it has its turn.  It
 * returns false at once if the caller is not controlled; then do not call hd_atomic_leave.  The
 * caller performs the operation on memory.  hd_atomic_leave records it. */
bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc);
void hd_atomic_leave(uint64_t value, unsigned flags);
/* Like hd_atomic_leave, for an operation that may write.  before: the replaced value, or the value
 * that a compare-and-swap expected. */
void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags);

/* Records a compare-and-swap that found another value: it was a load with this order. */
void hd_atomic_leave_failed(uint64_t wanted, uint64_t found, int order);
/* Notes the memory order of the code at pc, even if this execution does not use it.  The verdict
 * names the code with an order weaker than sequentially consistent.  hd_atomic_enter calls this. */
void hd_atomic_look(int order, uint64_t pc);

#endif
