/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.c - virtual time.  It starts again in each execution.  Every reading of a clock advances it
 * a little (so that a loop that waits for the clock ends), and every sleep and time-out advances it
 * to its end.
 *
 * A thread that reads a clock repeatedly without doing anything else waits for time to pass: each
 * such reading advances the clock twice as far as the one before. */
#include "runtime/core/time.h"

#include "runtime/core/rt.h"

enum { LOOK_NS = 1000, LOOK_MAX_SHIFT = 20 };

/* While only one thread sleeps and reads clocks, the values depend on that thread only.  With a
 * second thread they depend on the order of the two, which no event records. */
void hd_time_touch(bool read)
{
    if (hd.cur == NULL || hd.exec->nthreads < 2)
        return;
    if (hd.clock_user == HD_NO_TID)
        hd.clock_user = hd.cur->tid;
    hd.clock_shared |= hd.clock_user != hd.cur->tid;
    hd.clock_read |= read;
    if (hd.clock_shared && hd.clock_read)
        hd_fact(HD_FACT_CLOCK);
}

void hd_time_pass(uint64_t ns)
{
    hd_time_touch(false);
    hd.now_ns += ns;
}

uint64_t hd_time_zero(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        return (uint64_t)HD_EPOCH_SECONDS * UINT64_C(1000000000);
    default:
        return UINT64_C(1000000000); /* as if the machine had been up for a second */
    }
}

uint64_t hd_time_of(clockid_t clock)
{
    uint64_t progress = hd.cur != NULL ? hd.cur->progress : 0;

    if (hd.cur != NULL)
        hd.cur->opaque++;
    hd_time_touch(false);
    if (progress != hd.look_progress)
        hd.looks = 0;
    hd.look_progress = progress;
    hd.now_ns += (uint64_t)LOOK_NS << hd.looks;
    hd.looks += hd.looks < LOOK_MAX_SHIFT;
    return hd_time_zero(clock) + hd.now_ns;
}
