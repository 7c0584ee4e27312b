/* SPDX-License-Identifier: BSD-2-Clause
 *
 * atomic_flag_lock.c - a lock made of an atomic flag, waiting by polling. */
#include <sched.h>
#include <stdatomic.h>

#include "../conform.h"

static atomic_flag held = ATOMIC_FLAG_INIT;
static int x;

static void *worker(void *arg)
{
    while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
        sched_yield();
    x++;
    atomic_flag_clear_explicit(&held, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t = start(worker, NULL);

    worker(NULL);
    finish(t);
    IS(x, 2);
    return 0;
}
