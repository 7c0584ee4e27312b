/* SPDX-License-Identifier: BSD-2-Clause
 *
 * intercept_new.h - the way of an injected fault from operator new to malloc. */
#ifndef HD_RUNTIME_INTERCEPT_NEW_H
#define HD_RUNTIME_INTERCEPT_NEW_H

#include "runtime/rt.h"

/* By tid: the allocation that the library's operator new is about to make fails. */
extern bool hd_new_failing[HD_MAX_THREADS] __attribute__((visibility("hidden")));

/* Is this that allocation?  Only once: a new-handler may try again. */
static inline bool hd_new_fails(void)
{
    if (HD_LIKELY(hd.cur == NULL || !hd_new_failing[hd.cur->tid]))
        return false;
    hd_new_failing[hd.cur->tid] = false;
    return true;
}

#endif
