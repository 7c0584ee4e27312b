/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new.h - passes an injected fault from operator new to malloc. */
#ifndef HD_RUNTIME_CALLS_NEW_H
#define HD_RUNTIME_CALLS_NEW_H

#include "runtime/core/rt.h"

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

#endif
