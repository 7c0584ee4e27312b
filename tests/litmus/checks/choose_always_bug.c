/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An invariant over what a choice decides, and what another thread writes: all
 * alternatives in all orders. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int level, limit = 2;

HEDDLE_INVARIANT(in_bounds, level <= limit)

static void *raise_level(void *unused)
{
    int by = (int)heddle_choose(3);

    heddle_yield();
    visible_write(level, by);
    visible_write(level, 0);
    return unused;
}

static void *lower_limit(void *unused)
{
    visible_write(limit, 1);
    visible_write(limit, 2);
    return unused;
}

int main(void)
{
    heddle_always(in_bounds, 0);
    pthread_t a = spawn(raise_level), b = spawn(lower_limit);

    join(a);
    join(b);
}
