/* SPDX-License-Identifier: BSD-2-Clause
 *
 * test_and_set - a spin lock that is read until it is free and then exchanged.
 *
 * Claim: section.h.  TEST_THEN_SET: found free, it is set without looking whether it
 * still was.  RELAXED: a thread that leaves releases nothing of what was done inside. */
#include "../program.h"

#include <sched.h>

static int locked;

static void enter(int me)
{
    (void)me;
    for (;;) {
        while (atomic_read(locked))
            sched_yield();
#ifdef TEST_THEN_SET
        atomic_write(locked, 1);
        return;
#else
        if (!atomic_swap(locked, 1))
            return;
#endif
    }
}

static void leave(int me)
{
    (void)me;
#ifdef RELAXED
    visible_write(locked, 0);
#else
    release_write(locked, 0);
#endif
}

#include "section.h"
