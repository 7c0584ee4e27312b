/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - faults on request (--faults): places where something may go wrong ask here,
 * before they announce an operation. */
#ifndef HD_RUNTIME_WATCH_FAULT_H
#define HD_RUNTIME_WATCH_FAULT_H

#include "runtime/core/rt.h"

/* Part of hd_fault and hd_fault_alloc, once it is clear that the fault is asked for. */
bool hd_fault_choose(enum hd_kind kind, uint32_t obj, uint32_t what, uint64_t pc);

/* The kind of its choice, and what C11 allows that is not tried without it (0: nothing). */
static inline void hd_fault_is(enum hd_fault f, enum hd_kind *kind, uint32_t *untried)
{
    *kind = f == HD_FAULT_TRYLOCK ? HD_EV_FAULT_TRYLOCK
            : f == HD_FAULT_CAS   ? HD_EV_FAULT_CAS
            : f == HD_FAULT_EINTR ? HD_EV_FAULT_EINTR
                                  : HD_EV_FAULT_WAKEUP;
    *untried = f == HD_FAULT_TRYLOCK ? HD_UNTRIED_TRYLOCK
               : f == HD_FAULT_CAS   ? HD_UNTRIED_WEAK_CAS
               : f == HD_FAULT_EINTR ? 0
                                     : HD_UNTRIED_WAKEUP;
}

/* Does it go wrong now?  o: what the thread is about to use; NULL: nothing with a name. */
static inline bool hd_fault(enum hd_fault f, const struct hd_obj *o, uint64_t pc)
{
    enum hd_kind kind;
    uint32_t untried;

    hd_fault_is(f, &kind, &untried);
    if (HD_LIKELY(!(hd.cfg->faults & f))) {
        if (untried != 0)
            hd_untried((enum hd_untried)untried);
        return false;
    }
    return hd_fault_choose(kind, o != NULL ? o->id : 0, 0, pc);
}

/* Does this allocation fail?  Only what the program's own code asks for does. */
bool hd_fault_alloc_slow(enum hd_alloc_call call, uint64_t pc);

static inline bool hd_fault_alloc(enum hd_alloc_call call, uint64_t pc)
{
    return HD_UNLIKELY(hd.cur != NULL && (hd.cfg->faults & HD_FAULT_MALLOC) != 0) &&
           hd_fault_alloc_slow(call, pc);
}

#endif
