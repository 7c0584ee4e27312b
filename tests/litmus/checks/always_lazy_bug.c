/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An invariant that reads b only where a is set: the first execution need not show that
 * it reads b at all.  It breaks where a is set before b, and the thread that sets b runs
 * first in the order of creation. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int a, b;

HEDDLE_INVARIANT(a_needs_b, a == 0 || b == 1)

static void *set_a(void *unused)
{
    visible_write(a, 1);
    return unused;
}

static void *set_b(void *unused)
{
    visible_write(b, 1);
    return unused;
}

int main(void)
{
    heddle_always(a_needs_b, 0);
    pthread_t second = spawn(set_b), first = spawn(set_a);

    join(first);
    join(second);
}
