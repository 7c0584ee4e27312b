/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two threads wait in loops, one of them right before a transaction.  To find out whether that loop ends with a value, a
 * search may end an execution at the choice between the loop and the transaction; the next execution must be none the worse
 * for it.  With an argument nobody ends the waits. */
#include "rtm.h"

static atomic_int x, y;

static void *wait_for_x(void *arg)
{
    volatile char room[256]; /* a deep frame */

    room[0] = 0;
    while (x == 0)
        continue;
    return arg;
}

static void *set(void *arg)
{
    y = 1;
    return arg;
}

static void *wait_and_begin(void *arg)
{
    while (y == 1)
        continue;
    if (_xbegin() == _XBEGIN_STARTED)
        _xend();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t[3];

    (void)argv;
    pthread_create(&t[0], NULL, wait_for_x, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_create(&t[2], NULL, wait_and_begin, NULL);
    pthread_join(t[1], NULL);
    if (argc == 1) {
        y = 2;
        x = 1;
    }
    pthread_join(t[0], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
