/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lastzero N - a reader looks for the last zero of an array, from its end; writer j
 * of N stores a[j] = a[j-1] + 1.
 *
 * Claim: there is always one, since no thread writes a[0].  (N + 3) 2^(N-2) classes. */
#include "classes.h"

static int writers;
static int array[MOST_THREADS];

static void *search(void)
{
    int i = writers;

    while (visible_read(array[i]) != 0)
        i--;
    assert(i >= 0);
    return NULL;
}

static void *work(void *arg)
{
    int j = numbered(arg);

    if (j == 0)
        return search();
    visible_write(array[j], visible_read(array[j - 1]) + 1);
    return arg;
}

int main(int argc, char **argv)
{
    writers = argument(argc, argv, 1, 3);
    run_threads(writers + 1, work);
    return 0;
}
