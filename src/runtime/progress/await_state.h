/* SPDX-License-Identifier: BSD-2-Clause
 *
 * await_state.h - the state in which a thread reaches an operation of a waiting loop (await.h, A1). */
#ifndef HD_RUNTIME_PROGRESS_AWAIT_STATE_H
#define HD_RUNTIME_PROGRESS_AWAIT_STATE_H

#include "runtime/core/object.h"
#include "runtime/core/thread_state.h"

/* Returns the number of bytes of memory that the next operation of the running thread accesses. */
uint8_t hd_await_size(enum hd_kind kind);

/* Returns a hash of the operation that t is about to announce and of t's state.  Registers and words that can no
 * longer matter (liveness.h) are left out.  0: the state is not known. */
uint64_t hd_await_state(const struct hd_thread *t, enum hd_kind kind, const struct hd_obj *o, uint64_t pc);

/* t is about to announce an operation that returns to pc, as for hd_await_state.  Returns true if these bytes,
 * which are in no stack, can no longer matter. */
bool hd_await_is_dead(const struct hd_thread *t, uint64_t pc, uintptr_t addr, unsigned size);

/* Call when the running thread is about to announce an atomic operation on this memory.  If the operation touches
 * words that were left out or found dead, the search makes no claim (liveness.h, V3). */
void hd_await_own_memory(const struct hd_thread *t, uintptr_t addr, unsigned size);

#endif
