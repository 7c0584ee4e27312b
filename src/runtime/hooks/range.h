/* SPDX-License-Identifier: BSD-2-Clause
 *
 * range.h - accesses to a range of bytes by functions of libc, on behalf of the target. */
#ifndef HD_RUNTIME_HOOKS_RANGE_H
#define HD_RUNTIME_HOOKS_RANGE_H

#include "runtime/core/rt.h"
#include "runtime/sys/image.h"
#include "runtime/watch/predict.h"

/* True if a controlled thread is running and the call comes from the target or its libraries, not
 * from the runtime on the target's behalf. */
static inline bool hd_watched(uint64_t pc)
{
    return HD_UNLIKELY(hd.cur != NULL || hd.aside != NULL) && !hd_image_has(pc);
}

/* Calls by code that is not instrumented are accesses, too, but may be ordered by its
 * own atomics, which no hook sees: no race is reported then. */
static inline void hd_range(const void *p, size_t n, bool write, uint64_t pc)
{
    if (n == 0)
        return;
    hd_plain_ordered((uintptr_t)p, n, write, pc);
    if (!hd.races || !hd_race_sees(pc))
        return;
    uintptr_t addr = hd_canonical((uintptr_t)p);

    hd_race_plain(addr, n, write, pc);
    if (HD_UNLIKELY(hd.access_mode & HD_MODE_PREDICT))
        hd_predict_plain(addr, n, write, pc);
}

#endif
