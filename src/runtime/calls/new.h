/* SPDX-License-Identifier: BSD-2-Clause
 *
 * new.h - the way of an injected fault from operator new to malloc. */
#ifndef HD_RUNTIME_CALLS_NEW_H
#define HD_RUNTIME_CALLS_NEW_H

#include "runtime/core/rt.h"

/* What becomes of the allocation that the library's operator new is about to make.  One
 * operator new may be made of another: only the first one asks. */
enum hd_new { HD_NEW_NONE, HD_NEW_ASKED, HD_NEW_FAILS };

/* Does the allocation fail that comes now?  Only once: a new-handler may try again. */
static inline bool hd_new_fails(void)
{
    if (HD_LIKELY(hd.cur == NULL || hd.cur->new_next == HD_NEW_NONE))
        return false;
    bool fails = hd.cur->new_next == HD_NEW_FAILS;

    hd.cur->new_next = HD_NEW_NONE;
    return fails;
}

#endif
