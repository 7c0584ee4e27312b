/* SPDX-License-Identifier: BSD-2-Clause
 *
 * callbacks.h - what the lower layers call in the layers above them.
 *
 * There is one table, a constant that worker/callbacks.c defines.  A call through it costs one
 * load more than a direct one.  Where a call is rare, the caller tests a flag of its own first. */
#ifndef HD_RUNTIME_CORE_CALLBACKS_H
#define HD_RUNTIME_CORE_CALLBACKS_H

#include "runtime/core/rt.h"

struct hd_callbacks {
    void (*attached)(void); /* the process is under Heddle, and no constructor has run */
};

extern const struct hd_callbacks hd_callbacks __attribute__((visibility("hidden")));

#endif
