/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_at_end: the threads are not joined, and main ends before them.  The check runs
 * when all threads have ended. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int sum;

static void check(void *want)
{
    heddle_assert(sum == *(int *)want);
}

static void *add(void *unused)
{
    int seen = visible_read(sum);

    visible_write(sum, seen + 1);
    return unused;
}

int main(void)
{
    static int want = 2;

    heddle_at_end(check, &want);
    pthread_detach(spawn(add));
    pthread_detach(spawn(add));
}
