/* SPDX-License-Identifier: BSD-2-Clause
 *
 * access.c - atomic operations of instrumented code as visible operations. */
#include "runtime/early.h"
#include "runtime/poll.h"

/* Of an odd size, that of its largest aligned part. */
static inline unsigned log2_of(unsigned size)
{
    unsigned log2 = (unsigned)__builtin_ctz(size);

    return log2 < HD_EVF_SIZE_MAX ? log2 : HD_EVF_SIZE_MAX;
}

bool hd_atomic_enter(enum hd_kind kind, const volatile void *addr, unsigned size, int order,
                     uint64_t pc)
{
    if (hd.cur == NULL) {
        if (HD_UNLIKELY(hd_early_waiting != 0) && kind == HD_EV_ATOMIC_LOAD)
            hd_early_loaded();
        return false;
    }
    hd_op(kind, hd_object(addr, HD_OBJ_MEMORY), NULL, pc);
    hd_memcheck((uintptr_t)addr, size, kind != HD_EV_ATOMIC_LOAD, pc, hd.stack_lo, hd.stack_len);
    uint64_t *head = (uint64_t *)(void *)hd_pending(); /* by the word: see hd_event_set */

    *head |= (uint64_t)(uint16_t)order << 48 | (uint64_t)log2_of(size) << (24 + HD_EVF_SIZE_SHIFT);
    return true;
}

void hd_atomic_leave(uint64_t value, unsigned flags)
{
    hd_done(value, flags);
}

void hd_atomic_leave_from(uint64_t before, uint64_t value, unsigned flags)
{
    uint64_t *objects = (uint64_t *)(void *)&hd_pending()->obj;

    *objects |= (uint64_t)hd_event_value_hash(before) << 32;
    hd_done(value, flags);
}
