/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rw_spin - a read-write lock in one word: how many read, or that a thread writes.
 *
 * Claim: a reader sees both halves alike, and no writing is lost.  The halves are plain.
 * CHECK_THEN_ADD: a reader sees that no thread writes and then counts itself in.
 * READERS_UNSEEN: a writer looks for other writers only. */
#include "../program.h"

#include <sched.h>

enum { WRITER = 1000, WRITERS = 2 };

static int state;
static int left, right;

static bool try_to_read(int seen)
{
    if (seen >= WRITER)
        return false;
#ifdef CHECK_THEN_ADD
    atomic_add(state, 1);
    return true;
#else
    return atomic_cas(state, seen, seen + 1);
#endif
}

static bool try_to_write(void)
{
#ifdef READERS_UNSEEN
    int seen = atomic_read(state);

    return seen < WRITER && atomic_cas(state, seen, seen + WRITER);
#else
    return atomic_cas(state, 0, WRITER);
#endif
}

static void *reader(void *arg)
{
    while (!try_to_read(atomic_read(state)))
        sched_yield();
    assert(left == right);
    atomic_add(state, -1);
    return arg;
}

static void *writer(void *arg)
{
    while (!try_to_write())
        sched_yield();
    left++;
    right++;
    atomic_add(state, -WRITER);
    return arg;
}

int main(void)
{
    pthread_t reads = spawn(reader), writers[WRITERS];

    for (int i = 0; i < WRITERS; i++)
        writers[i] = spawn(writer);
    join(reads);
    for (int i = 0; i < WRITERS; i++)
        join(writers[i]);
    assert(left == WRITERS);
    return 0;
}
