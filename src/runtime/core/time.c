/* SPDX-License-Identifier: BSD-2-Clause
 *
 * time.c - virtual time.  It starts again in each execution.  Every reading of a clock advances it
 * a little (so that a loop that waits for the clock ends), and every sleep and time-out advances it
 * to its end.
 *
 * A thread that reads a clock repeatedly without doing anything else waits for time to pass: each
 * such reading advances the clock twice as far as the one before.
 *
 * A thread that does something else between its readings may poll with a time limit.  At a microsecond per
 * reading, a limit of one second would take a million rounds.  Therefore a reading advances the clock twice as far
 * after every 64 readings of its thread, up to about a millisecond.  This looks like a slow machine: a limit of
 * one second takes fewer than 2,000 rounds, and 1,000 readings for other reasons take half a second. */
#include "runtime/core/time.h"

#include "runtime/core/ledger.h"
#include "runtime/core/state.h"

uint64_t hd_now_ns;

static uint64_t main_ns; /* virtual time at which main begins */

/* In this execution: */
static uint64_t read_progress; /* progress of the thread that read a clock last, at that time */
static uint32_t reads;         /* readings of a clock since that progress */
static hd_tid first_user;      /* first thread that slept or read a clock while several threads existed */
static bool shared;            /* another thread slept or read a clock, too */
static bool was_read;          /* one of these threads has read a clock */

enum {
    READ_NS = 1000,
    READ_MAX_SHIFT = 20, /* maximum power of two, for readings without progress */
    READS_PER_SHIFT = 64, /* readings after which the power of two grows, for readings with progress */
    READS_MAX_SHIFT = 10,
};

void hd_time_start(void)
{
    main_ns = hd_now_ns;
}

void hd_time_begin(void)
{
    hd_now_ns = main_ns;
    read_progress = 0;
    reads = 0;
    first_user = HD_NO_TID;
    shared = was_read = false;
}

/* While only one thread sleeps and reads clocks, the values depend on that thread only.  With a
 * second thread they depend on the order of the two, which no event records. */
void hd_time_touch(bool read)
{
    if (hd.cur == NULL || hd.exec->nthreads < 2)
        return;
    if (first_user == HD_NO_TID)
        first_user = hd.cur->tid;
    shared |= first_user != hd.cur->tid;
    was_read |= read;
    if (shared && was_read)
        hd_fact(HD_FACT_CLOCK);
}

void hd_time_pass(uint64_t ns)
{
    hd_time_touch(false);
    hd_now_ns += ns;
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

/* If a thread has made progress since it last read the clock, reading it again advances the clock by
 * READ_NS << n nanoseconds.  Returns n. */
static uint32_t polling_shift(struct hd_thread *t)
{
    uint32_t shift = t->clock_reads++ / READS_PER_SHIFT;

    return shift < READS_MAX_SHIFT ? shift : READS_MAX_SHIFT;
}

uint64_t hd_time_of(clockid_t clock)
{
    uint64_t progress = hd.cur != NULL ? hd.cur->progress : 0;
    uint32_t shift = hd.cur != NULL ? polling_shift(hd.cur) : 0;

    if (hd.cur != NULL)
        hd.cur->loop.opaque++;
    hd_time_touch(false);
    if (progress != read_progress)
        reads = 0;
    read_progress = progress;
    hd_now_ns += (uint64_t)READ_NS << (reads > shift ? reads : shift);
    reads += reads < READ_MAX_SHIFT;
    return hd_time_zero(clock) + hd_now_ns;
}
