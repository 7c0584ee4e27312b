/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fault.h - injects faults on request (--faults).  Operations that may fail call hd_fault before they are
 * announced. */
#ifndef HD_RUNTIME_WATCH_FAULT_H
#define HD_RUNTIME_WATCH_FAULT_H

#include "base/check.h"
#include "runtime/core/ledger.h"
#include "runtime/core/object.h"
#include "runtime/core/state.h"
#include "wire/wire.h"

/* Call when an execution begins. */
void hd_fault_begin(void);

/* Slow part of hd_fault and hd_fault_alloc, when that fault is requested. */
bool hd_fault_choose(enum hd_fault f, enum hd_kind kind, uint32_t obj, uint32_t what, uint64_t pc);
/* Decides about a fault of <heddle/mail.h>; number: enum heddle_fault.  Returns whether the fault happens now, or -1
 * if the user has not requested this fault. */
int hd_fault_of_mail(unsigned number, uint64_t pc);

/* Sets the kind of the choice, and the behaviour of C11 that remains untried without the fault (0: none). */
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

/* True if the fault happens now. o: the object that the thread is about to use, or NULL. */
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
    return hd_fault_choose(f, kind, o != NULL ? o->id : 0, 0, pc);
}

/* True if this allocation fails.  Only allocations by the program's own code do. */
bool hd_fault_alloc_slow(enum hd_alloc_call call, uint64_t pc);

static inline bool hd_fault_alloc(enum hd_alloc_call call, uint64_t pc)
{
    return HD_UNLIKELY(hd.cur != NULL && (hd.cfg->faults & HD_FAULT_MALLOC) != 0) &&
           hd_fault_alloc_slow(call, pc);
}

#endif
