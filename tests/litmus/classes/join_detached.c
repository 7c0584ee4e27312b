/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_detached - main joins a thread that was created detached, which fails at once, and
 * then reads what that thread writes.
 *
 * Claim (an assertion): the thread has written it.  False when its last step comes after
 * main's read; before the join, and between the two, are the other orders. */
#include "classes.h"

static int x;

static void *write_x(void *arg)
{
    visible_write(x, 1);
    return arg;
}

int main(void)
{
    pthread_attr_t detached;
    pthread_t t;

    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &detached, write_x, NULL);
    pthread_join(t, NULL);
    assert(visible_read(x) == 1);
    return 0;
}
