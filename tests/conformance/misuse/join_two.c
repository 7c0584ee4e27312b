/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_two.c - two threads join the same one: the second of them, by its turn, joins
 * what is joined already, also when both had asked before.
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
