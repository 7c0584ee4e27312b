/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder_3 - two threads set a pair in two steps, a third must see all or
 * nothing of it (SCT study, row 21).
 *
 * Claim: the pair is (0,0) or (1,-1).  False between the two steps.  All
 * accesses race.  Visible are the writes and the reads that the study's race
 * detector had seen racing; the first read of `b` it had not, so that read is
 * unseen here (visible, it would give 2,770 schedules in place of 2,494).
 * Twin: reorder_3_fixed.c. */
#include "../litmus.h"

static int a, b;

static void *set(void *arg)
{
    visible_write(a, 1);
    visible_write(b, -1);
    return arg;
}

static void *check(void *arg)
{
    if (visible_read(a) == 0 && unseen_read(&b) == 0)
        return arg;
    assert(visible_read(a) == 1 && visible_read(b) == -1);
    return arg;
}

int main(void)
{
    pthread_t t1 = spawn(set);
    pthread_t t2 = spawn(set);
    pthread_t t3 = spawn(check);

    join(t1);
    join(t2);
    join(t3);
    return 0;
}
