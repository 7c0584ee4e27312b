/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thread that an assumption stops does not hide what another one does wrong
 * independently of it, also from a reduction. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int flag, other;

static void *stops(void *unused)
{
    visible_write(other, 1);
    heddle_assume(0);
    return unused;
}

static void *fails(void *unused)
{
    visible_write(flag, 1);
    visible_write(flag, 2);
    heddle_assert(visible_read(flag) == 1);
    return unused;
}

int main(void)
{
    pthread_t a = spawn(stops), b = spawn(fails);

    join(a);
    join(b);
}
