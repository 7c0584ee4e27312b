/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of at_end_bug: adding is one operation. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int sum;

static void check(void *want)
{
    heddle_assert(sum == *(int *)want);
}

static void *add(void *unused)
{
    __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    static int want = 2;

    heddle_at_end(check, &want);
    pthread_detach(spawn(add));
    pthread_detach(spawn(add));
}
