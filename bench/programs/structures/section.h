/* SPDX-License-Identifier: BSD-2-Clause
 *
 * section.h - the test of a lock: THREADS threads enter a critical section ROUNDS times
 * each.
 *
 * Claim: a thread that is inside stays the owner, and no entry is lost.  The mark of the owner is
 * visible, so that a second thread inside can be seen; the count is plain, so that a lock
 * that orders nothing is a data race.  The including file defines enter and leave first,
 * both of which get the number of the thread. */
#ifndef SECTION_H
#define SECTION_H

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static int owner, entries;

static void *use_section(void *arg)
{
    int me = number_of(arg);

    for (int round = 0; round < ROUNDS; round++) {
        enter(me);
        visible_write(owner, me);
        entries++;
        assert(visible_read(owner) == me);
        leave(me);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        threads[i] = spawn_numbered(use_section, i);
    for (int i = 0; i < THREADS; i++)
        join(threads[i]);
    assert(entries == THREADS * ROUNDS);
    return 0;
}

#endif
