/* SPDX-License-Identifier: BSD-2-Clause
 *
 * division - an average over a count that another thread takes away. */
#include "fail.h"

static int sum = 10, count = 2;

static void *clear(void *arg)
{
    put(count, 0);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(clear);
    int n = get(count);

    if (n != 0) {
        volatile int average = sum / (fixed ? n : get(count));

        (void)average;
    }
    join(thread);
    return 0;
}
