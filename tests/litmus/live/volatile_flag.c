/* SPDX-License-Identifier: BSD-2-Clause
 *
 * volatile_flag - main spins on a plain volatile flag, without any call.
 *
 * fixed: the worker raises it.  bug: only when it comes after another flag, which
 * main raises too late. */
#include "live.h"

static volatile int ready;
static int wanted;

static void *worker(void *arg)
{
    if (!is("bug") || get(wanted))
        ready = 1;
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(worker);

    put(wanted, 1);
    while (!ready)
        ;
    join(thread);
    return 0;
}
