/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An invariant that is asked for while another thread runs: whether it is there before
 * the other one writes is a matter of order, which nothing else shows. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int x;

HEDDLE_INVARIANT(not_negative, x >= 0)

static void *dip(void *unused)
{
    visible_write(x, -1);
    visible_write(x, 0);
    return unused;
}

static void *ask(void *unused)
{
    heddle_yield();
    heddle_always(not_negative, 0);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(dip), b = spawn(ask);

    join(a);
    join(b);
}
