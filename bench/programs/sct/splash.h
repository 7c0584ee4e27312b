/* SPDX-License-Identifier: BSD-2-Clause
 *
 * splash.h - the frame of the three SPLASH-2 programs (SCT study, rows 46-48): main
 * is the first of two processors and starts the second.
 *
 * Claim: when main has done its share, all have ended.  Defect: the macro that
 * waits for the end was left empty in the port, so no thread joins.  The including
 * file defines compute(processor), which meets in `phase` between its phases, so
 * that nothing races but `ended`, which is visible.  It meets an odd number of
 * times: then main comes to the last meeting first, and without a preemption ends
 * last.
 * Fix: main joins. */
#ifndef SPLASH_H
#define SPLASH_H

#include "barrier.h"

enum { PROCESSORS = 2 };

static struct barrier phase = BARRIER_OF(PROCESSORS);
static int ended[PROCESSORS];

static void compute(int processor);

static void *processor(void *arg)
{
    compute(number_of(arg));
    visible_write(ended[number_of(arg)], 1);
    return NULL;
}

int main(void)
{
    pthread_t second = spawn_numbered(processor, 1);

    processor((void *)0);
#ifdef FIXED
    join(second);
#else
    (void)second;
#endif
    for (int i = 0; i < PROCESSORS; i++)
        assert(visible_read(ended[i]));
    return 0;
}

#endif
