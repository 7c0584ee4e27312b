/* SPDX-License-Identifier: BSD-2-Clause
 *
 * heddle_always: money is moved from one account to the other, each with a lock of its
 * own, so at some moments a part of it is in neither.  No thread ever looks at both
 * accounts: without the invariant nothing is wrong, and the two writes of different
 * threads are independent. */
#include <heddle/heddle.h>

#include "../litmus.h"

static int left = 1, right = 1;

HEDDLE_INVARIANT(some_money, left + right > 0)

static void *empty_left(void *unused)
{
    visible_write(left, 0);
    return unused;
}

static void *empty_right(void *unused)
{
    visible_write(right, 0);
    visible_write(right, 1);
    return unused;
}

int main(void)
{
    heddle_always(some_money, 0);
    pthread_t a = spawn(empty_left), b = spawn(empty_right);

    join(a);
    join(b);
}
