/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_two.c - two threads join the same thread: the one whose turn comes second joins a
 * thread that is already joined, even if both calls had begun before.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_t t;

static void *nothing(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(t, NULL);
    return arg;
}

int main(void)
{
    t = start(nothing, NULL);
    pthread_t other = start(joins, NULL);
    pthread_join(t, NULL);
    finish(other);
    return 0;
}
