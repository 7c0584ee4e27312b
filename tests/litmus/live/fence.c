/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fence - main waits for a flag with a memory fence in each round, or without one ("plain").
 * A fence changes no state: waiting is recognised as without. */
#include "live.h"

static int flag;

static void *worker(void *arg)
{
    put(flag, 1);
    return arg;
}

static void wait_while(int value)
{
    while (get(flag) == value)
        if (!is("plain"))
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(worker);

    wait_while(0);
    join(thread);
    if (is("bug"))
        wait_while(1);
    return 0;
}
