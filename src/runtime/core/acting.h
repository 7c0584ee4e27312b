/* SPDX-License-Identifier: BSD-2-Clause
 *
 * acting.h - calls that one interposer makes on behalf of another. */
#ifndef HD_RUNTIME_CORE_ACTING_H
#define HD_RUNTIME_CORE_ACTING_H

#include "base/check.h"
#include "runtime/core/state.h"
#include "runtime/sys/image.h"

/* By tid: while an interposer of the runtime calls another interposer, the pc of the call in the target's
 * code; otherwise 0. */
extern uint64_t hd_acting_for[HD_MAX_THREADS] __attribute__((visibility("hidden")));

static inline void hd_act_for(uint64_t pc)
{
    hd_acting_for[hd.cur->tid] = pc;
}

static inline uint64_t hd_target_pc(uint64_t caller)
{
    if (HD_LIKELY(!hd_image_has(caller)) || hd.cur == NULL || hd_acting_for[hd.cur->tid] == 0)
        return caller;
    return hd_acting_for[hd.cur->tid];
}

#endif
