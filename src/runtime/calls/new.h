/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new.h - what operator new passes to malloc: an injected fault, and its caller. */
#ifndef HD_RUNTIME_CALLS_NEW_H
#define HD_RUNTIME_CALLS_NEW_H

#include "base/check.h"
#include "runtime/core/state.h"

/* State of the allocation that operator new of the C++ library is about to make: no decision,
 * decided to succeed, decided to fail.  One operator new may call another one.  Only the outermost
 * one decides. */
enum hd_new { HD_NEW_NONE, HD_NEW_ASKED, HD_NEW_FAILS };

/* True if the allocation that is made now must fail.  Clears the decision: if a new-handler tries
 * again, the next allocation does not fail for the same reason. */
static inline bool hd_new_fails(void)
{
    if (HD_LIKELY(hd.cur == NULL || hd.cur->new_next == HD_NEW_NONE))
        return false;
    bool fails = hd.cur->new_next == HD_NEW_FAILS;

    hd.cur->new_next = HD_NEW_NONE;
    return fails;
}

/* Returns the place of the allocation that is made now: the caller of operator new if it allocates,
 * otherwise pc.  A block belongs to the user's line and not to the one place in the C++ library. */
static inline uint64_t hd_new_caller(uint64_t pc)
{
    if (HD_LIKELY(hd.cur == NULL || hd.cur->new_pc == 0))
        return pc;
    pc = hd.cur->new_pc;
    hd.cur->new_pc = 0;
    return pc;
}

#endif
