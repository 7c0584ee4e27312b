/* SPDX-License-Identifier: BSD-2-Clause
 *
 * meeting.h - the test of a barrier: THREADS threads meet PHASES times.
 *
 * Claim: behind the n'th meeting every thread sees what all did before it.  That is plain, so
 * that a barrier which lets a thread pass early is a data race even where the thread
 * happens to find everything done.  The including file defines meet first, which gets
 * the number of the thread. */
#ifndef MEETING_H
#define MEETING_H

enum { PHASES = 2 };

static int done[PHASES][THREADS];

static void *come_and_go(void *arg)
{
    int me = number_of(arg);

    for (int phase = 0; phase < PHASES; phase++) {
        done[phase][me] = 1;
        meet(me);
        for (int i = 0; i < THREADS; i++)
            assert(done[phase][i] == 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(come_and_go, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    return 0;
}

#endif
