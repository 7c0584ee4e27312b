/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seqlock - a reader copies two values and does so again if a writer, who counts before and
 * after, was there meanwhile.
 *
 * Claim: both values of a copy are of one writing.  They are visible (relaxed), as they have to
 * be.  NO_RECHECK: the count is not compared afterwards.  ODD_ACCEPTED: a copy is begun while a
 * writer is at work.  ONE_COUNT: the writer counts only when it is done. */
#include "../program.h"

#include <sched.h>

enum { WRITINGS = 2 };

static int count, left, right;

static void *writer(void *arg)
{
    for (int i = 1; i <= WRITINGS; i++) {
#ifdef ONE_COUNT
        visible_write(left, i);
        visible_write(right, i);
        atomic_add(count, 2);
#else
        atomic_add(count, 1);
        visible_write(left, i);
        visible_write(right, i);
        atomic_add(count, 1);
#endif
    }
    return arg;
}

static int begin(void)
{
    int seen = atomic_read(count);

#ifndef ODD_ACCEPTED
    while (seen % 2 == 1) {
        sched_yield();
        seen = atomic_read(count);
    }
#endif
    return seen;
}

static bool is_torn(int seen)
{
#ifdef NO_RECHECK
    (void)seen;
    return false;
#else
    return atomic_read(count) != seen;
#endif
}

static void *reader(void *arg)
{
    int seen, l, r;

    do {
        seen = begin();
        l = visible_read(left);
        r = visible_read(right);
    } while (is_torn(seen));
    assert(l == r);
    return arg;
}

int main(void)
{
    pthread_t writes = spawn(writer), reads = spawn(reader);

    join(writes);
    join(reads);
    return 0;
}
